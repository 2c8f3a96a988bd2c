"""A referee in a process of its own, which can be killed and weighed.

`alone.py LEVEL MARK KIND [WHEN...]` seats a fair bot and a misfit; `alone.py LEVEL` plays a game with every misdeed
that says something. At the end it prints how many KiB of memory it took.
"""

import re
import sys
import tempfile
from pathlib import Path

import trio
from misdeeds import MISDEEDS, UNDER_ATTACK
from tables import misfit

from croupier.server import entries
from croupier.server.deals import Key
from croupier.server.games.dominion.game import Dominion
from croupier.server.processes.sandbox import SandboxSettings
from croupier.server.table.faults import Kind
from croupier.server.table.referee import Terms
from croupier.server.table.table import Table

FAIR = misfit("fair", name="fair")


async def play(level, mark, kind, *when):
    """Play one game with much patience."""
    program = "vandal.py" if kind == "stop-parent" else "misfit.py"
    bots = [entries.replace(bot, env={"MARK": mark}) for bot in (FAIR, misfit(kind, *when, program=program))]
    await _game(level, bots, Terms(time=10))


async def play_all(level):
    """Play a game with each misdeed that is not one of saying nothing."""
    for row in (*MISDEEDS, *UNDER_ATTACK):
        if row.kinds & {Kind.FLOODED, Kind.MALFORMED, Kind.UNASKED, Kind.UNKNOWN} or row.name == "noisy":
            other = entries.read("miner") if row in UNDER_ATTACK else FAIR
            with tempfile.TemporaryDirectory() as folder:
                await _game(level, [other, row.entry(Path(folder))], Terms(time=20))


async def _game(level, bots, terms, start=5.0):
    with tempfile.TemporaryDirectory() as folder:
        async with Table(bots, Path(folder), start, sandboxing=SandboxSettings(level)) as table:
            await table.play(Dominion, {}, Key.from_seed("alone").deal(1), terms)


if __name__ == "__main__":
    trio.run(*((play, *sys.argv[1:]) if sys.argv[3:] else (play_all, sys.argv[1])))
    # Not getrusage: its peak begins with that of the process that started this one.
    peak = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
    print(peak[1])
