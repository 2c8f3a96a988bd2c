"""Measure how the cost of a decision grows with seats, with the size of STATE, with workers and with games; draw it.

    python -m bench.growth [--draw]

Bots are compiled from bench/quick.c. Seats and STATE: the referee's own processor time, at one table on one core, in
the fastest of some rounds. For STATE, decisions are grouped by the bytes sent, and the median of each group is taken.
Workers and games: decisions per second of whole tournaments of Hearts (`bench.rate`), the best of three. With --draw
docs/pictures/growth.svg is written.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections import defaultdict
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import trio
from bench.pictures import Panel, panels
from bench.rate import compiled, tournament

from croupier.server import entries, games
from croupier.server.deals import Key
from croupier.server.processes.bot_process import BotProcess
from croupier.server.processes.sandbox import SandboxSettings
from croupier.server.table.referee import Terms
from croupier.server.table.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterator

PICTURE = Path(__file__).parent.parent / "docs" / "pictures" / "growth.svg"
ROUNDS = 12
WARMING = 40
"""Games to play before the interpreter has specialized its instructions."""
GROUP, ENOUGH = 200, 60
"""The bytes that a group of decisions spans, and how many decisions it needs to be shown."""
SEATED = {"dominion": (2, 3, 4), "skat": (3, 4)}
SIZED: dict[str, tuple[int, dict[str, Any]]] = {
    "hearts": (4, {"pass": "none"}),
    "skat": (3, {}),
    "doppelkopf": (4, {}),
    "dominion": (2, {"turns": 40}),
}
WORKERS = (1, 2, 4)
GAMES = (100, 400, 1600, 6400, 19200)

Sent = list[tuple[int, float]]
"""For each decision the bytes that were sent, and the microseconds since the one before."""


@contextmanager
def watched(sent: Sent) -> Iterator[None]:
    """Note what is sent while the context lasts."""
    offer, last = BotProcess.offer, time.thread_time()

    def noted(self: BotProcess, data: bytes) -> bytes:
        nonlocal last
        rest = offer(self, data)
        now = time.thread_time()
        sent.append((len(data), (now - last) * 1e6))
        last = now
        return rest

    BotProcess.offer = noted
    try:
        yield
    finally:
        BotProcess.offer = offer


async def at_table(program: Path, game: str, seats: int, options: dict[str, Any], rounds: int) -> tuple[float, Sent]:
    """Return the microseconds of a decision in the fastest game of each deal, and what was sent for each."""
    bots = [entries.of_command([str(program), "mixed"], f"bot{seat}") for seat in range(seats)]
    key, rules, sent, best = Key.from_seed("growth"), games.find(game), [], []
    with tempfile.TemporaryDirectory() as name:
        async with Table(bots, Path(name), sandboxing=SandboxSettings("none")) as table:
            for deal in range(4 * rounds, 4 * rounds + WARMING):
                await table.play(rules, options, key.deal(deal), Terms())
            for deal in range(2, rounds + 2):
                took = []
                for _ in range(3):
                    used = time.process_time()
                    result = await table.play(rules, options, key.deal(deal), Terms())
                    took.append((time.process_time() - used) / result.decisions * 1e6)
                best.append(min(took))
            with watched(sent):
                for deal in range(2, 4 * rounds):
                    await table.play(rules, options, key.deal(deal), Terms())
    return median(best), sent


def by_size(sent: Sent) -> list[tuple[float, float]]:
    """Return the middle of each group of sizes, with the median of its times."""
    groups: defaultdict[int, list[float]] = defaultdict(list)
    for size, took in sent:
        groups[size // GROUP].append(took)
    return [((place + 0.5) * GROUP, median(each)) for place, each in sorted(groups.items()) if len(each) >= ENOUGH]


def of_tables(program: Path) -> list[Panel]:
    """Measure what a table shows, on one core."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})
    seats = {
        game: [(float(count), trio.run(at_table, program, game, count, {}, ROUNDS)[0]) for count in counts]
        for game, counts in SEATED.items()
    }
    sizes = {
        game: by_size(trio.run(at_table, program, game, count, options, ROUNDS)[1])
        for game, (count, options) in SIZED.items()
    }
    os.sched_setaffinity(0, cores)
    return [
        Panel("By seats", "seats", "microseconds a decision", seats),
        Panel("By the size of STATE", "bytes sent for a decision", "microseconds a decision", sizes),
    ]


def of_tournaments(program: Path) -> list[Panel]:
    """Measure what tournaments show."""
    cores = len(os.sched_getaffinity(0))
    workers = [(float(count), best(program, 400, count)) for count in WORKERS]
    played = [(float(count), best(program, count // 4, 2)) for count in GAMES]
    return [
        Panel(f"By workers, on {cores} cores", "workers", "decisions a second", {"1,600 games": workers}),
        Panel("By games", "games (a logarithmic scale)", "decisions a second", {"two workers": played}, powers=True),
    ]


def best(program: Path, deals: int, workers: int) -> float:
    """Return the decisions per second of a tournament, the best of three."""
    return max(tournament(program, deals, workers=workers)[0] for _ in range(3))


def main() -> None:
    """Measure, print, and draw if asked."""
    with tempfile.TemporaryDirectory() as name:
        program = compiled(Path(name))
        found = [*of_tables(program), *of_tournaments(program)]
    for panel in found:
        print(f"\n{panel.title}: {panel.up}, by {panel.across}")
        for line, points in panel.lines.items():
            print(f"  {line}: " + ", ".join(f"{x:,.0f} {y:,.1f}" for x, y in points))
    if "--draw" in sys.argv:
        PICTURE.write_text(panels(found))


if __name__ == "__main__":
    main()
