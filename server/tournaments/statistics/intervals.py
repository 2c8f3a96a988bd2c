"""Intervals: means with their uncertainty. The set is the unit, because the games of a set are not independent."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.special import stdtrit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[np.float64]
    Places = NDArray[np.int64]
    Flags = NDArray[np.bool_]

LEVEL = 0.95
PLACES = 4
"""Decimals in JSON: finer than any interval, coarser than the last bit of a sum."""
LEAST, ENOUGH = 4, 10
"""How many sets must differ from the most common value: half of all, but at least and at most this many."""
CARRIED = 10
"""From this effective sample size on, another set is assumed to be no worse than the worst so far."""
FINE = 1e-9
"""Values that differ by less are equal, because sums of floats may differ in their last bits."""


class Interval(NamedTuple):
    """An estimate with a 95 % interval; without bounds while there is too little evidence."""

    mean: float | None
    low: float | None
    high: float | None
    sets: int

    @property
    def sign(self) -> int:
        """Return 1 or -1 if both bounds are on that side of 0, else 0."""
        if self.low is None or self.high is None:
            return 0
        return (self.low > 0) - (self.high < 0)

    @property
    def opposite(self) -> Interval:
        """Return the interval of the negated quantity."""
        mean, low, high = (None if bound is None else -bound for bound in (self.mean, self.high, self.low))
        return Interval(mean, low, high, self.sets)

    @property
    def without_bounds(self) -> Interval:
        """Return the same without bounds."""
        return self._replace(low=None, high=None)

    @property
    def few(self) -> bool:
        """Return whether there are too few sets, or too few different ones, for bounds."""
        return self.low is None

    def document(self, *names: str, places: int = PLACES) -> dict[str, float | None]:
        """Return mean, low and high for a JSON document, under these names if they are given."""
        called = zip(names or self._fields, self[:3], strict=False)
        return {name: rounded(value, places) for name, value in called}


def rounded(value: float | None, places: int = PLACES) -> float | None:
    """Return a number for a JSON document; zero without a sign."""
    return None if value is None else round(value, places) + 0.0


def ratio_intervals(
    groups: ArrayLike,
    units: ArrayLike,
    values: ArrayLike,
    count: int,
    level: float = LEVEL,
    *,
    worst: float | None = None,
    weights: ArrayLike | None = None,
) -> list[Interval]:
    """Return the mean of each group's values with Student's interval over units.

    ``groups``, ``units`` and ``values`` are parallel: the owner of a value, its deal, and the value. Within a unit,
    values may depend on each other in any way. The mean is over games, so units may have different numbers of them: it
    is a ratio of sums, with a variance from the units' residuals, each enlarged by its own pull on the mean. ``worst``
    is a possible value of any game, even if it has not occurred. ``weights`` are the numbers of games that values stand
    for; a unit whose values all have weight 0, because they are averages of others, is not an observation.
    """
    group, unit, value = np.asarray(groups, np.int64), np.asarray(units, np.int64), np.asarray(values, float)
    if not len(value):
        return [Interval(None, None, None, 0)] * count
    weight = np.ones(len(value)) if weights is None else np.asarray(weights, float)
    return intervals_of_sums(sum_by_unit(group, unit, value, weight), count, level, worst=worst)


class UnitSums(NamedTuple):
    """Values added up by group and unit: the group, sum and number, and the lowest and highest value."""

    owner: Places
    total: Array
    games: Places
    weight: Array
    """The weight of the unit's games."""
    low: Array
    high: Array

    def rows(self, which: slice) -> UnitSums:
        """Return some of the rows."""
        owner, total, games, weight, low, high = self
        return UnitSums(owner[which], total[which], games[which], weight[which], low[which], high[which])


def sum_by_unit(group: Places, unit: Places, value: Array, weight: Array) -> UnitSums:
    """Add values up by group and unit, in the order of groups, then of units."""
    width = int(unit.max(initial=0)) + 1
    codes, place = np.unique(group * width + unit, return_inverse=True)
    low, high = np.full(len(codes), np.inf), np.full(len(codes), -np.inf)
    np.minimum.at(low, place, value)
    np.maximum.at(high, place, value)
    total, weights = (np.bincount(place, each).astype(float) for each in (value, weight))
    return UnitSums(codes // width, total, np.bincount(place), weights, low, high)


def intervals_of_sums(
    sums: UnitSums, count: int, level: float = LEVEL, *, worst: float | None = None
) -> list[Interval]:
    """Return each group's interval, as `ratio_intervals` does."""
    owner, totals, games, weight, low, high = sums
    all_games = np.maximum(np.bincount(owner, games, count), 1)
    mean = np.bincount(owner, totals, count) / all_games
    seen = weight > 0
    sets = np.bincount(owner[seen], minlength=count)
    others = np.maximum(1 - weight / all_games[owner], FINE)
    off = (totals - mean[owner] * games) ** 2 / others
    squares, fourths = (np.bincount(owner, off**power, count).astype(float) for power in (1, 2))
    farthest, of_set, of_worst = np.zeros((3, count))
    np.maximum.at(farthest, owner, np.maximum(high - mean[owner], mean[owner] - low))
    np.maximum.at(of_set, owner, np.sqrt(off))
    farthest, added = unseen_deviation(squares, squares**2 / np.maximum(fourths, FINE**4), farthest, of_set)
    if worst is not None:
        np.maximum.at(of_worst, owner, weight / games)
        farthest = np.maximum(farthest, of_worst * np.abs(worst - mean))
    unseen = farthest**2 * (1 if worst is None else 2)
    spread = (
        guard_squares(squares, farthest, distinct_share(owner[seen], (totals / games)[seen], count)) + unseen + added
    )
    half = t_quantile(sets, level) * np.sqrt(spread) / all_games
    found = (make_interval(*entry) for entry in zip(mean.tolist(), half.tolist(), sets.tolist(), strict=True))
    played = np.bincount(owner, minlength=count).tolist()
    return [each if there else each._replace(mean=None) for each, there in zip(found, played, strict=True)]


def distinct_share(owner: Places, values: Array, count: int) -> Array:
    """Return the number of sets that differ from the most common value, as a share of the number needed.

    If most sets have the same value, as between a bot and its patch, few differ.
    """
    finest = np.round(values / FINE).astype(np.int64)
    order = np.lexsort((finest, owner))
    whose, value = owner[order], finest[order]
    new = np.ones(len(order), bool)
    new[1:] = (whose[1:] != whose[:-1]) | (value[1:] != value[:-1])
    first = np.flatnonzero(new)
    commonest = np.zeros(count, np.int64)
    np.maximum.at(commonest, whose[first], np.diff(first, append=len(order)))
    sets = np.bincount(owner, minlength=count)
    needed = np.clip(sets / 2, LEAST, ENOUGH)
    return np.asarray((sets - commonest) / needed)


def guard_squares(squares: Array, farthest: Array, told: Array) -> Array:
    """Return summed squared deviations, or NaN where future sets could change them too much.

    That is so before enough sets differ, and while two more games as bad as possible would outweigh them.
    """
    return np.where((told >= 1) & (squares >= 2 * farthest**2), squares, np.nan)


def unseen_deviation(squares: Array, carried: Array, of_game: Array, of_set: Array) -> tuple[Array, Array]:
    """Return the largest deviation of another set, and an addition to the squared deviations while few sets matter.

    Games of a set deviate because of its cards, which the set cancels; but sets that seldom differ do not show how far
    another one can deviate. With just enough effective sets the addition doubles the variance; it shrinks with more.
    """
    enough = (carried >= CARRIED) & (of_set < of_game)
    return np.where(enough, of_set, of_game), np.where(enough, squares * (CARRIED / np.maximum(carried, 1)) ** 2, 0)


def t_quantile(sets: Places | Array, level: float = LEVEL) -> Array:
    """Return Student's t quantile for this many sets."""
    quantile: Array = stdtrit(np.maximum(sets - 1, 1), (1 + level) / 2)
    return quantile


def make_interval(mean: float, half: float, sets: int) -> Interval:
    """Return an interval, without bounds if half its width is not finite."""
    if not np.isfinite(half):
        return Interval(mean, None, None, sets)
    return Interval(mean, mean - half, mean + half, sets)


class Beside(NamedTuple):
    """A further source of uncertainty: its variance and degrees of freedom."""

    variance: Array
    degrees: Array


def effective_sample_size(influences: Array) -> Array:
    """Return how many equally influential sets would support each estimate: few, if a few have dominated it."""
    squares = influences**2
    number: Array = squares.sum(axis=0) ** 2 / np.maximum((squares**2).sum(axis=0), FINE**4)
    return number


def sandwich_intervals(
    means: Array,
    influences: Array,
    sets: Sequence[int],
    farthest: Array,
    beside: Beside | None = None,
    degrees: Array | None = None,
    level: float = LEVEL,
) -> list[Interval]:
    """Return the interval of each estimate from its ``influences``: a row per set with its effect on each estimate.

    ``farthest`` is the largest effect of one more game; ``degrees`` are the degrees of freedom of the spread, by
    default one less than the number of sets. Two variances together have Satterthwaite's degrees. A bot that has bounds
    as soon as just enough sets differ is an exception among many that have none yet. So up to twice the variance is
    added, less with every further set.
    """
    count, width = influences.shape
    owner = np.repeat(np.arange(width), count)
    squares = (influences**2).sum(axis=0) * count / max(count - 1, 1)
    of_set = np.abs(influences).max(axis=0, initial=0)
    farthest, added = unseen_deviation(squares, effective_sample_size(influences), farthest, of_set)
    told = distinct_share(owner, influences.T.ravel(), width)
    spread = guard_squares(squares, farthest, told) + squares / np.maximum(told, 1) ** 2 + 2 * farthest**2 + added
    other, others = beside or Beside(np.zeros(width), np.ones(width))
    together = spread + other
    own = np.full(width, count - 1.0) if degrees is None else degrees
    shares = spread**2 / np.maximum(own, 1) + other**2 / np.maximum(others, 1)
    freedom = together**2 / np.maximum(shares, FINE**2)
    half = np.where(freedom >= 1, t_quantile(freedom + 1, level), np.nan) * np.sqrt(together)
    return [make_interval(*entry) for entry in zip(means.tolist(), half.tolist(), sets, strict=True)]
