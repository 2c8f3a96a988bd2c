"""Luck: means and differences corrected for the luck of the shuffles, if a game defines luck.

The correction of a score is known after each shuffle and has mean 0 over all its orders. So the corrected mean has the
same expectation as the plain one, for any players (a control variate).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from croupier.server.tournaments.statistics.columns import Columns
from croupier.server.tournaments.statistics.credit import credit_games, opposing_pairs
from croupier.server.tournaments.statistics.intervals import Interval, ratio_intervals, rounded

if TYPE_CHECKING:
    from collections.abc import Iterable

    from croupier.server.games.game import Game
    from croupier.server.table.played_game import PlayedGame


class Corrected(NamedTuple):
    """An entry's mean, or the difference of two, corrected for luck, beside the plain one."""

    names: tuple[str, ...]
    plain: Interval
    score: Interval

    @property
    def removed_share(self) -> float | None:
        """The share of the variance due to luck; negative if the correction added more than it removed."""
        bounds = (self.plain.low, self.plain.high, self.score.low, self.score.high)
        if None in bounds or self.plain.high == self.plain.low:
            return None
        low, high, low_now, high_now = (bound or 0.0 for bound in bounds)
        return 1 - ((high_now - low_now) / (high - low)) ** 2

    @property
    def without_bounds(self) -> Corrected:
        """Return the same without bounds."""
        return Corrected(self.names, self.plain.without_bounds, self.score.without_bounds)

    def document(self) -> dict[str, Any]:
        """Return it in the form of ``standings --json``."""
        return {"players": list(self.names), **self.score.document(), "removed": rounded(self.removed_share)}

    @property
    def sign(self) -> str:
        """The format of its numbers: a difference has a sign."""
        return "+" if len(self.names) > 1 else ""

    @property
    def share(self) -> str:
        """The share of the variance due to luck, for a person; empty if unknown."""
        return "" if self.removed_share is None else f"{self.removed_share:.0%}"


def correct_for_luck(
    games: Iterable[PlayedGame] | Columns, rules: type[Game], *, bounds: bool = True
) -> tuple[Corrected, ...]:
    """Return each entry's mean, then the difference of every pair that met, corrected for luck; empty if unknown.

    If bots have different opponents, means are to be without ``bounds``.
    """
    games = Columns.of(games)
    if games.luck is None:
        return ()
    plain = _intervals(games, rules)
    without = _intervals(replace(games, scores=games.scores - games.luck), rules)
    order = sorted(plain, key=lambda names: (len(names), names))
    found = [Corrected(names, plain[names], without[names]) for names in order]
    return tuple(each if bounds or len(each.names) > 1 else each.without_bounds for each in found)


def _intervals(games: Columns, rules: type[Game]) -> dict[tuple[str, ...], Interval]:
    counted = credit_games(games, rules)
    found, count = counted.entries, len(games.names)
    values, weights = counted.observations()
    means = ratio_intervals(found.who, found.deal, values, count, worst=rules.PENALTY, weights=weights)
    pairs = counted.comparable(opposing_pairs(found, rules))
    each, place = np.unique(found.who[pairs.one] * count + found.who[pairs.other], return_inverse=True)
    differences = ratio_intervals(place, found.deal[pairs.one], counted.gain_observations(pairs), len(each))
    names = [(games.names[pair // count], games.names[pair % count]) for pair in each.tolist()]
    alone = [(name,) for name in games.names]
    return dict(zip(alone, means, strict=True)) | dict(zip(names, differences, strict=True))
