"""Measure the cost of a decision, and of starting four bots, under none, limits and bwrap, on one core.

    python -m bench.levels [ROUNDS]

Four bots compiled from bench/quick.c play Hearts. The levels run alternately. Each figure is a median, each ratio the
median of the ratios of one round. A decision is compared to `none`. A start is compared to `posix_spawn` of the same
four programs just before, and to a plain fork and exec of them by this process. It is also compared to the same by
bench/forks.c, which uses almost no memory. A start is the time that the first game of a table takes longer than its
others. The first table of a host starts its keeper too; `croupier play` starts that ahead, beside its imports
(``ahead``).
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
from croupier.server.processes.keeper_client import Keeper
from croupier.server.processes.sandbox import Level, SandboxSettings
from croupier.server.table.referee import Terms
from croupier.server.table.table import Table

if TYPE_CHECKING:
    from collections.abc import Callable

    from croupier.server.entries import Entry

PROGRAM = Path(__file__).parent / "quick.c"
FORKS = Path(__file__).with_name("forks.c")
ROUNDS = 20
GAMES = 30
IMPORTS = 0.1
"""Seconds between starting a keeper ahead and its first table; a command imports for longer than that."""
SPAWNS = 9
"""Rounds of `posix_spawn`: the first is slowed by the kernel's clearing away of earlier bots."""


class Rivals(NamedTuple):
    """Seconds that four programs take by `posix_spawn`, by a fork and exec of this process, and of one in C."""

    spawned: float
    forked: float
    in_c: float


class Measured(NamedTuple):
    """Seconds: of others; of four bots' start with the keeper, with one begun ahead, where four were; of a decision."""

    rivals: Rivals
    first: float
    ahead: float
    further: float
    decision: float


async def measure(program: Path, level: Level) -> Measured:
    """Play at two tables of one host, as a batch of a tournament does."""
    bots = [entries.of_command([str(program), "mixed"], f"bot{seat}") for seat in range(4)]
    bare = rivals(program)
    with Host(SandboxSettings(level.value)) as host:
        first, usual = await _table(bots, host)
        further, _ = await _table(bots, host)
    with Keeper.start_ahead(len(bots)):
        await trio.sleep(IMPORTS)
        with Host(SandboxSettings(level.value)) as host:
            ahead, _ = await _table(bots, host)
    return Measured(bare, first - usual, ahead - usual, further - usual, usual / 52)


async def _table(bots: list[Entry], host: Host) -> tuple[float, float]:
    """Return the seconds of a new table's first game, and of its others."""
    key, times = Key.from_seed("levels"), []
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


def rivals(program: Path) -> Rivals:
    """Return the seconds of four of the programs, in each way, until each has read the end of its input."""
    words = [str(program.with_name("forks")), str(SPAWNS), str(program), "mixed"]
    in_c = subprocess.run(words, stdout=subprocess.PIPE, check=True, text=True).stdout.split()
    ways = (median(_seconds(way, program) for _ in range(SPAWNS)) for way in (_spawned, _forked))
    return Rivals(*ways, median(map(float, in_c)) / 1e6)


def _seconds(way: Callable[[Path, int], int], program: Path) -> float:
    begun = time.perf_counter()
    with Path(os.devnull).open("rb") as nothing:
        for pid in [way(program, nothing.fileno()) for _ in range(4)]:
            os.waitpid(pid, 0)
    return time.perf_counter() - begun


def _spawned(program: Path, nothing: int) -> int:
    actions = [(os.POSIX_SPAWN_DUP2, nothing, 0)]
    return os.posix_spawn(program, [str(program), "mixed"], {}, file_actions=actions)


def _forked(program: Path, nothing: int) -> int:
    pid = os.fork()
    if pid == 0:
        try:
            os.dup2(nothing, 0)
            os.execve(program, [str(program), "mixed"], {})
        finally:
            os._exit(127)
    return pid


def main() -> None:
    """Measure alternately, and print medians."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    levels = [level for level in Level if not sandbox.problem(level)]
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "quick"
        for source in (PROGRAM, FORKS):
            subprocess.run(["cc", "-O2", "-o", program.with_name(source.stem), source], check=True)
        took: dict[Level, list[Measured]] = {level: [] for level in levels}
        for _ in range(rounds):
            for level in levels:
                took[level].append(trio.run(measure, program, level))
    every = zip(*(one.rivals for level in levels for one in took[level]), strict=True)
    ways = ("posix_spawn of four, until they have ended", "fork and exec from here", "from C")
    print(*(f"{way}: {median(each) * 1e3:.1f} ms" for way, each in zip(ways, every, strict=True)), sep=", ")
    for level in levels:
        starts = []
        for start in ("first", "ahead", "further"):
            taken = [(getattr(one, start), one.rivals) for one in took[level]]
            ratios = [median(seconds / rivals[way] for seconds, rivals in taken) for way in range(len(ways))]
            beside = ", ".join(f"{ratio:.1f}" for ratio in ratios)
            starts.append(f"{start} start {median(seconds for seconds, _ in taken) * 1e3:5.1f} ms, {beside} of these")
        decision = median(one.decision for one in took[level])
        ratio = median(one.decision / other.decision for one, other in zip(took[level], took[Level.NONE], strict=True))
        print(f"{level.value:7} {'; '.join(starts)}; decision {decision * 1e6:5.1f} us, {ratio:.3f} of none")


if __name__ == "__main__":
    main()
