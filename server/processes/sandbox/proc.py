"""Proc: which part of /proc a sandbox shows: its own processes, what no bot moves, and a few numbers as they were.

The rest counts what all processes of this machine do together: locks, interrupts, pages, open files. Two sandboxes
could leave each other notes there. Nothing of /proc can be changed: its files are shared by all sandboxes of root,
down to their modes (chmod), and a write to some of them reaches the kernel (sysrq-trigger).
"""

from __future__ import annotations

import functools
import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_PLACE = Path("/proc")
_STEADY = {
    "acpi", "bus", "cgroups", "cmdline", "config.gz", "consoles", "cpuinfo", "crypto", "devices", "dma", "driver",
    "execdomains", "filesystems", "iomem", "ioports", "irq", "kallsyms", "kcore", "kmsg", "misc", "mtrr",
    "partitions", "sysvipc", "tty", "version",
}  # fmt: skip
"""What no bot can move, what belongs to a namespace, and what only those see who have powers outside."""
_READ = ("loadavg", "meminfo", "stat", "uptime")
"""What runtimes read to see how many cores there are and how much memory: `readings` are laid over them."""
_SETTINGS = (_PLACE / "sys" / "vm" / "overcommit_memory",)
"""What of /proc/sys memory allocators read; only an administrator changes it."""


def arguments() -> Iterator[tuple[str, ...]]:
    """Yield bubblewrap's arguments that mount it and cover what counts; reading a covered file is refused (EACCES)."""
    yield "--proc", str(_PLACE)
    for path in _covered_files():
        # A device on a mount without devices cannot be opened.
        yield ("--tmpfs", str(path)) if path.is_dir() else ("--ro-bind", "/dev/null", str(path))
    for setting in map(str, _SETTINGS):
        yield "--ro-bind-try", setting, setting


@functools.cache
def _covered_files() -> tuple[Path, ...]:
    """List what is covered: all that our user can read and is neither known to be steady nor among the readings."""
    found = (path for path in _PLACE.iterdir() if not path.name.isdigit() and not path.is_symlink())
    return tuple(path for path in found if path.name not in {*_STEADY, *_READ} and os.access(path, os.R_OK))


@functools.cache
def readings() -> Mapping[str, bytes]:
    """Return the files that are shown as they were when this process first looked, by their paths."""
    found = {}
    for path in (_PLACE / name for name in _READ):
        with suppress(OSError):
            found[str(path)] = path.read_bytes()
    return found
