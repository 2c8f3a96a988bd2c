"""Measure a tournament's decisions per second, compared with two single tables and two pairs of C programs.

    python -m bench.rate [DEALS] [LEVEL] [--rival C-CHESS-CLI]

Four bots compiled from bench/quick.c play Hearts. The limit is two tables at once, each pinned to a core of its own,
with warm processes and standard error kept as in a tournament. Two cores of a machine share resources, so twice one
table alone would not be the limit. The tournament has two workers, pinned to the same cores, and everything on. Its
time is from the first batch handed out to the last one kept: it excludes the start of the workers' interpreters, and
includes the wait for the last of them. The tables play as long as the tournament, right after it: a slow second of the
machine would be in most tournaments, and in few tables of four seconds. The C programs (bench/pipe.c) send one bot what
a table sent it, and nothing else. All run alternately; figures are medians, the ratio is the median of the rounds'
ratios. LEVEL is ``limits`` by default.

The rival, c-chess-cli, plays as many moves of chess between null engines (bench/chess.c) as the tournament has
decisions, and writes its games to a file. It plays a match of its own on each of the two cores, as our workers are
placed, and one match on both, two games at a time. It asks an engine twice for a move, ``isready`` and ``go``.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import trio
from bench import chess
from bench.decision import PROGRAMS, SETTINGS, messages

from croupier.server import entries, games
from croupier.server.deals import Key
from croupier.server.processes.sandbox import SandboxSettings
from croupier.server.table.referee import Terms
from croupier.server.table.table import Table
from croupier.server.tournaments.config import tournament_file
from croupier.server.tournaments.playing.pieces import InPieces
from croupier.server.tournaments.playing.run import Run
from croupier.server.tournaments.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from croupier.server.table.played_game import PlayedGame
    from croupier.server.tournaments.config.settings import Settings

HEARTS = SETTINGS[0]
ROUNDS = 5
DEALS = 9600
TRIPS = 300
"""Rounds of all messages in a measurement of C programs."""


@dataclass(frozen=True)
class Ready:
    """Work that shows that a worker is ready."""

    def play(self, stopped: Callable[[], bool]) -> None:
        """Take long enough that every worker gets one."""
        time.sleep(0.5)


def settings(program: Path, deals: int, level: str, workers: int) -> Settings:
    """Return a tournament of four."""
    bots = [{"name": f"bot{place}", "command": [str(program), HEARTS.how]} for place in range(4)]
    how = {"options": HEARTS.options, "seed": "bench", "deals": deals, "workers": workers, "sandbox": level}
    return tournament_file.build({"game": "hearts", "bots": bots, **how})


def tournament(program: Path, deals: int, level: str = "limits", workers: int = 2) -> tuple[float, float]:
    """Return the decisions per second of a tournament, and how many seconds it took."""
    crew = Workers(workers)
    for waiting in [crew.submit(Ready()) for _ in range(workers)]:
        waiting.result()
    with tempfile.TemporaryDirectory() as name:
        asked = settings(program, deals, level, workers)
        run = Run(asked, games.find("hearts"), Path(name) / "cup", crew=lambda *_: InPieces(crew))
        kept, commit = [], run.store.commit

        def keep(played: Sequence[PlayedGame], how: Mapping[str, object]) -> str:
            link = commit(played, how)
            kept.append(time.perf_counter())
            return link

        run.store.commit = keep
        began = time.perf_counter()
        run.play()
        decisions = sum(stored.game.decisions for stored in run.store.games())
        run.store.close()
    took = kept[-1] - began
    return decisions / took, took


async def table(program: Path, level: str, seconds: float) -> float:
    """Return the decisions per second of a table with warm processes, played for ``seconds`` after a start signal."""
    bots = [entries.of_command([str(program), HEARTS.how], f"bot{seat}") for seat in range(HEARTS.seats)]
    key, rules, decisions, deal = Key.from_seed("rate"), games.find("hearts"), 0, 0
    with tempfile.TemporaryDirectory() as name:
        async with Table(bots, Path(name), sandboxing=SandboxSettings(level), keep=lambda *_: None) as table:
            while (deal := deal + 1) < 20:
                await table.play(rules, HEARTS.options, key.deal(deal), Terms())
            print(flush=True)
            sys.stdin.readline()
            began = time.perf_counter()
            while (took := time.perf_counter() - began) < seconds:
                result = await table.play(rules, HEARTS.options, key.deal(deal := deal + 1), Terms())
                decisions += result.decisions
    return decisions / took


def tables(program: Path, level: str, cores: Sequence[int], seconds: float) -> float:
    """Return the decisions per second of simultaneous tables, each on one of these cores, played for ``seconds``."""
    command = [sys.executable, "-m", "bench.rate", "--table", str(program), level, str(seconds)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    running = [subprocess.Popen([*command, str(core)], **pipes) for core in cores]
    for one in running:
        one.stdout.readline()
    for one in running:
        one.stdin.write("\n")
        one.stdin.flush()
    return sum(float(one.communicate()[0]) for one in running)


def trips(folder: Path, cores: Sequence[int]) -> float:
    """Return the round trips per second of two C programs, once on each of these cores at the same time."""
    command = [folder / "pipe", folder / "hearts.messages", str(TRIPS), folder / "quick", HEARTS.how]
    running = [subprocess.Popen(["taskset", "-c", str(core), *command], stdout=subprocess.PIPE) for core in cores]
    return sum(1e6 / float(one.communicate()[0].split()[1]) for one in running)


def compiled(folder: Path) -> Path:
    """Compile the programs into a folder; return the bot."""
    for program in PROGRAMS:
        subprocess.run(["cc", "-O2", "-o", folder / program.stem, program], check=True)
    return folder / "quick"


def wanted() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("deals", nargs="?", type=int, default=DEALS)
    parser.add_argument("level", nargs="?", default="limits")
    parser.add_argument("--rival", type=Path)
    how = parser.parse_args()
    if how.rival and not how.rival.is_file():
        parser.error(f"there is no program {how.rival}")
    return how


def main() -> None:
    """Measure alternately, and print."""
    if sys.argv[1:2] == ["--table"]:
        program, level, seconds, core = sys.argv[2:]
        os.sched_setaffinity(0, {int(core)})
        print(trio.run(table, Path(program), level, float(seconds)))
        return
    how = wanted()
    cores = sorted(os.sched_getaffinity(0))[:2]
    rounds = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        program = compiled(folder)
        (folder / "hearts").mkdir()
        trio.run(messages, HEARTS, folder)
        for _ in range(ROUNDS):
            bare = trips(folder, cores)
            ours, took = tournament(program, how.deals, how.level)
            others = bare, tables(program, how.level, cores, took)
            rival = chess.rates(how.rival, 2 * how.deals, cores) if how.rival else ()
            rounds.append((ours, *others, *rival))
    played, bare, limit, *theirs = (median(values) for values in zip(*rounds, strict=True))
    _, of_bare, of_limit, *of_theirs = (median(one[0] / one[at] for one in rounds) for at in range(len(rounds[0])))
    print(f"on two cores, a second: round trips of C programs {bare:,.0f}, decisions of two tables {limit:,.0f},")
    print(f"of a tournament of {4 * how.deals:,} games under {how.level} {played:,.0f};", end=" ")
    print(f"of two tables {of_limit:.2f}, of C programs {of_bare:.2f}")
    for placed, moves, share in zip(chess.PLACED, theirs, of_theirs, strict=False):
        print(f"moves of c-chess-cli, {placed}: {moves:,.0f}; the tournament {share:.2f} of them")


if __name__ == "__main__":
    main()
