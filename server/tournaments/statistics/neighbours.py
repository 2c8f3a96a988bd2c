"""Neighbors: how often each player has played right after each other one."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def neighbours(seatings: Iterable[Sequence[str]]) -> Counter[tuple[str, str]]:
    """Count, for each (before, after), the games in which one sits before the other in turn."""
    return Counter(
        (name, seating[(seat + 1) % len(seating)]) for seating in seatings for seat, name in enumerate(seating)
    )
