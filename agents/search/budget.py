"""Budget: how long a decision may be thought about: in milliseconds, within the referee's clock, or in playouts."""

from __future__ import annotations

import time
from math import inf
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from croupier.protocol.views.view import View

DEFAULT_MS = 100
SHARE = 0.4
"""The part of the referee's clock that may pass before the answer: the rest is for a machine that is busy otherwise."""


class Budget(NamedTuple):
    """What one decision may cost: ``ms`` of processor time, or ``iterations``, which are playouts."""

    ms: float = DEFAULT_MS
    iterations: int | None = None

    def start(self, view: View) -> Stopwatch:
        """Begin to think about a view."""
        return Stopwatch(self, view.clock)


class Stopwatch:
    """What is left of one decision's budget.

    Milliseconds are those of the processor, so that a busy machine makes the player slower and no worse, as long as its
    part of the referee's clock lasts.
    """

    def __init__(self, budget: Budget, clock: float | None) -> None:
        self.left = budget.iterations
        self.cpu = time.process_time() + budget.ms / 1000
        self.timed = budget.iterations is None
        most = clock * SHARE if clock is not None else 10 * budget.ms if self.timed else inf
        self.wall = time.monotonic() + most / 1000

    def spend(self) -> None:
        """Count a playout."""
        if self.left is not None:
            self.left -= 1

    def affords(self, trial: Callable[[], object]) -> int:
        """Return how many playouts there is room for, by the time that a trial takes where time is what counts."""
        if self.left is not None:
            return self.left
        began = time.process_time()
        trial()
        now = time.process_time()
        return int(max(0.0, self.cpu - now) / max(now - began, 1e-6))

    @property
    def over(self) -> bool:
        """Return whether it is time to answer."""
        if self.late or (self.left is not None and self.left <= 0):
            return True
        return self.timed and time.process_time() >= self.cpu

    @property
    def late(self) -> bool:
        """Return whether the part of the referee's clock has passed: a playout that goes on is broken off."""
        return time.monotonic() >= self.wall
