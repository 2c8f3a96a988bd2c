"""What a decision, and the start of four bots, costs under none, limits and bwrap, on one core.

    python -m bench.levels [ROUNDS]

Four bots compiled from tests/bots/quick.c play Hearts. The levels take turns; each figure is a median, each ratio the
median of the ratios of one round to `none`. A start is what the first game of a table takes longer than its
second, beside `posix_spawn` of the same four programs.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

import trio

from croupier.server import entries
from croupier.server.deals import Key
from croupier.server.games.hearts import Hearts
from croupier.server.processes import sandbox
from croupier.server.processes.sandbox import House, Level
from croupier.server.table.referee import Terms
from croupier.server.table.table import Table

PROGRAM = Path(__file__).parent.parent / "tests" / "bots" / "quick.c"
ROUNDS = 20
GAMES = 30


class Measured(NamedTuple):
    """Seconds: of starting four bots, and of one decision."""

    start: float
    decision: float


async def measure(program: Path, level: Level) -> Measured:
    """Play at one new table."""
    bots = [entries.of_command([str(program), how], f"bot{how}{seat}") for seat, how in enumerate(["mixed"] * 4)]
    key = Key.seeded("levels")
    times = []
    with tempfile.TemporaryDirectory() as folder:
        begun = time.perf_counter()
        async with Table(bots, Path(folder), house=House(level.value)) as table:
            for deal in range(1, GAMES + 1):
                result = await table.play(Hearts, {"pass": "none"}, key.deal(deal), Terms())
                if result.faults:
                    raise SystemExit(f"a bot was at fault under {level.value}: {result.faults}")
                now = time.perf_counter()
                times.append(now - begun)
                begun = now
    usual = median(times[1:])
    return Measured(times[0] - usual, usual / 52)


def spawned(program: Path) -> float:
    """Return the seconds that `posix_spawn` of four of the programs takes until each has read the end of its input."""
    begun = time.perf_counter()
    with Path(os.devnull).open("rb") as nothing:
        actions = [(os.POSIX_SPAWN_DUP2, nothing.fileno(), 0)]
        pids = [os.posix_spawn(program, [str(program), "mixed"], {}, file_actions=actions) for _ in range(4)]
        for pid in pids:
            os.waitpid(pid, 0)
    return time.perf_counter() - begun


def main() -> None:
    """Measure by turns, and print medians."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    levels = [level for level in Level if not sandbox.problem(level)]
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "quick"
        subprocess.run(["cc", "-O2", "-o", program, PROGRAM], check=True)
        took: dict[Level, list[Measured]] = {level: [] for level in levels}
        bare = []
        for _ in range(rounds):
            bare.append(spawned(program))
            for level in levels:
                took[level].append(trio.run(measure, program, level))
    print(f"posix_spawn of four, until they have ended: {median(bare) * 1e3:.1f} ms")
    for level in levels:
        ratio = median(one.decision / other.decision for one, other in zip(took[level], took[Level.NONE], strict=True))
        start, decision = (median(values) for values in zip(*took[level], strict=True))
        print(f"{level.value:7} start {start * 1e3:6.1f} ms, decision {decision * 1e6:6.1f} us, {ratio:.3f} of none")


if __name__ == "__main__":
    main()
