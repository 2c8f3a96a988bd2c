"""Field: what each bot would score against all others, if it has not met all of them equally often.

The score is a least-squares fit to all games, with intervals from leaving out each deal in turn (the jackknife).
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import coo_array

from croupier.server.tournaments.statistics.additive import sum_by_place
from croupier.server.tournaments.statistics.intervals import Beside, Interval, sandwich_intervals

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from croupier.server.tournaments.statistics.additive import Levers, PlaceSums
    from croupier.server.tournaments.statistics.credit import Credited

    Array = NDArray[np.float64]
    Flags = NDArray[np.bool_]


def field(
    counted: Credited, partners: Sequence[Sequence[int]] = (), *, worst: float | None = None, sampled: bool = True
) -> list[Interval]:
    """Return each bot's mean score against the field; without bounds while tables do not connect everybody.

    ``worst`` is a possible score of any game, even if it has not occurred. ``sampled`` says that a bot's opponents are
    a sample of the field. Neighbors on a ladder are not, and there only a bot that has met all others has bounds.
    """
    names, nothing = counted.entries.games.names, Interval(None, None, None, 0)
    if not len(counted.score):
        return [nothing] * len(names)
    values, weights = counted.observations()
    sets = _sets(counted, weights > 0)
    fit = _Fit(sum_by_place(counted.entries, values, np.ones(len(values), bool), partners), sets)
    found = dict(zip(fit.model.names, fit.intervals(worst, sampled=sampled), strict=True))
    return [found.get(name, nothing) for name in names]


def field_means(counted: Credited, partners: Sequence[Sequence[int]] = ()) -> dict[str, float]:
    """Return each bot's mean score against the field, without its uncertainty, which costs most of the time."""
    if not len(counted.score):
        return {}
    values, _ = counted.observations()
    model = sum_by_place(counted.entries, values, np.ones(len(values), bool), partners).model()
    levers = model.levers(model.ridge + model.matrix(model.games))
    means = model.sought @ (levers.inverse @ (model.rows.T @ model.scores))
    return dict(zip(model.names, means.tolist(), strict=True))


class _Fit:
    """Least squares over all deals, and over all but each."""

    def __init__(self, sums: PlaceSums, sets: Mapping[str, int]) -> None:
        self.sums, self.sets = sums, sets
        self.deals = len(sums.deals)
        self.rows = list(sums.by_deal())
        self.model = sums.model()

    def intervals(self, worst: float | None, *, sampled: bool) -> list[Interval]:
        """Return the interval of each bot, in the order of the model's names."""
        model, sums, designs = self.model, self._right(), self._designs()
        whole = model.ridge.copy()
        whole += sum(self._matrix(numbers[0]) * len(numbers) for numbers in designs)
        levers = model.levers(whole)
        at = np.linalg.solve(whole, sums.sum(axis=0))
        means = model.sought @ at
        moved = np.zeros((self.deals, model.bots))
        for numbers in designs:
            rest = whole - self._matrix(numbers[0])
            without = np.linalg.solve(rest, sums.sum(axis=0)[:, None] - sums.T[:, numbers])
            moved[numbers] = means - (model.sought @ without).T
        moved *= 1 - 1 / self.deals
        missed = np.abs(model.rows @ at - worst) if worst is not None else np.zeros(len(model.places))
        farthest = np.array([(np.abs(moves) * missed).max() for moves in levers.moves])
        found = sandwich_intervals(
            means, moved, [self.sets[name] for name in model.names], farthest, self._company(levers, at, moved)
        )
        return [
            each if there else each.without_bounds
            for each, there in zip(found, model.estimable() & model.predictable(sampled=sampled), strict=True)
        ]

    def _company(self, levers: Levers, at: Array, moved: Array) -> Beside:
        """Return the uncertainty from the choice of tables, found by leaving out each table in turn.

        Scores are not quite additive. The effect of leaving out tables, beyond the luck of the deals, is scaled by the
        share of possible tables at which a bot has not been. A few tables of one bot may underestimate it, so it is at
        least the mean over all bots.
        """
        luck = (moved**2).sum(axis=0) * len(moved) / max(len(moved) - 1, 1)
        sat = self.model.tables_played
        spread = np.sum(np.square(self.model.jackknife(levers, at)), axis=0) * (1 - 1 / np.maximum(sat + 1, 1))
        beyond = np.maximum(spread - luck, 0)
        return Beside(self.model.never * np.maximum(beyond, beyond.mean()), sat)

    def _right(self) -> Array:
        """Return what each deal adds to the right side of the normal equations: a row per deal."""
        shape = (self.deals, len(self.model.places))
        totals = coo_array((self.sums.total, (self.sums.deal, self.sums.place)), shape)
        right: Array = (totals.tocsr() @ self.model.rows).toarray()
        return right

    def _designs(self) -> list[list[int]]:
        """Group the deals by design: which places were played how often. Deals of one design share a matrix."""
        designs: dict[bytes, list[int]] = defaultdict(list)
        for number, rows in enumerate(self.rows):
            designs[self.sums.place[rows].tobytes() + self.sums.games[rows].tobytes()].append(number)
        return list(designs.values())

    def _matrix(self, deal: int) -> Array:
        """Return what a deal adds to the matrix of the normal equations."""
        rows = self.rows[deal]
        games = np.bincount(self.sums.place[rows], self.sums.games[rows], len(self.model.places))
        return self.model.matrix(games.astype(float))


def _sets(counted: Credited, seen: Flags) -> dict[str, int]:
    """Count the deals of each entry with an observed score."""
    found, names = counted.entries, counted.entries.games.names
    each = np.unique(found.deal[seen] * len(names) + found.who[seen]) % len(names)
    return dict(zip(names, np.bincount(each, minlength=len(names)).tolist(), strict=True))
