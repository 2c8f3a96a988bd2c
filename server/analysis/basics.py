"""Basics: numbers of the games of any table: length, options, ties, and the wins of each seat."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from croupier.server.analysis.proportions import share_by_deal, wilson
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
    """Return the mean of one value per game."""
    return clustered_mean(range(len(values)), values)


def clustered_mean(units: Sequence[int], values: Sequence[float]) -> Interval:
    """Return the mean of all values, with values of one unit as one cluster."""
    (found,) = ratio_intervals([0] * len(values), list(units), list(values), 1)
    return found


class SeatFigures(NamedTuple):
    """The share of games that a seat wins, and its mean score."""

    wins: Interval
    score: Interval


class Basics(NamedTuple):
    """Numbers of the games of a table; ``most`` is the highest number of options at a choice."""

    games: int
    length: Interval
    options: Interval
    forced: Interval
    most: int
    ties: Interval
    void: Interval
    seats: tuple[SeatFigures, ...]


def basics(facts: Facts, games: Sequence[AnalyzedGame]) -> Basics:
    """Return the numbers of a table. Games without an end count only as void."""
    ended = Sample.of(facts, games)
    chosen = [number for game in ended.games for number in game.options]
    owner = [place for place, game in enumerate(ended.games) for _ in game.options]
    return Basics(
        games=len(ended.games),
        length=mean([len(game.options) for game in ended.games]),
        options=clustered_mean(owner, chosen),
        forced=clustered_mean(owner, [number == 1 for number in chosen]),
        most=max(chosen, default=0),
        ties=wilson(sum(_is_tied(facts, game) for game in ended.games), len(ended.games)),
        void=wilson(len(games) - len(ended.games), len(games)),
        seats=tuple(_seat(ended, seat) for seat in range(facts.seats)),
    )


def _is_tied(facts: Facts, game: AnalyzedGame) -> bool:
    """Return whether the first place is shared by opponents."""
    return not facts.side(game.winners[0]).issuperset(game.winners)


def _seat(ended: Sample, seat: int) -> SeatFigures:
    """Return the numbers of a seat. Where several share the first place, each has an equal part of the win."""
    wins = [(seat in game.winners) / len(game.winners) for game in ended.games]
    return SeatFigures(share_by_deal(range(len(wins)), wins), mean([game.scores[seat] for game in ended.games]))


POINTS = 40


def options_course(games: Sequence[AnalyzedGame]) -> list[float]:
    """Return the mean number of options over the course of the games, each stretched to the same length."""
    lines = [stretch(game.options, POINTS) for game in games if game.void is None and game.options]
    return [sum(values) / len(lines) for values in zip(*lines, strict=True)] if lines else [0.0]


def leads_course(games: Sequence[AnalyzedGame], points: int = POINTS) -> list[list[float]]:
    """Return the mean lead at ``points`` points of the games: a list for each final place, the first place first."""
    width = len(games[0].ranks)
    sums = [[0.0] * points for _ in range(width)]
    for game in games:
        order = sorted(range(width), key=game.ranks.__getitem__)
        for place, seat in enumerate(order):
            line = stretch([moment.leads[seat] for moment in game.moments], points)
            sums[place] = [total + value for total, value in zip(sums[place], line, strict=True)]
    return [[total / len(games) for total in line] for line in sums]


def stretch(values: Sequence[float], points: int) -> list[float]:
    """Return ``points`` values from the first value to the last, interpolated linearly."""
    last = len(values) - 1
    line = []
    for point in range(points):
        at = point * last / (points - 1)
        before = min(int(at), last - 1) if last else 0
        share = at - before
        line.append(values[before] * (1 - share) + values[min(before + 1, last)] * share)
    return line
