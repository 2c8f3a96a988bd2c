"""Field: what each bot would score against all others, where not everybody has met everybody equally often.

Least squares over all games find it, with intervals from leaving out each deal in turn (the jackknife).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import coo_array

from croupier.server.tournaments.statistics.additive import Model, scores_by_deal, totals
from croupier.server.tournaments.statistics.intervals import Beside, Interval, influenced

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from croupier.server.tournaments.statistics.additive import Levers, Place, Scores
    from croupier.server.tournaments.statistics.credit import Credited

    Array = NDArray[np.float64]
    Design = tuple[tuple[int, int], ...]


def field(
    played: Iterable[Credited],
    names: Sequence[str],
    partners: Sequence[Sequence[int]] = (),
    *,
    worst: float | None = None,
) -> list[Interval]:
    """Return each bot's mean score against the field; without bounds while tables do not link everybody.

    ``worst`` is a score that any game may bring, though none has so far.
    """
    deals = scores_by_deal(played, partners)
    if not deals:
        return [Interval(None, None, None, 0)] * len(names)
    fit = _Fit(deals)
    found = dict(zip(fit.model.names, fit.intervals(worst), strict=True))
    return [found.get(name, Interval(None, None, None, 0)) for name in names]


class _Fit:
    """Least squares over all deals, and over all but each."""

    def __init__(self, deals: Mapping[int, Mapping[Place, Scores]]) -> None:
        self.deals = [deals[deal] for deal in sorted(deals)]
        self.model = Model(totals(self.deals))

    def intervals(self, worst: float | None) -> list[Interval]:
        """Return the interval of each bot, in the order of the model's names."""
        model, sums, designs = self.model, self._sums(), self._designs()
        matrices = {design: model.matrix(self._games(design)) for design in designs}
        whole = model.ridge + sum(matrix * len(designs[design]) for design, matrix in matrices.items())
        levers = model.levers(whole)
        at = np.linalg.solve(whole, sums.sum(axis=0))
        means = model.sought @ at
        moved = np.zeros((len(self.deals), model.bots))
        for design, numbers in designs.items():
            without = np.linalg.solve(whole - matrices[design], sums.sum(axis=0)[:, None] - sums.T[:, numbers])
            moved[numbers] = means - (model.sought @ without).T
        moved *= 1 - 1 / len(self.deals)
        missed = np.abs(model.rows @ at - worst) if worst is not None else np.zeros(len(model.places))
        farthest = (np.abs(levers.moves) * missed).max(axis=1)
        found = influenced(means, moved, self._sets(), farthest, self._company(levers, at, moved))
        return [
            each if there else each._replace(low=None, high=None)
            for each, there in zip(found, model.known() & model.foretold(), strict=True)
        ]

    def _company(self, levers: Levers, at: Array, moved: Array) -> Beside:
        """Return what is uncertain because other tables might have been met: found by leaving out each table in turn.

        Bots do not quite add up. What leaving out tables changes beyond the luck of the deals counts for those at
        which a bot has not been, of all there could be.
        """
        luck = (moved**2).sum(axis=0) * len(moved) / max(len(moved) - 1, 1)
        sat = self.model.sat
        spread = np.sum(np.square(self.model.left(levers, at)), axis=0) * (1 - 1 / np.maximum(sat + 1, 1))
        return Beside(self.model.never * np.maximum(spread - luck, 0), sat)

    def _sums(self) -> Array:
        """Return what each deal adds to the right side of the normal equations: a row a deal."""
        listed = [
            (number, self.model.index[place], score.total)
            for number, deal in enumerate(self.deals)
            for place, score in deal.items()
        ]
        deal, place, total = zip(*listed, strict=True)
        shape = (len(self.deals), len(self.model.places))
        sums: Array = (coo_array((total, (deal, place)), shape).tocsr() @ self.model.rows).toarray()
        return sums

    def _designs(self) -> dict[Design, list[int]]:
        """Return how often each place was played from a deal, and from which deals just so."""
        designs: dict[Design, list[int]] = defaultdict(list)
        for number, scores in enumerate(self.deals):
            listed = ((self.model.index[place], score.games) for place, score in scores.items())
            designs[tuple(sorted(listed))].append(number)
        return designs

    def _games(self, design: Design) -> Array:
        games = np.zeros(len(self.model.places))
        at, number = np.array(design).T
        games[at] = number
        return games

    def _sets(self) -> list[int]:
        """Count the deals that each bot has played."""
        played = Counter(name for scores in self.deals for name in {place.side[0] for place in scores})
        return [played[name] for name in self.model.names]
