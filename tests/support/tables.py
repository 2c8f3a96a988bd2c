"""Tables of real programs, and a look at the processes that are left."""

import os
import sys
from pathlib import Path

from croupier.server import entries

BOTS = Path(__file__).parent.parent / "bots"


def misfit(kind, *when, name="misfit"):
    """Enter the misbehaving program of tests/bots."""
    return entries.of_command([sys.executable, "-S", "-E", str(BOTS / "misfit.py"), kind, *map(str, when)], name)


def children_left():
    """List the processes whose parent is this one, zombies included; not what multiprocessing keeps to itself."""
    left = []
    for pid in filter(str.isdecimal, os.listdir("/proc")):  # noqa: PTH208  numbers, not paths
        try:
            stat = Path(f"/proc/{pid}/stat").read_text()
            words = Path(f"/proc/{pid}/cmdline").read_bytes()
        except OSError:
            continue
        if int(stat.rpartition(")")[2].split()[1]) == os.getpid() and b"multiprocessing" not in words:
            left.append(int(pid))
    return left


def processes_with(mark):
    """List the living processes in whose environment this stands."""
    found = []
    for pid in filter(str.isdecimal, os.listdir("/proc")):  # noqa: PTH208  numbers, not paths
        try:
            if mark.encode() in Path(f"/proc/{pid}/environ").read_bytes():
                found.append(int(pid))
        except OSError:
            continue
    return found
