"""Measure the exact solver: how long the rest of a hand takes with open cards, by game and number of cards left.

    python -m bench.solver [--game NAME ...] [--cards N ...] [--hands N]

The hands are those of the game's own bot, from the beginning of a trick; at Skat Nulls are left out. Times are
milliseconds of processor time for the value and a perfect line. Run it with and without the extra ``solver``.
"""

from __future__ import annotations

import argparse
import time
from random import Random
from statistics import fmean, median, quantiles
from typing import TYPE_CHECKING

from croupier.agents import bundled
from croupier.agents.driver import choose
from croupier.agents.search.perfect_lines import COMPILED, PerfectLines
from croupier.server import games
from croupier.server.games.game import Dice
from croupier.server.games.world import world_of
from croupier.server.thinking import SENSIBLE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from croupier.protocol.open_cards import OpenCards

NAMES = ("alice", "bob", "carol", "dave")
CARDS = {
    "skat": (12, 21, 24),
    "jass": (12, 20, 24),
    "doppelkopf": (12, 20, 24),
    "sedma": (8, 16),
    "hearts": (8, 16, 20),
}


def hands(name: str, cards: int) -> Iterator[OpenCards]:
    """Play deals to the first trick before which ``cards`` or fewer are left; yield those that can be solved."""
    rules, bot, number = games.find(name), bundled.make(SENSIBLE[name]), 0
    while True:
        number += 1
        game = rules(NAMES[: rules.SEATS[0]], {}, Dice(Random(f"solver {name} {number}")))
        world = world_of(game)
        while game.turn is not None and ((world.left() or cards + 1) > cards or game.trick):
            game.play(game.turn, choose(bot, game.view(game.turn)))
        hand = world.open_cards() if game.turn is not None else None
        if hand is not None and (hand.bounds is None or hand.worths):
            yield hand


def main() -> None:
    """Measure, and print a row for each game and number of cards."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--game", nargs="*", default=list(CARDS), choices=list(CARDS))
    parser.add_argument("--cards", nargs="*", type=int)
    parser.add_argument("--hands", type=int, default=60)
    how = parser.parse_args()
    print(f"{'compiled' if COMPILED else 'without numba'}, {how.hands} hands each; ms for a hand")
    print("| game | cards left | median | mean | nine of ten below |\n|---|---|---|---|---|", flush=True)
    for name in how.game:
        for cards in how.cards or CARDS[name]:
            took = []
            for _, hand in zip(range(how.hands), hands(name, cards), strict=False):
                began = time.process_time()
                PerfectLines(hand).begin_with(None)
                took.append(1000 * (time.process_time() - began))
            most = quantiles(took, n=10)[-1]
            print(f"| {name} | {cards} | {median(took):.2f} | {fmean(took):.2f} | {most:.2f} |", flush=True)


if __name__ == "__main__":
    main()
