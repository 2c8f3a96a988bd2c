"""The clock of a player: what of a game's time is left, the deadline of one reply, and the CPU time used off turn."""

from __future__ import annotations

from errno import EAGAIN
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from croupier.server.processes.control_group import MachineShort

if TYPE_CHECKING:
    from collections.abc import Mapping

_HELD_UP = 0.5
"""Seconds after which the referee is not merely busy but has been stopped, perhaps with all that it runs."""
_LOOK_EVERY = 0.2
"""Seconds between two looks at a process's CPU time: what is burnt in shorter games counts for a later one."""
REPLIES = 50
"""How many replies of full length a game's time is for, and the part of one that each has when it is used up."""
_WITHHELD = 0.1
"""The part of its time that this machine must have withheld from a process for it to get that much more."""
MOST_AGAIN = 60.0
"""Seconds that a reply gets so, beyond what it may take: who needs more plays on a machine that is too small."""
_IDLE, _BUSY = 0.1, 0.5
"""The parts of the time that it was given below which a process waits, and above which it computes."""
_LEAST_SHOWN = 0.05
"""Seconds that are shown as 0.1; less is shown as 0.0, which would be no sign of computing."""


class Waits(NamedTuple):
    """By a moment, the seconds for which each of a bot's threads has waited for a core, and its CPU time in all."""

    at: float
    delays: Mapping[int, float]
    used: float

    def withheld_since(self, before: Waits, cores: int) -> float:
        """Return the seconds in which this machine withheld the bot's cores from it.

        Threads that wait behind each other gain nothing: with what it has used, a bot never gets more CPU time than
        its cores have in the time that it was given first.
        """
        waited = sum(max(0.0, delay - before.delays.get(thread, 0.0)) for thread, delay in self.delays.items())
        unused = self.at - before.at - (self.used - before.used) / cores
        return max(0.0, min(waited, unused))


def effort(since: Waits, now: Waits, cores: int) -> str:
    """Say how much CPU time a process used between two moments, and what that means where it is clear.

    It is compared with what this machine gave it: a bot that shares its cores with others gets less in as long a time.
    """
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
    """What STATE says of time, in milliseconds: what a reply may take, and what is left of the game's reserve."""

    reply: int
    bank: int | None = None


class Budget:
    """What a player may use of one game's time: so much a reply, beyond that a bank if there is one, so much in all.

    ``reply``: seconds that the next reply may take; who has used up the total has a moment for each. ``bank``: seconds
    that it may take beyond that; ``both`` together. ``clock``: what STATE says of both.
    """

    __slots__ = ("_bank", "_left", "_time", "bank", "both", "clock", "reply")

    def __init__(self, time: float, bank: float | None, total: float | None) -> None:
        self._time = time
        self._bank = bank
        self._left = REPLIES * time + (bank or 0.0) if total is None else total
        self._share()

    def _share(self) -> None:
        """Say what the next reply may use of what is left."""
        self.reply = min(self._time, max(self._left, self._time / REPLIES))
        self.bank = max(0.0, min(self._bank or 0.0, self._left - self.reply))
        self.both = self.reply + self.bank
        self.clock = Clock(round(self.reply * 1000), None if self._bank is None else round(self.bank * 1000))

    @property
    def short(self) -> bool:
        """Return whether less is left of the total than a reply's time and the bank."""
        return self._left < self._time + (self._bank or 0.0)

    def spend(self, used: float) -> None:
        """Take what a reply took."""
        self._left -= used
        if self._bank is not None:
            self._bank -= max(0.0, min(self._bank, used - self._time))
            self._share()
        elif self._left < self._time:
            self._share()


class Deadline:
    """When a reply must be there: so many seconds from now, and for a fresh process its start-up allowance longer.

    The allowance is for starting up: it ends when the process begins to read its first request.
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
        """Return what counts of the time spent: starting up is not thinking."""
        return min(max(0.0, spent - self.allowance), self.seconds)

    def start(self) -> None:
        """Take back what is left of the allowance: the process has started up."""
        self.starting = False
        self.allowance = min(self.allowance, monotonic() - self.began)
        self.end = min(self.end, monotonic() + self.seconds)

    def is_missed_by_us(self, withheld: float) -> bool:
        """Return whether the referee was stopped meanwhile, or this machine ``withheld`` its cores from the process.

        Then the reply gets that time again. Raise MachineShort when it has had too much of it.
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
        """Say how long that was, in milliseconds."""
        allowance = f" and {self.allowance * 1000:.0f} ms to start" if self.starting else ""
        return f"{self.seconds * 1000:.0f} ms{allowance}"


class OffTurn:
    """The CPU time (utime and stime of /proc/PID/stat) that a process uses while others are on turn."""

    def __init__(self, cores: int) -> None:
        self._cores = cores
        self.on_turn = 0.0
        """Seconds on turn since the last look, in which all of its cores may be busy."""
        self._cpu = 0.0
        self._looked = 0.0

    def due(self) -> bool:
        """Return whether it is time for another look."""
        return monotonic() - self._looked >= _LOOK_EVERY

    def look(self, cpu: float) -> float:
        """Return the seconds of CPU time used off turn since the last look; ``cpu`` is all that was ever used."""
        burnt = cpu - self._cpu - self.on_turn * self._cores
        self._cpu, self.on_turn, self._looked = cpu, 0.0, monotonic()
        return burnt
