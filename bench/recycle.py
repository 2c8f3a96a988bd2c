"""Measure random games from files per second of one core: the library, with the native Hearts in the same run.

    python -m bench.recycle [PROGRAM ...]

All play whole games the same way: choose a legal play at random, play. Then they play again, with the view of the
player on turn built before each choice. Programs are files or games of the library; by default, all of the library.
"""

from __future__ import annotations

import sys
from functools import partial
from random import Random

from bench.engines import medians, rate

from croupier.server.games.game import Dice
from croupier.server.games.hearts import Hearts
from croupier.server.games.recycle import library, load

ROUNDS = 9
SECONDS = 0.1
AIMS = {"hearts": 1000, "agram": 1500, "kuhn-poker": 15000}


class Racer:
    """A game, and how many decisions it took so far."""

    def __init__(self, rules: type, options: dict[str, str], rng: Random) -> None:
        self.rules = rules
        self.options = options
        self.rng = rng
        self.deal = Dice(rng)
        self.players = tuple(f"p{seat}" for seat in range(rules.SEATS[0]))
        self.games = self.decisions = 0

    def play(self) -> None:
        """Play a game."""
        game = self.rules(self.players, self.options, self.deal)
        while (seat := game.turn) is not None:
            game.play(seat, game.sample(self.rng))
            self.decisions += 1
        self.games += 1

    def seen(self) -> None:
        """Play a game in which every player is shown the view of the question."""
        game = self.rules(self.players, self.options, self.deal)
        while (seat := game.turn) is not None:
            game.view(seat)
            game.play(seat, game.sample(self.rng))


def main(programs: list[str]) -> None:
    """Race the programs and print the table."""
    rng = Random(1)
    racers = {"hearts, native": Racer(Hearts, {"variant": "seed"}, rng)}
    racers |= {program: Racer(load(program), {}, rng) for program in programs}
    races = {name: partial(rate, racer.play) for name, racer in racers.items()}
    races |= {f"{name}, seen": partial(rate, racer.seen) for name, racer in racers.items()}
    rates = medians(races, ROUNDS, SECONDS)
    print(f"{'game':24} {'games/s':>9} {'choices a game':>15} {'choices/s':>11} {'aim':>7} {'games/s, seen':>14}")
    for name, racer in racers.items():
        length, seen = racer.decisions / racer.games, rates[f"{name}, seen"]
        choices = rates[name] * length
        print(f"{name:24} {rates[name]:9.0f} {length:15.1f} {choices:11.0f} {AIMS.get(name, ''):>7} {seen:14.0f}")


if __name__ == "__main__":
    main(sys.argv[1:] or library())
