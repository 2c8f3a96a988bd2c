"""Random games from files, a second of one core: the library, beside the native Hearts in the same run.

    python bench/recycle.py [PROGRAM ...]

All play whole games the same way: choose by chance among what is legal, play. They take turns, a tenth of a second
each, so that whatever else the machine does hits all; processor time is counted and medians are compared. Programs are
files or games of the library; without any, all of the library.
"""

from __future__ import annotations

import random
import statistics
import sys
import time

from croupier.server.games.game import Dice
from croupier.server.games.hearts import Hearts
from croupier.server.games.recycle import library, load

ROUNDS = 9
SECONDS = 0.1
AIMS = {"hearts": 1000, "agram": 1500, "kuhn-poker": 15000}


class Racer:
    """A game and how fast it is played."""

    def __init__(self, name: str, kind: type, options: dict[str, str]) -> None:
        self.name = name
        self.kind = kind
        self.options = options
        self.players = tuple(f"p{seat}" for seat in range(kind.SEATS[0]))
        self.rates: list[float] = []
        self.games = self.decisions = 0

    def run(self, rng: random.Random) -> None:
        """Play for a while."""
        deal, played, start = Dice(rng), 0, time.process_time()
        while time.process_time() - start < SECONDS:
            game = self.kind(self.players, self.options, deal)
            while (seat := game.turn) is not None:
                game.play(seat, game.sample(rng))
                self.decisions += 1
            played += 1
        self.games += played
        self.rates.append(played / (time.process_time() - start))


def main(programs: list[str]) -> None:
    """Race the programs and print the table."""
    rng = random.Random(1)
    racers = [Racer("hearts, native", Hearts, {"variant": "seed"})]
    racers += [Racer(program, load(program), {}) for program in programs]
    for _ in range(ROUNDS):
        for racer in racers:
            racer.run(rng)
    print(f"{'game':24} {'games/s':>9} {'choices a game':>15} {'choices/s':>11} {'aim':>7}")
    for racer in racers:
        rate, length = statistics.median(racer.rates), racer.decisions / racer.games
        print(f"{racer.name:24} {rate:9.0f} {length:15.1f} {rate * length:11.0f} {AIMS.get(racer.name, ''):>7}")


if __name__ == "__main__":
    main(sys.argv[1:] or library())
