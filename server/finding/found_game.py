"""FoundGame: a game with its known facts and where its record is, and whether conditions hold for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from croupier.server.entries import distinct_names
from croupier.server.tournaments.statistics.times import middle

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from croupier.server.finding.conditions import Condition, Query
    from croupier.server.games.game import Game
    from croupier.server.table.played_game import PlayedGame


class FoundGame(NamedTuple):
    """A game that a search may find."""

    path: Path
    number: int | None
    """The record's number in its file, from 1, if the file has several."""
    called: str
    """The game's name in its record."""
    rules: type[Game] | None
    """None if the rules are not available, such as those of a program."""
    played: PlayedGame
    text: Callable[[], str]

    @property
    def record(self) -> str:
        """The record's name as `croupier replay` takes it."""
        return str(self.path) if self.number is None else f"{self.path}:{self.number}"

    @property
    def names(self) -> tuple[str, ...]:
        """The players as the record names them; the second seat of one entry is ``NAME-2``."""
        return distinct_names(self.played.seating)

    def meets(self, query: Query) -> bool:
        """Return whether all conditions hold, except those about the contract, which need a replay."""
        if not all(each.holds(self._of_game(each)) for each in query.of_game if each.field != "contract"):
            return False
        seats = self.seats(query)
        if not seats or not query.plays:
            return bool(seats) or not query.of_player
        return self._has_played(seats, query.plays)

    def seats(self, query: Query) -> list[int]:
        """List the seats whose players meet the conditions about a player, except those about a play."""
        facts = [each for each in query.of_player if each.field != "play"]
        return [
            seat
            for seat in range(len(self.played.seating))
            if all(each.holds(of_player(self.played, seat, each)) for each in facts)
        ]

    def _of_game(self, asked: Condition) -> object:
        played = self.played
        match asked.field:
            case "with":
                return asked.value if asked.value in played.seating else ""
            case "game":
                names = {self.called, getattr(self.rules, "PROGRAM", self.called)}
                return asked.value if asked.value in names else ""
            case "outcome":
                return played.outcome.value
            case "faults":
                return len(played.faults)
            case "margin":
                return played.margin if played.ranks else None
            case field:
                return getattr(played, field)

    def _has_played(self, seats: Sequence[int], plays: Sequence[str]) -> bool:
        text, names = self.text(), self.names
        return any(
            all(any(f"\n({word} {names[seat]} {play})\n" in text for word in ("play", "defense")) for play in plays)
            for seat in seats
        )


def of_player(played: PlayedGame, seat: int, asked: Condition) -> object:
    """Return the known facts about a player that can be told without the record's text."""
    match asked.field:
        case "player":
            return played.seating[seat]
        case "score":
            return played.scores[seat] if played.scores else None
        case "rank":
            return played.ranks[seat] if played.ranks else None
        case "fault":
            return next((fault.fault.kind.value for fault in played.faults if fault.seat == seat), "")
        case _:
            return longest(played, seat)


def longest(played: PlayedGame, seat: int) -> float | None:
    """Return the milliseconds of a player's longest thought; in a tournament, accurate to half a bucket."""
    if played.thinking:
        return max(played.thinking[seat], default=0.0) * 1000
    if played.times:
        top = max((place for place, _ in played.times[seat]), default=None)
        return None if top is None else middle(top) / 1000
    return None
