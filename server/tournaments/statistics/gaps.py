"""Gaps: whether two scores against the field differ, asked after every round without paying for the asking.

By how much each deal has moved the difference of two, the additive model says: these are the sets of a confidence
sequence (`stopping`), to whose spread comes what other tables might have changed. Of deals no more is kept than sums.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from croupier.server.tournaments.statistics.additive import Model, added_up
from croupier.server.tournaments.statistics.credit import Usual, credited_by
from croupier.server.tournaments.statistics.stopping import ALPHA, UNDECIDED, Decision, reach_of_t

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from croupier.server.games.game import Game
    from croupier.server.table.played import PlayedGame
    from croupier.server.tournaments.statistics.additive import Place
    from croupier.server.tournaments.statistics.columns import Columns, Places

    Array = NDArray[np.float64]
    Design = tuple[tuple[Place, int], ...]


class Moments(NamedTuple):
    """Deals from which the same places were played: how many, and the first two moments of what they brought."""

    deals: int
    total: Array
    squares: Array


class _Known(NamedTuple):
    """What all deals brought at a place, and the lowest and the highest mean that one did."""

    total: float
    games: float
    low: float
    high: float

    def and_then(self, total: float, games: int) -> _Known:
        """Return the same after one deal more."""
        mean = total / games
        return _Known(self.total + total, self.games + games, min(self.low, mean), max(self.high, mean))


_UNKNOWN = _Known(0.0, 0.0, np.inf, -np.inf)


class Gaps:
    """Pairs, names in alphabetical order, that are watched until each is decided, as `Watch` watches those who meet."""

    def __init__(
        self, rules: type[Game], pairs: Sequence[tuple[str, str]], margin: float | None = None, alpha: float = ALPHA
    ) -> None:
        self._rules, self._margin = rules, margin
        self._alpha = alpha / max(len(pairs), 1)
        self._usual = Usual()
        self._known: dict[Place, _Known] = {}
        self._moments: dict[Design, Moments] = {}
        self._deals: Counter[str] = Counter()
        self.decided = dict.fromkeys(pairs, UNDECIDED)

    def look(self, games: Iterable[PlayedGame] | Columns) -> None:
        """Look at a round that has been played since."""
        sums = added_up(credited_by(self._usual, games, self._rules), self._rules.PARTNERS)
        for rows in sums.by_deal():
            self._add([sums.places[at] for at in sums.place[rows].tolist()], sums.total[rows], sums.games[rows])
        if self._known:
            places = sorted(self._known)
            known = [self._known[place] for place in places]
            model = Model(places, np.array([each.games for each in known]), np.array([each.total for each in known]))
            extremes = np.array([(each.low, each.high) for each in known])
            self._decide(_Fitted(model, self._moments, extremes))

    def _add(self, places: Sequence[Place], scores: Array, games: Places) -> None:
        design = tuple(zip(places, games.tolist(), strict=True))
        known = self._moments.get(design, Moments(0, np.zeros(1), np.zeros(1)))
        squares = known.squares + np.outer(scores, scores)
        self._moments[design] = Moments(known.deals + 1, known.total + scores, squares)
        for (place, number), total in zip(design, scores.tolist(), strict=True):
            self._known[place] = self._known.get(place, _UNKNOWN).and_then(total, number)
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

    def __init__(self, model: Model, moments: Mapping[Design, Moments], extremes: Array) -> None:
        self.model = model
        self._levers = model.levers(model.ridge + model.matrix(model.games))
        self._at = self._levers.inverse @ (model.rows.T @ model.scores)
        self.means = model.sought @ self._at
        self._luck = np.zeros((model.bots, model.bots))
        self._farthest = np.zeros(model.bots)
        missed = np.abs(extremes.T - model.rows @ self._at).max(axis=0)
        index = {place: number for number, place in enumerate(model.places)}
        for design, each in moments.items():
            at = [index[place] for place, _ in design]
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
