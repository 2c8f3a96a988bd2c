"""Reader of the Internet Skat Server's collections: a game is an SGF node, a move a word after its seat's number."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from croupier.protocol.sexp import write
from croupier.server.games.skat.contract import matadors_in, points_in
from croupier.server.games.skat.game import Skat
from croupier.server.games.skat.value import HandResult, settle, settle_null
from croupier.server.records.readers.foreign import Foreign, NoGame, Unreadable, attempt, plain, player_names

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from croupier.protocol.sexp import Sexp
    from croupier.server.games.game import Game
    from croupier.server.records.readers.foreign import Values

_PROPERTY = re.compile(r"([A-Z][A-Z0-9]*)\[((?:[^\]\\]|\\.)*)\]", re.DOTALL)
_BEGINNING = re.compile(r"\(;\s*(?=[A-Z][A-Z0-9]*\[)")
_WHOLE = re.compile(rf"\((?:[;\s]*{_PROPERTY.pattern})*[;\s]*\)", re.DOTALL)
_NUMBER = re.compile(r"-?[0-9]{1,6}")
_CARD = re.compile(r"[CSHD][AKQJT987]")
_DECLARATION = re.compile(r"([CSHDGN])([HOSZ]*)((?:\.[CSHD][AKQJT987])*)")
_GAMES = {"C": "clubs", "S": "spades", "H": "hearts", "D": "diamonds", "G": "grand", "N": "null"}
_WORDS = {"S": "schneider", "Z": "schwarz", "O": "ouvert"}
_CALLS = {"y": "hold", "p": "pass", "s": "pick-up"}
_SEATS = {"0", "1", "2"}
_BROKEN_OFF = {"TI": "ran out of time", "LE": "left the table"}


def read(text: str) -> Iterator[Foreign | NoGame]:
    """Yield the games of a collection, each with the server's own results, and the pieces that are not games."""
    for number, (line, piece) in enumerate(_pieces(text), start=1):
        yield attempt(number, line, partial(_game, number, piece))


def is_one(text: str) -> bool:
    """Return whether a text looks like a collection of the server."""
    return text.lstrip().startswith("(;")


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    """Split a text where games begin and end; yield each piece with the line of its first word."""
    starts = [found.start() for found in _BEGINNING.finditer(text)]
    cuts = sorted({0, *starts, *[found.end() for start in starts if (found := _WHOLE.match(text, start))], len(text)})
    line = 1
    for start, end in pairwise(cuts):
        piece = text[start:end]
        if piece.strip():
            yield line + piece[: len(piece) - len(piece.lstrip())].count("\n"), piece.strip()
        line += piece.count("\n")


def _game(number: int, piece: str) -> Foreign:
    if not _BEGINNING.match(piece):
        raise Unreadable("there is no game here: a game of the server begins with (;GM[Skat]")
    if not _WHOLE.fullmatch(piece):
        raise Unreadable("it is cut off: a game ends with its last ] and a parenthesis")
    return _Log(number, dict(_PROPERTY.findall(piece))).read()


@dataclass
class _Log:
    """One game in the process of becoming the lines of a record."""

    number: int
    node: Mapping[str, str]
    plays: list[tuple[int, tuple[Sexp, ...]]] = field(default_factory=list)
    picked_up: bool = False
    announced: tuple[str, ...] = ()
    declarer: int | None = None
    cards: int = 0
    claims: set[int] = field(default_factory=set)
    resigned: set[int] = field(default_factory=set)
    broken_off: tuple[int, str] | None = None

    def read(self) -> Foreign:
        if self.node.get("GM") != "Skat" or "MV" not in self.node:
            raise Unreadable("it is no game of Skat with its moves: GM[Skat] and MV[...] are needed")
        self.names = player_names([self.node.get(f"P{seat}", "") for seat in range(3)])
        words = self.node["MV"].split()
        if len(words) < 2 or len(pack := _cards(words[1])) != 32:
            raise Unreadable("MV does not begin with w and the 32 cards as they were dealt")
        for seat, word in zip(words[2::2], words[3::2], strict=False):
            self._move(seat, word)
        result = self.node.get("R", "").split()
        stopped = self._why_stopped(result)
        declared = any(play[0] == "declare" for _, play in self.plays)
        return Foreign(
            title=f"game {plain(self.node.get('ID', self.number))}",
            record="".join([f"{line}\n" for line in self._record(pack, result, ended=not stopped)]),
            values=_values(result) if declared or "passed" in result else {},
            outcome=partial(_outcome, in_favour=self._in_favour),
            stopped=stopped,
        )

    # The moves.

    def _move(self, where: str, word: str) -> None:
        if where == "w":
            kind, _, who = word.partition(".")
            if kind in _BROKEN_OFF and who in _SEATS:
                self.broken_off = (int(who), _BROKEN_OFF[kind])
            return
        if where not in _SEATS:
            raise Unreadable(f"{plain(where)} {plain(word)} is nobody's move: a move is 0, 1, 2 or w, then a word")
        seat = int(where)
        if word == "SC":
            self.claims.add(seat)
        elif word == "RE":
            self.resigned.add(seat)
        elif _NUMBER.fullmatch(word):
            self.plays.append((seat, ("bid", int(word))))
        elif word in _CALLS:
            self.picked_up = self.picked_up or word == "s"
            self.plays.append((seat, (_CALLS[word],)))
        elif word != "??":
            self._declare_or_play(seat, word)

    def _declare_or_play(self, who: int, word: str) -> None:
        """Read a declaration, in one word or two, then cards."""
        if self.cards or any(play[0] == "declare" for _, play in self.plays):
            self.cards += 1
            self.plays.append((who, ("play", *self._known_cards(word))))
        elif self.announced:
            self._declare(who, self._known_cards(word)[:2])
        elif said := _DECLARATION.fullmatch(word):
            game, letters, cards = said.groups()
            self.declarer = who
            self.announced = (_GAMES[game], *[_WORDS[letter] for letter in "SZO" if letter in letters])
            if not self.picked_up:
                self.plays.append((who, ("hand",)))
                self._declare(who, ())
            elif cards:
                self._declare(who, self._known_cards(cards[1:])[:2])
        else:
            raise Unreadable(f"{plain(word)} declares no game")

    def _declare(self, who: int, put_down: tuple[str, ...]) -> None:
        game, *words = self.announced
        self.plays.append((who, ("declare", game, *put_down, *words)))

    def _known_cards(self, word: str) -> tuple[str, ...]:
        cards = _cards(word)
        if not cards:
            raise Unreadable(f"{plain(word)} is no card")
        return cards

    # The end.

    def _why_stopped(self, result: list[str]) -> str:
        """Return why the game ended before its last card, empty if it did not."""
        recorded = f"; the server wrote down {value}" if (value := _values(result).get("value")) else ""
        if self.broken_off:
            seat, how = self.broken_off
            return f"{self.names[seat]} {how}{recorded}"
        if self.cards == 30 or "passed" in result:
            return ""
        if self.claims:
            return f"{self.names[min(self.claims)]} claimed the remaining tricks and was given them{recorded}"
        if self.resigned:
            return f"{' and '.join([self.names[seat] for seat in sorted(self.resigned)])} gave up{recorded}"
        if "schwarz" in self.announced or ("ouvert" in self.announced and "null" not in self.announced):
            return f"schwarz was announced and a trick lost, where the server ends the game{recorded}"
        return "" if "null" in self.announced else f"the log ends after {self.cards} cards{recorded}"

    @property
    def _in_favour(self) -> bool:
        """Return whether the rest of a game that stopped belongs to the declarer."""
        if self.broken_off:
            return self.broken_off[0] != self.declarer
        return self.declarer in self.claims or bool(self.resigned - {self.declarer})

    def _record(self, pack: tuple[str, ...], result: list[str], *, ended: bool) -> Iterator[str]:
        names = self.names
        yield "(record 1)"
        yield write(("game", "skat", *Skat.read_options({}).items()))
        yield write(("players", *names))
        yield f"(deal {self.number} 0)"
        yield write(("shuffle", "deal", *pack))
        for seat, play in self.plays:
            yield write(("play", names[seat], play))
        values = _values(result)
        if ended and values:
            value = int(values.get("value") or 0)
            scores = [(name, value if seat == self.declarer else 0) for seat, name in enumerate(names)]
            yield write(("score", *scores))
            yield "(end finished)"


def _cards(word: str) -> tuple[str, ...]:
    """Read cards between points; return nothing if one of them is unknown or not a card."""
    cards = word.split(".")
    return tuple([card[0].lower() + card[1] for card in cards]) if all(map(_CARD.fullmatch, cards)) else ()


def _values(result: list[str]) -> dict[str, int | str | bool | None]:
    """Read the results that the server wrote down."""
    if "passed" in result:
        return {"passed": True}
    words = {key: value for key, _, value in (word.partition(":") for word in result) if key in {"v", "p", "t"}}
    if len(words) < 3:
        return {}
    if wrong := [f"{key}:{value}" for key, value in words.items() if not _NUMBER.fullmatch(value)]:
        raise Unreadable(f"R has {plain(wrong[0])}, where a whole number belongs")
    numbers = {key: int(value) for key, value in words.items()}
    return {
        "value": numbers["v"],
        "points": numbers["p"],
        "tricks": numbers["t"],
        "overbid": "overbid" in result,
        "passed": False,
    }


def _outcome(game: Game, *, in_favour: bool) -> Values:
    """Return the results of the replayed game; if it stopped, the rest goes to one side, as on the server."""
    if not isinstance(game, Skat):
        raise TypeError(f"{game.NAME} is not Skat")
    result = game.results[-1] if game.turn is None else _concede(game, in_favour=in_favour)
    if result is None:
        return {"passed": True}
    return {
        "value": result.value,
        "points": result.points,
        "tricks": result.tricks,
        "overbid": result.overbid,
        "passed": False,
    }


def _concede(game: Skat, *, in_favour: bool) -> HandResult | None:
    """Give all remaining cards and tricks to one side, then count the levels: the server's practice, not ISkO 4.4.3."""
    declarer, contract = game.declarer, game.contract
    if declarer is None or contract is None:
        return None
    skat = points_in(game.skat)
    points, tricks = game.points[declarer] + skat, game.won[declarer]
    if contract.game == "null":
        return settle_null(contract, game.auction.value, points, tricks if in_favour else max(tricks, 1))
    if in_favour:
        points += 120 - skat - sum(game.points)
        tricks += 10 - len(game.tricks)
    return settle(contract, game.auction.value, points, tricks, matadors_in(contract.game, game.twelve))
