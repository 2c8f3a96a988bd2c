"""What a decision, and the start of four bots, costs under none, limits and bwrap, on one core.

    python -m bench.levels [ROUNDS]

Four bots compiled from tests/bots/quick.c play Hearts. The levels take turns; each figure is a median, each ratio the
median of the ratios of one round, of a decision to `none`, of a start to `posix_spawn` of the same four programs just
before. A start is what the first game of a table takes longer than its others; the first table of a host starts its
keeper too.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

import trio

from croupier.server import entries
from croupier.server.deals import Key
from croupier.server.games.hearts import Hearts
from croupier.server.processes import sandbox
from croupier.server.processes.host import Host
from croupier.server.processes.sandbox import House, Level
from croupier.server.table.referee import Terms
from croupier.server.table.table import Table

if TYPE_CHECKING:
    from croupier.server.entries import Entry

PROGRAM = Path(__file__).parent.parent / "tests" / "bots" / "quick.c"
ROUNDS = 20
GAMES = 30
SPAWNS = 9
"""Rounds of `posix_spawn`: the first is slowed by what the kernel still clears away of the bots before."""


class Measured(NamedTuple):
    """Seconds: of `posix_spawn`, of starting four bots where nothing runs yet, of four more there, of one decision."""

    spawned: float
    first: float
    further: float
    decision: float


async def measure(program: Path, level: Level) -> Measured:
    """Play at two tables of one host, as a batch of a tournament does."""
    bots = [entries.of_command([str(program), "mixed"], f"bot{seat}") for seat in range(4)]
    bare = median(spawned(program) for _ in range(SPAWNS))
    with Host(House(level.value)) as host:
        first, usual = await _table(bots, host)
        further, _ = await _table(bots, host)
    return Measured(bare, first - usual, further - usual, usual / 52)


async def _table(bots: list[Entry], host: Host) -> tuple[float, float]:
    """Return the seconds of a new table's first game, and of its others."""
    key, times = Key.seeded("levels"), []
    with tempfile.TemporaryDirectory() as folder:
        begun = time.perf_counter()
        async with Table(bots, Path(folder), host=host) as table:
            for deal in range(1, GAMES + 1):
                result = await table.play(Hearts, {"pass": "none"}, key.deal(deal), Terms())
                if result.faults:
                    raise SystemExit(f"a bot was at fault: {result.faults}")
                now = time.perf_counter()
                times.append(now - begun)
                begun = now
    return times[0], median(times[1:])


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
        for _ in range(rounds):
            for level in levels:
                took[level].append(trio.run(measure, program, level))
    every = [one.spawned for level in levels for one in took[level]]
    print(f"posix_spawn of four, until they have ended: {median(every) * 1e3:.1f} ms")
    for level in levels:
        _, first, further, decision = (median(values) for values in zip(*took[level], strict=True))
        slower = [median(one[start] / one.spawned for one in took[level]) for start in (1, 2)]
        ratio = median(one.decision / other.decision for one, other in zip(took[level], took[Level.NONE], strict=True))
        starts = f"first start {first * 1e3:5.1f} ms, {slower[0]:.1f} of posix_spawn"
        more = f"further {further * 1e3:5.1f} ms, {slower[1]:.1f}"
        print(f"{level.value:7} {starts}, {more}, decision {decision * 1e6:5.1f} us, {ratio:.3f} of none")


if __name__ == "__main__":
    main()
