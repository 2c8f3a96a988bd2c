"""Sample: the games of one table that came to an end, and means over them with their intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from croupier.server.tournaments.statistics.intervals import ratio_intervals

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from croupier.server.analysis.tables import AnalyzedGame
    from croupier.server.tournaments.statistics.intervals import Interval


class Facts(NamedTuple):
    """The facts about a game that measures need: seats, partners, and whether low scores win."""

    seats: int
    partners: tuple[tuple[int, ...], ...]
    low_wins: bool

    @property
    def due(self) -> float:
        """Return the fair share of wins of a seat; partners win together."""
        return 1 / (self.seats - sum(len(side) - 1 for side in self.partners))

    def side(self, seat: int) -> set[int]:
        """Return the seat and its partners."""
        return next((set(side) for side in self.partners if seat in side), {seat})

    def first(self, game: AnalyzedGame, seat: int) -> float:
        """Return the seat's part of the first place: all of it, or an equal part where opponents share it."""
        sides = {min(self.side(winner)) for winner in game.winners}
        return (seat in game.winners) / len(sides)


class Sample(NamedTuple):
    """Games of one table."""

    facts: Facts
    games: Sequence[AnalyzedGame]

    @classmethod
    def of(cls, facts: Facts, games: Iterable[AnalyzedGame]) -> Sample:
        """Return the games that came to an end."""
        return cls(facts, [game for game in games if game.void is None])


def mean(values: Sequence[float]) -> Interval:
    """Return the mean of one value a game."""
    return clustered_mean(range(len(values)), values)


def clustered_mean(units: Sequence[int], values: Sequence[float]) -> Interval:
    """Return the mean of all values, with values of one unit as one cluster."""
    (found,) = ratio_intervals([0] * len(values), list(units), list(values), 1)
    return found
