"""Tables of real programs, and a look at the processes that are left."""

import os
import sys
import time
from pathlib import Path

from croupier.server import entries
from croupier.server.deals import Key
from croupier.server.games.dominion.game import Dominion
from croupier.server.processes.host import Host
from croupier.server.processes.sandbox import SandboxSettings, groups
from croupier.server.table.referee import Terms
from croupier.server.table.table import Table

BOTS = Path(__file__).parent.parent / "bots"
FIRST_LINE = f"#!{sys.executable}\n" if " " not in sys.executable else f'#!/usr/bin/env -S "{sys.executable}"\n'
"""A first line that starts this Python. The kernel ends an interpreter's path at a blank; ``env`` takes quotes."""


def misfit(kind, *when, name="misfit", program="misfit.py"):
    """Enter the misbehaving program of tests/bots, or another there that takes the same words."""
    return entries.of_command([sys.executable, "-S", "-E", str(BOTS / program), kind, *map(str, when)], name)


def children_left():
    """List the processes whose parent is this one, zombies too; none of multiprocessing, nor other tests' browser."""
    left = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            stat = (process / "stat").read_text()
            words = (process / "cmdline").read_bytes()
        except OSError:
            continue
        own = b"multiprocessing" in words or b"chromedriver" in words
        if int(stat.rpartition(")")[2].split()[1]) == os.getpid() and not own:
            left.append(int(process.name))
    return left


def processes_with(mark):
    """List the living processes in whose environment this stands."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (process / "environ").read_bytes():
                found.append(int(process.name))
        except OSError:
            continue
    return found


async def errors_of(level, folder, script, *words):
    """Seat a Python program that does not play; return what it wrote to its standard error."""
    bot = entries.of_command([sys.executable, "-S", "-c", script, *words], "caller")
    other = entries.of_command([sys.executable, "-S", "-c", "pass"], "other")
    async with Table([bot, other], folder, sandboxing=SandboxSettings(level.value)) as table:
        await table.play(Dominion, {"turns": 2}, Key.from_seed("x").deal(1), Terms(time=20))
    return (folder / "caller.stderr").read_text()


def run_alone(entry, level, folder):
    """Run a program without a table at a level, in ``folder/own``; return its standard output and standard error."""
    own, said, errors = folder / "own", folder / "said", folder / "errors"
    own.mkdir()
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND
    fds = [os.open(os.devnull, os.O_RDONLY), os.open(said, flags), os.open(errors, flags)]
    with Host(SandboxSettings(level.value)) as host:
        line, _ = host.start(entry, own, *fds)
        assert line.wait(120, "gone")
    for fd in fds:
        os.close(fd)
    return said.read_text(), errors.read_text()


def groups_of(pid):
    """List the folders of the control groups that a referee has made."""
    return [path for folder in groups.parents().values() for path in Path(folder).glob(f"croupier-{pid}-*")]


def until(true, seconds=60):
    """Wait until a condition holds; return whether it does. The bound is for a busy machine, not part of any law."""
    end = time.monotonic() + seconds
    while not (holds := true()) and time.monotonic() < end:
        time.sleep(0.02)
    return holds
