"""Designs: deals from which the same places were played equally often, of which no more is kept than moments.

What a fit of all deals so far asks of them costs a product or two of small matrices, however many deals there were.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from croupier.server.tournaments.statistics.additive import PlaceSums

    Array = NDArray[np.float64]
    Numbers = NDArray[np.int64]


class Designs:
    """Of each design how many deals it had and what they brought at its places on average; of all, what they spread."""

    def __init__(self) -> None:
        self._number: dict[bytes, int] = {}
        self._ends = array("q", [0])
        self._places, self._games, self._means = array("q"), array("d"), array("d")
        self._deals: list[int] = []
        self._spread = np.zeros((2, 0, 2, 0))
        """What the deals of a design missed its mean by, as parameters, squared and added up over all designs."""

    def add(self, sums: PlaceSums, places: Numbers, rows: Any) -> None:
        """Take in deals; given by number their places, and the sums which the scores of all places are."""
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
        """Return by how much deals missed the scores expected at each place, as parameters, squared and added up."""
        games = self._by_place(self._games, len(scores))
        means = self._by_place(self._means, len(scores))
        missed = ((means - games * scores[None, :]) @ rows).toarray()
        missed *= np.sqrt(np.array(self._deals, float))[:, None]
        found: Array = self._spread.reshape(rows.shape[1], -1) + missed.T @ missed
        return found

    def most(self, moved: Array) -> Array:
        """Return the most that one deal brings of what a game at each place does; a row for each who is moved."""
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
        """Put deals to those of a design, a row each: the spread of both and that of their means add up."""
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
        """Make room for the parameters of so many bots."""
        more = bots - self._spread.shape[1]
        if more:
            self._spread = np.pad(self._spread, ((0, 0), (0, more), (0, 0), (0, more)))

    def _by_place(self, values: array[float], places: int) -> Any:
        """Return values of places as scipy's sparse array, a row a design."""
        return csr_array((np.array(values), np.array(self._places), np.array(self._ends)), (len(self._deals), places))
