"""Count playouts per second, from the deal to the end: random ones, and those of the searching bot.

    python -m bench.playouts [GAME ...]

Processor time is counted. The benches of the games compare random games with other engines; their first lines say how.
"""

from __future__ import annotations

import sys
import time
from random import Random
from typing import TYPE_CHECKING

from croupier.agents.search.playout import Playout
from croupier.server import games
from croupier.server.games.game import Dice
from croupier.server.games.world import world_of
from croupier.server.thinking import Thinker

if TYPE_CHECKING:
    from collections.abc import Callable

    from croupier.server.games.game import Game

NAMES = ("alice", "bob", "carol", "dave")
SECONDS = 0.5
DECISIONS = 20
"""After this many decisions a game is retold and imagined."""


def seconds_of(act: Callable[[], object]) -> float:
    """Return a function's mean processor time."""
    began, times = time.process_time(), 0
    while (spent := time.process_time() - began) < SECONDS:
        act()
        times += 1
    return spent / times


def middle(rules: type[Game], sensible: Playout) -> Game:
    """Return a game after ``decisions`` decisions, the same each time; one whose hand was thrown in is skipped."""
    rng = Random(1)
    while True:
        game = rules(NAMES[: rules.SEATS[0]], {}, Dice(rng))
        for _ in range(DECISIONS):
            if game.turn is not None:
                game.play(game.turn, sensible.choose(world_of(game)) or game.sample(rng))
        if game.turn is not None:
            return game


def row(name: str) -> str:
    """Measure one game: playouts from the deal, then the work per decision and per world in its middle."""
    rules, rng = games.find(name), Random(1)
    players, sensible, chance = NAMES[: rules.SEATS[0]], Thinker().playout(name), Playout(None)
    by_chance = seconds_of(lambda: chance.finish(world_of(rules(players, {}, Dice(rng))), 0, rng))
    by_bot = seconds_of(lambda: sensible.finish(world_of(rules(players, {}, Dice(rng))), 0, rng))
    game = middle(rules, sensible)
    seat = game.turn or 0
    told = seconds_of(lambda: rules.WORLD.of_view(rules, game.view(seat)))
    imagined = seconds_of(lambda: world_of(game).determinize(seat, rng).game)
    return f"| {name} | {1 / by_chance:,.0f} | {1 / by_bot:,.0f} | {1e6 * told:.0f} | {1e6 * imagined:.0f} |"


def main() -> None:
    """Measure, and print a table for bench/NOTES.md."""
    print(
        "| game | by chance, a second | by its bot, a second | told again, µs | imagined, µs |\n|---|---|---|---|---|"
    )
    for name in sys.argv[1:] or games.BUNDLED:
        print(row(name), flush=True)


if __name__ == "__main__":
    main()
