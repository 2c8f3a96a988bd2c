"""Measure how much of the variance between bots in Dominion is the luck of the shuffles, set by set.

    python -m bench.luck

Prints the table of docs/trust/statistics-evidence.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import trio
from bench.populations import MoreSmithies

from croupier.agents import bundled
from croupier.server.deals import Key
from croupier.server.games.dominion.game import Dominion
from croupier.server.table.referee import Referee
from croupier.server.table.seat import LocalSeat
from croupier.server.tournaments.statistics.luck_correction import correct_for_luck

if TYPE_CHECKING:
    from croupier.agents.agent import Agent
    from croupier.server.table.played_game import PlayedGame

SETS = 400
KEY = Key.from_seed("luck")
PAIRS = (
    ("smithy", "big-money"),
    ("smithy", "plan"),
    ("big-money", "miner"),
    ("plan", "miner"),
    ("smithy", "more-smithies"),
)


def made(name: str) -> Agent:
    """Return a bundled bot, or the patch of one."""
    return MoreSmithies() if name == "more-smithies" else bundled.make(name)


async def played(one: str, other: str) -> list[PlayedGame]:
    """Play sets: each deal in both seatings."""
    games = []
    for deal in range(1, SETS + 1):
        for seating in ((one, other), (other, one)):
            seats = [LocalSeat(name, made(name)) for name in seating]
            game = await Referee(Dominion, {}, seats, KEY.deal(deal)).play()
            games.append(game._replace(pairing=(one, other)))
    return games


def main() -> None:
    """Print the table."""
    print(
        f"| {SETS} sets of | difference | without luck | variance of a set taken out | games the same interval takes |"
    )
    print("|---|---|---|---|---|")
    for one, other in PAIRS:
        found = correct_for_luck(trio.run(played, one, other), Dominion)
        both = found[-1]
        shown = [f"{each.mean:+.2f} ± {(each.high - each.low) / 2:.2f}" for each in (both.plain, both.score)]
        removed = both.removed_share or np.nan
        print(
            f"| {' - '.join(both.names)} | {' | '.join(shown)} | {removed:.0%} | {1 - removed:.2f} of them |",
            flush=True,
        )


if __name__ == "__main__":
    main()
