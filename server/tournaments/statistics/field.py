"""Field: what each bot would score against all others, where not everybody has met everybody equally often.

A score is taken for the sum of what the bot brings and what its opponents leave it, both the same at every table: least
squares over all games, with intervals from leaving out each deal in turn (the jackknife).
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from croupier.server.tournaments.statistics.intervals import Beside, Interval, influenced

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from croupier.server.table.played import Names
    from croupier.server.tournaments.statistics.credit import Credited

    Array = NDArray[np.float64]
    Flags = NDArray[np.bool_]
    Design = tuple[tuple[int, int], ...]

RIDGE = 0.01
"""What one brings, the others are left less, as far as games do not tell otherwise: worth far less than a game."""
NEXT_TO_NOTHING = 1e-6
ONE_SIDED = 1 / 3
"""How far from an even share of its games to all of them one other may be beside a bot whose score is known."""


class Place(NamedTuple):
    """A bot at a table: with whom it shares its score, and against whom."""

    side: Names
    others: Names


class Scores(NamedTuple):
    """What was scored at a place on a deal, in how many games."""

    total: float
    games: int


NONE = Scores(0, 0)


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
    there = sorted({place.side[0] for scores in deals.values() for place in scores})
    found = dict(zip(there, _Fit(deals, there).intervals(worst), strict=True)) if there else {}
    return [found.get(name, Interval(None, None, None, 0)) for name in names]


def scores_by_deal(
    played: Iterable[Credited], partners: Sequence[Sequence[int]] = ()
) -> dict[int, dict[Place, Scores]]:
    """Add up the games of each deal by place."""
    deals: dict[int, dict[Place, Scores]] = defaultdict(dict)
    known: dict[tuple[Names, str], Place] = {}
    for game, scores, *_ in played:
        here = deals[game.deal]
        for name, score in scores.items():
            place = known.get((game.seating, name))
            if place is None:
                place = known[game.seating, name] = _place(game.seating, name, partners)
            total, games = here.get(place, NONE)
            here[place] = Scores(total + score, games + 1)
    return deals


def _place(seating: Names, name: str, partners: Sequence[Sequence[int]]) -> Place:
    at = seating.index(name)
    side = next((seats for seats in partners if at in seats), (at,))
    own = {name, *(seating[seat] for seat in side)}
    mine = [name, *sorted(own - {name})]
    return Place(tuple(mine), tuple(sorted(other for other in seating if other not in own)))


def _met(place: Place) -> Names:
    return (*place.side[1:], *place.others)


class _Fit:
    """Least squares: for each bot what it brings to its side, then for each what it leaves the others."""

    def __init__(self, deals: Mapping[int, Mapping[Place, Scores]], names: Sequence[str]) -> None:
        self.deals = [deals[deal] for deal in sorted(deals)]
        self.bots = len(names)
        self.number = {name: number for number, name in enumerate(names)}
        self.places = sorted({place for scores in self.deals for place in scores})
        self.index = {place: number for number, place in enumerate(self.places)}
        self.rows = np.array([self._row(place) for place in self.places])
        self.sought = self._field()
        both = np.tile(np.eye(self.bots) - 1 / self.bots, (2, 2))
        shifted = np.repeat([1.0, -1.0], self.bots)
        self.ridge = RIDGE * both + np.outer(shifted, shifted) + NEXT_TO_NOTHING * np.eye(2 * self.bots)

    def _row(self, place: Place) -> Array:
        row = np.zeros(2 * self.bots)
        for name in place.side:
            row[self.number[name]] += 1 / len(place.side)
        for name in place.others:
            row[self.bots + self.number[name]] += 1 / len(place.others)
        return row

    def _field(self) -> Array:
        """Return what is asked for each bot: its mean score with and against every other equally often."""
        size = max(len(place.side) for place in self.places)
        others = (1 - np.eye(self.bots)) / max(self.bots - 1, 1)
        return np.hstack([np.eye(self.bots) / size + others * (size - 1) / size, others])

    def intervals(self, worst: float | None) -> list[Interval]:
        """Fit all deals, and all without each."""
        sums = self._sums()
        designs = self._designs()
        matrices = {design: self._matrix(design) for design in designs}
        whole = self.ridge + sum(matrix * len(designs[design]) for design, matrix in matrices.items())
        at = np.linalg.solve(whole, sums.sum(axis=0))
        means = self.sought @ at
        moved = np.zeros((len(self.deals), self.bots))
        for design, numbers in designs.items():
            without = np.linalg.solve(whole - matrices[design], sums.sum(axis=0)[:, None] - sums.T[:, numbers])
            moved[numbers] = means - (self.sought @ without).T
        moved *= 1 - 1 / len(self.deals)
        missed = np.abs(self.rows @ at - worst) if worst is not None else np.zeros(len(self.places))
        farthest = (np.abs(self.sought @ np.linalg.solve(whole, self.rows.T)) * missed).max(axis=1)
        found = influenced(means, moved, self._sets(), farthest, self._company(whole, at, moved))
        known = self._varied() & self._linked()
        return [each if there else each._replace(low=None, high=None) for each, there in zip(found, known, strict=True)]

    def _company(self, whole: Array, at: Array, moved: Array) -> Beside:
        """Return what is uncertain because other tables might have been met: found by leaving out each table in turn.

        Bots do not quite add up. What leaving out tables changes beyond the luck of the deals counts for those whom a
        bot has not met.
        """
        lever = np.linalg.solve(whole, self.rows.T)
        games, scores = self._totals()
        missed = scores / games - self.rows @ at
        left = [self._without(np.array(table), lever, games, missed) for table in self._tables().values()]
        luck = (moved**2).sum(axis=0) * len(moved) / max(len(moved) - 1, 1)
        sat = np.array([sum(place.side[0] == name for place in self.places) for name in self.number])
        never = 1 - (self._beside() > 0).sum(axis=1) / max(self.bots - 1, 1)
        spread = np.sum(np.square(left), axis=0) * (1 - 1 / np.maximum(sat, 1))
        return Beside(never * np.maximum(spread - luck, 0), sat - 1.0)

    def _without(self, table: NDArray[np.int64], lever: Array, games: Array, missed: Array) -> Array:
        """Return how far each bot's score would be from what it is, had this table not been played."""
        pulled = self.rows[table] @ lever[:, table] * games[table]
        alone = np.linalg.lstsq(np.eye(len(table)) - pulled, missed[table], rcond=None)[0]
        moved: Array = self.sought @ lever[:, table] @ (games[table] * alone)
        return moved

    def _totals(self) -> tuple[Array, Array]:
        """Return the games at each place, and their scores added up."""
        games, totals = np.zeros(len(self.places)), np.zeros(len(self.places))
        for deal in self.deals:
            for place, score in deal.items():
                games[self.index[place]] += score.games
                totals[self.index[place]] += score.total
        return games, totals

    def _tables(self) -> dict[Names, list[int]]:
        """Return the places of each table, by who sits there."""
        tables: dict[Names, list[int]] = defaultdict(list)
        for number, place in enumerate(self.places):
            tables[tuple(sorted((*place.side, *place.others)))].append(number)
        return tables

    def _sums(self) -> Array:
        """Return what each deal adds to the right side of the normal equations: a row a deal."""
        totals = [
            (number, self.index[place], score.total)
            for number, deal in enumerate(self.deals)
            for place, score in deal.items()
        ]
        deal, place, total = zip(*totals, strict=True)
        shape = (len(self.deals), len(self.places))
        sums: Array = coo_array((total, (deal, place)), shape).tocsr() @ self.rows
        return sums

    def _designs(self) -> dict[Design, list[int]]:
        """Return how often each place was played from a deal, and from which deals just so."""
        designs: dict[Design, list[int]] = defaultdict(list)
        for number, scores in enumerate(self.deals):
            designs[tuple(sorted((self.index[place], score.games) for place, score in scores.items()))].append(number)
        return designs

    def _matrix(self, design: Design) -> Array:
        """Return the normal equations' matrix of a deal from which these places were played so often."""
        at, games = np.array(design).T
        rows = self.rows[at]
        matrix: Array = (rows * games[:, None]).T @ rows
        return matrix

    def _sets(self) -> list[int]:
        """Count the deals that each bot has played."""
        played = [{place.side[0] for place in scores} for scores in self.deals]
        return [sum(name in there for there in played) for name in self.number]

    def _beside(self) -> Array:
        """Return in what share of the games of one, a row each, each other one was at the table."""
        beside = np.zeros((self.bots, self.bots))
        games, _ = self._totals()
        for place, number in zip(self.places, games, strict=True):
            one = self.number[place.side[0]]
            beside[one, [self.number[name] for name in _met(place)]] += number
            beside[one, one] += number
        shares: Array = beside / beside.diagonal()[:, None]
        np.fill_diagonal(shares, 0)
        return shares

    def _varied(self) -> Flags:
        """Say who had company that changed: of nobody much more than of anybody where all meet alike."""
        shares = self._beside()
        alike = shares.sum(axis=1) / max(self.bots - 1, 1)
        return np.asarray(shares.max(axis=1) <= alike + (1 - alike) * ONE_SIDED + NEXT_TO_NOTHING)

    def _linked(self) -> bool:
        """Say whether everybody has met everybody, by whatever detour."""
        one, other = np.nonzero(self._beside())
        graph = coo_array((np.ones(len(one)), (one, other)), (self.bots, self.bots))
        return bool(connected_components(graph, directed=False)[0] == 1)
