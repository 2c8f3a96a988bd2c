"""Control groups of bots: finds out in which folders of cgroup v2 or v1 they can be made, and why not."""

from __future__ import annotations

import functools
import itertools
import os
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from croupier.server.processes import control_group
from croupier.server.processes.control_group import CORE, has, read, write

if TYPE_CHECKING:
    from collections.abc import Iterator

_MOUNT = Path("/sys/fs/cgroup")
_CONTROLLERS = {"pids": "pids.max", "memory": "cgroup.procs", "cpu": "cgroup.procs"}
"""The controllers of a bot's group, each with a file by which it can be recognized."""
_WITHOUT_V2 = {"freezer": "freezer.state", "cpuacct": "cpuacct.usage"}
_LEAF = "croupier-referees"
"""The group to which referees move: a group of cgroup v2 with controllers for subgroups must have no processes."""
_DELEGATED = "root can make one, and so can you in `systemd-run --user --scope -p Delegate=yes croupier ...`"
_TCP_SHARE = 8
"""The share of its memory limit that a bot may have again in TCP sockets, where those are counted separately."""
_PROBE = 0
_numbers = itertools.count(1)


class ControlGroup:
    """A bot's control group, limited to a number of processes and threads and of bytes; 0 is no limit."""

    def __init__(self, tasks: int = 0, memory: int = 0) -> None:
        name = _name(next(_numbers))
        bounds = {"pids": tasks, "memory": memory}
        wanted = {controller: parent for controller, parent in parents().items() if bounds.get(controller, True)}
        self.folders = {controller: f"{parent}/{name}" for controller, parent in wanted.items()}
        control_group.make(self.folders)
        if "pids" in self.folders:
            write(self.folders["pids"], "pids.max", tasks)
        if "memory" in self.folders:
            _bound_memory(self.folders["memory"], memory)

    def close(self, seconds: float = 1.0) -> None:
        """Kill its remaining processes and remove it; the minder has already done so, unless it was killed."""
        until = time.monotonic() + seconds
        # repeated, because a killed process stays in the group until the kernel has reaped it
        while not control_group.remove(self.folders) and time.monotonic() < until:
            control_group.kill(self.folders)
            time.sleep(0.001)


def _name(number: int) -> str:
    """Name a control group after its process, so that nobody removes it while that process lives."""
    return f"croupier-{os.getpid()}-{number}"


def _bound_memory(folder: str, amount: int) -> None:
    """Limit the memory that the kernel charges to a group, including swap; have it killed as a whole if possible."""
    v2 = has(folder, "memory.max")
    write(folder, "memory.max" if v2 else "memory.limit_in_bytes", amount)
    more = {
        "memory.swap.max": 0,
        "memory.memsw.limit_in_bytes": amount,
        "memory.kmem.tcp.limit_in_bytes": amount // _TCP_SHARE,  # cgroup v1 counts them separately
        "memory.oom.group": 1,
    }
    for file, value in more.items():
        if has(folder, file):
            write(folder, file, value)


@functools.cache
def parents() -> dict[str, str]:
    """Return by controller the folder in which groups can be made and entered. Cached, because it tries to make one."""
    own: dict[str, str] = {}
    for line in read("/proc/self/cgroup").decode().splitlines():
        _, names, path = line.split(":", 2)
        own |= dict.fromkeys(names.split(","), path)
    found: dict[str, str] = {}
    for controller, folder, file in _candidates(own, found):
        if controller not in found and _works(folder, file):
            found[controller] = folder
    for folder in dict.fromkeys(found.values()):
        _clear(Path(folder))
    return found


def _candidates(own: dict[str, str], found: dict[str, str]) -> Iterator[tuple[str, str, str]]:
    """Yield each controller with the folder of this process's group and a file, those of cgroup v2 first."""
    if CORE in own:
        mount = _MOUNT if (_MOUNT / "cgroup.controllers").exists() else _MOUNT / "unified"
        folder = _inside(mount, own[CORE].removesuffix(f"/{_LEAF}"))
        yield CORE, folder, "cgroup.kill"
        if CORE in found:
            yield from ((controller, folder, _CONTROLLERS[controller]) for controller in _lend(folder))
    for controller, file in (_CONTROLLERS if CORE in found else _CONTROLLERS | _WITHOUT_V2).items():
        if controller in own:
            yield controller, _inside(_MOUNT / controller, own[controller]), file


def _inside(mount: Path, path: str) -> str:
    """Return the folder of a group; a container may show its own group as the root of the mount."""
    folder = mount / path.strip("/")
    return str(folder if folder.is_dir() else mount)


def _lend(folder: str) -> list[str]:
    """Enable controllers for subgroups of cgroup v2 (cgroup.subtree_control); return those enabled."""
    there = read(f"{folder}/cgroup.controllers").decode().split()
    wanted = [controller for controller in _CONTROLLERS if controller in there]
    if set(wanted) <= set(read(f"{folder}/cgroup.subtree_control").decode().split()):
        return wanted
    try:
        Path(folder, _LEAF).mkdir(exist_ok=True)
        for pid in read(f"{folder}/cgroup.procs").split():
            write(f"{folder}/{_LEAF}", "cgroup.procs", int(pid))
        write(folder, "cgroup.subtree_control", " ".join(f"+{controller}" for controller in wanted))
    except OSError:
        return []
    return wanted


def _works(folder: str, file: str) -> bool:
    """Return whether a group can be made in a folder and entered, and has a file."""
    probe = Path(folder, _name(_PROBE))
    with suppress(OSError):
        probe.mkdir(exist_ok=True)  # a killed process with the same number may have left it
        entry = f"{probe}/{control_group.entry_file(str(probe))}"
        enter = ["/bin/sh", "-c", 'test -w "$0" && echo 0 > "$0"', entry]
        entered = subprocess.run(enter, capture_output=True, check=False).returncode == 0
        there = (probe / file).exists()
        probe.rmdir()
        return entered and there
    return False


def _clear(folder: Path) -> None:
    """Remove the empty control groups of processes that have ended; a living process's may be empty for now."""
    for old in folder.glob("croupier-*-*"):
        if not Path("/proc", old.name.split("-")[1]).exists():
            with suppress(OSError):
                old.rmdir()


def problems() -> dict[str, str]:
    """Return, for each protection of control groups, why it is not available; empty if it is."""
    found = parents()
    lacks = f"no control group can be made: {_DELEGATED}"
    return {
        "memory counted by the kernel": "" if "memory" in found else f"{lacks}; it is looked at five times a second",
        "processes counted by the kernel": "" if "pids" in found else f"{lacks}; they are counted five times a second",
        "CPU time shared between bots": "" if "cpu" in found else f"{lacks}; who has more processes gets more of it",
        "frozen and killed as one": "" if {CORE, "freezer"} & {*found} else f"{lacks}; they get signals, one by one",
    }
