"""Reader of an online Doppelkopf server's log: one game per line, as JSON.

A game has ``vorbehalte`` (reservations by seat), ``hands``, ``events`` in order, ``first_leader``, and the results. The
server plays by the tournament rules; announcements may come between any two cards.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from croupier.protocol.doppelkopf import WITH_NINES
from croupier.protocol.sexp import write
from croupier.server.games.doppelkopf.announcements import PARTIES, WORDS
from croupier.server.games.doppelkopf.game import Doppelkopf
from croupier.server.records.readers.foreign import Foreign, NoGame, Unreadable, attempt, plain, player_names

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from croupier.protocol.sexp import Sexp
    from croupier.server.games.game import Game, Play
    from croupier.server.records.readers.foreign import Values

RESERVATIONS: Mapping[str, Play] = {"gesund": ("healthy",), "hochzeit": ("wedding",), "armut": ("poverty",)}
ANNOUNCEMENTS = {"90": "no90", "60": "no60", "30": "no30", "0": "black", "contra": "kontra"}
_SAID = {**ANNOUNCEMENTS, **{word: word for words in WORDS for word in words}}
SIDES = {"re": "re", "contra": "kontra", "kontra": "kontra"}
_MOST_POINTS = 1_000_000
_LOOKED_AT = 4096
_NEEDED = ("vorbehalte", "hands", "events")
_SOLO = re.compile("solo_([a-z0-9-]+)")


def read(text: str) -> Iterator[Foreign | NoGame]:
    """Yield the games of a log, one per line, and the lines that are not games."""
    lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    for number, (line, written) in enumerate(lines, start=1):
        yield attempt(number, line, partial(_game, line, written))


def is_one(text: str) -> bool:
    """Return whether a text looks like a log of the server."""
    first = text.lstrip()[:_LOOKED_AT]
    return first.startswith("{") and any(f'"{key}"' in first for key in _NEEDED)


def _game(line: int, written: str) -> Foreign:
    try:
        fields = json.loads(written)
    except json.JSONDecodeError as problem:
        raise Unreadable(f"it is not JSON, or cut off: {problem.msg}, character {problem.pos + 1}") from None
    except (ValueError, RecursionError):  # endless numbers, endlessly nested lists
        raise Unreadable("it is not JSON that can be read: a number is too long, or lists too deep") from None
    if not isinstance(fields, dict):
        raise Unreadable(f"a game is a JSON object, {{...}}, not {plain(fields)}")
    if missing := [key for key in _NEEDED if key not in fields]:
        raise Unreadable(f"it has no {' and no '.join(missing)}; a game needs {', '.join(_NEEDED)}")
    return _Log(line, fields).read()


@dataclass
class _Log:
    """One game in the process of becoming the lines of a record."""

    number: int
    fields: Mapping[str, Any]

    def read(self) -> Foreign:
        self.names = player_names([""] * 4)
        self.reserved = [_reservation(word) for word in self._list("vorbehalte", 4)]
        self.hands = [_hand(hand) for hand in self._list("hands", 4)]
        self.events = [self._event(event) for event in self._list("events")]
        if sorted(sum(self.hands, ())) != sorted(WITH_NINES):
            raise Unreadable("hands must be four lists of cards, together the 48 of the pack")
        missing = max(0, len(WITH_NINES) - sum(play[0] == "play" for _, play in self.events))
        return Foreign(
            title=f"game {plain(str(self.fields.get('source', self.number)).rsplit('/', 1)[-1])}",
            record="".join([f"{line}\n" for line in self._record(ended=not missing)]),
            values={} if missing else self._values(),
            outcome=partial(_outcome, names=self.names),
            stopped=f"the log ends {missing} cards before the game does" if missing else "",
        )

    def _list(self, key: str, length: int | None = None) -> list[Any]:
        value = self.fields[key]
        if not isinstance(value, list) or length not in (None, len(value)):
            many = "a list" if length is None else f"a list of {length}"
            raise Unreadable(f"{key} must be {many}, and is {plain(json.dumps(value))}")
        return value

    def _numbers(self, key: str) -> list[int]:
        """Read a number for each seat."""
        return [_number(key, value) for value in self._list(key, 4)]

    def _seats(self, key: str) -> list[str]:
        """Read a list of seats as names."""
        return [self.names[_seat(key, value)] for value in self._list(key)]

    def _event(self, event: object) -> tuple[str, Play]:
        if not isinstance(event, dict) or not {"p", "t"} <= event.keys():
            raise Unreadable(f"an event is an object with p and t, not {plain(json.dumps(event))}")
        name = self.names[_seat("p", event["p"])]
        if event["t"] == "card":
            return name, ("play", _card(event.get("card")))
        word = str(event.get("v"))
        if word not in _SAID:
            raise Unreadable(f"the event {plain(json.dumps(event))} plays no card and announces nothing that is known")
        return name, ("announce", _SAID[word])

    def _record(self, *, ended: bool) -> Iterator[str]:
        leader = _seat("first_leader", self.fields.get("first_leader", 0))
        soloist_leads = self.reserved[leader][0] == "solo" and leader > 0
        first = 0 if soloist_leads else leader
        around = [(first + place) % 4 for place in range(4)]
        options = Doppelkopf.read_options({"solo-leads": "yes" if soloist_leads else "no"})
        forms: list[tuple[Sexp, ...]] = [
            ("record", 1),
            ("game", "doppelkopf", *options.items()),
            ("players", *[self.names[seat] for seat in around]),
            ("deal", self.number, 0),
            ("shuffle", "deal", *[card for seat in around for card in self.hands[seat]]),
            *[("play", self.names[seat], self.reserved[seat]) for seat in around],
            *[("play", name, play) for name, play in self.events],
        ]
        if ended and "player_points" in self.fields:
            forms += [("score", *zip(self.names, self._numbers("player_points"), strict=True)), ("end", "finished")]
        yield from map(write, forms)

    def _values(self) -> Values:
        """Read the results that the server wrote down, as far as it did."""
        fields = self.fields
        values: dict[str, int | str | bool | None] = {}
        for key, what in (("player_points", "score"), ("card_points", "card points")):
            if key in fields:
                values |= zip([f"{what} of {name}" for name in self.names], self._numbers(key), strict=True)
        if "trick_winners" in fields:
            values["tricks"] = " ".join(self._seats("trick_winners"))
        if "re_players" in fields:
            values["re"] = " ".join(sorted(self._seats("re_players")))
        if "winner" in fields:
            values["winner"] = _side(fields["winner"])
        return values


def _reservation(word: object) -> Play:
    if isinstance(word, str):
        if word in RESERVATIONS:
            return RESERVATIONS[word]
        if solo := _SOLO.fullmatch(word):
            return ("solo", solo[1])
    raise Unreadable(f"{plain(json.dumps(word))} is no reservation: {', '.join(RESERVATIONS)} or solo_...")


def _hand(cards: object) -> tuple[str, ...]:
    if not isinstance(cards, list):
        raise Unreadable(f"a hand is a list of cards, not {plain(json.dumps(cards))}")
    return tuple(map(_card, cards))


def _card(word: object) -> str:
    """Read a card as the server writes it, ``9C`` for the nine of clubs."""
    card = word[1:].lower() + word[:1] if isinstance(word, str) else ""
    if card not in WITH_NINES:
        raise Unreadable(f"{plain(json.dumps(word))} is no card: a card is such as 9C")
    return card


def _number(key: str, value: object) -> int:
    if type(value) is not int or abs(value) > _MOST_POINTS:
        raise Unreadable(f"{key} has {plain(json.dumps(value))}, where a whole number belongs")
    return value


def _seat(key: str, value: object) -> int:
    if type(value) is not int or not 0 <= value < 4:
        raise Unreadable(f"{key} has {plain(json.dumps(value))}, where a seat belongs, 0 to 3")
    return value


def _side(value: object) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str) or value not in SIDES:
        raise Unreadable(f"winner is {plain(json.dumps(value))}, and must be re, contra or null")
    return SIDES[value]


def _outcome(game: Game, *, names: tuple[str, ...]) -> Values:
    """Return the same results of the replayed game."""
    if not isinstance(game, Doppelkopf):
        raise TypeError(f"{game.NAME} is not Doppelkopf")
    sides = game.parties.sides or []
    re = [name for name, side in zip(game.players, sides, strict=False) if PARTIES[side] == "re"]
    values: dict[str, int | str | bool | None] = {
        "tricks": " ".join([game.players[seat] for seat in game.winners]),
        "re": " ".join([name for name in names if name in re]),
    }
    for name, score, points in zip(game.players, game.scores(), game.points, strict=True):
        values |= {f"score of {name}": score, f"card points of {name}": points}
    if game.turn is None:
        winner = game.result.winner
        values["winner"] = None if winner is None else PARTIES[winner]
    return values
