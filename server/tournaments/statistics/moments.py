"""Moments: what is kept of sets that are looked at again and again: sums, from which each look takes what it needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from croupier.server.tournaments.statistics.intervals import CARRIED, FINE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[np.float64]


class PowerSums(NamedTuple):
    """All that is kept of the sets that have been looked at."""

    sets: int = 0
    total: float = 0.0
    squares: float = 0.0
    cubes: float = 0.0
    fourths: float = 0.0
    low: float = np.inf
    high: float = -np.inf
    worst: float = 0.0
    """The largest difference that one game has shown."""

    def and_then(self, differences: Sequence[float], worst: Sequence[float]) -> PowerSums:
        """Return the sums after these sets too."""
        values = np.array([differences])
        powers = zip(range(1, 5), self[1:5], strict=True)
        total, squares, cubes, fourths = (float(add_up(values**power, before)[0, -1]) for power, before in powers)
        ends = min(self.low, *differences), max(self.high, *differences)
        return PowerSums(self.sets + len(differences), total, squares, cubes, fourths, *ends, max(self.worst, *worst))


NOTHING = PowerSums()


class Moments(NamedTuple):
    """What is known after each set, one row a run."""

    sets: Array
    mean: Array
    squares: Array
    """Deviations from the mean, squared and added up; ``cubes`` in the third power."""
    cubes: Array
    unseen: Array
    """What one set more might add to ``squares``: as any set, or as any game while a few sets carry all."""


def moments(differences: ArrayLike, worst: ArrayLike | None = None, before: PowerSums = NOTHING) -> Moments:
    """Return what is known after each set, one row of ``differences`` a run; ``worst`` is a game's, by set.

    As in `intervals`, up to twice the variance is added while hardly more sets carry it than must.
    """
    values = np.atleast_2d(np.asarray(differences, float))
    number = before.sets + np.arange(1, values.shape[1] + 1)
    total, two, three, four = (add_up(values**power, before[power]) for power in range(1, 5))
    mean = total / number
    squares = np.maximum(two - number * mean**2, 0)
    cubes = three - 3 * mean * two + 2 * number * mean**3
    fourths = np.maximum(four - 4 * mean * three + 6 * mean**2 * two - 3 * number * mean**4, 0)
    shown = np.abs(values if worst is None else np.atleast_2d(np.asarray(worst, float)))
    game = np.maximum(np.maximum.accumulate(shown, axis=1), before.worst)
    high = np.maximum(np.maximum.accumulate(values, axis=1), before.high)
    low = np.minimum(np.minimum.accumulate(values, axis=1), before.low)
    farthest = np.maximum(high - mean, mean - low)
    carried = squares**2 / np.maximum(fourths, FINE**4)
    few = squares * (CARRIED / np.maximum(carried, CARRIED)) ** 2
    unseen = np.where(carried >= CARRIED, np.minimum(farthest**2 + few, game**2), game**2)
    return Moments(number.astype(float), mean, squares, cubes, unseen)


def add_up(values: Array, before: float) -> Array:
    """Add up, from what there was before: to the very bits that adding all at once would give."""
    return np.cumsum(np.insert(values, 0, before, axis=1), axis=1)[:, 1:]
