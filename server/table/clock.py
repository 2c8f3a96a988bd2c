"""A player's clock: the rest of a game's time, the deadline of one reply, and the CPU time used off turn."""

from __future__ import annotations

from errno import EAGAIN
from time import monotonic
from typing import NamedTuple

from croupier.server.processes.control_group import MachineShort

_HELD_UP = 0.5
"""Seconds after which the referee is not merely busy but was stopped, perhaps with everything that it runs."""
_LOOK_EVERY = 0.2
"""Seconds between two checks of a process's CPU time; what a shorter game burns counts for a later one."""
REPLIES = 50
"""A game's total time is for this many full replies; once it is used up, each reply has this fraction of one."""
_WITHHELD = 0.1
"""The share of its time that this machine must have withheld from a process before it is given back."""
MOST_AGAIN = 60.0
"""The most seconds that are given back to one reply; a bot that needs more plays on too small a machine."""
_IDLE, _BUSY = 0.1, 0.5
"""The parts of the time that it was given below which a process waits, and above which it computes."""
_LEAST_SHOWN = 0.05
"""Seconds from which 0.1 is shown; less is shown as 0.0, which does not suggest computing."""


class Waits(NamedTuple):
    """A moment, the seconds for which a bot's threads have waited for a core until then, and its CPU time."""

    at: float
    waited: float
    used: float

    def withheld_since(self, before: Waits, cores: int) -> float:
        """Return the seconds in which this machine withheld the bot's cores from it.

        Threads that wait for each other gain nothing: including what it has used, a bot never gets more CPU time than
        its cores have in its original time.
        """
        unused = self.at - before.at - (self.used - before.used) / cores
        return max(0.0, min(self.waited - before.waited, unused))


def effort(since: Waits, now: Waits, cores: int) -> str:
    """Return how much CPU time a process used between two moments, and what that means where it is clear."""
    used = max(0.0, now.used - since.used)
    given = now.at - since.at - now.withheld_since(since, cores)
    if used < _IDLE * given:
        meaning = ": it waits"
    elif used > _BUSY * given and used > _LEAST_SHOWN:
        meaning = ": it computes"
    else:
        meaning = ""
    return f"{used:.1f} s of CPU{meaning}"


class Clock(NamedTuple):
    """The times in STATE, in milliseconds: for the reply, and the rest of the game's reserve."""

    reply: int
    bank: int | None = None


class Budget:
    """A player's time in one game: a time per reply, possibly a bank beyond that, and a total.

    ``reply``: seconds for the next reply; after the total is used up, a short time each. ``bank``: seconds beyond that;
    ``both`` together. ``clock``: what STATE says of both.
    """

    __slots__ = ("_bank", "_left", "_time", "bank", "both", "clock", "reply")

    def __init__(self, time: float, bank: float | None, total: float | None) -> None:
        self._time = time
        self._bank = bank
        self._left = REPLIES * time + (bank or 0.0) if total is None else total
        self._share()

    def _share(self) -> None:
        """Compute what the next reply may use of the rest."""
        self.reply = min(self._time, max(self._left, self._time / REPLIES))
        self.bank = max(0.0, min(self._bank or 0.0, self._left - self.reply))
        self.both = self.reply + self.bank
        self.clock = Clock(round(self.reply * 1000), None if self._bank is None else round(self.bank * 1000))

    @property
    def short(self) -> bool:
        """Return whether the rest of the total is less than a reply's time and the bank."""
        return self._left < self._time + (self._bank or 0.0)

    def spend(self, used: float) -> None:
        """Subtract the time of a reply."""
        self._left -= used
        if self._bank is not None:
            self._bank -= max(0.0, min(self._bank, used - self._time))
            self._share()
        elif self._left < self._time:
            self._share()


class Deadline:
    """The deadline of a reply: a number of seconds from now, and for a fresh process a start-up allowance more.

    The allowance ends when the process begins to read its first request.
    """

    __slots__ = ("again", "allowance", "began", "end", "seconds", "starting")

    def __init__(self, seconds: float, allowance: float, began: float | None = None) -> None:
        self.seconds = seconds
        self.allowance = allowance
        self.starting = allowance > 0
        self.again = 0.0
        """Seconds that were given back."""
        self.began = monotonic() if began is None else began
        self.end = self.began + seconds + allowance

    def seconds_used(self, spent: float) -> float:
        """Return the part of the time spent that counts, which excludes starting up."""
        return min(max(0.0, spent - self.allowance), self.seconds)

    def start(self) -> None:
        """Remove the rest of the allowance, because the process has started up."""
        self.starting = False
        self.allowance = min(self.allowance, monotonic() - self.began)
        self.end = min(self.end, monotonic() + self.seconds)

    def is_missed_by_us(self, withheld: float) -> bool:
        """Return whether the referee was stopped meanwhile, or this machine ``withheld`` its cores from the process.

        The reply then gets that time again. Raise MachineShort if it has had too much of it.
        """
        now = monotonic()
        back = max(withheld, self.seconds if now - self.end > _HELD_UP else 0.0)
        if not back or back < _WITHHELD * self.seconds:
            return False
        if self.again > MOST_AGAIN:
            why = f"this machine kept a bot waiting for a core for {self.again:.0f} s"
            raise MachineShort(EAGAIN, f"{why}: let fewer workers or other programs run beside it")
        self.again += back
        self.end = now + back
        return True

    def __str__(self) -> str:
        """Return the length, in milliseconds."""
        allowance = f" and {self.allowance * 1000:.0f} ms to start" if self.starting else ""
        return f"{self.seconds * 1000:.0f} ms{allowance}"


class OffTurn:
    """The CPU time (utime and stime of /proc/PID/stat) that a process uses while others are on turn."""

    def __init__(self, cores: int) -> None:
        self._cores = cores
        self.on_turn = 0.0
        """Seconds on turn since the last check, in which all of its cores may be busy."""
        self._cpu = 0.0
        self._looked = 0.0

    def due(self) -> bool:
        """Return whether it is time for another check."""
        return monotonic() - self._looked >= _LOOK_EVERY

    def look(self, cpu: float) -> float:
        """Return the seconds of CPU time used off turn since the last check; ``cpu`` is the process's total so far."""
        burnt = cpu - self._cpu - self.on_turn * self._cores
        self._cpu, self.on_turn, self._looked = cpu, 0.0, monotonic()
        return burnt
