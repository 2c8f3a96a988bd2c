"""Operations on a bot's control groups, cgroup v2 and v1: create, enter, freeze, kill, count, remove.

``folders`` are one bot's groups by controller: with cgroup v2 all the same, with v1 one each, none where there is none.
`CORE` is cgroup v2 itself, which freezes, kills and counts CPU time without a controller. This module imports little,
because the keeper loads it at its start.
"""

from __future__ import annotations

import errno
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    Folders = Mapping[str, str]

CORE = ""
_CHARGED_AT_ONCE = 1 << 20
"""The kernel charges memory in pieces, so a group may stay this many bytes below its limit and still hit it."""

_PIECE = 1 << 12
"""The bytes of one read of a file; hardly any file has more."""


class MachineShort(OSError):
    """This machine had too few cores or too little memory to blame a bot; the games affected do not count."""


def make(folders: Folders) -> None:
    """Make the group (mkdir)."""
    for folder in _each(folders):
        os.mkdir(folder)


def enter(folders: Folders, born: str = "") -> None:
    """Enter the group, unless this process was ``born`` in it; its children will be in it too.

    The process must have only one thread.
    """
    for folder in _each(folders):
        if folder != born:
            write(folder, entry_file(folder), 0)


def entry_file(folder: str) -> str:
    """Return the file by which a process with one thread enters.

    It is that of cgroup v1 named tasks if it exists, because it never blocks.
    """
    return "tasks" if has(folder, "tasks") else "cgroup.procs"


def members(folders: Folders) -> list[int]:
    """List the processes in the group (cgroup.procs)."""
    return [int(pid) for folder in _each(folders)[:1] for pid in read(f"{folder}/cgroup.procs").split()]


def freeze(folders: Folders) -> bool:
    """Stop all processes of the group (cgroup.freeze, freezer.state); return whether that is possible."""
    return _set_frozen(folders, "1", "FROZEN")


def thaw(folders: Folders) -> bool:
    """Let the processes of the group run again (cgroup.freeze, freezer.state); return whether that is possible."""
    return _set_frozen(folders, "0", "THAWED")


def _set_frozen(folders: Folders, core: str, freezer: str) -> bool:
    try:
        if CORE in folders:
            write(folders[CORE], "cgroup.freeze", core)
        elif "freezer" in folders:
            write(folders["freezer"], "freezer.state", freezer)
        else:
            return False
    except OSError:  # the group is gone, with everything in it that could run
        pass
    return True


def kill(folders: Folders) -> None:
    """Write cgroup.kill (Linux 5.14), which no process can outrun; else freeze the group and send SIGKILL to each."""
    try:
        if CORE in folders:
            write(folders[CORE], "cgroup.kill", 1)
            return
    except OSError:
        pass
    freeze(folders)
    for pid in members(folders):
        try:
            os.kill(pid, 9)
        except OSError:
            pass
    thaw(folders)


def remove(folders: Folders) -> bool:
    """Remove the empty group (rmdir); return whether it is gone."""
    empty = True
    for folder in _each(folders):
        try:
            os.rmdir(folder)
        except OSError as problem:
            empty &= problem.errno != errno.EBUSY
    return empty


def cpu(folders: Folders) -> float | None:
    """Return the seconds of CPU time used in the group, by ended processes too (cpu.stat, cpuacct.usage), or None."""
    if CORE in folders:
        return _number(folders[CORE], "cpu.stat", b"usage_usec") / 1e6
    if "cpuacct" in folders:
        return int(read(f"{folders['cpuacct']}/cpuacct.usage") or 0) / 1e9
    return None


def excess(folders: Folders, tasks: int, memory: int) -> str:
    """Return which limit the group hit (max of pids.events), or contributed to when the kernel killed for memory.

    A limit of 0 means none.
    """
    if memory and has_oom_kill(folders):
        held = peak(folders)
        if held > memory - _CHARGED_AT_ONCE or _number(folders["memory"], "memory.events", b"oom"):
            return too_much(memory)
        if held > memory // 2:
            return f"it held {held >> 20} MiB of memory when this machine ran out of it"
    if tasks and "pids" in folders and _number(folders["pids"], "pids.events", b"max"):
        return too_many(tasks)
    return ""


def too_much(memory: int) -> str:
    """Return the message that a bot used more bytes of memory than allowed."""
    return f"it used more than the {memory >> 20} MiB of memory that it may use"


def too_many(tasks: int) -> str:
    """Return the message that a bot had more processes and threads than allowed."""
    return f"it had more than the {tasks} processes and threads that it may have"


def has_oom_kill(folders: Folders) -> bool:
    """Return whether the kernel killed in the group because memory ran out (oom_kill), in the group or the machine."""
    folder = folders.get("memory", "")
    return bool(_number(folder, "memory.events", b"oom_kill") or _number(folder, "memory.oom_control", b"oom_kill"))


def peak(folders: Folders) -> int:
    """Return the most bytes that the group ever held (memory.peak, memory.max_usage_in_bytes); 0 if unknown."""
    folder = folders.get("memory", "")
    return int(read(f"{folder}/memory.peak") or read(f"{folder}/memory.max_usage_in_bytes") or 0)


def _each(folders: Folders) -> list[str]:
    return list(dict.fromkeys(folders.values()))


def _number(folder: str, file: str, name: bytes) -> int:
    """Return the number after a name in a file of names and numbers; 0 if it is missing."""
    for line in read(f"{folder}/{file}").splitlines():
        key, _, number = line.partition(b" ")
        if key == name:
            return int(number)
    return 0


def has(folder: str, file: str) -> bool:
    """Return whether a group has a file."""
    return os.path.exists(f"{folder}/{file}")


def write(folder: str, file: str, value: object) -> None:
    """Write a value to a file of the system with few calls: memory that `io` would touch is copied for each child."""
    opened = os.open(f"{folder}/{file}", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    try:
        os.write(opened, str(value).encode())
    finally:
        os.close(opened)


def read(path: str) -> bytes:
    """Read a file of the system, also with few calls; empty if it does not exist."""
    try:
        opened = os.open(path, os.O_RDONLY)
    except OSError:
        return b""
    try:
        return b"".join(iter(lambda: os.read(opened, _PIECE), b""))
    except OSError:
        return b""
    finally:
        os.close(opened)
