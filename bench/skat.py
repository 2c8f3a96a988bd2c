"""Random Skat through the Game interface; beside it, where an interpreter has it, the engine that we measure by.

    python bench/skat.py [INTERPRETER]

Both play whole games the same way: ask whose turn it is, choose a legal play by chance, play. The other engine
runs in the interpreter that is named, which imports it as ``pyspiel``; neither knows of the other. They take turns, a
fifth of a second each, so that whatever else the machine does hits both; processor time is counted and medians are
compared: once with its cards dealt as it asks for them, by 32 choices of chance, and once by the quickest deal that it
takes, from a shuffled list. What is played is not the same: the other has no auction by values, no hand games and no
announcements, and its games end without a value.
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

def games(deal, seconds, rng):
    game = pyspiel.load_game("skat")
    cards, played, start = list(range(32)), 0, time.process_time()
    while time.process_time() - start < seconds:
        state = game.new_initial_state()
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
    deal, seconds = line.split()
    print(games(deal, float(seconds), rng), flush=True)
"""


def ours(seconds: float, rng: random.Random, *, checked: bool) -> float:
    """Return how many whole games a second are played at random, each play checked before it or not."""
    from croupier.server.games.game import Dice  # noqa: PLC0415  their interpreter may read this file
    from croupier.server.games.skat import Skat  # noqa: PLC0415

    players, deal = ("a", "b", "c"), Dice(rng)
    played, start = 0, time.process_time()
    while time.process_time() - start < seconds:
        game = Skat(players, {}, deal)
        while (seat := game.turn) is not None:
            play = game.sample(rng)
            if checked:
                game.check(seat, play)
            game.play(seat, play)
        played += 1
    return played / (time.process_time() - start)


class Other:
    """The other engine, behind a pipe."""

    def __init__(self, interpreter: str) -> None:
        self.process = subprocess.Popen(
            [interpreter, "-c", THEIRS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def games(self, deal: str, seconds: float) -> float:
        """Return how many whole games a second it plays."""
        print(deal, seconds, file=self.process.stdin, flush=True)
        return float(self.process.stdout.readline())

    def leave(self) -> None:
        """End its process."""
        self.process.communicate()


def main() -> None:
    """Measure, and print games a second and the ratios."""
    other = Other(sys.argv[1]) if len(sys.argv) > 1 else None
    rng = random.Random(1)
    rates: dict[str, list[float]] = {"plain": [], "checked": [], "ask": [], "list": []}
    for _ in range(ROUNDS):
        rates["plain"].append(ours(SECONDS, rng, checked=False))
        rates["checked"].append(ours(SECONDS, rng, checked=True))
        for deal in ("ask", "list") if other else ():
            rates[deal].append(other.games(deal, SECONDS))
    middle = {name: statistics.median(values) for name, values in rates.items() if values}
    for name, what in (("plain", "plays not checked"), ("checked", "every play checked")):
        line = f"skat, {what}: {middle[name]:,.0f} games/s"
        for deal, how in (("ask", "dealt as it asks"), ("list", "dealt from a list")) if other else ():
            line += f"; the other engine {how} {middle[deal]:,.0f}, ratio {middle[name] / middle[deal]:.2f}"
        print(line)
    if other:
        other.leave()


if __name__ == "__main__":
    main()
