"""Compare engines: ours in this process, others in theirs, all timed by the same code.

Another engine runs in an interpreter that has it; neither side knows of the other. They run alternately, so that other
activity of the machine affects all; processor time is counted and medians are compared.
"""

from __future__ import annotations

import inspect
import statistics
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import TYPE_CHECKING

from croupier.server.games.game import Dice

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from random import Random

    from croupier.server.games.tricks import TrickTaking

    Race = Callable[[float], float]
    """Plays for some seconds; returns how many games per second were played."""


def rate(play: Callable[[], object], seconds: float) -> float:
    """Play whole games for ``seconds``; return how many per second of processor time."""
    played, start = 0, time.process_time()
    while time.process_time() - start < seconds:
        play()
        played += 1
    return played / (time.process_time() - start)


THEIRS = f"""from __future__ import annotations
import random, sys, time
rng = random.Random(1)
{inspect.getsource(rate)}
%s
print(NAME, flush=True)
for line in sys.stdin:
    seconds, *how = line.split()
    print(rate(game(*how), float(seconds)), flush=True)
"""


OPENSPIEL = """
import pyspiel
NAME = "pyspiel"

def finish(state, deal, cards):
    if deal == "list":
        rng.shuffle(cards)
        for card in cards:
            state.apply_action(card)
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
"""


class Other:
    """Another engine, behind a pipe."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.name = process.stdout.readline().strip()

    def race(self, *how: str) -> Race:
        """Return the race of the function ``game(*how)`` in its program."""

        def race(seconds: float) -> float:
            print(seconds, *how, file=self.process.stdin, flush=True)
            return float(self.process.stdout.readline())

        return race


@contextmanager
def others(program: str) -> Iterator[list[Other]]:
    """Run a program in each interpreter that the command line names.

    It may use ``rng`` and defines ``NAME`` and ``game``, which returns a function that plays one game.
    """
    with ExitStack() as running:
        yield [Other(running.enter_context(_started(interpreter, program))) for interpreter in sys.argv[1:]]


def _started(interpreter: str, program: str) -> subprocess.Popen[str]:
    words = [interpreter, "-c", THEIRS % program]
    return subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def at_random(rules: type[TrickTaking], options: Mapping[str, str], rng: Random) -> Race:
    """Return the race of our own game: ask whose turn it is, list the legal plays, choose at random, play."""
    players, deal = ("a", "b", "c", "d"), Dice(rng)

    def play() -> None:
        game = rules(players, options, deal)
        while (seat := game.turn) is not None:
            game.play(seat, rng.choice(game.legal()))

    return partial(rate, play)


def medians(races: Mapping[str, Race], rounds: int, seconds: float) -> dict[str, float]:
    """Run the races alternately, ``rounds`` times; return the median of each."""
    rates: dict[str, list[float]] = {name: [] for name in races}
    for _ in range(rounds):
        for name, race in races.items():
            rates[name].append(race(seconds))
    return {name: statistics.median(found) for name, found in rates.items()}


def compare(races: Mapping[str, Race], rounds: int, seconds: float) -> None:
    """Print games per second, and the ratio of the first race to each other one."""
    (name, ours), *found = medians(races, rounds, seconds).items()
    print(f"{name}: {ours:,.0f} games/s")
    for other, theirs in found:
        print(f"    {other}: {theirs:,.0f}; ratio {ours / theirs:.2f}", flush=True)
