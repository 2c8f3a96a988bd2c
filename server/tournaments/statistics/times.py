"""Thinking times, counted in buckets, so that they stay few however many decisions there were."""

from __future__ import annotations

from itertools import chain, islice, pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from croupier.server.table.played_game import Histogram

STEPS = 8
"""Buckets per doubling of the time: each is nine percent wide."""
_APART = 1 << 14
"""An offset larger than any bucket, to separate the buckets of different seats."""


def histograms(games: Sequence[Sequence[Sequence[float]]]) -> list[tuple[Histogram, ...]]:
    """Count the thinking times of each game's seats by bucket; the first is a microsecond or less.

    All are counted at once, as arrays. Equal pairs are the same object, so that pickling writes it once.
    """
    seats = [*chain.from_iterable(games)]
    microseconds = np.fromiter(chain.from_iterable(seats), np.float64) * 1e6
    buckets = (STEPS * np.log2(np.maximum(microseconds, 1))).astype(np.int64)
    whose = np.repeat(np.arange(len(seats)), np.fromiter(map(len, seats), np.int64))
    found, numbers = np.unique(whose * _APART + buckets, return_counts=True)
    same: dict[tuple[int, int], tuple[int, int]] = {}
    pairs = [same.setdefault(pair, pair) for pair in zip((found % _APART).tolist(), numbers.tolist(), strict=True)]
    ends = np.searchsorted(found, np.arange(len(seats) + 1) * _APART).tolist()
    by_seat = (tuple(pairs[begin:end]) for begin, end in pairwise(ends))
    return [tuple(islice(by_seat, len(game))) for game in games]


def middle(bucket: int) -> float:
    """Return the time in microseconds in the middle of a bucket."""
    return float(2 ** ((bucket + 0.5) / STEPS))


def quantile(histogram: Mapping[int, int], share: float) -> float | None:
    """Return the time in microseconds that this share of the decisions did not exceed, to within half a bucket."""
    left = share * sum(histogram.values())
    for place in sorted(histogram):
        left -= histogram[place]
        if left <= 0:
            return middle(place)
    return None
