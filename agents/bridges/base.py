"""The shared part of all bridges: the time of a decision, and the end of a bridge without a play."""

from __future__ import annotations

import os
import sys
from time import monotonic

from croupier.agents.driver import drive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from croupier.agents.agent import Agent
    from croupier.protocol.views.view import View

RESERVE = 0.3
"""The share of a decision's time that is kept for a last answer."""
_MOST_NOTE = 1000
"""The most characters of a note, because a table keeps about 64 KiB of standard error per game."""


class NoPlay(Exception):
    """The foreign player gave no play, for this reason; the table counts it as the seat's fault."""


class Clock:
    """The time of one decision, by STATE: the clock and a twentieth of the bank, minus the way to the table.

    It starts when the object is made. All times are in seconds.
    """

    def __init__(self, view: View) -> None:
        milliseconds = (10_000 if view.clock is None else view.clock) + (view.bank or 0) / 20
        self.seconds = max(0.9 * milliseconds / 1000 - 0.05, 0.5 * milliseconds / 1000)
        self._began = monotonic()

    @property
    def left(self) -> float:
        """Return the seconds until the last moment for a play."""
        return self._began + self.seconds - monotonic()

    @property
    def before_reserve(self) -> float:
        """Return the seconds until only the time for a last answer is left."""
        return self.left - RESERVE * self.seconds


def note(text: str) -> None:
    """Write a line to standard error, which tables keep as what a bot noted at this decision."""
    line = "".join(letter if letter.isprintable() else " " for letter in text[:_MOST_NOTE])
    print(line, file=sys.stderr, flush=True)


def run(agent: Agent) -> None:
    """Drive a bridge until standard input ends.

    A bridge without a play exits with status 1; its last words say why. It exits at once: a thread that still waits for
    a foreign server would delay the exit until the clock has run out.
    """
    try:
        drive(agent)
    except NoPlay as problem:
        note(str(problem))
        os._exit(1)
