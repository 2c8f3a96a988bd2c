"""Random Jass through the Game interface; beside it two other Python engines, if interpreters that have them are named.

    python bench/jass.py [INTERPRETER ...]

All play whole hands the same way: choose a contract by chance, ask what is legal, choose by chance, play. The other
engines run in their own interpreters, which import them as ``jass`` and ``pyschieber``; neither knows of ours. They
take turns, a second each, so that whatever else the machine does hits all, and the medians are compared. The faster
other is driven by its bare rules, without its agents and their observations.
"""

from __future__ import annotations

import random
import statistics
import subprocess
import sys
import time

ROUNDS = 5
SECONDS = 1.0
AIM = 5

THEIRS = """
import importlib.util, random, sys, time

def jass_kit(rng):
    import numpy as np
    from jass.game.game_sim import GameSim
    from jass.game.rule_schieber import RuleSchieber

    rule, cards = RuleSchieber(), list(range(36))
    def play():
        rng.shuffle(cards)
        hands = np.zeros((4, 36), np.int32)
        for seat in range(4):
            hands[seat, cards[9 * seat : 9 * seat + 9]] = 1
        game = GameSim(rule)
        game.init_from_cards(hands, 0)
        game.action_trump(rng.randrange(6))
        state = game.state
        while not game.is_done():
            hand = state.hands[state.player]
            legal = rule.get_valid_cards(hand, state.current_trick, state.nr_cards_in_trick, state.trump)
            game.action_play_card(rng.choice(np.flatnonzero(legal)))
    return play

def schieber(rng):
    from pyschieber.game import Game
    from pyschieber.player.random_player import RandomPlayer
    from pyschieber.team import Team

    def play():
        players = [RandomPlayer(name=str(seat)) for seat in range(4)]
        for seat, player in enumerate(players):
            player.id = seat
        Game([Team(players[::2]), Team(players[1::2])], point_limit=10**9).play(whole_rounds=True)
    return play

name = "jass-kit" if importlib.util.find_spec("jass") else "pyschieber"
play = (jass_kit if name == "jass-kit" else schieber)(random.Random(1))
print(name, flush=True)
for line in sys.stdin:
    played, start = 0, time.perf_counter()
    while time.perf_counter() - start < float(line):
        play()
        played += 1
    print(played / (time.perf_counter() - start), flush=True)
"""


def ours(seconds: float, rng: random.Random) -> float:
    """Return how many whole games a second are played at random."""
    from croupier.server.games.game import Dice  # noqa: PLC0415  their interpreter may read this file
    from croupier.server.games.jass import Jass  # noqa: PLC0415

    players, deal = ("a", "b", "c", "d"), Dice(rng)
    played, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        game = Jass(players, {}, deal)
        while (seat := game.turn) is not None:
            game.play(seat, rng.choice(game.legal()))
        played += 1
    return played / (time.perf_counter() - start)


class Other:
    """Another engine, behind a pipe."""

    def __init__(self, interpreter: str) -> None:
        self.process = subprocess.Popen(
            [interpreter, "-c", THEIRS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.name = self.process.stdout.readline().strip()

    def games(self, seconds: float) -> float:
        """Return how many whole games a second it plays."""
        print(seconds, file=self.process.stdin, flush=True)
        return float(self.process.stdout.readline())

    def leave(self) -> None:
        """End its process."""
        self.process.communicate()


def main() -> None:
    """Measure, and print games a second and the ratios."""
    others = [Other(interpreter) for interpreter in sys.argv[1:]]
    rng = random.Random(1)
    mine: list[float] = []
    theirs: dict[str, list[float]] = {other.name: [] for other in others}
    for _ in range(ROUNDS):
        mine.append(ours(SECONDS, rng))
        for other in others:
            theirs[other.name].append(other.games(SECONDS))
    one = statistics.median(mine)
    print(f"jass: {one:,.0f} games/s")
    for name, rates in theirs.items():
        two = statistics.median(rates)
        print(f"  {name}: {two:,.0f}; ratio {one / two:.1f}, aimed at {AIM}")
    for other in others:
        other.leave()


if __name__ == "__main__":
    main()
