"""Proc: the part of /proc that a sandbox shows: its own processes, constants, and a few numbers as they once were.

The rest counts what all processes of this machine do together: locks, interrupts, pages, open files. Two sandboxes
could exchange messages through it. Nothing in /proc can be changed: its files, including their modes (chmod), are
shared by all sandboxes of root, and a write to some of them reaches the kernel (sysrq-trigger).
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
"""Files that no bot can influence, that belong to a namespace, or that only privileged users outside can see."""
_READ = ("loadavg", "meminfo", "stat", "uptime")
"""Files that runtimes read for the number of cores and the memory; `readings` are mounted over them."""
_SETTINGS = (_PLACE / "sys" / "vm" / "overcommit_memory",)
"""Files of /proc/sys that memory allocators read; only an administrator changes them."""


def arguments() -> Iterator[tuple[str, ...]]:
    """Yield bubblewrap's arguments that mount it and cover the counters; reading a covered file is refused (EACCES)."""
    yield "--proc", str(_PLACE)
    for path in _covered_files():
        # A device on a mount without devices cannot be opened.
        yield ("--tmpfs", str(path)) if path.is_dir() else ("--ro-bind", "/dev/null", str(path))
    for setting in map(str, _SETTINGS):
        yield "--ro-bind-try", setting, setting


# cached because it examines every file of /proc, for each bot that is started
@functools.cache
def _covered_files() -> tuple[Path, ...]:
    """List the covered files: those that our user can read, and that are neither constant nor among the readings."""
    found = (path for path in _PLACE.iterdir() if not path.name.isdigit() and not path.is_symlink())
    return tuple(path for path in found if path.name not in {*_STEADY, *_READ} and os.access(path, os.R_OK))


@functools.cache
def readings() -> Mapping[str, bytes]:
    """Return the files that are shown as they were when this process first read them, by path.

    Cached on purpose: fresh numbers would carry messages.
    """
    found = {}
    for path in (_PLACE / name for name in _READ):
        with suppress(OSError):
            found[str(path)] = path.read_bytes()
    return found
