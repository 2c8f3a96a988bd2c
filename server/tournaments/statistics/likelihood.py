"""Likelihood: the sequential test that chess programmers know, on sets, for who asks for less than a whole interval.

Two bounds A < B: is the mean difference A or less, or B or more? After each set the likelihood ratio of the two is
compared with Wald's limits; the spread of a set's difference, which nobody knows, is in each the one that fits best
(the generalised ratio). Both errors are at most ALPHA for normal differences in the long run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from croupier.server.tournaments.statistics.stopping import NOTHING, added

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from croupier.server.tournaments.statistics.stopping import Sums

    Array = NDArray[np.float64]

ALPHA = 0.05
EARLIEST = 10
"""Of fewer sets the spread is not known well enough for any ratio."""


class Bounds(NamedTuple):
    """Between which two differences is to be decided, the higher being the better."""

    low: float
    high: float


class Tested(NamedTuple):
    """Which of the bounds fits, and after how many sets; neither yet if None."""

    sets: int
    ratio: float
    accepted: Literal["low", "high"] | None


def ratios(differences: ArrayLike, worst: ArrayLike, bounds: Bounds, before: Sums = NOTHING) -> Array:
    """Return the logarithm of the likelihood ratio after each set, one row of ``differences`` a run.

    As in the confidence sequence, the spread is counted as if one set more had missed the mean by the worst so far.
    """
    values = np.atleast_2d(np.asarray(differences, float))
    number = before.sets + np.arange(1, values.shape[1] + 1)
    mean = added(values, before.total) / number
    largest = np.maximum.accumulate(np.abs(np.atleast_2d(np.asarray(worst, float))), axis=1)
    largest = np.maximum(largest, max(before.worst, 1e-9))
    squares = np.maximum(added(values**2, before.squares) - number * mean**2, 0) + largest**2
    low, high = ((mean - bound) ** 2 * number + squares for bound in bounds)
    return np.where(number < EARLIEST, 0.0, number / 2 * np.log(low / high))


def sprt(
    differences: ArrayLike, worst: ArrayLike, bounds: Bounds, alpha: float = ALPHA, before: Sums = NOTHING
) -> Tested:
    """Say which of the bounds fits the mean difference, looking after every set."""
    ratio = ratios(differences, worst, bounds, before)[0]
    if not len(ratio):
        return Tested(before.sets, 0.0, None)
    limit = np.log((1 - alpha) / alpha)
    sure = np.flatnonzero(np.abs(ratio) >= limit)
    last = int(sure[0]) if len(sure) else len(ratio) - 1
    accepted: Literal["low", "high"] = "high" if ratio[last] > 0 else "low"
    return Tested(before.sets + last + 1, float(ratio[last]), accepted if len(sure) else None)
