"""Measure Dominion at the table: smithy against miner in one process and over pipes, and where the time goes."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import trio

from croupier.agents import bundled
from croupier.server import entries
from croupier.server.deals import Key
from croupier.server.games.dominion.game import Dominion
from croupier.server.table.referee import Referee, Terms
from croupier.server.table.seat import LocalSeat
from croupier.server.table.table import Table

if TYPE_CHECKING:
    from croupier.server.table.played_game import PlayedGame

KEY = Key.from_seed("bench")
NAMES = ("smithy", "miner")


def order(deal: int) -> tuple[str, ...]:
    """Return the seating: seats alternate."""
    return NAMES if deal % 2 else NAMES[::-1]


def place(result: PlayedGame, name: str) -> int:
    """Return the seat of a player."""
    return result.seating.index(name)


async def locally(games: int) -> list[PlayedGame]:
    """Play in this process."""
    results = []
    for deal in range(1, games + 1):
        seats = [LocalSeat(name, bundled.make(name)) for name in order(deal)]
        results.append(await Referee(Dominion, {}, seats, KEY.deal(deal), Terms()).play())
    return results


async def over_pipes(games: int) -> list[PlayedGame]:
    """Play against processes."""
    results = []
    with tempfile.TemporaryDirectory() as folder:
        for parity in (1, 0):
            bots = [entries.of_bundled(name) for name in order(parity)]
            async with Table(bots, Path(folder)) as table:
                deals = range(2 - parity, games + 1, 2)
                results += [await table.play(Dominion, {}, KEY.deal(deal), Terms()) for deal in deals]
    return results


def main() -> None:
    """Play 1,000 games in this process and 300 over pipes, and print rates and shares."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    in_one_process(games)
    between_processes(max(1, games * 3 // 10))


def in_one_process(games: int) -> None:
    """Print the rate without pipes, who won, and the bots' share of the time."""
    began = time.perf_counter()
    results = trio.run(locally, games)
    wall = time.perf_counter() - began
    decisions = sum(result.decisions for result in results)
    bots = sum(sum(map(sum, result.thinking)) for result in results)
    ahead = [result.ranks[place(result, "smithy")] - result.ranks[place(result, "miner")] for result in results]
    won, lost = sum(gap < 0 for gap in ahead), sum(gap > 0 for gap in ahead)
    print(f"in one process: {games} games, {faults(results)} faults, {games / wall:.0f} games/s")
    print(f"  {wall / decisions * 1e6:.1f} us a decision: bots {bots / wall:.0%}, referee {1 - bots / wall:.0%}")
    print(f"  smithy {won} : {lost} miner, {games - won - lost} shared")


def between_processes(games: int) -> None:
    """Print the rate over pipes on one core, as a tournament's worker plays, and the referee's processor time."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    began, cpu = time.perf_counter(), time.process_time()
    results = trio.run(over_pipes, games)
    wall, cpu = time.perf_counter() - began, time.process_time() - cpu
    decisions = sum(result.decisions for result in results)
    waiting = sum(sum(map(sum, result.thinking)) for result in results)
    print(f"over pipes: {games} games, {faults(results)} faults, {games / wall:.0f} games/s")
    print(f"  {wall / decisions * 1e6:.1f} us a decision, {waiting / decisions * 1e6:.1f} of them waiting")
    print(f"  the referee's processor time: {cpu / decisions * 1e6:.1f} us a decision")


def faults(results: list[PlayedGame]) -> int:
    """Count the faults."""
    return sum(len(result.faults) for result in results)


if __name__ == "__main__":
    main()
