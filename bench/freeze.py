"""Measure the cost of stopping bots off turn, and what it saves if one of them spins, on one core."""

from __future__ import annotations

import math
import os
import statistics
import sys
import tempfile
from functools import partial
from pathlib import Path

import trio

from croupier.server import entries
from croupier.server.deals import Key
from croupier.server.games.dominion.game import Dominion
from croupier.server.processes.sandbox import SandboxSettings
from croupier.server.table import process_seat
from croupier.server.table.referee import Terms
from croupier.server.table.table import Table

MISFIT = Path(__file__).parent.parent / "tests" / "bots" / "misfit.py"


async def play(rival: str, games: int, *, freeze: bool) -> float:
    """Play games between a fair bot and a rival; return the microseconds that the fair one waits per decision."""
    words = [sys.executable, "-S", "-E", str(MISFIT)]
    bots = [entries.of_command([*words, kind], name) for name, kind in (("fair", "fair"), ("rival", rival))]
    with tempfile.TemporaryDirectory() as folder:
        async with Table(bots, Path(folder), sandboxing=SandboxSettings("limits", freeze=freeze)) as table:
            await table.play(Dominion, {"turns": 5}, Key.from_seed("freeze").deal(1000), Terms())
            waited: list[float] = []
            for deal in range(1, games + 1):
                result = await table.play(Dominion, {"turns": 20}, Key.from_seed("freeze").deal(deal), Terms())
                waited += result.thinking[0]
            return statistics.mean(waited) * 1e6


def main() -> None:
    """Play with each rival, stopped off turn and not."""
    process_seat.MUCH_BURNT = math.inf  # else a spinning bot is stopped after one game anyway
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    for rival in ("fair", "spinner"):
        for freeze in (False, True):
            took = min(trio.run(partial(play, rival, 10, freeze=freeze)) for _ in range(3))
            print(f"{rival:8} freeze {'on ' if freeze else 'off'}: {took:8.0f} us a decision of the fair one")


if __name__ == "__main__":
    main()
