"""A pen: a control group for a bot, where the system lends one, in which the kernel itself bounds the processes."""

from __future__ import annotations

import functools
import itertools
import os
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from croupier.server.processes.process_table import penned

if TYPE_CHECKING:
    from collections.abc import Iterator

_CGROUPS = Path("/sys/fs/cgroup")
_numbers = itertools.count(1)
_PROBE = 0


class Pen:
    """A group for at most so many tasks, which are processes and threads; ``path`` is empty where there is none."""

    def __init__(self, tasks: int) -> None:
        self.path = ""
        ground = field() if tasks else None
        if ground is None:
            return
        path = ground / _name(next(_numbers))
        with suppress(OSError):
            path.mkdir()
            self.path = str(path)
            (path / "pids.max").write_text(str(tasks))

    def close(self, seconds: float = 1.0) -> None:
        """Kill who is still in it and take it away; its minder has done so, unless somebody killed that."""
        until = time.monotonic() + seconds
        folder = Path(self.path)
        while self.path and folder.exists() and time.monotonic() < until:
            for pid in penned(self.path):
                with suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
            with suppress(OSError):
                folder.rmdir()
                break
            time.sleep(0.001)


def _name(number: int) -> str:
    """Name a control group after the process whose it is: while that lives, nobody clears it away."""
    return f"croupier-{os.getpid()}-{number}"


@functools.cache
def field() -> Path | None:
    """Return where pens can be made, cleared of the empty ones of referees that were killed; None where they cannot."""
    ground = next((ground for ground in _grounds() if _fertile(ground)), None)
    if ground:
        _clear(ground)
    return ground


def _clear(ground: Path) -> None:
    """Take away the empty control groups of processes that have ended; another's that lives may be empty yet."""
    for old in ground.glob("croupier-*-*"):
        if not Path("/proc", old.name.split("-")[1]).exists():
            with suppress(OSError):
                old.rmdir()


def _grounds() -> Iterator[Path]:
    """Yield where this process's own group lies, and what it lies in, wherever the system counts processes."""
    try:
        lines = Path("/proc/self/cgroup").read_text().splitlines()
    except OSError:
        return
    for line in lines:
        _, controllers, own = line.split(":", 2)
        mounts = [_CGROUPS / "pids"] if controllers == "pids" else [] if controllers else [_CGROUPS]
        for mount in mounts:
            group = mount / own.lstrip("/")
            yield from (group, *([] if group == mount else [group.parent, mount]))


def _fertile(ground: Path) -> bool:
    """Say whether a group made here bounds processes."""
    probe = ground / _name(_PROBE)
    with suppress(OSError):
        probe.mkdir(exist_ok=True)  # a process of the same number may have been killed here
        bounds = (probe / "pids.max").exists()
        probe.rmdir()
        return bounds
    return False


def problem() -> str:
    """Say why the kernel does not bound a bot's processes; nothing if it does."""
    if field() is None:
        others = "RLIMIT_NPROC bounds all bots together" if os.getuid() else "bots' processes are watched and counted"
        return f"no control group that counts processes may be made here: {others}"
    pen = Pen(8)
    try:
        enter = ["/bin/sh", "-c", 'echo $$ > "$0/cgroup.procs"', pen.path]
        done = subprocess.run(enter, capture_output=True, check=False)
    finally:
        pen.close()
    return "" if done.returncode == 0 else "a control group can be made here, but not entered"
