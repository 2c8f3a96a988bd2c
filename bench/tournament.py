"""Measure a tournament of Hearts between four bots that answer at once: games per second with one worker and with two.

    python -m bench.tournament [DEALS]

Bots are compiled from bench/quick.c; rules, views, records and store are on. The runs alternate, so that other activity
of the machine affects both, and medians are compared. Then: the cost of the store and the records, their size, and the
time of the standings of ten thousand games.
"""

from __future__ import annotations

import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from croupier.server import games
from croupier.server.tournaments.config import tournament_file
from croupier.server.tournaments.keeping.folder import RECORDS
from croupier.server.tournaments.keeping.store import Store
from croupier.server.tournaments.playing.run import Run
from croupier.server.tournaments.report.standing import standing

if TYPE_CHECKING:
    from croupier.server.tournaments.config.settings import Settings

ROUNDS = 3
DEALS = 600
PROGRAM = Path(__file__).parent / "quick.c"


class Measured(NamedTuple):
    """The measurements of one run."""

    games: float
    """Games per second, between the first and the last batch that was kept."""
    store: float
    """The share of the run that went into keeping batches."""
    decisions: float
    """Decisions per second."""
    record: float
    """Compressed bytes per decision."""


def settings(program: Path, workers: int, deals: int) -> Settings:
    """Return a tournament of four."""
    hows = ("first", "last", "mixed", "mixed")
    bots = [{"name": f"bot{place}", "command": [str(program), how]} for place, how in enumerate(hows)]
    how = {"options": {"pass": "none"}, "seed": "bench", "deals": deals, "workers": workers}
    return tournament_file.build({"game": "hearts", "bots": bots, **how})


def measure(program: Path, workers: int, deals: int) -> Measured:
    """Run a tournament."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "cup"
        run = Run(settings(program, workers, deals), games.find("hearts"), folder)
        spent, commit = 0.0, run.store.commit

        def timed(kept: list) -> None:
            nonlocal spent
            began = time.thread_time()
            commit(kept)
            spent += time.thread_time() - began

        run.store.commit = timed
        run.play()
        seconds, played = progress(folder)
        decisions = sum(stored.game.decisions for stored in run.store.games())
        size = sum(path.stat().st_size for path in (folder / RECORDS).iterdir())
        total = run.progress.games
        whole = seconds * total / played
        run.store.close()
        return Measured(
            played / seconds, spent / whole / workers, decisions / total * played / seconds, size / decisions
        )


def progress(folder: Path) -> tuple[float, int]:
    """Return the seconds between the first and the last batch, and the games kept after the first."""
    events = [json.loads(line) for line in (folder / "events.jsonl").read_text().splitlines()]
    kept = [(event["at"], event["games"]) for event in events if event["event"] == "batch"]
    return kept[-1][0] - kept[0][0], kept[-1][1] - kept[0][1]


def table(program: Path) -> float:
    """Return how many seconds the standings of ten thousand games take, from the store to the table."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "cup"
        run = Run(settings(program, 2, 2_500), games.find("hearts"), folder)
        run.play()
        began = time.perf_counter()
        standing(Store(folder, new=False))
        return time.perf_counter() - began


def main() -> None:
    """Measure, and print."""
    deals = int(sys.argv[1]) if len(sys.argv) > 1 else DEALS
    compiler = shutil.which("cc")
    if compiler is None:
        print("tournament: needs a C compiler")
        return
    with tempfile.TemporaryDirectory() as name:
        program = Path(name) / "quick"
        subprocess.run([compiler, "-O2", "-o", program, PROGRAM], check=True)
        one, two = [], []
        for _ in range(ROUNDS):
            one.append(measure(program, 1, deals))
            two.append(measure(program, 2, deals))
        alone, both = (statistics.median(run.games for run in runs) for runs in (one, two))
        print(f"hearts, four bots in C: one worker {alone:,.0f} games/s, two {both:,.0f}; ratio {both / alone:.2f}")
        print(f"decisions with two workers: {statistics.median(run.decisions for run in two):,.0f} a second")
        print(f"store and records: {statistics.median(run.store for run in two):.1%} of the workers' time")
        print(f"records: {statistics.median(run.record for run in two):.2f} bytes a decision")
        print(f"standings of ten thousand games: {table(program):.2f} s")


if __name__ == "__main__":
    main()
