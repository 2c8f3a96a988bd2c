"""Levels: which ones work on this machine, found out by running a program under each."""

from __future__ import annotations

import functools
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from croupier.server.processes.control_group import read
from croupier.server.processes.sandbox import bwrap, groups, seccomp
from croupier.server.processes.sandbox.settings import AUTO, Level

if TYPE_CHECKING:
    from croupier.server.processes.sandbox.settings import SandboxSettings


_MEANING = {
    Level.LIMITS: "So a bot can read what you can read, and so can what builds it",
    Level.NONE: "So nothing bounds a bot: it can do what you can do",
}
"""What a level below bubblewrap means for the organizer."""


class NoSuchLevel(ValueError):
    """A requested level does not work here, and why."""


@functools.cache
def problem(level: Level) -> str:
    """Return why a level does not work here; empty if it does. Cached, because it starts a program."""
    match level:
        case Level.NONE:
            return ""
        case Level.LIMITS:
            return _limits_problem()
        case Level.BWRAP:
            return _limits_problem() or _bwrap_problem()


def _limits_problem() -> str:
    if os.name != "posix":
        return "process limits need a POSIX system; on Windows, run inside WSL"
    if seccomp.program() and b"\nSeccomp:" not in read("/proc/self/status"):
        return "this kernel takes no seccomp filter (CONFIG_SECCOMP), or /proc is not there"
    return ""


def _bwrap_problem() -> str:
    if sys.platform != "linux":
        return "bubblewrap needs Linux"
    if bwrap.program() is None:
        return "bwrap is not installed (`apt install bubblewrap`, or your system's package of that name)"
    return bwrap.refusal(bwrap.isolation())


def best() -> Level:
    """Return the strongest level that works here."""
    return next(level for level in reversed(Level) if not problem(level))


def shortfall(sandboxing: SandboxSettings) -> str:
    """Return a notice if nobody chose the level and it is below bubblewrap, else an empty string."""
    level = best()
    if sandboxing.level != AUTO or level is Level.BWRAP:
        return ""
    why = problem(Level.BWRAP)
    return f"bots run under {level.value}, not under bwrap: {why}. {_MEANING[level]} (`croupier docs security`)"


def choose_level(sandboxing: SandboxSettings) -> Level:
    """Return the requested level; raise NoSuchLevel if it does not work, or hides what bots need."""
    level = _requested_level(sandboxing)
    places = (*sandboxing.hidden, *([sandboxing.vault] if sandboxing.vault else []))
    if level is Level.BWRAP and (folder := bwrap.needed_folder(places)):
        raise NoSuchLevel(
            f"{folder} holds what bots need to start, and what is kept there is hidden from them: use another folder"
        )
    return level


def _requested_level(sandboxing: SandboxSettings) -> Level:
    if sandboxing.level == AUTO:
        return best()
    level = Level(sandboxing.level)
    if why := problem(level):
        raise NoSuchLevel(f"the sandbox {level.value} does not work here: {why}")
    return level


def hardening(level: Level) -> dict[str, str]:
    """Return, by name, the system features that strengthen a level, each with why it is unavailable or empty."""
    if level is Level.NONE:
        return {}
    return {
        "orphans found again": "" if sys.platform == "linux" else "needs Linux (a subreaper)",
        "folders watched": "" if Path("/proc/self/statm").exists() else "needs /proc",
        **groups.problems(),
        "system calls filtered": "" if seccomp.program() else "there is a filter for x86-64 and arm64 alone",
        **(_landlock_problems() if level is Level.LIMITS else _namespace_problems()),
    }


def _namespace_problems() -> dict[str, str]:
    return {"no namespaces of its own": "" if bwrap.forbids_namespaces() else "needs bubblewrap 0.8"}


def _landlock_problems() -> dict[str, str]:
    from croupier.server.processes import landlock  # noqa: PLC0415  loads ctypes only where needed

    known = landlock.version()
    young = "needs a younger Landlock (Linux {})"
    return {
        "a tournament's key and records hidden": "" if known else "needs Landlock in the kernel (Linux 5.13)",
        "other processes not looked into": "" if known else "needs Landlock in the kernel (Linux 5.13)",
        "nothing written outside its folder": "" if known >= landlock.WRITES_SINCE else young.format("6.2"),
        "no TCP": "" if seccomp.program() or known >= landlock.TCP_SINCE else young.format("6.7"),
        "other processes not ended": "" if known >= landlock.SCOPES_SINCE else young.format("6.12"),
    }
