"""Thinking times, counted in buckets: a few numbers however many decisions there were."""

from __future__ import annotations

from math import log2
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

STEPS = 8
"""Buckets to a doubling of the time: each is nine per cent wide."""


def bucket(microseconds: float) -> int:
    """Return the bucket of a thinking time."""
    return int(STEPS * log2(max(microseconds, 1)))


def quantile(histogram: Mapping[int, int], share: float) -> float | None:
    """Return the time in microseconds that this share of the decisions did not exceed, to within half a bucket."""
    left = share * sum(histogram.values())
    for place in sorted(histogram):
        left -= histogram[place]
        if left <= 0:
            return float(2 ** ((place + 0.5) / STEPS))
    return None
