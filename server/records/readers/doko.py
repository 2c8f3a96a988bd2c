"""Reader of an online Doppelkopf server's log: one game a line, as JSON.

A game has ``vorbehalte`` (reservations by seat), ``hands``, ``events`` in order, ``first_leader``, and what came of it.
The server plays by the tournament rules; announcements may stand between any two cards.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from croupier.protocol.doppelkopf import WITH_NINES
from croupier.protocol.sexp import write
from croupier.server.games.doppelkopf.announcements import PARTIES
from croupier.server.games.doppelkopf.game import Doppelkopf
from croupier.server.records.readers.foreign import Foreign, Unreadable, player_names

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from croupier.protocol.sexp import Sexp
    from croupier.server.games.game import Game, Play
    from croupier.server.records.readers.foreign import Values

RESERVATIONS: Mapping[str, Play] = {"gesund": ("healthy",), "hochzeit": ("wedding",), "armut": ("poverty",)}
ANNOUNCEMENTS = {"90": "no90", "60": "no60", "30": "no30", "0": "black", "contra": "kontra"}
SIDES = {"contra": "kontra"}


def read(text: str) -> Iterator[Foreign]:
    """Yield the games of a log; raise Unreadable at a line that is none."""
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            yield _Log(number, _fields(number, line)).read()


def _fields(number: int, line: str) -> dict[str, Any]:
    try:
        fields = json.loads(line)
    except ValueError as problem:
        raise Unreadable(f"line {number} is not JSON: {problem}") from None
    if not isinstance(fields, dict) or not {"vorbehalte", "hands", "events"} <= fields.keys():
        raise Unreadable(f"line {number} is no game: it needs vorbehalte, hands and events")
    return fields


@dataclass
class _Log:
    """One game on its way to the lines of a record."""

    number: int
    fields: Mapping[str, Any]

    def read(self) -> Foreign:
        try:
            return self._foreign()
        except (KeyError, TypeError, IndexError, AttributeError, ValueError) as problem:
            raise Unreadable(f"line {self.number} is no game of Doppelkopf: {problem}") from None

    def _foreign(self) -> Foreign:
        self.names = player_names([""] * 4)
        self.reserved = [self._reservation(word) for word in self.fields["vorbehalte"]]
        self.hands = [tuple(map(_card, hand)) for hand in self.fields["hands"]]
        self.events = [self._event(event) for event in self.fields["events"]]
        if len(self.reserved) != 4 or sorted(sum(self.hands, ())) != sorted(WITH_NINES):
            raise ValueError("four reservations and the 48 cards are needed")
        missing = len(WITH_NINES) - sum(play[0] == "play" for _, play in self.events)
        return Foreign(
            title=f"game {str(self.fields.get('source', self.number)).rsplit('/', 1)[-1]}",
            record="".join([f"{line}\n" for line in self._record(ended=not missing)]),
            values=self._values(),
            outcome=partial(_outcome, names=self.names),
            stopped=f"the log ends {missing} cards before the game does" if missing else "",
        )

    def _reservation(self, word: str) -> Play:
        kind, _, solo = word.partition("_")
        return ("solo", solo) if kind == "solo" else RESERVATIONS[word]

    def _event(self, event: Mapping[str, Any]) -> tuple[str, Play]:
        name = self.names[event["p"]]
        if event["t"] == "card":
            return name, ("play", _card(event["card"]))
        word = str(event["v"])
        return name, ("announce", ANNOUNCEMENTS.get(word, word))

    def _record(self, *, ended: bool) -> Iterator[str]:
        leader = int(self.fields.get("first_leader", 0))
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
            forms += [("score", *zip(self.names, self.fields["player_points"], strict=True)), ("end", "finished")]
        yield from map(write, forms)

    def _values(self) -> Values:
        """Read what the server wrote down of the outcome, as far as it did."""
        fields = self.fields
        values: dict[str, int | str | bool | None] = {}
        for key, what in (("player_points", "score"), ("card_points", "card points")):
            values |= {
                f"{what} of {name}": number for name, number in zip(self.names, fields.get(key, ()), strict=False)
            }
        if "trick_winners" in fields:
            values["tricks"] = " ".join([self.names[seat] for seat in fields["trick_winners"]])
        if "re_players" in fields:
            values["re"] = " ".join([self.names[seat] for seat in sorted(fields["re_players"])])
        if "winner" in fields:
            values["winner"] = SIDES.get(fields["winner"], fields["winner"])
        return values


def _card(word: str) -> str:
    return word[1].lower() + word[0]


def _outcome(game: Game, *, names: tuple[str, ...]) -> Values:
    """Return the same values of the replayed game."""
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
