"""Count how often the intervals of small tournaments between real bots contain the truth, and how often they are shown.

    python -m bench.small [TOURNAMENTS]

Sets between bundled bots and patches of them are the population, whose mean is known. Tournaments of a few sets are
drawn from it: the mean of the first player, its difference to the second, and its strength. Prints the table of
docs/trust/statistics-evidence.md: the share of shown intervals that contain the truth, and the share shown if that is
not all.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import numpy as np
from bench.populations import POPULATIONS

from croupier.server.games import find
from croupier.server.tournaments.statistics.intervals import ratio_intervals
from croupier.server.tournaments.statistics.strength import Comparisons, strengths

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bench.populations import Population
    from numpy.typing import NDArray

    from croupier.server.tournaments.statistics.intervals import Interval

    Array = NDArray[np.float64]

SIZES = (5, 10, 30, 60, 100)
TOURNAMENTS, FITTED = 5_000, 1_000
LEAST_SHOWN = 0.02
"""If fewer intervals than this are shown, their share is not printed, because it would be chance."""


def of_values(values: Array, size: int, tournaments: int, worst: float | None = None, seed: int = 0) -> str:
    """Judge the interval of a mean; ``values`` has a row per set and a column per game."""
    dice = np.random.default_rng([seed, size])
    drawn = values[dice.integers(len(values), size=(tournaments, size))]
    games = values.shape[1]
    groups = np.repeat(np.arange(tournaments), size * games)
    units = np.tile(np.repeat(np.arange(size), games), tournaments)
    return judged(ratio_intervals(groups, units, drawn.ravel(), tournaments, worst=worst), values.mean())


def of_strength(won: Array, tied: Array, size: int, tournaments: int, seed: int = 0) -> str:
    """Judge the interval of the first player's strength over the second's: shares of each set, of two players."""
    dice = np.random.default_rng([seed, size])
    truth = fitted(won, tied)[0].mean
    assert truth is not None
    chosen = dice.integers(len(won), size=(tournaments, size))
    return judged([fitted(won[places], tied[places])[0] for places in chosen], truth)


def fitted(won: Array, tied: Array) -> list[Interval]:
    """Fit two players to games, given as an array with a row per set."""
    sets, games = won.shape
    zeros = np.zeros(won.size, np.int64)
    unit = np.repeat(np.arange(sets), games)
    return strengths(Comparisons(zeros, zeros + 1, unit, (won + tied / 2).ravel()), 2)


def judged(intervals: Sequence[Interval], truth: float) -> str:
    """Return the share of the shown intervals that contain the truth, and in brackets the share shown."""
    shown = [(each.low, each.high) for each in intervals if each.low is not None and each.high is not None]
    share = len(shown) / len(intervals)
    if share < LEAST_SHOWN:
        return "none"
    held = sum(low <= truth <= high for low, high in shown) / len(shown)
    return f"{held:.1%}" if share == 1 else f"{held:.1%} ({share:.0%})"


def rows(population: Population, tournaments: int, fits: int) -> Iterable[tuple[str, list[str]]]:
    """Yield the name of each estimate, and its cell at each size."""
    scores = population.play()
    mine, yours = scores[:, :, 0], scores[:, :, 1]
    yield "mean", [of_values(mine, size, tournaments, find(population.game).PENALTY) for size in SIZES]
    yield "difference", [of_values(mine - yours, size, tournaments) for size in SIZES]
    won, tied = (mine > yours).astype(float), (mine == yours).astype(float)
    yield "strength", [of_strength(won, tied, size, fits) for size in SIZES]


def main() -> None:
    """Print the table."""
    tournaments = int(sys.argv[1]) if sys.argv[1:] else TOURNAMENTS
    print("| population | interval of | " + " | ".join(f"{size} sets" for size in SIZES) + " |")
    print("|---|---|" + "---|" * len(SIZES))
    for name, population in POPULATIONS.items():
        for what, cells in rows(population, tournaments, min(tournaments, FITTED)):
            print(f"| {name} | {what} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
