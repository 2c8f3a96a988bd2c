"""Measure the cost of standings and report of 100,000 games, of verify beside replay, and of planning for 1,000 bots.

    python -m bench.scale [GAMES] [VERIFIED]

Prints seconds of processor time and megabytes of each command (getrusage). The games of the first are invented, so that
they exist within a minute; those that are verified are played by the rules, at random.
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

import trio

from croupier.agents import bundled
from croupier.server import games
from croupier.server.deals import Key
from croupier.server.table.played_game import PlayedGame
from croupier.server.table.referee import Referee
from croupier.server.table.seat import LocalSeat
from croupier.server.tournaments.config import tournament_file
from croupier.server.tournaments.entering.scheduling import schedule_for
from croupier.server.tournaments.playing.run import Run

if TYPE_CHECKING:
    from collections.abc import Iterator

    from croupier.server.tournaments.config.settings import Settings
    from croupier.server.tournaments.playing.batch import Job

GAMES, VERIFIED, BOTS, ROUNDS = 100_000, 10_000, 1_000, 10
COMMANDS = (["standings"], ["standings", "--json"], ["report"])
MEASURED = """
import atexit, resource, sys
def report():
    used = resource.getrusage(resource.RUSAGE_SELF)
    print(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, file=sys.stderr)
atexit.register(report)
"""
COMMAND = """
from croupier.server.cli import main
sys.argv[0] = "croupier"
main()
"""
REPLAYED = """
from collections import deque
from pathlib import Path
from croupier.server.records.files import read_records
from croupier.server.records.replay import Replay
for path in Path(sys.argv[1], "records").iterdir():
    for record in read_records(path):
        deque(Replay(record.text).steps(), maxlen=0)
"""


class Inventor:
    """A crew that invents games: 13 decisions of each; a better bot usually takes less."""

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
        """Do nothing."""

    drop = close = stop


class Referees(Inventor):
    """A crew that plays by the rules, each seat at random."""

    def _game(self, job: Job, seating: tuple[str, ...], deal: int) -> PlayedGame:
        return trio.run(self._play, job, seating, deal)

    async def _play(self, job: Job, seating: tuple[str, ...], deal: int) -> PlayedGame:
        seats = [LocalSeat(name, bundled.make("random")) for name in seating]
        played = await Referee(job.rules, job.options, seats, job.deals[deal], job.terms).play()
        return played._replace(pairing=job.pairing)


def entered(count: int, **how: object) -> Settings:
    """Enter this many bots."""
    bots = [{"name": f"b{number}", "builtin": "random"} for number in range(count)]
    return tournament_file.build({"game": "hearts", "seed": "scale", "bots": bots, **how})


def contested(folder: Path, number: int, crew: Inventor) -> None:
    """Have a crew play a tournament of ``games`` games."""
    asked = entered(12, format="balanced", rounds=10, deals=-(-number // (10 * 3 * 4)))
    Run(asked, games.find("hearts"), folder, crew=lambda *_: crew).play()


def plans() -> Iterator[tuple[str, float]]:
    """Yield the seconds of each format for planning everything possible before a result, and for counting its games."""
    for name in ("balanced", "swiss", "ladder", "knockout"):
        began = time.process_time()
        schedule = schedule_for(entered(BOTS, format=name, deals=10), games.find("hearts"), Key.from_seed("scale"))
        for _ in islice(schedule.rounds(Nothing()), ROUNDS):
            pass
        schedule.planned_games()
        yield f"{name}, {BOTS} bots", time.process_time() - began


class Nothing:
    """No results."""

    def scores(self, *_: object) -> None:
        """Return None."""


def measured(what: str, code: str, *words: str) -> float:
    """Run code in a process of its own; print and return its seconds."""
    command = [sys.executable, "-c", MEASURED + code, *words]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False, text=True)
    seconds, memory = map(float, done.stderr.split()[-2:])
    print(f"{what}: {seconds:.1f} s, {memory:.0f} MB", flush=True)
    return seconds


def main() -> None:
    """Print what each costs."""
    number, verified = [*map(int, sys.argv[1:]), *(GAMES, VERIFIED)[len(sys.argv) - 1 :]]
    for what, seconds in plans():
        print(f"planning {what}: {seconds:.1f} s", flush=True)
    with tempfile.TemporaryDirectory() as temporary:
        many, played = Path(temporary) / "many", Path(temporary) / "played"
        contested(many, number, Inventor())
        for command, *options in COMMANDS:
            what = " ".join([command, *options])
            measured(f"{what} of {number} games", COMMAND, command, str(many), *options)
        contested(played, verified, Referees())
        alone = measured(f"replaying {verified} games", REPLAYED, str(played))
        whole = measured(f"verify of {verified} games", COMMAND, "verify", str(played))
        print(f"verify takes {whole / alone:.2f} times as long as replaying")


if __name__ == "__main__":
    main()
