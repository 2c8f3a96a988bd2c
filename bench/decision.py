"""Measure where a decision's processor time goes, stage by stage, beside the bare round trip of two C programs.

    python -m bench.decision [ROUNDS]

One table per game, its bots compiled from bench/quick.c, everything on one core. The bare round trip (bench/pipe.c)
sends one of those bots exactly the bytes that the table sent it, and does nothing else. All of it alternates. Figures
are microseconds of the referee's own processor time per decision, in the fastest of many short rounds, to exclude what
other programs do to its caches. A stage's time is its own, without the stages that it calls and the cost of timing;
``the rest`` is the whole, measured without stages, minus all of them. Whenever timing of stages begins or ends, some
games are played that do not count, because classes were changed and the interpreter specializes its instructions again.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from contextlib import contextmanager
from itertools import count, islice
from pathlib import Path
from statistics import mean
from typing import TYPE_CHECKING, Any, NamedTuple

import trio

from croupier.server import entries, games
from croupier.server.deals import Key
from croupier.server.games.sheets import Text
from croupier.server.processes.bot_process import BotProcess
from croupier.server.processes.sandbox import SandboxSettings
from croupier.server.table import messages
from croupier.server.table.channel import Channel
from croupier.server.table.referee import Referee, Terms
from croupier.server.table.table import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

HERE = Path(__file__).parent
PROGRAMS = (HERE / "pipe.c", HERE / "quick.c")
ROUNDS = 60
WARMING = 4
"""Rounds to play before the interpreter has specialized its instructions: at least 500 decisions."""


class Setting(NamedTuple):
    """A table: the game, its options, how its bots choose, and how many games make a round."""

    game: str
    options: dict[str, Any]
    seats: int
    how: str
    games: int


SETTINGS = (
    Setting("hearts", {"pass": "none"}, 4, "mixed", 3),
    Setting("skat", {"all-pass": "ramsch"}, 3, "last", 5),
    Setting("dominion", {"turns": 20}, 2, "mixed", 1),
    Setting("doppelkopf", {}, 4, "first", 3),
    Setting("jass", {"weis": "yes", "stoeck": "yes"}, 4, "last", 4),
    Setting("sedma", {"score-to": 3}, 4, "mixed", 4),
)

NOTHING = "taking the time"


class Stopwatch:
    """Measures each stage's own processor time, while stages call one another."""

    def __init__(self) -> None:
        self.spent: defaultdict[str, float] = defaultdict(float)
        self._within = 0.0
        self._cost = 0.0
        nothing = self.timed("", lambda: None)
        for _ in range(20_000):
            nothing()
        self._cost = self.spent.pop("") / 20_000

    def timed(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        """Return a timed version of the function."""
        clock = time.thread_time

        def of(*args: Any, **named: Any) -> Any:
            before, self._within = self._within, 0.0
            began = clock()
            try:
                return call(*args, **named)
            finally:
                took = clock() - began
                self.spent[name] += took - self._within - self._cost
                self._within = before + took + self._cost

        return of


@contextmanager
def stages(rules: type[games.game.Game]) -> Iterator[Stopwatch]:
    """Time the stages of a decision while the context lasts."""
    watch = Stopwatch()
    parts: list[tuple[str, Any, str]] = [
        ("STATE", Text, "state"),
        ("look for what came unasked", BotProcess, "pending"),
        ("write", BotProcess, "offer"),
        ("wait and read", BotProcess, "at_once"),
        ("understand the bytes", Channel, "recall"),
        ("judge", messages, "judge"),
        ("the rules", rules, "play"),
        ("updates", Referee, "_post"),
        ("a game's beginning and end", Referee, "__init__"),
        ("a game's beginning and end", Referee, "_open"),
        ("a game's beginning and end", Referee, "_close"),
    ]
    before = [(owner, name, owner.__dict__.get(name)) for _, owner, name in parts]
    for stage, owner, name in parts:
        setattr(owner, name, watch.timed(stage, getattr(owner, name)))
    try:
        yield watch
    finally:
        for owner, name, call in before:
            if call is None:
                delattr(owner, name)
            else:
                setattr(owner, name, call)


async def play(table: Table, setting: Setting, deals: Iterable[int]) -> tuple[int, float, float]:
    """Return the number of decisions of the games, and their seconds of processor time and of real time."""
    rules, key, decisions = games.find(setting.game), Key.from_seed("decision"), 0
    used, began = time.process_time(), time.perf_counter()
    for deal in deals:
        result = await table.play(rules, setting.options, key.deal(deal), Terms())
        if result.faults:
            raise SystemExit(f"a bot was at fault: {result.faults}")
        decisions += result.decisions
    return decisions, time.process_time() - used, time.perf_counter() - began


def seated(setting: Setting, folder: Path, wire: Path | None = None) -> Table:
    """Return a table of the setting."""
    command = [str(folder / "quick"), setting.how]
    bots = [entries.of_command(command, f"bot{seat}") for seat in range(setting.seats)]
    return Table(bots, folder / setting.game, wire=wire, sandboxing=SandboxSettings("none"))


async def write_messages(setting: Setting, folder: Path) -> Path:
    """Write what one bot is sent in some games, a line per write; return the file."""
    wire = folder / f"{setting.game}.wires"
    async with seated(setting, folder, wire) as table:
        await play(table, setting, range(1, 11))
    sent = [line[2:] for line in (wire / "bot0.wire").read_text().splitlines() if line.startswith("> ")]
    whole, waiting = [], []
    for line in sent:
        waiting.append(line)
        if line.startswith(("(request", "(attacked")):
            whole.append("\t".join(waiting))
            waiting = []
    file = folder / f"{setting.game}.messages"
    file.write_text("".join(f"{message}\n" for message in whole))
    return file


def round_trip(file: Path, folder: Path, how: str) -> list[float]:
    """Return the microseconds of a bare round trip: the asking program's processor time, and real time."""
    command = [folder / "pipe", file, "5", folder / "quick", how]
    return [float(word) for word in subprocess.run(command, capture_output=True, check=True).stdout.split()]


async def measure(setting: Setting, folder: Path, rounds: int) -> None:
    """Run the table, the table with timed stages and the bare pipes alternately; print the figures."""
    file = await write_messages(setting, folder)
    bare, whole, seconds, parts = [], [], [], defaultdict(list)
    async with seated(setting, folder) as table:
        deals = count(1)
        for _ in range(rounds):
            bare.append(round_trip(file, folder, setting.how))
            await play(table, setting, islice(deals, WARMING * setting.games))
            decisions, used, took = await play(table, setting, islice(deals, setting.games))
            whole.append(used / decisions * 1e6)
            seconds.append(took / decisions * 1e6)
            with stages(games.find(setting.game)) as watch:
                await play(table, setting, islice(deals, WARMING * setting.games))
                watch.spent.clear()
                decisions, _, _ = await play(table, setting, islice(deals, setting.games))
            for name, spent in watch.spent.items():
                parts[name].append(spent / decisions * 1e6)
    print_figures(setting, file, bare, whole, seconds, parts)


def print_figures(setting: Setting, file: Path, bare: list, whole: list, seconds: list, parts: dict) -> None:
    """Print the minimum of each."""
    size = mean(map(len, file.read_text().splitlines()))
    pipes, all_pipes = map(min, zip(*bare, strict=True))
    print(f"\n{setting.game}, {size:,.0f} bytes a question")
    print(f"  {'the referee, a decision':28} {min(whole):6.1f} us; with the bot's own time {min(seconds):.1f}")
    print(f"  {'two C programs, bare':28} {pipes:6.1f} us; with the bot's own time {all_pipes:.1f}")
    for name, spent in parts.items():
        print(f"    {name:26} {min(spent):6.1f} us")
    if parts:
        print(f"    {'the rest':26} {min(whole) - sum(map(min, parts.values())):6.1f} us")


def main() -> None:
    """Measure each game."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for program in PROGRAMS:
            subprocess.run(["cc", "-O2", "-o", folder / program.stem, program], check=True)
        for setting in SETTINGS:
            (folder / setting.game).mkdir()
            trio.run(measure, setting, folder, rounds)


if __name__ == "__main__":
    main()
