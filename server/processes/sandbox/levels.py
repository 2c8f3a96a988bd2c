"""Which level works on this machine, found out by running something under it."""

from __future__ import annotations

import functools
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from croupier.server.processes.sandbox import bwrap, groups
from croupier.server.processes.sandbox.house import AUTO, Level

if TYPE_CHECKING:
    from croupier.server.processes.sandbox.house import House


class NoSuchLevel(ValueError):
    """A level that was asked for does not work here, and why."""


@functools.cache
def problem(level: Level) -> str:
    """Say why a level does not work here; nothing if it does."""
    match level:
        case Level.NONE:
            return ""
        case Level.LIMITS:
            return "" if os.name == "posix" else "process limits need a POSIX system; on Windows, run inside WSL"
        case Level.BWRAP:
            return _bwrap_problem()


def _bwrap_problem() -> str:
    if sys.platform != "linux":
        return "bubblewrap needs Linux"
    if bwrap.program() is None:
        return "bwrap is not installed (the package is called bubblewrap)"
    return bwrap.refusal(bwrap.isolation())


def best() -> Level:
    """Return the best level that works here."""
    return next(level for level in reversed(Level) if not problem(level))


def chosen(house: House) -> Level:
    """Return the level that a house asks for; raise NoSuchLevel where it does not work."""
    if house.sandbox == AUTO:
        return best()
    level = Level(house.sandbox)
    if why := problem(level):
        raise NoSuchLevel(f"the sandbox {level.value} does not work here: {why}")
    return level


def hardening() -> dict[str, str]:
    """Say what of `Level.LIMITS` the system lends: nothing behind a word means that it works."""
    linux = sys.platform == "linux"
    return {
        "orphans found again": "" if linux else "needs Linux (a subreaper)",
        "folders watched": "" if Path("/proc/self/statm").exists() else "needs /proc",
        **groups.problems(),
        **_landlock_problems(),
    }


def _landlock_problems() -> dict[str, str]:
    from croupier.server.processes import kernel  # noqa: PLC0415  only who asks pays for ctypes

    version = kernel.landlock_version()
    missing = "" if version else "needs Landlock in the kernel (Linux 5.13): bots run as you and can read what you can"
    young = "" if version >= kernel.LANDLOCK_SCOPES_SINCE else "needs a younger Landlock (Linux 6.12)"
    return {
        "a tournament's key and records hidden": missing,
        "other processes not looked into": missing,
        "other processes not ended": young,
    }
