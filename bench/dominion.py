"""Dominion at the table: smithy against miner in one process and over pipes, and where the time goes."""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import trio

from croupier.agents import bundled
from croupier.server import entries
from croupier.server.deals import Key
from croupier.server.games.dominion import Dominion
from croupier.server.match import Table
from croupier.server.referee import Referee, Terms
from croupier.server.seats import LocalSeat

if TYPE_CHECKING:
    from croupier.server.referee import Result

KEY = Key.seeded("bench")
NAMES = ("smithy", "miner")


def order(deal: int) -> tuple[str, ...]:
    """Return who sits where: seats alternate."""
    return NAMES if deal % 2 else NAMES[::-1]


async def locally(games: int) -> list[Result]:
    """Play in this process."""
    results = []
    for deal in range(1, games + 1):
        seats = [LocalSeat(name, bundled.make(name)) for name in order(deal)]
        results.append(await Referee(Dominion, {}, seats, KEY.deal(deal), Terms()).play())
    return results


async def over_pipes(games: int) -> list[Result]:
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
    began = time.perf_counter()
    results = trio.run(locally, games)
    wall = time.perf_counter() - began
    decisions = sum(result.decisions for result in results)
    bots = sum(sum(map(sum, result.thinking)) for result in results)
    won = [
        sum(
            result.ranks == ranks
            for result in results
            for ranks in [(1, 2) if order(result.deal)[0] == "smithy" else (2, 1)]
        )
    ]
    lost = sum((1, 1) != result.ranks for result in results) - won[0]
    print(
        f"in one process: {games} games, {sum(len(result.faults) for result in results)} faults, {games / wall:.0f} games/s"
    )
    print(f"  {wall / decisions * 1e6:.1f} us a decision: bots {bots / wall:.0%}, referee {1 - bots / wall:.0%}")
    print(f"  smithy {won[0]} : {lost} miner, {games - won[0] - lost} shared")
    games = max(1, games * 3 // 10)
    began, cpu = time.perf_counter(), time.process_time()
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    results = trio.run(over_pipes, games)
    wall, cpu = time.perf_counter() - began, time.process_time() - cpu
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    bots = after.ru_utime + after.ru_stime - children.ru_utime - children.ru_stime
    decisions = sum(result.decisions for result in results)
    print(
        f"over pipes: {games} games, {sum(len(result.faults) for result in results)} faults, {games / wall:.0f} games/s"
    )
    print(
        f"  {wall / decisions * 1e6:.1f} us a decision: referee's CPU {cpu / decisions * 1e6:.1f}, bots' CPU {bots / decisions * 1e6:.1f}"
    )


if __name__ == "__main__":
    main()
