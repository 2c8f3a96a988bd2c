"""The process table, /proc: finds descendants of a process; without a control group also counts and kills them.

This is the fallback: going through all descendants happens only if a group is unavailable, or has lost its minder. This
module imports little, because the keeper loads it at its start.
"""

from __future__ import annotations

import os
from _signal import SIGCONT, SIGKILL, SIGSTOP
from _stat import S_ISREG

from croupier.server.processes.control_group import read, too_many, too_much

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

_CHILDREN_ARE_LISTED = os.path.exists(f"/proc/self/task/{os.getpid()}/children")
_ROUNDS = 64
_BLOCK = 512
_PAGE = os.sysconf("SC_PAGE_SIZE")
_TICKS = os.sysconf("SC_CLK_TCK")


def descendants(pid: int) -> list[int]:
    """List all descendants of a process, parents before their children."""
    found: list[int] = []
    ahead = [pid]
    while ahead:
        ahead = [child for parent in ahead for child in children(parent)]
        found += ahead
    return found


def children(pid: int) -> list[int]:
    """List a process's children, including dead ones that are not reaped yet."""
    if not _CHILDREN_ARE_LISTED:
        return [child for child, parent in _parents() if parent == pid]
    return [
        int(child)
        for thread in _list(f"/proc/{pid}/task")
        for child in read(f"/proc/{pid}/task/{thread}/children").split()
    ]


def _parents() -> Iterator[tuple[int, int]]:
    """Yield each process with its parent, for kernels that do not list children."""
    for name in filter(str.isdecimal, _list("/proc")):
        if found := _stat(int(name)):
            yield int(name), int(found[1])


def parent(pid: int) -> int:
    """Return a process's parent; the process itself if it is gone."""
    found = _stat(pid)
    return int(found[1]) if found else pid


def _stat(pid: int) -> list[bytes]:
    """Return the fields after a process's name in /proc: its state, its parent, and more; empty if it is gone."""
    return read(f"/proc/{pid}/stat").rpartition(b")")[2].split()


def descriptors(pid: int) -> list[str]:
    """List a process's open descriptors, as links."""
    folder = f"{_where(pid)}/fd"
    return [f"{folder}/{fd}" for fd in _list(folder)]


def signal(pid: int, what: int) -> None:
    """Send a process a signal if it still exists."""
    try:
        os.kill(pid, what)
    except OSError:
        pass


def stop(pid: int) -> list[int]:
    """Send SIGSTOP to all descendants of a process until no new one is found; return them.

    A stopped process cannot fork, and still counts for RLIMIT_NPROC, so no other takes its place.
    """
    stopped: dict[int, None] = {}
    for _ in range(_ROUNDS):
        new = [each for each in descendants(pid) if each not in stopped]
        if not new:
            break
        for each in new:
            signal(each, SIGSTOP)
        stopped |= dict.fromkeys(new)
    return list(stopped)


def go_on(pid: int) -> None:
    """Send SIGCONT to all descendants of a process."""
    for each in descendants(pid):
        signal(each, SIGCONT)


def kill(pid: int) -> None:
    """Stop all descendants of a process, so that none can fork meanwhile, then send them SIGKILL."""
    for each in stop(pid):
        signal(each, SIGKILL)


def excess(pid: int, tasks: int, memory: int) -> str:
    """Return which limit a process's descendants exceed, threads or bytes of memory; a limit of 0 is not checked."""
    pids = descendants(pid) if tasks or memory else []
    if tasks and sum(map(threads, pids)) > tasks:
        return too_many(tasks)
    if memory and (memory_bytes(pids, memory) > memory or _unlinked_bytes(pids) > memory):
        return too_much(memory)
    return ""


def runs(pid: int) -> bool:
    """Return whether a process has not ended; one that is only waiting to be reaped has no memory."""
    return _resident(pid) > 0


def threads(pid: int) -> int:
    """Count the threads of a process."""
    return len(_list(f"/proc/{pid}/task"))


def memory_bytes(pids: Collection[int], enough: int) -> int:
    """Return the memory that processes hold together in bytes: Rss of /proc/PID/statm, or Pss of smaps_rollup.

    Pss counts shared memory once, but takes long, so it is read only if Rss is more than ``enough``.
    """
    held = sum(map(_resident, pids))
    return held if held <= enough else sum(map(_proportional, pids))


def _resident(pid: int) -> int:
    found = read(f"{_where(pid)}/statm").split()
    return int(found[1]) * _PAGE if found else 0


def _proportional(pid: int) -> int:
    """Return a process's proportional part of the memory that it holds (Pss)."""
    _, found, rest = read(f"{_where(pid)}/smaps_rollup").partition(b"\nPss:")
    return int(rest.split(None, 1)[0]) << 10 if found else _resident(pid)


def _where(pid: int) -> str:
    """Return a process's folder in /proc; if its first thread has ended, that of a thread with the same memory."""
    folder = f"/proc/{pid}"
    if not read(f"{folder}/statm").startswith(b"0 "):
        return folder
    return next((f"{folder}/task/{thread}" for thread in _list(f"{folder}/task") if thread != str(pid)), folder)


def unlisted_bytes(pid: int, folder: str, enough: int) -> int:
    """Return the bytes that a process's descendants keep in unlinked files of a folder's file system.

    More than ``enough`` if the folder cannot be measured.
    """
    try:
        device = os.stat(folder).st_dev
    except OSError:
        return enough + 1
    return _unlinked_bytes(descendants(pid), device)


def on_their_way(pid: int) -> int:
    """Count the descriptors in transit in the sockets of all descendants of a process (SCM_RIGHTS)."""
    return sum(map(_on_their_way, descendants(pid)))


def _unlinked_bytes(pids: Collection[int], device: int | None = None) -> int:
    """Return the bytes of unlinked files, open or mapped; those on one device, or all open ones.

    Mapped memory (memfd_create) is counted elsewhere.
    """
    sizes: dict[tuple[int, int], int] = {}
    for pid in pids:
        for path in [*descriptors(pid), *(_mapped_files(pid) if device is not None else ())]:
            try:
                file = os.stat(path)
            except OSError:
                continue
            if not file.st_nlink and S_ISREG(file.st_mode) and device in (None, file.st_dev):
                sizes[file.st_dev, file.st_ino] = file.st_blocks * _BLOCK
    return sum(sizes.values())


def _mapped_files(pid: int) -> Iterator[str]:
    """Yield the unlinked files that a process has mapped, as links; only a privileged process may follow them."""
    for line in read(f"{_where(pid)}/maps").splitlines():
        if line.endswith(b" (deleted)"):
            begin, _, end = line.split(None, 1)[0].decode().partition("-")
            yield f"/proc/{pid}/map_files/{begin.lstrip('0') or 0}-{end.lstrip('0')}"


def _on_their_way(pid: int) -> int:
    """Count the descriptors in transit in a process's own sockets."""
    count = 0
    for path in descriptors(pid):
        try:
            if not os.readlink(path).startswith("socket:"):
                continue
        except OSError:
            continue
        told = read(path.replace("/fd/", "/fdinfo/")).partition(b"scm_fds:")[2].split()
        count += int(told[0]) if told else 0
    return count


def cpu(pid: int) -> float:
    """Return the seconds of CPU time used by all descendants of a process, including dead ones as far as known."""
    ticks = sum(map(int, _times(pid)[2:]))
    for each in descendants(pid):
        ticks += sum(map(int, _times(each)))
    return ticks / _TICKS


def delays(pids: Collection[int]) -> dict[int, float]:
    """Return the seconds for which each thread was ready to run but had no core (run delay of schedstat)."""
    found: dict[int, float] = {}
    for pid in pids:
        for thread in _list(f"/proc/{pid}/task"):
            told = read(f"/proc/{pid}/task/{thread}/schedstat").split()
            if len(told) > 1:
                found[int(thread)] = int(told[1]) / 1e9
    return found


class Delays:
    """The run delays of a group of threads together, with what was last seen of those that have ended."""

    def __init__(self) -> None:
        self._sum = 0.0
        self._last: Mapping[int, float] = {}

    def add(self, now: Mapping[int, float]) -> float:
        """Add what each thread has waited since the last time, and return the sum in seconds."""
        self._sum += sum(max(0.0, delay - self._last.get(thread, 0.0)) for thread, delay in now.items())
        self._last = now
        return self._sum


def _times(pid: int) -> list[bytes]:
    """Return the CPU time of a process and of its dead children, each in user and in system mode."""
    return _stat(pid)[11:15]


def _list(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []
