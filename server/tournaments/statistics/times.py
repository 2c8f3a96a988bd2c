"""Thinking times, counted in buckets: a few numbers however many decisions there were."""

from __future__ import annotations

from math import log2
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from croupier.server.table.played import Histogram

STEPS = 8
"""Buckets to a doubling of the time: each is nine per cent wide."""


def histogram(seconds: Iterable[float]) -> Histogram:
    """Count thinking times by their bucket, those of a microsecond or less in the first."""
    found: dict[int, int] = {}
    for each in seconds:
        place = int(STEPS * log2(microseconds)) if (microseconds := each * 1e6) > 1 else 0
        found[place] = found.get(place, 0) + 1
    return tuple(sorted(found.items()))


def quantile(histogram: Mapping[int, int], share: float) -> float | None:
    """Return the time in microseconds that this share of the decisions did not exceed, to within half a bucket."""
    left = share * sum(histogram.values())
    for place in sorted(histogram):
        left -= histogram[place]
        if left <= 0:
            return float(2 ** ((place + 0.5) / STEPS))
    return None
