"""Workshop: how a build is started: in its bot's sandbox, but allowed to write to the folders of the bot's program."""

from __future__ import annotations

import os
import resource
import shlex
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from croupier.server.entries import Entry
from croupier.server.processes.sandbox import bwrap, seccomp
from croupier.server.processes.sandbox.launch import launch_order
from croupier.server.processes.sandbox.settings import Level, memory_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from croupier.server.processes.sandbox.settings import SandboxSettings

FILE_BYTES = FOLDER_BYTES = 2 << 30
"""The largest file that a build may write, and the total size of its temporary folder."""
MEMORY = "2G"
"""Compilers need more than the bots that they make. A bot with a higher limit passes it on to its build."""


class NoWorkshop(ValueError):
    """A build has no folder of its own to write to; the message says what to do."""


def build_order(
    line: str,
    program: Sequence[str],
    scratch: Path,
    sandboxing: SandboxSettings,
    level: Level,
    *,
    memory: str | None,
    network: bool,
) -> dict[str, Any]:
    """Return the keeper's order to run a shell's command line from the current folder; raise NoWorkshop.

    Under `Level.LIMITS` and `Level.BWRAP` it can write only to ``scratch`` and to the folders of a bot's ``program``.
    """
    bounded = level is not Level.NONE
    own = list(_folders(program)) if bounded else []
    here = line if level is Level.BWRAP else f"cd {shlex.quote(str(Path.cwd()))} || exit\n{line}"
    most = max(MEMORY, memory or sandboxing.memory, key=memory_bytes)
    entry = Entry("build", ("/bin/sh", "-c", here), network=network, memory=most)
    order = launch_order(entry, scratch, sandboxing, level, partial(_command, own))
    limits = [each for each in order["limits"] if each[0] != resource.RLIMIT_FSIZE]
    if level is Level.LIMITS:  # a compiler makes its output executable by chmod
        order["filter"] = seccomp.program(network=network, shared=True, makes=True)
    return order | {
        "writes": own,
        "files": FOLDER_BYTES if bounded else 0,
        "limits": [*limits, (resource.RLIMIT_FSIZE, FILE_BYTES)] if bounded else [],
        # Below bubblewrap, a build finds compilers by the PATH of the user who runs it.
        "env": order["env"] if level is Level.BWRAP else {**order["env"], "PATH": os.environ.get("PATH", os.defpath)},
    }


def _command(own: Sequence[str], entry: Entry, scratch: Path, hidden: Iterable[Path]) -> list[str]:
    """Return the bubblewrap command line (--bind) of an entry that can write to these folders."""
    places = list(hidden)
    words = bwrap.command(entry, scratch, places)
    binds = [word for folder in own for word in ("--bind", folder, folder)]
    covers = [word for path in map(str, places) if _within(path, own) for word in ("--tmpfs", path)]
    place = words.index("--chdir")
    words[place : place + 2] = [*binds, *covers, "--dir", str(Path.cwd()), "--chdir", str(Path.cwd())]
    return words


def _folders(program: Sequence[str]) -> Iterator[str]:
    """Yield the folders of the files, existing or not, that a command names, except its shared interpreter."""
    paths = [Path(word).absolute() for word in program if "/" in word or Path(word).exists()]
    named = [path.parent for path in paths if not _interprets(path)]
    own = [folder for folder in dict.fromkeys(named or [Path.cwd()]) if not bwrap.is_the_systems(folder)]
    for folder in own:
        if bwrap.holds_too_much(folder):
            raise NoWorkshop(f"{folder} holds more than one program, and a build can write there: use another folder")
        if folder.is_dir():
            yield str(folder)


def _interprets(path: Path) -> bool:
    """Return whether a file is a program of the system, or a Python that others use too."""
    real = path.resolve()
    shared = (Path(sys.prefix).resolve(), Path(sys.base_prefix).resolve())
    in_venv = (path.parent.parent / "pyvenv.cfg").is_file()
    return path.is_file() and (in_venv or bwrap.is_the_systems(real) or any(map(real.is_relative_to, shared)))


def _within(path: str, folders: Iterable[str]) -> bool:
    return Path(path).is_dir() and any(Path(path).is_relative_to(folder) for folder in folders)
