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

from croupier.server.tournaments.statistics.credit import Usual, credit_with, opposing_pairs
from croupier.server.tournaments.statistics.moments import NOTHING, moments

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from croupier.server.games.game import Game
    from croupier.server.table.played_game import PlayedGame
    from croupier.server.tournaments.statistics.columns import Columns
    from croupier.server.tournaments.statistics.moments import PowerSums

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


UNDECIDED = Decision(0, -np.inf, np.inf, None)


def t_boundary(sets: ArrayLike, alpha: float = ALPHA, effect: float = EFFECT) -> Array:
    """Return how far Student's t may go from 0 after so many sets before it proves a difference; infinite at first."""
    number = np.asarray(sets, float)
    growth = 1 + effect**2 * number
    odds = (np.sqrt(growth) / alpha) ** (2 / number)
    with np.errstate(divide="ignore", invalid="ignore"):
        square = (number - 1) * (odds - 1) / (1 - odds / growth)
    return np.sqrt(np.where(odds < growth, square, np.inf))


def sequence(
    differences: ArrayLike, worst: ArrayLike | None = None, alpha: float = ALPHA, before: PowerSums = NOTHING
) -> tuple[Array, Array]:
    """Return the lower and upper bounds after each set, one row of ``differences`` a tournament.

    The spread is counted as if one set more had come that missed the mean by as much as any, or as the largest
    difference of a game, ``worst``, while a few sets carry all that is known: a few equal sets must not pass for
    certainty, and in the long run one set counts for nothing.
    """
    found = moments(differences, worst, before)
    spread = np.sqrt((found.squares + found.unseen) / np.maximum(found.sets - 1, 1))
    with np.errstate(invalid="ignore"):
        reach = t_boundary(found.sets, alpha) * np.maximum(spread, 1e-12) / np.sqrt(found.sets)
    half = np.where(found.sets > 1, reach, np.inf)
    return found.mean - half, found.mean + half


def decide(
    differences: ArrayLike,
    margin: float | None = None,
    worst: ArrayLike | None = None,
    alpha: float = ALPHA,
    before: PowerSums = NOTHING,
) -> Decision:
    """Say whether the mean difference is not 0, or smaller than the margin that matters, and after how many sets."""
    low, high = (bounds[0] for bounds in sequence(differences, worst, alpha, before))
    if not len(low):
        return Decision(before.sets, -np.inf, np.inf, None)
    different = (low > 0) | (high < 0)
    alike = (low > -margin) & (high < margin) if margin else np.zeros_like(different)
    sure = np.flatnonzero(different | alike)
    last = int(sure[0]) if len(sure) else len(low) - 1
    verdict: Literal["different", "alike"] = "different" if different[last] else "alike"
    return Decision(before.sets + last + 1, float(low[last]), float(high[last]), verdict if len(sure) else None)


class Watch:
    """Pairs, names in alphabetical order, that are watched until each is decided; alpha bounds the chance of any error.

    No game is kept: a look costs as much as the sets that have come since the last one.
    """

    def __init__(
        self, rules: type[Game], pairs: Sequence[tuple[str, str]], margin: float | None = None, alpha: float = ALPHA
    ) -> None:
        self._rules, self._margin = rules, margin
        self._alpha = alpha / max(len(pairs), 1)
        self._usual = Usual()
        self._sums = dict.fromkeys(pairs, NOTHING)
        self.decided = dict.fromkeys(pairs, UNDECIDED)

    def look(self, games: Iterable[PlayedGame] | Columns) -> None:
        """Look at sets that have been played since, in the order of their deals."""
        sets: dict[tuple[str, str], dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
        counted = credit_with(self._usual, games, self._rules)
        pairs = counted.comparable(opposing_pairs(counted.entries, self._rules))
        one, other = map(counted.entries.names, pairs)
        deals_of = counted.entries.deal[pairs.one].tolist()
        for pair, deal, gain in zip(zip(one, other, strict=True), deals_of, counted.gain(pairs).tolist(), strict=True):
            sets[pair][deal].append(gain)
        for pair, deals in sets.items():
            if pair in self.decided and self.decided[pair].verdict is None:
                self._see(pair, [deals[deal] for deal in sorted(deals)])

    def _see(self, pair: tuple[str, str], games: Sequence[Sequence[float]]) -> None:
        means = [sum(sorted(differences)) / len(differences) for differences in games]
        worst = [max(LEAST, *map(abs, differences)) for differences in games]
        before = self._sums[pair]
        self.decided[pair] = decide(means, self._margin, worst, self._alpha, before)
        self._sums[pair] = before.and_then(means, worst)


def decisions(
    games: Iterable[PlayedGame] | Columns,
    rules: type[Game],
    pairs: Sequence[tuple[str, str]],
    margin: float | None = None,
    alpha: float = ALPHA,
) -> dict[tuple[str, str], Decision]:
    """Decide these pairs by all games at once."""
    watch = Watch(rules, pairs, margin, alpha)
    watch.look(games)
    return watch.decided


def is_sure(decided: Mapping[tuple[str, str], Decision]) -> bool:
    """Return whether nothing is left to find out."""
    return all(decision.verdict for decision in decided.values())


def explain(decided: Mapping[tuple[str, str], Decision]) -> str:
    """Say why there is nothing left to find out."""
    verdicts = [decision.verdict for decision in decided.values()]
    different, alike = verdicts.count("different"), verdicts.count("alike")
    return f"sure: of {len(verdicts)} pairs {different} are different, {alike} differ by less than the margin"
