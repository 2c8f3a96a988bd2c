"""Intervals: means with what luck allows. The set is the unit: the games of a set are not independent."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.special import stdtrit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

LEVEL = 0.95
FEW = 10
"""Below so many sets even Student's t is a guess: the table says so."""


class Interval(NamedTuple):
    """An estimate with the bounds that hold the truth in 19 cases of 20; without bounds from a single set."""

    mean: float | None
    low: float | None
    high: float | None
    sets: int

    @property
    def few(self) -> bool:
        """Whether these are too few sets to trust."""
        return self.sets < FEW


def clustered(
    groups: ArrayLike, units: ArrayLike, values: ArrayLike, count: int, level: float = LEVEL
) -> list[Interval]:
    """Return the mean of each group's values with Student's interval over units, whatever games share a unit.

    ``groups``, ``units`` and ``values`` are parallel: whose value, from which deal, how much. Within a unit values may
    depend on each other in any way. The mean is over games, so units may hold different numbers of them (a ratio of
    sums, its variance from the units' residuals).
    """
    group, unit, value = np.asarray(groups, np.int64), np.asarray(units, np.int64), np.asarray(values, float)
    if not len(value):
        return [Interval(None, None, None, 0)] * count
    width = int(unit.max()) + 1
    codes, place = np.unique(group * width + unit, return_inverse=True)
    owner = codes // width
    totals, games = np.bincount(place, value), np.bincount(place)
    all_games = np.bincount(owner, games, count)
    mean = np.bincount(owner, totals, count) / np.maximum(all_games, 1)
    sets = np.bincount(owner, minlength=count)
    squares = np.bincount(owner, (totals - mean[owner] * games) ** 2, count)
    degrees = np.maximum(sets - 1, 1)
    half = stdtrit(degrees, (1 + level) / 2) * np.sqrt(squares * sets / degrees) / np.maximum(all_games, 1)
    return [_interval(*entry) for entry in zip(mean.tolist(), half.tolist(), sets.tolist(), strict=True)]


def _interval(mean: float, half: float, sets: int) -> Interval:
    if sets < 2:
        return Interval(mean if sets else None, None, None, sets)
    return Interval(mean, mean - half, mean + half, sets)


def percentiles(mean: float, draws: Sequence[float], sets: int, level: float = LEVEL) -> Interval:
    """Return a bootstrap's interval."""
    if sets < 2:
        return Interval(mean, None, None, sets)
    low, high = np.quantile(draws, [(1 - level) / 2, (1 + level) / 2])
    return Interval(mean, float(low), float(high), sets)
