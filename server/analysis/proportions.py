"""Proportions: shares of games with their intervals, and the difference of two estimates."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING

from croupier.server.tournaments.statistics.intervals import LEVEL, Interval, ratio_intervals

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_Z = NormalDist().inv_cdf((1 + LEVEL) / 2)


def wilson(hits: float, games: int) -> Interval:
    """Return a share with Wilson's interval, which is valid even where all or none are hits."""
    if not games:
        return Interval(None, None, None, 0)
    share, shrink = hits / games, 1 + _Z**2 / games
    middle = (share + _Z**2 / (2 * games)) / shrink
    half = _Z * sqrt(share * (1 - share) / games + _Z**2 / (4 * games**2)) / shrink
    return Interval(share, max(0.0, middle - half), min(1.0, middle + half), games)


def share_by_deal(deals: Sequence[int], hits: Sequence[float]) -> Interval:
    """Return a share of games, with games of one deal as one cluster.

    If too few deals differ to know the spread between them, each counts as one game.
    """
    number = len(set(deals))
    if number == len(deals) and set(hits) <= {0, 1}:
        return wilson(sum(hits), number)
    (found,) = ratio_intervals([0] * len(deals), deals, hits, 1)
    if not found.few or found.mean is None:
        return clip(found, 0, 1)
    return wilson(found.mean * number, number)


def clip(found: Interval, least: float, most: float) -> Interval:
    """Return an interval cut to the possible values."""
    if found.low is None or found.high is None:
        return found
    return found._replace(low=max(found.low, least), high=min(found.high, most))


def image(share: Interval, of: Callable[[float], float], peak: float | None = None) -> Interval:
    """Return the image of an interval under a function that is monotone, or rises to ``peak`` and falls after it."""
    if share.mean is None or share.low is None or share.high is None:
        return share._replace(mean=None if share.mean is None else of(share.mean))
    ends = [of(share.low), of(share.high)]
    if peak is not None and share.low < peak < share.high:
        ends.append(of(peak))
    return Interval(of(share.mean), min(ends), max(ends), share.sets)


def difference(one: Interval, other: Interval) -> Interval:
    """Return by how much one estimate is above another that is based on other games.

    The bounds are Newcombe's: each side's own distance to its bound, squared and added. They also hold for asymmetric
    intervals, and are wider than necessary if both played the same deals.
    """
    sets = min(one.sets, other.sets)
    if one.mean is None or other.mean is None:
        return Interval(None, None, None, sets)
    apart = one.mean - other.mean
    if one.low is None or one.high is None or other.low is None or other.high is None:
        return Interval(apart, None, None, sets)
    down = sqrt((one.mean - one.low) ** 2 + (other.high - other.mean) ** 2)
    up = sqrt((one.high - one.mean) ** 2 + (other.mean - other.low) ** 2)
    return Interval(apart, apart - down, apart + up, sets)
