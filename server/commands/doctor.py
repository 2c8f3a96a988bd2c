"""``croupier doctor``: what works on this machine, and why the rest does not."""

from __future__ import annotations

import os
import platform
import sqlite3
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import trio
from rich.table import Table as RichTable

from croupier.server import entries, extras, games
from croupier.server.commands import json_option, print_json
from croupier.server.commands.command import command
from croupier.server.console import Console
from croupier.server.deals import Key
from croupier.server.processes import sandbox
from croupier.server.processes.sandbox import Level, SandboxSettings
from croupier.server.processes.sandbox.levels import hardening
from croupier.server.processes.temporary_folder import temporary_folder
from croupier.server.table.referee import RefereeBug, Terms
from croupier.server.table.table import Table
from croupier.server.terminal import say
from croupier.server.tournaments.workers import no_semaphores

if TYPE_CHECKING:
    from pathlib import Path

    from croupier.server.table.played_game import PlayedGame

_STRICT_SINCE = (3, 37)
_PATIENCE = 60.0
"""Seconds for a bundled bot to start. The check is whether it starts, not how fast."""
_ABOUT = {
    Level.NONE: "bots run as you, unbounded",
    Level.LIMITS: "bounded memory, processes, files and time; nothing left behind",
    Level.BWRAP: "no network, no sight of anything but their own program",
}

_LENT = {
    "orphans found again": "whatever sessions they make for themselves",
    "folders watched": "five times a second",
    "memory counted by the kernel": "a control group a bot",
    "processes counted by the kernel": "a control group a bot",
    "CPU time shared between bots": "a control group a bot",
    "frozen and killed as one": "a control group a bot",
    "a tournament's key and records hidden": "Landlock",
    "other processes not looked into": "Landlock",
    "nothing written outside its folder": "Landlock",
    "no TCP": "seccomp, or Landlock",
    "other processes not ended": "Landlock",
    "system calls filtered": "seccomp",
    "no namespaces of its own": "bubblewrap",
}
"""Each part of the system that the levels use, and its check."""


@dataclass(frozen=True)
class Check:
    """The state of one thing on this machine: whether it works, its purpose, and why it does not work."""

    what: str
    about: str
    problem: str = ""
    needed: bool = True

    def json(self) -> dict[str, object]:
        """Return the finding in the form that scripts read."""
        return {"what": self.what, "works": not self.problem, "about": self.about, "why_not": self.problem or None}


@command(
    "croupier doctor",
)
@json_option
def doctor(*, as_json: bool) -> int:
    """Check what works on this machine: sandbox levels, bundled bots, extras.

    The exit status is 1 if something is missing that croupier cannot do without.
    """
    findings = [*_system(), *_levels(), *_bots(), *_extras()]
    best = sandbox.best()
    if as_json:
        print_json({"sandbox": best.value, "findings": [finding.json() for finding in findings]})
    else:
        _print(findings, best)
    return 1 if any(finding.problem and finding.needed for finding in findings) else 0


def _system() -> list[Check]:
    version = platform.python_version()
    old = "" if sys.version_info >= (3, 11) else f"this is Python {version}; croupier needs 3.11"
    strict = (
        ""
        if sqlite3.sqlite_version_info >= _STRICT_SINCE
        else "SQLite 3.37 brought STRICT tables, which the store uses"
    )
    return [
        Check(f"Python {version}", "runs the referee", old),
        Check(f"SQLite {sqlite3.sqlite_version}", "keeps tournaments", strict),
        _cores(),
        Check("semaphores in /dev/shm", "workers of a tournament share them", no_semaphores()),
    ]


def _cores() -> Check:
    cores = os.cpu_count() or 1
    if not hasattr(os, "sched_getaffinity"):
        return Check(f"{cores} cores", "workers", "this system does not tie workers to cores", needed=False)
    ours = len(os.sched_getaffinity(0))
    return Check(f"{ours} of {cores} cores", "each worker of a tournament is tied to its own")


def _levels() -> list[Check]:
    levels = [Check(f"sandbox {level.value}", _ABOUT[level], sandbox.problem(level), needed=False) for level in Level]
    lent = {
        what: Check(f"{level.value}: {what}", _LENT[what], why, needed=False)
        for level in reversed(Level)  # a problem that two levels share is reported for the weaker one
        if not sandbox.problem(level)
        for what, why in hardening(level).items()
    }
    return [*levels, *lent.values()]


def _bots() -> list[Check]:
    """Play a game between bundled bots under each level that works: they need to import croupier, wherever it is."""
    usable = [level for level in Level if not sandbox.problem(level)]
    return [
        Check(f"bundled bots under {level.value}", "start, and find croupier", _game_problem(level)) for level in usable
    ]


def _game_problem(level: Level) -> str:
    """Return why a game between bundled bots fails under a level; an empty string if it does not."""
    try:
        with temporary_folder() as folder:
            faults = trio.run(_game, level, folder).faults
    except (OSError, RefereeBug, sandbox.NoSuchLevel) as problem:
        return str(problem)
    return faults[0].fault.why if faults else ""


async def _game(level: Level, folder: Path) -> PlayedGame:
    rules = games.find("sedma")
    bots = entries.distinct([entries.of_bundled("random") for _ in range(min(rules.SEATS))])
    async with Table(bots, folder, _PATIENCE, sandboxing=SandboxSettings(level.value)) as table:
        return await table.play(rules, rules.read_options({}), Key.fresh().deal(1), Terms(time=_PATIENCE))


def _extras() -> list[Check]:
    return [
        _extra("cluster", "tournaments on many machines (--cluster)"),
        _extra("llm", "language models at the table (croupier bridge llm)"),
        _extra("web", "pages on this machine's loopback (croupier watch)"),
    ]


def _extra(name: str, about: str) -> Check:
    how = extras.missing(name)
    return Check(name, about, f"its libraries are not installed here: {how}" if how else "", needed=False)


def _print(findings: list[Check], best: Level) -> None:
    table = RichTable("", "works", "what it does, or why it does not work")
    for finding in findings:
        table.add_row(finding.what, "no" if finding.problem else "yes", finding.problem or finding.about)
    Console().print(table)
    say(f"tournament and check shut bots in by {best.value} here (sandbox = auto), play by limits (--sandbox limits).")
