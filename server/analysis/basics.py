"""Basics: numbers of the games of any table: length, options, ties, and the wins of each seat."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from croupier.server.analysis.proportions import share_by_deal, wilson
from croupier.server.analysis.sample import Sample, clustered_mean, mean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.server.analysis.sample import Facts
    from croupier.server.analysis.tables import AnalyzedGame
    from croupier.server.tournaments.statistics.intervals import Interval


class SeatFigures(NamedTuple):
    """The share of the wins and the mean score of a seat."""

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
