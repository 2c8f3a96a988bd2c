"""Scale: what standings, report and verify of 100,000 games cost, and the plan of 1,000 bots.

The games are made up, so that they are there in a minute; their records are as long as real ones and play nothing.
``python bench/scale.py [GAMES]`` prints seconds of processor time and megabytes of each command (getrusage).
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import time
from concurrent.futures import Future
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from croupier.server import games
from croupier.server.deals import Key
from croupier.server.table.played import PlayedGame
from croupier.server.tournaments import config
from croupier.server.tournaments.formats import schedule_for
from croupier.server.tournaments.run import Run

if TYPE_CHECKING:
    from collections.abc import Iterator

    from croupier.server.tournaments.batch import Job

GAMES, BOTS, ROUNDS = 100_000, 1_000, 10
COMMANDS = (["standings"], ["standings", "--json"], ["report"], ["verify"])
MEASURED = """
import atexit, resource, sys
from croupier.server.cli import main
def report():
    used = resource.getrusage(resource.RUSAGE_SELF)
    print(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, file=sys.stderr)
atexit.register(report)
sys.argv[0] = "croupier"
main()
"""


class Inventor:
    """A crew that makes games up: 13 decisions of each, and who is better usually takes less."""

    number = 1
    lost = (OSError,)

    def __init__(self) -> None:
        self.dice = random.Random(1)

    def submit(self, job: Job) -> Future[list[PlayedGame]]:
        """Return the games at once."""
        future: Future[list[PlayedGame]] = Future()
        future.set_result([self._game(job, seating, deal) for seating, deal in job.games])
        return future

    def _game(self, job: Job, seating: tuple[str, ...], deal: int) -> PlayedGame:
        scores = tuple(int(self.dice.gauss(6.5 + int(name[1:]) / 10, 5)) for name in seating)
        ranks = tuple(1 + sum(other < mine for other in scores) for mine in scores)
        times = tuple(((self.dice.randrange(40, 50), 6), (self.dice.randrange(50, 60), 7)) for _ in seating)
        lines = ["(record 1)", f"(manifest {job.terms.manifest})"]
        lines += [f"(play {name} (play h{self.dice.randrange(2, 10)}))" for name in seating for _ in range(13)]
        return PlayedGame(
            job.pairing, deal, seating, scores, ranks, times=times, decisions=52, seconds=0.01, record=tuple(lines)
        )

    def stop(self) -> None:
        """Have nothing to stop."""

    drop = close = stop


def entered(count: int, **how: object) -> config.Settings:
    """Enter so many bots."""
    bots = [{"name": f"b{number}", "builtin": "random"} for number in range(count)]
    return config.build({"game": "hearts", "seed": "scale", "bots": bots, **how})


def invented(folder: Path, number: int) -> None:
    """Make a tournament of so many games up."""
    asked = entered(12, format="balanced", rounds=10, deals=-(-number // (10 * 3 * 4)))
    Run(asked, games.find("hearts"), folder, crew=lambda *_: Inventor()).play()


def plans() -> Iterator[tuple[str, float]]:
    """Yield the seconds in which each format has planned all that it can before a result, and counted its games."""
    for name in ("balanced", "swiss", "ladder", "knockout"):
        began = time.process_time()
        schedule = schedule_for(entered(BOTS, format=name, deals=10), games.find("hearts"), Key.seeded("scale"))
        for _ in islice(schedule.rounds(Nothing()), ROUNDS):
            pass
        schedule.planned()
        yield f"{name}, {BOTS} bots", time.process_time() - began


class Nothing:
    """No results."""

    def scores(self, *_: object) -> None:
        """Know none."""


def main() -> None:
    """Print what each costs."""
    for what, seconds in plans():
        print(f"planning {what}: {seconds:.1f} s", flush=True)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "cup"
        began = time.process_time()
        invented(folder, int(sys.argv[1]) if len(sys.argv) > 1 else GAMES)
        print(f"made up in {time.process_time() - began:.0f} s", flush=True)
        for command, *options in COMMANDS:
            words = [sys.executable, "-c", MEASURED, command, str(folder), *options]
            done = subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False, text=True)
            seconds, memory = map(float, done.stderr.split()[-2:])
            print(f"{' '.join([command, *options])}: {seconds:.1f} s, {memory:.0f} MB", flush=True)


if __name__ == "__main__":
    main()
