"""Budget: the limit of a decision, in milliseconds within the referee's clock or in playouts."""

from __future__ import annotations

import time
from math import inf
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from croupier.protocol.views.view import View

DEFAULT_MS = 100
SHARE = 0.4
"""The share of the referee's clock that may pass before the answer; the rest is reserve for a busy machine."""


class Budget(NamedTuple):
    """The cost that one decision may have: ``ms`` of processor time, or ``iterations`` playouts."""

    ms: float = DEFAULT_MS
    iterations: int | None = None

    def start(self, view: View) -> Stopwatch:
        """Start the stopwatch for a decision on this view."""
        return Stopwatch(self, view.clock)


class Stopwatch:
    """The rest of one decision's budget.

    Milliseconds are processor time, so a busy machine makes the player slower, not worse, as long as its share of the
    referee's clock lasts.
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
        """Return how many playouts the budget has room for; where time counts, run one trial to estimate its cost."""
        if self.left is not None:
            return self.left
        began = time.process_time()
        trial()
        now = time.process_time()
        return int(max(0.0, self.cpu - now) / max(now - began, 1e-6))

    @property
    def over(self) -> bool:
        """Return whether the budget is spent and it is time to answer."""
        if self.late or (self.left is not None and self.left <= 0):
            return True
        return self.timed and time.process_time() >= self.cpu

    @property
    def late(self) -> bool:
        """Return whether the share of the referee's clock has passed; a playout in progress is then abandoned."""
        return time.monotonic() >= self.wall
