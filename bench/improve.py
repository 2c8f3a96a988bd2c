"""Ask whether a bot is better than itself, and than one that a margin separates: how often the answer is wrong.

    python -m bench.improve

Sets between real bots and patches of them are shifted to the true difference; runs draw from them. Prints the table of
docs/trust/stopping-evidence.md: the share of runs called better or accepted, and sets to a decision. Then come those
with bounds of strength. For these, sets are drawn with such frequencies that the true strength is one of the two.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from bench.populations import POPULATIONS

from croupier.server.tournaments.statistics.stopping import ALPHA, LEAST, Bounds, ratios, sequence
from croupier.server.tournaments.statistics.strength import advantage

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

RUNS, CHUNK, LONGEST = 2_000, 250, 1_000
STRENGTH = 40
MARGIN = 0.2
"""In standard deviations of a set's difference."""


def asked(games: Array, effect: float, seed: int = 0) -> str:
    """Return a row: until sure, the share called better and the sets; with bounds, the share accepted and the sets."""
    means = games.mean(axis=1)
    margin = MARGIN * means.std()
    moved = games - means.mean() + effect * margin
    worst = np.maximum(np.ptp(np.concatenate([games, 0 * games], axis=1), axis=1), LEAST)
    better, sets, accepted, tested = [], [], [], []
    dice = np.random.default_rng(seed)
    for _ in range(RUNS // CHUNK):
        chosen = dice.integers(len(games), size=(CHUNK, LONGEST))
        values, farthest = moved.mean(axis=1)[chosen], worst[chosen]
        low, high = sequence(values, farthest)
        first, where = _first((low > 0) | (high < 0) | ((low > -margin) & (high < margin)))
        better += (where & (low[np.arange(CHUNK), first] > 0)).tolist()
        sets += (first + 1).tolist()
        ratio = ratios(values, farthest, Bounds(0, margin))
        first, where = _first(np.abs(ratio) >= np.log((1 - ALPHA) / ALPHA))
        accepted += (where & (ratio[np.arange(CHUNK), first] > 0)).tolist()
        tested += (first + 1).tolist()
    return f"{np.mean(better):.1%} | {np.mean(sets):.0f} | {np.mean(accepted):.1%} | {np.mean(tested):.0f}"


def in_strength(games: Array, true: float, seed: int = 0) -> str:
    """Return a row for the bounds 0 and STRENGTH: the share of runs that accept the higher, and the sets."""
    shares = np.sign(np.concatenate([games, -games])).mean(axis=1) / 2
    weights = _tilted(shares, advantage(true))
    accepted, tested = [], []
    dice = np.random.default_rng(seed)
    for _ in range(RUNS // 4 // CHUNK):
        values = dice.choice(shares, size=(CHUNK, 2 * LONGEST), p=weights)
        ratio = ratios(values, np.full_like(values, LEAST), Bounds(0, advantage(STRENGTH)))
        first, where = _first(np.abs(ratio) >= np.log((1 - ALPHA) / ALPHA))
        accepted += (where & (ratio[np.arange(CHUNK), first] > 0)).tolist()
        tested += (first + 1).tolist()
    return f"{np.mean(accepted):.1%} | {np.mean(tested):.0f}"


def _tilted(shares: Array, mean: float) -> Array:
    """Return the frequencies of sets that give this mean: by the exponential family, found by bisection."""
    low, high = -50.0, 50.0
    for _ in range(60):
        middle = (low + high) / 2
        weights = np.exp(middle * shares)
        weights /= weights.sum()
        low, high = (middle, high) if weights @ shares < mean else (low, middle)
    return weights


def _first(sure: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    decided = sure.any(axis=1)
    return np.where(decided, sure.argmax(axis=1), sure.shape[1] - 1), decided


def main() -> None:
    """Print the table."""
    print("| population | true difference | called better | sets | `--sprt`: B accepted | sets |")
    print("|---|---|---|---|---|---|")
    for name, population in POPULATIONS.items():
        scores = population.play()
        for effect, said in ((0.0, "0"), (1.0, "the margin")):
            print(f"| {name} | {said} | {asked(scores[:, :, 0] - scores[:, :, 1], effect)} |", flush=True)
    print(f"\n| population | true strength | {STRENGTH} accepted | sets |\n|---|---|---|---|")
    for name, population in POPULATIONS.items():
        scores = population.play()
        for true in (0, STRENGTH):
            print(f"| {name} | {true} | {in_strength(scores[:, :, 0] - scores[:, :, 1], true)} |", flush=True)


if __name__ == "__main__":
    main()
