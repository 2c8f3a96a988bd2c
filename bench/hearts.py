"""Measure random Hearts through the Game interface; with an interpreter that has it, also the engine to compare with.

    python -m bench.hearts [INTERPRETER]

Both play whole games the same way: ask whose turn it is, list the legal plays, choose one at random, play. The other
engine is the module ``pyspiel`` of the named interpreter. Its cards are dealt once as it asks for them, by 52 random
choices, and once by the fastest deal that it accepts, from a shuffled list.
"""

from __future__ import annotations

from random import Random

from bench.engines import OPENSPIEL, at_random, compare, others

from croupier.server.games.hearts import Hearts

ROUNDS = 25
SECONDS = 0.2

THEIRS = """
def game(way, deal):
    game = pyspiel.load_game("hearts", {"pass_cards": way == "pass", "qs_breaks_hearts": False})
    cards = list(range(52))
    def play():
        state = game.new_initial_state()
        state.apply_action(rng.randrange(1, 4) if way == "pass" else 0)
        finish(state, deal, cards)
    return play
"""


def main() -> None:
    """Measure, and print games a second and the ratios."""
    rng = Random(1)
    with others(OPENSPIEL + THEIRS) as engines:
        for way, title, passing in (("none", "no passing", "none"), ("pass", "three cards passed", "left")):
            races = {f"hearts, {title}": at_random(Hearts, {"pass": passing}, rng)}
            for engine in engines:
                for deal in ("chance", "list"):
                    races[f"{engine.name}, dealt by {deal}"] = engine.race(way, deal)
            compare(races, ROUNDS, SECONDS)


if __name__ == "__main__":
    main()
