"""Measure the cost of a decision when bots take their time: the longer they think, the colder the referee's caches.

    python -m bench.thinking [ROUNDS]

Four bots compiled from bench/quick.c sleep before each answer and play Hearts at one table, everything on one core. The
times of sleep alternate; figures are microseconds of the referee's own processor time per decision, medians.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from statistics import median

import trio
from bench.decision import Setting, play

from croupier.server import entries
from croupier.server.processes.sandbox import SandboxSettings
from croupier.server.table.table import Table

PROGRAM = Path(__file__).parent / "quick.c"
MILLISECONDS = (0, 1, 2, 4, 6, 12, 24)
ROUNDS = 7
HEARTS = Setting("hearts", {"pass": "none"}, 4, "mixed", 1)


async def cost(program: Path, milliseconds: int, deal: int) -> float:
    """Return the microseconds per decision of a game, after one that does not count."""
    command = [str(program), HEARTS.how, "0", str(1000 * milliseconds)]
    bots = [entries.of_command(command, f"bot{seat}") for seat in range(HEARTS.seats)]
    with tempfile.TemporaryDirectory() as folder:
        async with Table(bots, Path(folder), sandboxing=SandboxSettings("limits"), keep=lambda *_: None) as table:
            await play(table, HEARTS, [deal])
            decisions, used, _ = await play(table, HEARTS, [deal + 1])
    return used / decisions * 1e6


def main() -> None:
    """Measure the times alternately, and print the medians."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    took: defaultdict[int, list[float]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "quick"
        subprocess.run(["cc", "-O2", "-o", program, PROGRAM], check=True)
        for turn in range(rounds):
            for milliseconds in MILLISECONDS:
                took[milliseconds].append(trio.run(cost, program, milliseconds, 2 * turn + 1))
    for milliseconds, costs in took.items():
        print(f"bots that think {milliseconds:2} ms: {median(costs):5.0f} us of the referee's own a decision")


if __name__ == "__main__":
    main()
