"""A table in a process that can be killed: `alone.py LEVEL MARK KIND [WHEN...]` seats a fair bot and a misfit.

When the game is over it prints how many KiB of memory it took.
"""

import re
import sys
import tempfile
from pathlib import Path

import trio
from tables import misfit

from croupier.server import entries
from croupier.server.deals import Key
from croupier.server.games.dominion import Dominion
from croupier.server.match import Table
from croupier.server.referee import Terms
from croupier.server.sandbox import House


async def play(level, mark, *misdeed):
    """Play one game with much patience."""
    bots = [entries.replace(bot, env={"MARK": mark}) for bot in (misfit("fair", name="fair"), misfit(*misdeed))]
    with tempfile.TemporaryDirectory() as folder:
        async with Table(bots, Path(folder), house=House(level)) as table:
            await table.play(Dominion, {}, Key.seeded("alone").deal(1), Terms(time=10))


if __name__ == "__main__":
    trio.run(play, *sys.argv[1:])
    # Not getrusage: its peak begins with that of the process that started this one.
    peak = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
    print(peak[1])
