"""Reader of XSkat's transcripts (``xskat -auto N -log FILE``): tricks in columns, then hands, then the result.

A transcript keeps the last bid but not who said what, so the record has the shortest auction that ends at that bid. It
does not have the value of the game either; XSkat's list of results does (`bench.xskat` compares the two).
"""

from __future__ import annotations

import re
from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from croupier.protocol.sexp import write
from croupier.protocol.skat import PACK
from croupier.server.games.skat.game import Skat
from croupier.server.records.readers.foreign import Foreign, NoGame, Unreadable, attempt, plain, player_names
from croupier.server.records.replay import Invalid, Replay

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from croupier.protocol.sexp import Sexp
    from croupier.server.games.game import Game
    from croupier.server.records.readers.foreign import Values

_END = "=" * 40
_CUT = re.compile(r"^----.*$", re.MULTILINE)
_CARD = re.compile(r"\b(Club|Spade|Heart|Diamond)([ _])(10|[AKQJ987])\b", re.IGNORECASE)
_COLUMN = 12
_FACTS = {
    "skat": re.compile("Skat is: *(.+)"),
    "dealt": re.compile("Skat was: *(.+)"),
    "bid": re.compile("Last bid: *([0-9]{2,3})"),
    "declared": re.compile("(.+) played (Club|Spade|Heart|Diamond|Grand|Null)"),
    "hand": re.compile("Played (?:ouvert )?(Hand)"),
    "ouvert": re.compile("Played (ouvert).*"),
    "schneider": re.compile("(Schneider) announced"),
    "schwarz": re.compile("(Schwarz) announced"),
    "outcome": re.compile("(Won|Lost)(?: with: ([0-9]{1,3}) points)?"),
}
"""The meaning of the lines under the hands.

All others belong to variants of the game that this reader does not know.
"""
_GAMES = {"Club": "clubs", "Spade": "spades", "Heart": "hearts", "Diamond": "diamonds"}


class _Trick(NamedTuple):
    """The leader, the winner, and the cards by column."""

    leader: int
    winner: int
    cards: tuple[str, ...]


def read(text: str) -> Iterator[Foreign | NoGame]:
    """Yield the games of a transcript, each with the outcome that XSkat wrote, and the parts that are no game."""
    pieces = text.split(f"{_END}\n")
    starts = accumulate((f"{piece}\n".count("\n") for piece in pieces), initial=1)
    for number, (line, piece) in enumerate(zip(starts, pieces, strict=False), start=1):
        if piece.strip():
            yield attempt(number, line, partial(_game, number, piece))


def is_one(text: str) -> bool:
    """Return whether a text looks like a transcript of XSkat."""
    return bool(re.match(r"[^\n]*\n[^\n]*\n-{40}\n", text))


def _game(number: int, piece: str) -> Foreign:
    if "\b" in piece:
        raise Unreadable("it is formatted for a printer: run xskat with -unfmt")
    sections = _CUT.split(piece)
    if len(sections) != 4:
        raise Unreadable("it is no whole game in English: names, tricks, hands and outcome, with lines of - between")
    names, tricks, hands, outcome = sections
    head = next((line for line in names.splitlines() if line.strip()), "")
    columns = [head[1 + _COLUMN * seat : 1 + _COLUMN * (seat + 1)].strip() for seat in range(3)]
    return _Transcript(number, columns, tricks, _columns_of_cards(hands), _facts(outcome)).read()


class _Transcript:
    """One game on its way from the columns to the lines of a record, whose first seat is forehand's."""

    def __init__(
        self, number: int, names: Sequence[str], tricks: str, hands: list[list[str]], facts: dict[str, tuple[str, ...]]
    ) -> None:
        self.number = number
        self.facts = facts
        self.passed = "Pass" in tricks
        self.tricks = [] if self.passed else [_trick(row) for row in tricks.splitlines() if row.strip()]
        if not self.passed and not self.tricks:
            raise Unreadable("it has neither tricks nor three who pass")
        first = _of_underscore(tricks) if self.passed else self.tricks[0].leader
        self.seats = [(first + place) % 3 for place in range(3)]  # the column of each seat
        self.names = player_names([names[column] for column in self.seats])
        self.hands = [hands[column] for column in self.seats]
        if not self.passed:
            self.declarer = self._declarer([names[column] for column in self.seats])

    def _declarer(self, names: list[str]) -> int:
        if missing := [key for key in ("skat", "dealt", "bid", "declared", "outcome") if key not in self.facts]:
            raise Unreadable(f"it has no line of {', '.join(missing)}")
        who = self.facts["declared"][0]
        if names.count(who) != 1:
            raise Unreadable(f"{plain(who)} is not the name of one of the three columns")
        return names.index(who)

    def read(self) -> Foreign:
        return Foreign(
            title=f"game {self.number}",
            record=_with_its_end("".join([f"{line}\n" for line in self._record()])),
            values=self._values(),
            outcome=partial(_outcome, of_points=not self.passed and bool(self.facts["outcome"][1])),
        )

    def _record(self) -> Iterator[str]:
        yield "(record 1)"
        yield write(("game", "skat", *Skat.read_options({}).items()))
        yield write(("players", *self.names))
        yield f"(deal {self.number} 0)"
        yield write(("shuffle", "deal", *self._pack()))
        for seat, play in self._auction() if self.passed else (*self._auction(), *self._plays()):
            yield write(("play", self.names[seat], play))

    def _pack(self) -> list[str]:
        """Return the cards as they were dealt: the declarer's without those put down, with those picked up."""
        hands, skat = [set(hand) for hand in self.hands], _cards(self.facts["skat"][0])
        if not self.passed:
            dealt = _cards(self.facts["dealt"][0])
            hands[self.declarer] = (hands[self.declarer] | set(skat)) - set(dealt)
            skat = dealt
        pack = [card for hand in hands for card in sorted(hand)] + skat
        if sorted(pack) != sorted(PACK) or any(len(hand) != 10 for hand in hands):
            raise Unreadable("its hands and skat are not the 32 cards of the pack, ten for each player")
        return pack

    def _auction(self) -> list[tuple[int, tuple[Sexp, ...]]]:
        """Return the shortest auction that ends with the declarer at the last bid."""
        said = [(1, ("pass",)), (2, ("pass",))]
        if self.passed:
            return [*said, (0, ("pass",))]
        bid = ("bid", int(self.facts["bid"][0]))
        match self.declarer:
            case 0 if bid == ("bid", 18):
                return [*said, (0, bid)]
            case 0:
                return [(1, bid), (0, ("hold",)), *said]
            case 1:
                return [(1, bid), (0, ("pass",)), (2, ("pass",))]
            case _:
                return [(1, ("pass",)), (2, bid), (0, ("pass",))]

    def _plays(self) -> Iterator[tuple[int, tuple[Sexp, ...]]]:
        hand = "hand" in self.facts
        game = self.facts["declared"][1]
        words = [word for word in ("schneider", "schwarz", "ouvert") if word in self.facts]
        down = [] if hand else _cards(self.facts["skat"][0])
        yield self.declarer, ("hand",) if hand else ("pick-up",)
        yield self.declarer, ("declare", _GAMES.get(game, game.lower()), *down, *words)
        for trick in self.tricks:
            for place in range(3):
                column = (trick.leader + place) % 3
                yield self.seats.index(column), ("play", trick.cards[column])

    def _values(self) -> Values:
        if self.passed:
            return {"passed": True}
        won, points = self.facts["outcome"]
        return {
            "passed": False,
            "won": won == "Won",
            **({"points": int(points)} if points else {}),  # a Null has none
            "winners of the tricks": " ".join([self.names[self.seats.index(trick.winner)] for trick in self.tricks]),
        }


def _with_its_end(record: str) -> str:
    """Add the score to a record whose plays are a whole game by the rules; a transcript does not have it."""
    try:
        replay = Replay(record)
        for _ in replay.steps():
            pass
    except Invalid:
        return record  # the verdict on it names the line
    if replay.game.turn is not None:
        return record
    score = write(("score", *zip(replay.game.players, replay.game.scores(), strict=True)))
    return f"{record}{score}\n(end finished)\n"


def _outcome(game: Game, *, of_points: bool) -> Values:
    """Return the values of the replayed game."""
    if not isinstance(game, Skat):
        raise TypeError(f"{game.NAME} is not Skat")
    result = game.results[-1] if game.results else None
    if result is None:
        return {"passed": game.turn is None}
    winners = [*[leader for leader, _ in game.tricks[1:]], game.leader]
    return {
        "passed": False,
        "won": result.won,
        **({"points": result.points} if of_points else {}),
        "winners of the tricks": " ".join([game.players[seat] for seat in winners]),
    }


def _facts(section: str) -> dict[str, tuple[str, ...]]:
    """Return what the lines under the hands say, by their keys in FACTS."""
    facts: dict[str, tuple[str, ...]] = {}
    for line in filter(None, map(str.strip, section.splitlines())):
        said = {key: found.groups(default="") for key, form in _FACTS.items() if (found := form.fullmatch(line))}
        if not said:
            raise Unreadable(f"{plain(line)} is no line of a plain game in English; XSkat's variants are not read")
        facts |= said
    if "skat" not in facts:
        raise Unreadable("it does not say which cards are in the skat")
    return facts


def _trick(row: str) -> _Trick:
    """Read a row of the tricks: the winner's suit is in capitals; _ marks the leader where that is somebody else."""
    cards = list(_CARD.finditer(row))
    winners = [column for column, card in enumerate(cards) if card[1].isupper()]
    if len(cards) != 3 or len(winners) != 1:
        raise Unreadable(f"{plain(row.strip())} is no trick: three cards, of which one is in capitals")
    return _Trick(
        next((column for column, card in enumerate(cards) if card[2] == "_"), winners[0]),
        winners[0],
        tuple([_card(card) for card in cards]),
    )


def _of_underscore(row: str) -> int:
    """Return the column of _Pass_: forehand's."""
    words = row.split()
    if "_Pass_" not in words or len(words) != 3:
        raise Unreadable("three pass, but none of them is marked as forehand")
    return words.index("_Pass_")


def _columns_of_cards(section: str) -> list[list[str]]:
    """Read the hands, a column each."""
    cards = [_card(card) for card in _CARD.finditer(section)]
    return [cards[seat::3] for seat in range(3)]


def _cards(said: str) -> list[str]:
    return [_card(card) for card in _CARD.finditer(said)]


def _card(found: re.Match[str]) -> str:
    return found[1][0].lower() + found[3].replace("10", "T")
