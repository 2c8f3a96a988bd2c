"""Likelihood: the sequential test that chess programmers know, on sets, for who asks for less than a whole interval.

Two bounds A < B: is the mean difference A or less, or B or more? After each set the likelihood ratio of the two is
compared with Wald's limits; the spread of a set's difference, which nobody knows, is in each the one that fits best
(the generalised ratio). Both errors are at most ALPHA for normal differences in the long run. A mean of skewed sets
goes with their spread, so that a low one looks surer than it is: Hall's transformation takes that out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from croupier.server.tournaments.statistics.moments import NOTHING, moments

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from croupier.server.tournaments.statistics.moments import Moments, PowerSums

    Array = NDArray[np.float64]

ALPHA = 0.05
EARLIEST = 10
"""Of fewer sets the spread is not known well enough for any ratio."""


UNSEEN_SKEW = 1.5
"""By how much a distribution is more skewed than a sample shows, whose longest tail has not come yet."""


class Bounds(NamedTuple):
    """Between which two differences is to be decided, the higher being the better."""

    low: float
    high: float


NEXT_TO_NOTHING = 1e-18
LIMIT = float(np.log((1 - ALPHA) / ALPHA))
"""Wald's limit: a ratio this far from 0, on either side, decides."""
SKEWED = 2.0
"""Sets that are more skewed than this are lopsided: errors may be twice as frequent as stated, or more."""


class Tested(NamedTuple):
    """Which of the bounds fits, and after how many sets; neither yet if None."""

    sets: int
    ratio: float
    """Its logarithm."""
    skew: float
    """The skewness of the sets."""
    accepted: Literal["low", "high"] | None


def ratios(differences: ArrayLike, worst: ArrayLike, bounds: Bounds, before: PowerSums = NOTHING) -> Array:
    """Return the logarithm of the likelihood ratio after each set, one row of ``differences`` a run.

    As in the confidence sequence, the spread is counted as if one set more had missed the mean as far as any so far.
    """
    return _ratios(moments(differences, worst, before), bounds)


def _ratios(found: Moments, bounds: Bounds) -> Array:
    variance = np.maximum((found.squares + found.unseen) / found.sets, NEXT_TO_NOTHING)
    skew = UNSEEN_SKEW * found.cubes / found.sets / variance**1.5
    low, high = (_straight((found.mean - bound) / np.sqrt(variance), skew, found.sets) for bound in bounds)
    return np.where(found.sets < EARLIEST, 0.0, found.sets / 2 * np.log((1 + low**2) / (1 + high**2)))


def _straight(off: Array, skew: Array, sets: Array) -> Array:
    """Return by how many spreads a mean is off, were the sets not skewed (a transformation by Hall, 1992)."""
    return np.asarray(off + skew * off**2 / 3 + skew**2 * off**3 / 27 + skew / (6 * sets))


def sprt(differences: ArrayLike, worst: ArrayLike, bounds: Bounds, before: PowerSums = NOTHING) -> Tested:
    """Return which of the bounds fits the mean difference, looking after every set."""
    found = moments(differences, worst, before)
    ratio = _ratios(found, bounds)[0]
    if not len(ratio):
        return Tested(before.sets, 0.0, 0.0, None)
    sure = np.flatnonzero(np.abs(ratio) >= LIMIT)
    last = int(sure[0]) if len(sure) else len(ratio) - 1
    squares = max(float(found.squares[0, last]), NEXT_TO_NOTHING)
    skew = float(found.cubes[0, last]) * float(np.sqrt(found.sets[last])) / squares**1.5
    accepted: Literal["low", "high"] = "high" if ratio[last] > 0 else "low"
    return Tested(before.sets + last + 1, float(ratio[last]), skew, accepted if len(sure) else None)
