"""Random Hearts through the Game interface; beside it, where an interpreter has it, the engine that we measure by.

    python bench/hearts.py [INTERPRETER]

Both play whole games the same way: ask whose turn it is, list what is legal, choose by chance, play. The other engine
runs in the interpreter that is named, which imports it as ``pyspiel``; neither knows of the other. They take turns, a
fifth of a second each, so that whatever else the machine does hits both; processor time is counted and medians are
compared: once with its cards dealt as it asks for them, by 52 choices of chance, and once by the quickest deal that it
takes, from a shuffled list.
"""

from __future__ import annotations

import random
import statistics
import subprocess
import sys
import time

ROUNDS = 25
SECONDS = 0.2

THEIRS = """
import random, sys, time
import pyspiel

def games(name, deal, seconds, rng):
    game = pyspiel.load_game("hearts", {"pass_cards": name == "pass", "qs_breaks_hearts": False})
    cards, played, start = list(range(52)), 0, time.process_time()
    while time.process_time() - start < seconds:
        state = game.new_initial_state()
        state.apply_action(rng.randrange(1, 4) if name == "pass" else 0)
        if deal == "list":
            rng.shuffle(cards)
            for card in cards:
                state.apply_action(card)
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
        played += 1
    return played / (time.process_time() - start)

rng = random.Random(1)
for line in sys.stdin:
    name, deal, seconds = line.split()
    print(games(name, deal, float(seconds), rng), flush=True)
"""

WAYS = {"none": {"pass": "none"}, "pass": {"pass": "left"}}


def ours(way: str, seconds: float, rng: random.Random) -> float:
    """Return how many whole games a second are played at random."""
    from croupier.server.games.game import Dice  # noqa: PLC0415  their interpreter may read this file
    from croupier.server.games.hearts import Hearts  # noqa: PLC0415

    players, options, deal = ("a", "b", "c", "d"), WAYS[way], Dice(rng)
    played, start = 0, time.process_time()
    while time.process_time() - start < seconds:
        game = Hearts(players, options, deal)
        while (seat := game.turn) is not None:
            game.play(seat, rng.choice(game.legal()))
        played += 1
    return played / (time.process_time() - start)


class Other:
    """The other engine, behind a pipe."""

    def __init__(self, interpreter: str) -> None:
        self.process = subprocess.Popen(
            [interpreter, "-c", THEIRS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def games(self, way: str, deal: str, seconds: float) -> float:
        """Return how many whole games a second it plays."""
        print(way, deal, seconds, file=self.process.stdin, flush=True)
        return float(self.process.stdout.readline())

    def leave(self) -> None:
        """End its process."""
        self.process.communicate()


def main() -> None:
    """Measure, and print games a second and the ratio."""
    other = Other(sys.argv[1]) if len(sys.argv) > 1 else None
    rng = random.Random(1)
    for way, title in (("none", "no passing"), ("pass", "three cards passed")):
        rates: dict[str, list[float]] = {"ours": [], "chance": [], "list": []}
        for _ in range(ROUNDS):
            rates["ours"].append(ours(way, SECONDS, rng))
            for deal in ("chance", "list") if other else ():
                rates[deal].append(other.games(way, deal, SECONDS))
        mine = statistics.median(rates.pop("ours"))
        print(f"hearts, {title}: {mine:,.0f} games/s")
        for deal, theirs in rates.items() if other else ():
            rate = statistics.median(theirs)
            print(f"    the other engine, dealt by {deal}: {rate:,.0f} games/s; ratio {mine / rate:.2f}")
    if other:
        other.leave()


if __name__ == "__main__":
    main()
