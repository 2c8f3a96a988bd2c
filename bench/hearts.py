"""Random Hearts through the Game interface; beside it, if an interpreter that has it is named, the engine that we measure by.

    python bench/hearts.py [INTERPRETER]

Both play whole games the same way: ask whose turn it is, list what is legal, choose by chance, play. The other engine runs
in its own interpreter, which imports it as ``pyspiel``; neither knows of the other. They take turns, a second each, so that
whatever else the machine does hits both, and the medians are compared. Its deal is given as quickly as it takes one: its
chance nodes, a direction and 52 cards, are answered from a shuffled list.
"""

from __future__ import annotations

import random
import statistics
import subprocess
import sys
import time

ROUNDS = 7
SECONDS = 1.0

THEIRS = """
import random, sys, time
import pyspiel

def games(name, seconds, rng):
    game = pyspiel.load_game("hearts", {"pass_cards": name == "pass", "qs_breaks_hearts": False})
    cards, played, start = list(range(52)), 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        state = game.new_initial_state()
        state.apply_action(rng.randrange(1, 4) if name == "pass" else 0)
        rng.shuffle(cards)
        for card in cards:
            state.apply_action(card)
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
        played += 1
    return played / (time.perf_counter() - start)

rng = random.Random(1)
for line in sys.stdin:
    name, seconds = line.split()
    print(games(name, float(seconds), rng), flush=True)
"""

WAYS = {"none": {"pass": "none"}, "pass": {"pass": "left"}}


def ours(way: str, seconds: float, rng: random.Random) -> float:
    """Return how many whole games a second are played at random."""
    from croupier.server.games.game import Dice  # noqa: PLC0415  their interpreter may read this file
    from croupier.server.games.hearts import Hearts  # noqa: PLC0415

    players, options, deal = ("a", "b", "c", "d"), WAYS[way], Dice(rng)
    played, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        game = Hearts(players, options, deal)
        while (seat := game.turn) is not None:
            game.play(seat, rng.choice(game.legal()))
        played += 1
    return played / (time.perf_counter() - start)


class Other:
    """The other engine, behind a pipe."""

    def __init__(self, interpreter: str) -> None:
        self.process = subprocess.Popen(
            [interpreter, "-c", THEIRS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def games(self, way: str, seconds: float) -> float:
        """Return how many whole games a second it plays."""
        print(way, seconds, file=self.process.stdin, flush=True)
        return float(self.process.stdout.readline())

    def leave(self) -> None:
        """End its process."""
        self.process.communicate()


def main() -> None:
    """Measure, and print games a second and the ratio."""
    other = Other(sys.argv[1]) if len(sys.argv) > 1 else None
    rng = random.Random(1)
    for way in WAYS:
        mine, theirs = [], []
        for _ in range(ROUNDS):
            mine.append(ours(way, SECONDS, rng))
            theirs.append(other.games(way, SECONDS) if other else float("nan"))
        one, two = statistics.median(mine), statistics.median(theirs)
        line = f"hearts, {'three cards passed' if way == 'pass' else 'no passing'}: {one:,.0f} games/s"
        print(line + (f"; the other engine {two:,.0f}; ratio {one / two:.2f}" if other else ""))
    if other:
        other.leave()


if __name__ == "__main__":
    main()
