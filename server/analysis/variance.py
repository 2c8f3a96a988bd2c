"""Variance: the shares of the scores' variance that the deal, the seat and the better player explain.

Every deal is played with one better-than-random player in each seat in turn, among random players. Scores of the same
seat on the same deal have the worth of the cards in common; games differ by the play and the luck within it. Each share
is unbiased: it is computed from products of independent deviations, not from squares.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.special import stdtrit

from croupier.server.tournaments.statistics.intervals import LEVEL, Interval

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from croupier.server.analysis.tables import AnalyzedGame

    Array = NDArray[np.float64]

GROUPS = 40
"""The number of groups of deals, each left out once (jackknife)."""


class VarianceShares(NamedTuple):
    """The share of the variance of scores that each source explains; they add up to one."""

    deal: Interval
    seat: Interval
    player: Interval
    opponents: Interval
    """The rest: the play of the others, and the luck in it."""


def variance_shares(games: Sequence[AnalyzedGame], seats: int) -> VarianceShares | None:
    """Return the shares with their intervals; None if there are too few deals, or all scores are the same."""
    by_deal: dict[int, dict[int, tuple[int, ...]]] = {}
    for game in games:
        by_deal.setdefault(game.deal, {})[game.place] = game.scores
    whole = [[known[place] for place in range(seats)] for _, known in sorted(by_deal.items()) if len(known) == seats]
    scores = np.asarray(whole, float)
    if len(whole) < 4 or np.ptp(scores) == 0:
        return None
    found = estimate(scores)
    groups = np.array_split(np.arange(len(scores)), min(GROUPS, len(scores)))
    without = np.array([estimate(np.delete(scores, group, axis=0)) for group in groups])
    error = np.sqrt((len(groups) - 1) * without.var(axis=0))
    half = stdtrit(len(groups) - 1, (1 + LEVEL) / 2) * error
    return VarianceShares(*(_clip(*each, len(scores)) for each in zip(found.tolist(), half.tolist(), strict=True)))


def estimate(scores: Array) -> Array:
    """Return the shares of deal, seat, player and rest; scores are by deal, by the better player's seat, by seat."""
    deals, seats, _ = scores.shape
    total = scores.var()
    if total == 0:
        return np.array([0.0, 0.0, 0.0, 1.0])
    own = np.eye(seats, dtype=bool)
    ahead = scores[:, own].mean(axis=1) - scores[:, ~own].mean(axis=1)
    player = _unbiased_square(ahead[:, None])[0] * (seats - 1) / seats**2
    level = scores - ahead.mean() * (own - 1 / seats)
    by_seat = level.mean(axis=1)
    off = by_seat - by_seat.mean(axis=1, keepdims=True)
    seat = _unbiased_square(off).mean()
    left = scores - scores.mean(axis=0)
    pairs = (left.sum(axis=1) ** 2 - (left**2).sum(axis=1)) / (seats * (seats - 1))
    deal = pairs.mean() * deals / (deals - 1)
    found = np.array([deal, seat, player]) / total
    return np.append(found, 1 - found.sum())


def _unbiased_square(values: Array) -> Array:
    """Return unbiased estimates of the squares of the columns' means."""
    return np.asarray(values.mean(axis=0) ** 2 - values.var(axis=0, ddof=1) / len(values))


def _clip(share: float, half: float, deals: int) -> Interval:
    """Return a share cut to 0 to 1: an unbiased estimate may lie outside."""
    value, low, high = (min(max(bound, 0.0), 1.0) for bound in (share, share - half, share + half))
    return Interval(value, low, high, deals)
