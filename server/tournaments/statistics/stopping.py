"""Stopping: whether two players' difference is known, checked after every set without a statistical cost.

An interval is a *confidence sequence*: the chance that it ever excludes the true mean, however often it is looked at,
is at most alpha. It mixes Student's likelihood ratio over normally distributed effects, after Robbins (Lai 1976; Wang
and Ramdas, "Anytime-valid t-tests"), which is exact for normal set differences of unknown spread. For other
distributions of finite variance it tends to the asymptotic confidence sequence of Waudby-Smith, Arbour, Sinha, Kennedy
and Ramdas ("Time-uniform central limit theory", 2024). Both need independent and identically distributed sets, which
fresh deals between unchanging players are.

If a whole interval is not needed, there is the sequential test known from chess engines (SPRT). Given two bounds A < B:
is the mean difference A or less, or B or more? After each set the likelihood ratio of the two is compared with Wald's
limits. The unknown spread of a set's difference is, for each bound, the one that fits best (the generalized ratio).
Both errors are at most ALPHA for normal differences in the long run. The mean of skewed sets is correlated with their
spread, so that a low mean looks more certain than it is; Hall's transformation corrects that.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from croupier.server.tournaments.statistics.credit import Usual, credit_with, opposing_pairs
from croupier.server.tournaments.statistics.intervals import CARRIED, FINE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from croupier.server.games.game import Game
    from croupier.server.table.played_game import PlayedGame
    from croupier.server.tournaments.statistics.columns import Columns

    Array = NDArray[np.float64]


ALPHA = 0.05
EARLIEST = 10
"""With fewer sets, the spread is not known well enough for a likelihood ratio."""
UNSEEN_SKEW = 1.5
"""The factor by which a distribution is more skewed than a sample without its longest tail."""
NEXT_TO_NOTHING = 1e-18
LIMIT = float(np.log((1 - ALPHA) / ALPHA))
"""Wald's limit: a ratio this far from 0, on either side, decides."""
SKEWED = 2.0
"""More skewed sets are called lopsided: the error rates may be twice the stated ones, or more."""
EFFECT = 0.15
"""The difference, in standard deviations of a set's, for which the sequence is tightest; valid for all others too."""
LEAST = 1.0
"""Scores are integers, so games that all came out equal may still be this far off the mean."""


# Power sums of the sets, from which each look computes what it needs


class PowerSums(NamedTuple):
    """The power sums of the sets so far: no set itself is kept."""

    sets: int = 0
    total: float = 0.0
    squares: float = 0.0
    cubes: float = 0.0
    fourths: float = 0.0
    low: float = np.inf
    high: float = -np.inf
    worst: float = 0.0
    """The largest difference of a single game."""

    @classmethod
    def of_counts(cls, results: Sequence[float], counts: Sequence[int]) -> PowerSums:
        """Return the sums of sets of which each result occurred this many times."""
        total, squares, cubes, fourths = (
            sum(n * result**power for result, n in zip(results, counts, strict=True)) for power in range(1, 5)
        )
        seen = [result for result, n in zip(results, counts, strict=True) if n]
        ends = min(seen, default=np.inf), max(seen, default=-np.inf)
        return cls(sum(counts), total, squares, cubes, fourths, *ends, LEAST if seen else 0.0)

    def and_then(self, differences: Sequence[float], worst: Sequence[float]) -> PowerSums:
        """Return the sums after these sets as well."""
        values = np.array([differences])
        powers = zip(range(1, 5), self[1:5], strict=True)
        total, squares, cubes, fourths = (float(add_up(values**power, before)[0, -1]) for power, before in powers)
        ends = min(self.low, *differences), max(self.high, *differences)
        return PowerSums(self.sets + len(differences), total, squares, cubes, fourths, *ends, max(self.worst, *worst))


NOTHING = PowerSums()


class Moments(NamedTuple):
    """The moments after each set, one row per run."""

    sets: Array
    mean: Array
    squares: Array
    """Sums of squared deviations from the mean; ``cubes`` of their third powers."""
    cubes: Array
    unseen: Array
    """What another set might add to ``squares``: any set, or any game while a few sets dominate."""


def moments(differences: ArrayLike, worst: ArrayLike | None = None, before: PowerSums = NOTHING) -> Moments:
    """Return the moments after each set, one row of ``differences`` per run; ``worst`` is a game's, by set.

    As in `intervals`, up to twice the variance is added while few sets dominate.
    """
    values = np.atleast_2d(np.asarray(differences, float))
    number = before.sets + np.arange(1, values.shape[1] + 1)
    total, two, three, four = (add_up(values**power, before[power]) for power in range(1, 5))
    mean = total / number
    squares = np.maximum(two - number * mean**2, 0)
    cubes = three - 3 * mean * two + 2 * number * mean**3
    fourths = np.maximum(four - 4 * mean * three + 6 * mean**2 * two - 3 * number * mean**4, 0)
    shown = np.abs(values if worst is None else np.atleast_2d(np.asarray(worst, float)))
    game = np.maximum(np.maximum.accumulate(shown, axis=1), before.worst)
    high = np.maximum(np.maximum.accumulate(values, axis=1), before.high)
    low = np.minimum(np.minimum.accumulate(values, axis=1), before.low)
    farthest = np.maximum(high - mean, mean - low)
    carried = squares**2 / np.maximum(fourths, FINE**4)
    few = squares * (CARRIED / np.maximum(carried, CARRIED)) ** 2
    unseen = np.where(carried >= CARRIED, np.minimum(farthest**2 + few, game**2), game**2)
    return Moments(number.astype(float), mean, squares, cubes, unseen)


def add_up(values: Array, before: float) -> Array:
    """Return cumulative sums from an initial value, with exactly the bits of adding everything at once."""
    return np.cumsum(np.insert(values, 0, before, axis=1), axis=1)[:, 1:]


# The likelihood ratio


class Bounds(NamedTuple):
    """The two mean differences to decide between; the higher one is better."""

    low: float
    high: float


class Tested(NamedTuple):
    """Which of the bounds was accepted, and after how many sets; None if neither is yet."""

    sets: int
    ratio: float
    """Its logarithm."""
    skew: float
    """The skewness of the sets."""
    accepted: Literal["low", "high"] | None


def ratios(differences: ArrayLike, worst: ArrayLike, bounds: Bounds, before: PowerSums = NOTHING) -> Array:
    """Return the logarithm of the likelihood ratio after each set, one row of ``differences`` per run.

    As in the confidence sequence, the spread includes another set as far from the mean as any so far.
    """
    return _ratios(moments(differences, worst, before), bounds)


def _ratios(found: Moments, bounds: Bounds) -> Array:
    variance = np.maximum((found.squares + found.unseen) / found.sets, NEXT_TO_NOTHING)
    skew = UNSEEN_SKEW * found.cubes / found.sets / variance**1.5
    low, high = (_straight((found.mean - bound) / np.sqrt(variance), skew, found.sets) for bound in bounds)
    return np.where(found.sets < EARLIEST, 0.0, found.sets / 2 * np.log((1 + low**2) / (1 + high**2)))


def _straight(off: Array, skew: Array, sets: Array) -> Array:
    """Return a mean's deviation in spreads, corrected for skewed sets (a transformation by Hall, 1992)."""
    return np.asarray(off + skew * off**2 / 3 + skew**2 * off**3 / 27 + skew / (6 * sets))


def sprt(differences: ArrayLike, worst: ArrayLike, bounds: Bounds, before: PowerSums = NOTHING) -> Tested:
    """Return which of the bounds fits the mean difference, looking after every set."""
    found = moments(differences, worst, before)
    ratio = _ratios(found, bounds)[0]
    if not len(ratio):
        return Tested(before.sets, 0.0, 0.0, None)
    sure = np.flatnonzero(np.abs(ratio) >= LIMIT)
    last = int(sure[0]) if len(sure) else len(ratio) - 1
    squares = max(float(found.squares[0, last]), NEXT_TO_NOTHING)
    skew = float(found.cubes[0, last]) * float(np.sqrt(found.sets[last])) / squares**1.5
    accepted: Literal["low", "high"] = "high" if ratio[last] > 0 else "low"
    return Tested(before.sets + last + 1, float(ratio[last]), skew, accepted if len(sure) else None)


# The confidence sequence


class Decision(NamedTuple):
    """The knowledge about a mean difference, and after how many sets it was decided; None if not yet."""

    sets: int
    low: float
    high: float
    verdict: Literal["different", "alike"] | None


UNDECIDED = Decision(0, -np.inf, np.inf, None)


def t_boundary(sets: ArrayLike, alpha: float = ALPHA, effect: float = EFFECT) -> Array:
    """Return the bound of Student's t beyond which a difference is proved after this many sets; infinite at first."""
    number = np.asarray(sets, float)
    growth = 1 + effect**2 * number
    odds = (np.sqrt(growth) / alpha) ** (2 / number)
    with np.errstate(divide="ignore", invalid="ignore"):
        square = (number - 1) * (odds - 1) / (1 - odds / growth)
    return np.sqrt(np.where(odds < growth, square, np.inf))


def sequence(
    differences: ArrayLike, worst: ArrayLike | None = None, alpha: float = ALPHA, before: PowerSums = NOTHING
) -> tuple[Array, Array]:
    """Return the lower and upper bounds after each set, one row of ``differences`` per tournament.

    The spread includes another set as far from the mean as any, or, while a few sets dominate, as the largest
    difference of a game, ``worst``. A few equal sets must not pass for certainty, and in the long run one set does not
    matter.
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
    """Decide whether the mean difference is not 0, or below the margin that matters, and after how many sets."""
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
    """Pairs, in alphabetical order, watched until each is decided; alpha limits the chance of any error.

    No game is kept, so a look costs as much as the number of new sets.
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
        """Take further sets into account, in the order of their deals."""
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
    """Return whether everything is decided."""
    return all(decision.verdict for decision in decided.values())


def explain(decided: Mapping[tuple[str, str], Decision]) -> str:
    """Return why the results are clear."""
    verdicts = [decision.verdict for decision in decided.values()]
    different, alike = verdicts.count("different"), verdicts.count("alike")
    return f"sure: of {len(verdicts)} pairs {different} are different, {alike} differ by less than the margin"
