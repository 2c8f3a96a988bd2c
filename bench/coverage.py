"""Count how often an interval of 95 percent contains the truth, with the set as its unit and with the game.

Sets of real games between simple players are the population, whose mean is known; tournaments are drawn from it.
``python -m bench.coverage`` prints the table of docs/trust/statistics-evidence.md; with ``--draw`` it draws
docs/pictures/coverage.svg too.
"""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from bench.pictures import Line, chart
from bench.sets import high, low, sets, uniform
from scipy.special import stdtrit

from croupier.server.tournaments.statistics.intervals import ratio_intervals

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Population = NDArray[np.float64]
    """Scores by set and game."""

SIZES = (10, 30, 100, 1000)
TOURNAMENTS = 5_000
CHUNK = 250
PICTURE = Path(__file__).parent.parent / "docs" / "pictures" / "coverage.svg"


def hearts(count: int) -> Population:
    """One careful player among three careless ones, four rotations; low wins."""
    return sets("hearts", [low, uniform, uniform, uniform], count, 4, "coverage")[:, :, 0]


def hearts_difference(count: int) -> Population:
    """By how much a careful player takes less than one at his table who plays high."""
    scores = sets("hearts", [low, high, low, high], count, 4, "coverage")
    return scores[:, :, 0] - scores[:, :, 1]


def jass(count: int) -> Population:
    """Two players of low cards against two of high ones, in both seatings."""
    return sets("jass", [low, high, low, high], count, 2, "coverage")[:, :, 0]


def sedma(count: int) -> Population:
    """One pair against eight others on the same deals, in both seatings: sixteen games per deal."""
    others = [uniform, high, low] * 3
    tables = [sets("sedma", [low, one, low, other], count, 2, "coverage") for one, other in pairwise(others)]
    return np.concatenate([table[:, :, 0] - table[:, :, 1] for table in tables], axis=1)


def long_tail(count: int) -> Population:
    """Not a game: sets of four from a log-normal distribution, with one in twenty-five beyond three times the usual."""
    dice = np.random.default_rng(1)
    deals = dice.lognormal(0, 0.4, (count, 1))
    return deals * dice.lognormal(0, 0.5, (count, 4))


POPULATIONS = {
    "Hearts, a player's mean": (hearts, 4_000),
    "Hearts, a difference": (hearts_difference, 4_000),
    "Jass, both ways round": (jass, 4_000),
    "Sedma, eight opponents": (sedma, 3_000),
    "a long tail, invented": (long_tail, 100_000),
}


def coverage(population: Population, size: int, tournaments: int = TOURNAMENTS, seed: int = 0) -> tuple[float, float]:
    """Return the share of tournaments of ``size`` sets whose interval contains the mean: by sets if shown, by games."""
    dice = np.random.default_rng([seed, size])
    truth = population.mean()
    by_sets, by_games = [], []
    for _ in range(0, tournaments, CHUNK):
        games = population[dice.integers(len(population), size=(CHUNK, size))]
        by_sets.append(_by_sets(games))
        by_games.append(_by_games(games))
    return _held(np.concatenate(by_sets), truth), _held(np.concatenate(by_games), truth)


def _by_sets(games: Population) -> NDArray[np.float64]:
    """Return low and high of each tournament as the standings compute them, where they show any."""
    tournaments, size, _ = games.shape
    owners = np.repeat(np.arange(tournaments), size)
    intervals = ratio_intervals(owners, np.tile(np.arange(size), tournaments), games.mean(axis=2).ravel(), tournaments)
    return np.array([(each.low, each.high) for each in intervals if not each.few]).reshape(-1, 2)


def _by_games(games: Population) -> NDArray[np.float64]:
    """Return low and high as if every game had a fresh deal."""
    flat = games.reshape(len(games), -1)
    count = flat.shape[1]
    half = stdtrit(count - 1, 0.975) * flat.std(axis=1, ddof=1) / np.sqrt(count)
    return np.stack([flat.mean(axis=1) - half, flat.mean(axis=1) + half], axis=1)


def _held(bounds: NDArray[np.float64], truth: float) -> float:
    return float(((bounds[:, 0] <= truth) & (truth <= bounds[:, 1])).mean())


def main() -> None:
    """Print the table and draw the picture."""
    print("| population | unit | " + " | ".join(f"{size} sets" for size in SIZES) + " |")
    print("|---|---|" + "---|" * len(SIZES))
    lines = []
    for name, (make, count) in POPULATIONS.items():
        population = make(count)
        by_size = [coverage(population, size) for size in SIZES]
        for place, unit in enumerate(("set", "game")):
            shares = [both[place] for both in by_size]
            print(f"| {name} | {unit} | " + " | ".join(f"{share:.1%}" for share in shares) + " |")
            sys.stdout.flush()
            lines.append(Line(name, f"unit: {unit}", [100 * share for share in shares]))
    if "--draw" in sys.argv:
        PICTURE.write_text(
            chart("Intervals of 95 % that hold the truth, in per cent", SIZES, " sets", lines, (75, 100), 95)
        )


if __name__ == "__main__":
    main()
