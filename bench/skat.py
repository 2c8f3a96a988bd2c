"""Measure random Skat through the Game interface; with an interpreter that has it, also the engine to compare with.

    python -m bench.skat [INTERPRETER]

Both play whole games the same way: ask whose turn it is, choose a legal play at random, play. The other engine is the
module ``pyspiel`` of the named interpreter. Its cards are dealt once as it asks for them, by 32 random choices, and
once by the fastest deal that it accepts, from a shuffled list. The games are not the same: the other engine has no
auction by values, no hand games and no announcements, and its games end without a value.
"""

from __future__ import annotations

from functools import partial
from random import Random
from typing import TYPE_CHECKING

from bench.engines import OPENSPIEL, compare, others, rate

from croupier.server.games.game import Dice
from croupier.server.games.skat.game import Skat

if TYPE_CHECKING:
    from bench.engines import Race

ROUNDS = 25
SECONDS = 0.2

THEIRS = """
def game(deal):
    game = pyspiel.load_game("skat")
    cards = list(range(32))
    def play():
        finish(game.new_initial_state(), deal, cards)
    return play
"""


def ours(rng: Random, *, checked: bool) -> Race:
    """Return the race of our own game, each play checked before it is played or not."""
    deal = Dice(rng)

    def play() -> None:
        game = Skat(("a", "b", "c"), {}, deal)
        while (seat := game.turn) is not None:
            chosen = game.sample(rng)
            if checked:
                game.check(seat, chosen)
            game.play(seat, chosen)

    return partial(rate, play)


def main() -> None:
    """Measure, and print games a second and the ratios."""
    rng = Random(1)
    with others(OPENSPIEL + THEIRS) as engines:
        for checked, title in ((False, "plays not checked"), (True, "every play checked")):
            races = {f"skat, {title}": ours(rng, checked=checked)}
            for engine in engines:
                for deal, how in (("ask", "dealt as it asks"), ("list", "dealt from a list")):
                    races[f"{engine.name}, {how}"] = engine.race(deal)
            compare(races, ROUNDS, SECONDS)


if __name__ == "__main__":
    main()
