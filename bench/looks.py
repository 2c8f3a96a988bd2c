"""Look whether balanced tournaments may stop: what a look costs early and late, in milliseconds of processor time.

    OPENBLAS_NUM_THREADS=1 python -m bench.looks

(a tournament sets it for itself, before NumPy is loaded). Prints the table of bench/NOTES.md.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from croupier.server.deals import Key
from croupier.server.games import find
from croupier.server.table.played_game import PlayedGame
from croupier.server.tournaments.config import tournament_file
from croupier.server.tournaments.formats.balanced import Balanced
from croupier.server.tournaments.formats.schedule import A_LOOK, Layout, NoResults
from croupier.server.tournaments.statistics.ending import ending

if TYPE_CHECKING:
    from collections.abc import Iterator

    from croupier.server.tournaments.formats.schedule import Batch

GAMES = 240
"""The games of a round, with as many bots as are entered here."""
LOOKS = 60
SHOWN = ((1, 5), (16, 20), (36, 40), (56, 60))
CASES = (("dominion", 2, 12), ("hearts", 4, 12), ("dominion", 2, 40))


def played(batch: Batch, dice: np.random.Generator) -> Iterator[PlayedGame]:
    """Yield the games of a batch, with scores of normally distributed luck."""
    for seating, deal in batch.games():
        scores = dice.normal(size=len(seating)) * 5
        ranks = tuple(int(rank) for rank in (-scores).argsort().argsort() + 1)
        yield PlayedGame(batch.pairing, deal, seating, tuple((scores - scores.mean()).tolist()), ranks)


def looks(game: str, seats: int, bots: int) -> list[float]:
    """Return the time of each look at a tournament whose bots are all the same."""
    names = [f"b{number:02}" for number in range(bots)]
    entered = [{"name": name, "builtin": "random"} for name in names]
    settings = tournament_file.build({"game": game, "bots": entered, "format": "balanced", "until_sure": True})
    asked, dice, times = ending(find(game), settings), np.random.default_rng(1), []
    schedule = Balanced(names, Layout(seats), GAMES // bots, Key.from_seed("looks"), LOOKS, most=A_LOOK)
    for batches in schedule.rounds(NoResults()):
        for batch in batches:
            asked.note(list(played(batch, dice)))
        before = time.process_time()
        asked.look()
        times.append(time.process_time() - before)
    return times


def main() -> None:
    """Print the table."""
    print("| bots | seats | " + " | ".join(f"looks {first} to {last}" for first, last in SHOWN) + " |")
    print("|---|---|" + "---|" * len(SHOWN))
    for game, seats, bots in CASES:
        times = looks(game, seats, bots)
        shown = [1000 * float(np.median(times[first - 1 : last])) for first, last in SHOWN]
        cells = " | ".join(f"{each:.1f}" for each in shown)
        print(f"| {bots} | {seats} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
