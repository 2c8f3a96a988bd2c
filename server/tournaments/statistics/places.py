"""Places: who sat with whom and against whom, numbered as they come, so that what comes later is only added."""

from __future__ import annotations

from array import array
from math import comb
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.sparse import coo_array

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from croupier.server.table.played_game import Names

    Array = NDArray[np.float64]
    Numbers = NDArray[np.int64]


class SeatPlace(NamedTuple):
    """A bot at a table: with whom it shares its score, and against whom."""

    side: Names
    others: Names


class ScoreTerms(NamedTuple):
    """Of what the scores at places are sums: parallel arrays, a bot at a table after the other."""

    place: Numbers
    bot: Numbers
    opposed: Numbers
    """1 for who sits against the place, 0 for whose side it is."""
    share: Array


class Places:
    """Places, their bots and their tables, numbered as they come, or bots as they are given."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self.number = {name: number for number, name in enumerate(names)}
        self._index: dict[SeatPlace, int] = {}
        self._tables: dict[Names, int] = {}
        self._one, self._table = array("q"), array("q")
        self._whose, self._share = array("q"), array("d")
        self._most = 1, 0

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._index)

    @property
    def bots(self) -> int:
        """How many bots have sat there."""
        return len(self.number)

    @property
    def one(self) -> Numbers:
        """Whose score is that of each place."""
        return np.array(self._one)

    @property
    def table(self) -> Numbers:
        """At which table each place is, tables being numbered by who sits there."""
        return np.array(self._table)

    @property
    def terms(self) -> ScoreTerms:
        """Of what each score is the sum."""
        place, bot, opposed = np.array(self._whose).reshape(-1, 3).T
        return ScoreTerms(place, bot, opposed, np.array(self._share))

    def numbers(self, places: Iterable[SeatPlace]) -> Numbers:
        """Return the number of each; those that are new are added."""
        return np.array([self._number(place) for place in places], np.int64)

    def rows(self) -> Any:
        """Return of what each score is the sum, as scipy's sparse array: a row a place."""
        place, bot, opposed, share = self.terms
        return coo_array((share, (place, bot + opposed * self.bots)), (len(self), 2 * self.bots)).tocsr()

    def size_of_side(self) -> int:
        """Return how many share a score at most."""
        return self._most[0]

    def possible(self) -> int:
        """Return at how many tables each bot could sit."""
        side, others = self._most
        return comb(self.bots - 1, side - 1) * comb(self.bots - side, others)

    def _number(self, place: SeatPlace) -> int:
        number = self._index.setdefault(place, len(self._index))
        if number == len(self._one):
            self._add(number, place)
        return number

    def _add(self, number: int, place: SeatPlace) -> None:
        table = tuple(sorted((*place.side, *place.others)))
        self._table.append(self._tables.setdefault(table, len(self._tables)))
        for opposed, names in enumerate(place):
            for name in names:
                self._whose.extend((number, self.number.setdefault(name, len(self.number)), opposed))
                self._share.append(1 / len(names))
        self._one.append(self.number[place.side[0]])
        self._most = max(self._most[0], len(place.side)), max(self._most[1], len(place.others))
