"""Gaps: whether two scores against the field differ, checked after every round without a statistical cost.

The additive model gives each deal's effect on the difference of two bots. These effects are the sets of a confidence
sequence (`stopping`), with the uncertainty from the choice of tables added to their spread. For deals with the same
design, only sums are kept: a fit of all deals then needs a product or two of small matrices, however many deals there
were.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from croupier.server.tournaments.statistics.additive import Model, Places, sum_by_place
from croupier.server.tournaments.statistics.credit import Usual, credit_with
from croupier.server.tournaments.statistics.stopping import ALPHA, UNDECIDED, Decision, t_boundary

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from croupier.server.games.game import Game
    from croupier.server.table.played_game import PlayedGame
    from croupier.server.tournaments.statistics.additive import PlaceSums
    from croupier.server.tournaments.statistics.columns import Columns

    Array = NDArray[np.float64]
    Numbers = NDArray[np.int64]


class Designs:
    """For each design its number of deals and their mean at its places; for all together, the spread."""

    def __init__(self) -> None:
        self._number: dict[bytes, int] = {}
        self._ends = array("q", [0])
        self._places, self._games, self._means = array("q"), array("d"), array("d")
        self._deals: list[int] = []
        self._spread = np.zeros((2, 0, 2, 0))
        """The deals' deviations from their design's mean, as parameters, squared and summed over all designs."""

    def add(self, sums: PlaceSums, places: Numbers, rows: Any) -> None:
        """Add deals, with the numbers of their places and the terms of the scores at all places."""
        alike: dict[bytes, list[slice]] = defaultdict(list)
        place = places[sums.place]
        for each in sums.by_deal():
            alike[place[each].tobytes() + sums.games[each].tobytes()].append(each)
        self._grow(rows.shape[1] // 2)
        for design, deals in alike.items():
            there = deals[0]
            number = self._number_of(design, place[there], sums.games[there])
            self._merge(number, np.array([sums.total[each] for each in deals]), rows[place[there]])

    def residual_squares(self, scores: Array, rows: Any) -> Array:
        """Return the deals' deviations from the scores expected at each place, as parameters, squared and summed."""
        games = self._by_place(self._games, len(scores))
        means = self._by_place(self._means, len(scores))
        missed = ((means - games * scores[None, :]) @ rows).toarray()
        missed *= np.sqrt(np.array(self._deals, float))[:, None]
        found: Array = self._spread.reshape(rows.shape[1], -1) + missed.T @ missed
        return found

    def most(self, moved: Array) -> Array:
        """Return the largest effect of one deal, given the effect of a game at each place; a row per bot."""
        found: Array = (self._by_place(self._games, moved.shape[1]) @ moved.T).max(axis=0)
        return found

    def _number_of(self, design: bytes, places: Numbers, games: Numbers) -> int:
        """Return the number of a design, which may be new."""
        number = self._number.setdefault(design, len(self._number))
        if number == len(self._deals):
            self._deals.append(0)
            self._places.extend(places.tolist())
            self._games.extend(games.tolist())
            self._means.extend([0.0] * len(places))
            self._ends.append(len(self._places))
        return number

    def _merge(self, number: int, scores: Array, rows: Any) -> None:
        """Add deals, a row each, to a design: the spreads of both and that of their means add up."""
        own = slice(self._ends[number], self._ends[number + 1])
        before, mean = np.array(self._means[own]), scores.mean(axis=0)
        new, old = len(scores), self._deals[number]
        weight = old * new / (old + new)
        apart = (scores - mean) @ rows
        between = (mean - before) @ rows
        added = apart.T @ apart + weight * np.outer(between, between)
        self._spread += added.reshape(self._spread.shape)
        self._means[own] = array("d", (before + (mean - before) * new / (old + new)).tolist())
        self._deals[number] += new

    def _grow(self, bots: int) -> None:
        """Make room for the parameters of this many bots."""
        more = bots - self._spread.shape[1]
        if more:
            self._spread = np.pad(self._spread, ((0, 0), (0, more), (0, 0), (0, more)))

    def _by_place(self, values: array[float], places: int) -> Any:
        """Return values of places as scipy's sparse array, a row per design."""
        return csr_array((np.array(values), np.array(self._places), np.array(self._ends)), (len(self._deals), places))


class _Brought(NamedTuple):
    """The sums and numbers of games at each place over all deals, and the lowest and highest mean of a deal."""

    total: Array
    games: Array
    low: Array
    high: Array

    def and_then(self, places: Numbers, total: Array, games: Numbers) -> _Brought:
        """Return the same after more deals, given their sums by place."""
        count = max(len(self.total), places.max(initial=-1) + 1)
        empty = (0.0, 0.0, np.inf, -np.inf)
        found = _Brought(
            *(np.append(had, np.full(count - len(had), fill)) for had, fill in zip(self, empty, strict=True))
        )
        np.add.at(found.total, places, total)
        np.add.at(found.games, places, games)
        np.minimum.at(found.low, places, total / games)
        np.maximum.at(found.high, places, total / games)
        return found


class Gaps:
    """Pairs, in alphabetical order, watched until each is decided, as `Watch` does for pairs that meet."""

    def __init__(
        self, rules: type[Game], pairs: Sequence[tuple[str, str]], margin: float | None = None, alpha: float = ALPHA
    ) -> None:
        self._rules, self._margin = rules, margin
        self._alpha = alpha / max(len(pairs), 1)
        self._usual = Usual()
        self._places, self._designs = Places(), Designs()
        self._brought = _Brought(*np.empty((4, 0)))
        self._deals = np.zeros(0, np.int64)
        self.decided = dict.fromkeys(pairs, UNDECIDED)

    def look(self, games: Iterable[PlayedGame] | Columns) -> None:
        """Take the games of another round into account."""
        counted = credit_with(self._usual, games, self._rules)
        self._add(sum_by_place(counted.entries, counted.score, counted.seen, self._rules.PARTNERS))
        if len(self._places):
            model = Model(self._places, self._brought.games, self._brought.total)
            self._decide(_Fitted(model, self._designs, self._brought))

    def _add(self, sums: PlaceSums) -> None:
        places = self._places.numbers(sums.places)
        place, bots = places[sums.place], self._places.bots
        self._brought = self._brought.and_then(place, sums.total, sums.games)
        self._designs.add(sums, places, self._places.rows())
        played = np.bincount(np.unique(sums.deal * bots + self._places.one[place]) % bots, minlength=bots)
        self._deals = played + np.pad(self._deals, (0, bots - len(self._deals)))

    def _decide(self, fitted: _Fitted) -> None:
        model = fitted.model
        known = model.estimable()
        pairs, numbers = [], []
        for pair, decision in self.decided.items():
            at = [model.number.get(name, -1) for name in pair]
            if decision.verdict is None and min(at) >= 0 and known[at].all():
                pairs.append(pair)
                numbers.append(at)
        one, other = np.array(numbers, np.int64).reshape(-1, 2).T
        sets = np.maximum(self._deals[one], self._deals[other])
        with np.errstate(invalid="ignore"):
            half = t_boundary(sets, self._alpha) * fitted.spread(one, other, sets)
        means = fitted.means[one] - fitted.means[other]
        for pair, *found in zip(pairs, sets.tolist(), means.tolist(), half.tolist(), strict=True):
            self.decided[pair] = self._judge(*found)

    def _judge(self, sets: int, mean: float, half: float) -> Decision:
        low, high = mean - half, mean + half
        if low > 0 or high < 0:
            return Decision(sets, low, high, "different")
        alike = self._margin is not None and -self._margin < low and high < self._margin
        return Decision(sets, low, high, "alike" if alike else None)


class _Fitted:
    """The model fitted to all rounds so far."""

    def __init__(self, model: Model, designs: Designs, brought: _Brought) -> None:
        self.model = model
        levers = model.levers(model.ridge + model.matrix(model.games))
        at = levers.inverse @ (model.rows.T @ model.scores)
        scores = model.rows @ at
        self.means = model.sought @ at
        self._luck = levers.asked @ designs.residual_squares(scores, model.rows) @ levers.asked.T
        farthest = np.maximum(np.abs(brought.low - scores), np.abs(brought.high - scores))
        self._farthest = designs.most(np.abs(levers.moves) * farthest)
        left = model.jackknife(levers, at) if model.never.any() else np.zeros((1, model.bots))
        self._others = left.T @ left
        self._least = 2 * np.maximum(self._others.diagonal() - self._luck.diagonal(), 0).mean()

    def spread(self, one: Numbers, other: Numbers, sets: Numbers) -> Array:
        """Return the spreads of differences of two means after ``sets`` sets, as if one more had gone badly."""
        luck = _between(self._luck, one, other) + (self._farthest[one] + self._farthest[other]) ** 2
        luck *= sets / np.maximum(sets - 1, 1)
        unmet = np.maximum(self.model.never[one], self.model.never[other])
        beyond = np.maximum(_between(self._others, one, other) - luck, self._least)
        found: Array = np.sqrt(luck + unmet * beyond)
        return found


def _between(covariance: Array, one: Numbers, other: Numbers) -> Array:
    """Return the variances of differences of two."""
    found: Array = covariance[one, one] + covariance[other, other] - 2 * covariance[one, other]
    return found
