"""Gaps: whether two scores against the field differ, asked after every round without paying for the asking.

By how much each deal has moved the difference of two, the additive model says: these are the sets of a confidence
sequence (`stopping`), to whose spread comes what other tables might have changed. Of deals no more is kept than sums.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from croupier.server.tournaments.statistics.additive import Model, scores_by_deal, totals
from croupier.server.tournaments.statistics.credit import Usual, credited_by
from croupier.server.tournaments.statistics.stopping import ALPHA, UNDECIDED, Decision, reach_of_t

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from croupier.server.games.game import Game
    from croupier.server.table.played import PlayedGame
    from croupier.server.tournaments.statistics.additive import Place, Scores

    Array = NDArray[np.float64]
    Design = tuple[tuple[Place, int], ...]


class Moments(NamedTuple):
    """Deals from which the same places were played: how many, and the first two moments of what they brought."""

    deals: int
    total: Array
    squares: Array


class Gaps:
    """Pairs, names in alphabetical order, that are watched until each is decided, as `Watch` watches those who meet."""

    def __init__(
        self, rules: type[Game], pairs: Sequence[tuple[str, str]], margin: float | None = None, alpha: float = ALPHA
    ) -> None:
        self._rules, self._margin = rules, margin
        self._alpha = alpha / max(len(pairs), 1)
        self._usual = Usual(rules)
        self._totals: dict[Place, Scores] = {}
        self._extremes: dict[Place, tuple[float, float]] = {}
        self._moments: dict[Design, Moments] = {}
        self._deals: Counter[str] = Counter()
        self.decided = dict.fromkeys(pairs, UNDECIDED)

    def look(self, games: Sequence[PlayedGame]) -> None:
        """Look at a round that has been played since."""
        deals = scores_by_deal(credited_by(self._usual, games, self._rules), self._rules.PARTNERS)
        self._totals = totals(deals.values(), self._totals)
        for deal in deals.values():
            self._add(deal)
        if self._totals:
            self._decide(_Fitted(Model(self._totals), self._moments, self._extremes))

    def _add(self, deal: dict[Place, Scores]) -> None:
        places = sorted(deal)
        scores = np.array([deal[place].total for place in places])
        design = tuple((place, deal[place].games) for place in places)
        known = self._moments.get(design, Moments(0, np.zeros(1), np.zeros(1)))
        squares = known.squares + np.outer(scores, scores)
        self._moments[design] = Moments(known.deals + 1, known.total + scores, squares)
        for place in places:
            mean = deal[place].total / deal[place].games
            low, high = self._extremes.get(place, (mean, mean))
            self._extremes[place] = min(low, mean), max(high, mean)
        self._deals.update({place.side[0] for place in places})

    def _decide(self, fitted: _Fitted) -> None:
        known = dict(zip(fitted.model.names, fitted.model.known(), strict=True))
        for pair, decision in self.decided.items():
            if decision.verdict is None and all(known.get(name) for name in pair):
                one, other = (fitted.model.number[name] for name in pair)
                sets = max(self._deals[name] for name in pair)
                half = float(reach_of_t(sets, self._alpha)) * fitted.spread(one, other, sets)
                self.decided[pair] = self._judged(sets, fitted.means[one] - fitted.means[other], half)

    def _judged(self, sets: int, mean: float, half: float) -> Decision:
        low, high = float(mean - half), float(mean + half)
        if low > 0 or high < 0:
            return Decision(sets, low, high, "different")
        alike = self._margin is not None and -self._margin < low and high < self._margin
        return Decision(sets, low, high, "alike" if alike else None)


class _Fitted:
    """The model as it fits all rounds so far."""

    def __init__(
        self, model: Model, moments: Mapping[Design, Moments], extremes: Mapping[Place, tuple[float, float]]
    ) -> None:
        self.model = model
        self._levers = model.levers(model.ridge + model.matrix(model.games))
        self._at = self._levers.inverse @ (model.rows.T @ model.scores)
        self.means = model.sought @ self._at
        self._luck = np.zeros((model.bots, model.bots))
        self._farthest = np.zeros(model.bots)
        missed = np.abs(np.array([extremes[place] for place in model.places]).T - model.rows @ self._at).max(axis=0)
        for design, each in moments.items():
            at = [model.index[place] for place, _ in design]
            games = np.array([number for _, number in design])
            moves = self._levers.moves[:, at]
            self._luck += moves @ self._missed(at, games, each) @ moves.T
            self._farthest = np.maximum(self._farthest, np.abs(moves) @ (games * missed[at]))
        left = model.left(self._levers, self._at)
        self._others = left.T @ left

    def _missed(self, at: list[int], games: Array, each: Moments) -> Array:
        """Return by how much these deals have missed what was expected at these places, squared and added up."""
        expected = games * (self.model.rows[at] @ self._at)
        mixed = np.outer(each.total, expected)
        missed: Array = each.squares - mixed - mixed.T + each.deals * np.outer(expected, expected)
        return missed

    def spread(self, one: int, other: int, sets: int) -> float:
        """Return the spread of the difference of two means after so many sets, and one that went as badly as any."""
        luck = _between(self._luck, one, other) + (self._farthest[one] + self._farthest[other]) ** 2
        luck *= sets / max(sets - 1, 1)
        unmet = max(self.model.never[one], self.model.never[other])
        return float(np.sqrt(luck + unmet * max(_between(self._others, one, other) - luck, 0)))


def _between(covariance: Array, one: int, other: int) -> float:
    """Return the variance of the difference of two."""
    return float(covariance[one, one] + covariance[other, other] - 2 * covariance[one, other])
