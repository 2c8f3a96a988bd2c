"""Rows: a game as statistics sees it, and sets of them as an adaptive schedule does."""

from __future__ import annotations

from collections import defaultdict
from math import log2
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

Names = tuple[str, ...]
Histogram = tuple[tuple[int, int], ...]
"""Thinking times: (bucket, number of decisions) pairs."""
STEPS = 8
"""Buckets to a doubling of the time: each is nine per cent wide."""


class Row(NamedTuple):
    """One game. Everything after the seating is by seat; an entry that held several seats is named at each."""

    pairing: Names
    deal: int
    seating: Names
    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    faults: tuple[str, ...] = ()
    """The kind of fault each seat committed, ``""`` where none; ``()`` if nobody did."""
    assisted: tuple[bool, ...] = ()
    """Whether a partner's fault touched the seat's score; ``()`` if nobody's."""
    times: tuple[Histogram, ...] = ()

    @property
    def clean(self) -> bool:
        """Whether everybody played to the end by himself."""
        return not any(self.faults) and not any(self.assisted)

    def entries(self, *, low_wins: bool) -> Iterator[tuple[str, float]]:
        """Yield each entry with its score: the mean of its seats, or the worst of them if one committed a fault."""
        for name in dict.fromkeys(self.seating):
            seats = [seat for seat, other in enumerate(self.seating) if other == name]
            scores = [self.scores[seat] for seat in seats]
            if self.faults and any(self.faults[seat] for seat in seats):
                yield name, max(scores) if low_wins else min(scores)
            else:
                yield name, sum(scores) / len(scores)


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


class Played:
    """Results for an adaptive schedule, from rows."""

    def __init__(self, rows: Iterable[Row], seatings: int, *, low_wins: bool = False) -> None:
        self.seatings = seatings
        self.sign = -1 if low_wins else 1
        self.sets: dict[tuple[Names, int], list[Row]] = defaultdict(list)
        for row in rows:
            self.sets[row.pairing, row.deal].append(row)

    def scores(self, pairing: Names, deals: Sequence[int]) -> dict[str, float] | None:
        """Return each entry's mean score over these sets, turned so that more is better; None if one is missing."""
        sets = [self.sets.get((pairing, deal), []) for deal in deals]
        if any(len(games) < self.seatings for games in sets):
            return None
        totals: dict[str, float] = defaultdict(float)
        games = [row for games in sets for row in games]
        for row in sorted(games):
            for name, score in row.entries(low_wins=self.sign < 0):
                totals[name] += self.sign * score
        return {name: total / len(games) for name, total in totals.items()}
