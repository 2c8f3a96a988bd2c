"""Random Doppelkopf through the Game interface, beside our own Hearts: the same mechanics, the same way of asking.

    python bench/doppelkopf.py

Whole hands are played: ask whose turn it is, list what is legal, choose by chance, play. ``healthy`` leaves out
reservations and announcements, so that 48 cards stand beside Hearts' 52. The games take turns, a second each, so that
whatever else the machine does hits all, and the medians are compared.
"""

from __future__ import annotations

import random
import statistics
import time
from typing import TYPE_CHECKING

from croupier.server.games.doppelkopf import Doppelkopf
from croupier.server.games.game import Dice
from croupier.server.games.hearts import Hearts

if TYPE_CHECKING:
    from collections.abc import Callable

    from croupier.server.games.game import Play
    from croupier.server.games.tricks import TrickTaking

ROUNDS = 7
SECONDS = 1.0


def anything(game: TrickTaking, rng: random.Random) -> Play:
    """Choose any legal play."""
    return rng.choice(game.legal())


def healthy(game: TrickTaking, rng: random.Random) -> Play:
    """Choose any legal card, and say nothing."""
    plays = game.legal()
    return rng.choice([play for play in plays if play[0] == "play"] or [("healthy",)])


WAYS: dict[str, tuple[type[TrickTaking], dict[str, str | int], Callable[[TrickTaking, random.Random], Play]]] = {
    "hearts, no passing": (Hearts, {"pass": "none"}, anything),
    "doppelkopf, healthy": (Doppelkopf, {}, healthy),
    "doppelkopf, anything": (Doppelkopf, {}, anything),
}


def games(way: str, seconds: float, rng: random.Random) -> float:
    """Return how many whole games a second are played."""
    kind, options, choose = WAYS[way]
    deal, played, start = Dice(rng), 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        game = kind(("a", "b", "c", "d"), options, deal)
        while (seat := game.turn) is not None:
            game.play(seat, choose(game, rng))
        played += 1
    return played / (time.perf_counter() - start)


def main() -> None:
    """Measure, and print games a second and the ratio to Hearts."""
    rng = random.Random(1)
    rates: dict[str, list[float]] = {way: [] for way in WAYS}
    for _ in range(ROUNDS):
        for way, rate in rates.items():
            rate.append(games(way, SECONDS, rng))
    medians = {way: statistics.median(rate) for way, rate in rates.items()}
    first = next(iter(medians.values()))
    for way, median in medians.items():
        print(f"{way}: {median:,.0f} games/s; ratio {median / first:.2f}")


if __name__ == "__main__":
    main()
