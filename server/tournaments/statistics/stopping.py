"""Stopping: whether two players' difference is known, asked after every set without paying for the asking.

The interval is a *confidence sequence*: the chance that it ever leaves out the true mean, looked at as often as one
likes, is at most alpha. It mixes Student's likelihood ratio over normally distributed effects, Robbins' way (Lai 1976;
Wang and Ramdas, "Anytime-valid t-tests"), which is exact for normal set differences of unknown spread. For others of
finite variance it tends to the asymptotic confidence sequence of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas
("Time-uniform central limit theory", 2024). Both need sets that are independent and alike, which fresh deals between
unchanging players are.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from croupier.server.tournaments.statistics.credit import credited, opponents, places

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from croupier.server.games.game import Game
    from croupier.server.table.played import PlayedGame

    Array = NDArray[np.float64]

ALPHA = 0.05
EFFECT = 0.15
"""The difference, in standard deviations of a set's, for which the sequence is tightest; valid for all others too."""

LEAST = 1.0
"""Scores are whole numbers: games that all came out equal may still have missed this much."""


class Decision(NamedTuple):
    """What is known about a mean difference, and after how many sets it was decided; not yet if None."""

    sets: int
    low: float
    high: float
    verdict: Literal["different", "alike"] | None


def reach_of_t(sets: ArrayLike, alpha: float = ALPHA, effect: float = EFFECT) -> Array:
    """Return how far Student's t may go from 0 after so many sets before it proves a difference; infinite at first."""
    number = np.asarray(sets, float)
    growth = 1 + effect**2 * number
    odds = (np.sqrt(growth) / alpha) ** (2 / number)
    with np.errstate(divide="ignore", invalid="ignore"):
        square = (number - 1) * (odds - 1) / (1 - odds / growth)
    return np.sqrt(np.where(odds < growth, square, np.inf))


def sequence(differences: ArrayLike, worst: ArrayLike | None = None, alpha: float = ALPHA) -> tuple[Array, Array]:
    """Return the lower and upper bounds after each set, one row of ``differences`` a tournament.

    The spread is counted as if one set more had missed the mean by ``worst``, the largest difference that a game has
    shown so far: a few equal sets must not pass for certainty, and in the long run one set counts for nothing.
    """
    values = np.atleast_2d(np.asarray(differences, float))
    number = np.arange(1, values.shape[1] + 1)
    mean = np.cumsum(values, axis=1) / number
    squares = np.maximum(np.cumsum(values**2, axis=1) - number * mean**2, 0)
    largest = np.maximum.accumulate(
        np.abs(values if worst is None else np.atleast_2d(np.asarray(worst, float))), axis=1
    )
    spread = np.sqrt((squares + largest**2) / np.maximum(number - 1, 1))
    with np.errstate(invalid="ignore"):
        half = np.where(number > 1, reach_of_t(number, alpha) * np.maximum(spread, 1e-12) / np.sqrt(number), np.inf)
    return mean - half, mean + half


def decide(
    differences: ArrayLike, margin: float | None = None, worst: ArrayLike | None = None, alpha: float = ALPHA
) -> Decision:
    """Say whether the mean difference is not 0, or smaller than the margin that matters, and after how many sets."""
    low, high = (bounds[0] for bounds in sequence(differences, worst, alpha))
    if not len(low):
        return Decision(0, -np.inf, np.inf, None)
    different = (low > 0) | (high < 0)
    alike = (low > -margin) & (high < margin) if margin else np.zeros_like(different)
    sure = np.flatnonzero(different | alike)
    last = int(sure[0]) if len(sure) else len(low) - 1
    verdict: Literal["different", "alike"] = "different" if different[last] else "alike"
    return Decision(last + 1, float(low[last]), float(high[last]), verdict if len(sure) else None)


def decisions(
    games: Iterable[PlayedGame],
    rules: type[Game],
    pairs: Sequence[tuple[str, str]],
    margin: float | None = None,
    alpha: float = ALPHA,
) -> dict[tuple[str, str], Decision]:
    """Decide these pairs, names in alphabetical order, by the deals in theirs; alpha bounds the chance of any error."""
    sets: dict[tuple[str, str], dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for each in credited(list(games), rules):
        for one, other in opponents(places(each.game), rules):
            if each.comparable(one, other):
                sets[one, other][each.game.deal].append(each.scores[one] - each.scores[other])
    return {pair: _decide(sets[pair], margin, alpha / len(pairs)) for pair in pairs}


def _decide(deals: Mapping[int, Sequence[float]], margin: float | None, alpha: float) -> Decision:
    games = [deals[deal] for deal in sorted(deals)]
    means = [sum(sorted(differences)) / len(differences) for differences in games]
    return decide(means, margin, [max(LEAST, *map(abs, differences)) for differences in games], alpha)


def sure(decided: dict[tuple[str, str], Decision]) -> bool:
    """Say whether nothing is left to find out."""
    return all(decision.verdict for decision in decided.values())


def explained(decided: Mapping[tuple[str, str], Decision]) -> str:
    """Say why there is nothing left to find out."""
    verdicts = [decision.verdict for decision in decided.values()]
    different, alike = verdicts.count("different"), verdicts.count("alike")
    return f"sure: of {len(verdicts)} pairs {different} are different, {alike} differ by less than the margin"
