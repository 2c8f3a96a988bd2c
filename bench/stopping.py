"""Watch simulated tournaments after every set: how often the stop is a false alarm, and how many sets it takes.

A classical sequential test runs on the same sets: Wald's with estimated spread, once for each side, as testers of chess
engines use it. ``python -m bench.stopping`` prints the tables of docs/trust/stopping-evidence.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from bench.coverage import POPULATIONS

from croupier.server.tournaments.statistics.stopping import ALPHA, sequence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Array = NDArray[np.float64]

TOURNAMENTS = 5_000
COMPARED = 1_000
WATCHED = 1_000
LONGEST = 4_000
CHUNK = 250
MARGIN = 0.2
"""The difference that matters, in standard deviations of a set's difference."""
EFFECTS = (0.0, 0.5, 1.0, 2.0, 4.0)
"""True differences, in margins."""
EARLIEST = 10


class Outcome(NamedTuple):
    """A rule's verdict on each tournament: after how many sets, and whether there is a difference."""

    sets: Array
    different: Array
    decided: Array

    def row(self) -> str:
        """Return a line of the table."""
        return f"{self.sets.mean():.0f} | {self.different.mean():.1%} | {(self.decided - self.different).mean():.1%}"


def drawn(games: Array, tournaments: int, size: int, effect: float, dice: np.random.Generator) -> tuple[Array, Array]:
    """Draw tournaments from sets shifted to a mean of ``effect`` deviations; return sets and worst games."""
    means, spread = games.mean(axis=1), games.mean(axis=1).std()
    moved = games - means.mean() + effect * spread
    chosen = dice.integers(len(games), size=(tournaments, size))
    return moved.mean(axis=1)[chosen], np.abs(moved).max(axis=1)[chosen]


def false_alarms(games: Array, seed: int = 0) -> float:
    """Return in how many tournaments between equals a difference was ever seen."""
    dice = np.random.default_rng(seed)
    alarms = 0
    for _ in range(TOURNAMENTS // CHUNK):
        low, high = sequence(*drawn(games, CHUNK, WATCHED, 0, dice))
        alarms += int(((low > 0) | (high < 0)).any(axis=1).sum())
    return alarms / TOURNAMENTS


def peeking(games: Array, seed: int = 0) -> float:
    """Return the same for looking at the ordinary interval after every set."""
    dice = np.random.default_rng(seed)
    values, _ = drawn(games, COMPARED, WATCHED, 0, dice)
    number, mean, spread = _moments(values)
    outside = np.abs(mean) > 1.96 * spread / np.sqrt(number)
    return float(outside[:, EARLIEST:].any(axis=1).mean())


def sure(values: Array, worst: Array, margin: float) -> Outcome:
    """Stop as ``--until-sure`` does."""
    low, high = sequence(values, worst)
    return _first((low > 0) | (high < 0), (low > -margin) & (high < margin))


def wald(values: Array, margin: float) -> Outcome:
    """Stop as two sequential likelihood ratio tests do: no difference against the margin, on either side."""
    number, mean, spread = _moments(values)
    up, down = (number * margin * (side * mean - margin / 2) / spread**2 for side in (1, -1))
    accept = np.log((1 - ALPHA) / (ALPHA / 2))
    reject = np.log(ALPHA / (1 - ALPHA / 2))
    started = number >= EARLIEST
    return _first(started & ((up > accept) | (down > accept)), started & (up < reject) & (down < reject))


def _moments(values: Array) -> tuple[Array, Array, Array]:
    number = np.arange(1, values.shape[1] + 1, dtype=float)
    mean = np.cumsum(values, axis=1) / number
    squares = np.cumsum(values**2, axis=1) - number * mean**2
    return number, mean, np.sqrt(np.maximum(squares, 1e-9) / np.maximum(number - 1, 1))


def _first(different: Array, alike: Array) -> Outcome:
    either = different | alike
    decided = either.any(axis=1)
    at = np.where(decided, either.argmax(axis=1), either.shape[1] - 1)
    return Outcome(at + 1.0, different[np.arange(len(at)), at] & decided, decided.astype(float))


def compared(games: Array, effect: float, seed: int = 0) -> tuple[Outcome, Outcome]:
    """Let both rules stop the same tournaments."""
    dice = np.random.default_rng(seed)
    margin = MARGIN * games.mean(axis=1).std()
    rules = []
    for _ in range(COMPARED // CHUNK):
        values, worst = drawn(games, CHUNK, LONGEST, effect * MARGIN, dice)
        rules.append((sure(values, worst, margin), wald(values, margin)))
    ours, theirs = zip(*rules, strict=True)
    return _joined(ours), _joined(theirs)


def _joined(parts: Sequence[Outcome]) -> Outcome:
    return Outcome(*map(np.concatenate, zip(*parts, strict=True)))


def main() -> None:
    """Print the tables."""
    populations = {name: make(count) for name, (make, count) in POPULATIONS.items()}
    print("| population | false alarms, watched 1,000 times | the same, ordinary intervals |\n|---|---|---|")
    for name, games in populations.items():
        print(f"| {name} | {false_alarms(games):.1%} | {peeking(games):.0%} |", flush=True)
    print(f"\n| {'true difference':15} | until sure: sets | different | alike | Wald: sets | different | alike |")
    print("|---|---|---|---|---|---|---|")
    for effect in EFFECTS:
        ours, theirs = compared(populations["Hearts, a difference"], effect)
        print(f"| {effect} margins | {ours.row()} | {theirs.row()} |", flush=True)


if __name__ == "__main__":
    main()
