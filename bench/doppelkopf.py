"""Random Doppelkopf through the Game interface, beside our own Hearts: the same mechanics, the same way of asking.

    python -m bench.doppelkopf

Whole hands are played: ask whose turn it is, list what is legal, choose by chance, play. ``healthy`` leaves out
reservations and announcements, so that 48 cards stand beside Hearts' 52.
"""

from __future__ import annotations

from functools import partial
from random import Random
from typing import TYPE_CHECKING

from bench.engines import at_random, medians, rate

from croupier.server.games.doppelkopf.game import Doppelkopf
from croupier.server.games.game import Dice
from croupier.server.games.hearts import Hearts

if TYPE_CHECKING:
    from bench.engines import Race

ROUNDS = 7
SECONDS = 1.0


def healthy(rng: Random) -> Race:
    """Return the race of games with random cards and without anything said."""
    players, deal = ("a", "b", "c", "d"), Dice(rng)

    def play() -> None:
        game = Doppelkopf(players, {}, deal)
        while (seat := game.turn) is not None:
            game.play(seat, rng.choice([play for play in game.legal() if play[0] == "play"] or [("healthy",)]))

    return partial(rate, play)


def main() -> None:
    """Measure, and print games per second and the ratio to Hearts."""
    rng = Random(1)
    races = {
        "hearts, no passing": at_random(Hearts, {"pass": "none"}, rng),
        "doppelkopf, healthy": healthy(rng),
        "doppelkopf, anything": at_random(Doppelkopf, {}, rng),
    }
    found = medians(races, ROUNDS, SECONDS)
    for name, median in found.items():
        print(f"{name}: {median:,.0f} games/s; ratio {median / found['hearts, no passing']:.2f}")


if __name__ == "__main__":
    main()
