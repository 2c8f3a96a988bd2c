"""Launch: a bot's argv, environment and rlimits, built from its entry and the settings of the sandbox."""

from __future__ import annotations

import functools
import os
import resource
from pathlib import Path
from typing import TYPE_CHECKING, Any

from croupier.server.executables import PATH
from croupier.server.processes.sandbox import bwrap, modules, seccomp
from croupier.server.processes.sandbox.settings import Level, memory_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from croupier.server.entries import Entry
    from croupier.server.processes.sandbox.settings import SandboxSettings

TASKS = 1024
"""How many processes and threads together a bot may have; the kernel does not distinguish them."""
OPEN_FILES = 1024
FILE_BYTES = 64 << 20
FOLDER_BYTES = 256 << 20
TIMERS = 256
"""The limit of timers (timer_create) and queued signals, which the kernel counts per user."""
CPU_SECONDS = 12 * 3600
"""Thinking has its own deadlines; this ends processes that nobody waits for any more."""
_SPARE_PROCESSES = 8 * TASKS
"""This many bots can use up their limit before another bot of the same user lacks a thread."""


def launch_order(
    entry: Entry,
    folder: Path,
    sandboxing: SandboxSettings,
    level: Level,
    wrap: Callable[..., list[str]] = bwrap.command,
) -> dict[str, Any]:
    """Return the keeper's order to start an entry with ``folder`` as its working folder; a limit of 0 is none.

    ``wrap`` makes the command line of bubblewrap.
    """
    memory = memory_bytes(entry.memory or sandboxing.memory)
    vault = [] if sandboxing.vault is None else [sandboxing.vault.resolve()]
    bounded, shut_in = level is not Level.NONE, level is Level.BWRAP
    code = seccomp.program(network=entry.network, shared=not shut_in) if bounded else b""
    argv, env = list(entry.command), environment(entry, folder)
    left: dict[int, bytes] = {}
    if shut_in:
        words = wrap(entry, folder, [folder.parent, *vault, *sandboxing.hidden])
        argv, left = bwrap.hand_over(words, env, code)
        code, env = b"", {}
    return {
        "argv": argv,
        "filter": code,
        "left": left,
        "network": entry.network,
        "program": entry.command[0] if shut_in else "",
        "env": env,
        "folder": str(folder),
        "writes": [],
        "limits": limits() if bounded else [],
        "hidden": [str(path) for place in vault for path in _strange(entry, place)] if level is Level.LIMITS else None,
        "memory": memory if bounded else 0,
        "files": FOLDER_BYTES if bounded else 0,
        "tasks": TASKS if bounded else 0,
    }


def _strange(entry: Entry, vault: Path) -> Iterable[Path]:
    """Yield the vault, or the parts of it that do not belong to an entry whose program is inside."""
    own = [bwrap.location(path) for path in entry.files]
    if any(path.is_relative_to(vault) for path in own):
        return (path for path in vault.iterdir() if not any(file.is_relative_to(path) for file in own))
    return [vault]


def environment(entry: Entry, folder: Path) -> dict[str, str]:
    """Return a small environment without secrets, in which Python finds our modules and does not buffer its output."""
    return {
        "PATH": PATH,
        "HOME": str(folder),
        "TMPDIR": str(folder),
        "LANG": "C.UTF-8",
        "PYTHONUNBUFFERED": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        **modules.variables(),
        **entry.env,
    }


def limits() -> list[tuple[int, int]]:
    """Return a process's limits as (resource, amount).

    Memory is not among them. The control group or the minder counts memory in use; RLIMIT_AS and RLIMIT_DATA count
    reservations, and Java, Node, Haskell and AddressSanitizer reserve far more than they use.
    """
    most = [
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_CPU, CPU_SECONDS),
        (resource.RLIMIT_FSIZE, FILE_BYTES),
        (resource.RLIMIT_NOFILE, OPEN_FILES),
        (resource.RLIMIT_SIGPENDING, TIMERS),
    ]
    if spare := _processes():
        most.append((resource.RLIMIT_NPROC, spare))
    return most


# computed once, before bots run: their threads must not raise the limit of later bots
@functools.cache
def _processes() -> int:
    """Return the limit of this user's threads: the current number and a reserve; 0 for root, who has no limit."""
    if os.getuid() == 0:
        return 0
    count = 0
    for folder in Path("/proc").glob("[0-9]*/task"):
        try:
            if folder.stat().st_uid == os.getuid():
                count += sum(1 for _ in folder.iterdir())
        except OSError:
            continue
    return count + _SPARE_PROCESSES
