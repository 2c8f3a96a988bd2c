"""Additive: a bot's score as the sum of its own side's contributions and what its opponents concede, at every table.

This module knows nothing of deals: it fits the sums of games at each place, which is who sat with whom and against
whom. Places are numbered as they occur, so that later ones are only added.
"""

from __future__ import annotations

from array import array
from functools import cached_property
from itertools import pairwise, starmap
from math import comb
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from croupier.server.table.played_game import Names
    from croupier.server.tournaments.statistics.columns import Entries

    Array = NDArray[np.float64]
    Numbers = NDArray[np.int64]
    Flags = NDArray[np.bool_]


class SeatPlace(NamedTuple):
    """A bot at a table: its side, which shares its score, and its opponents."""

    side: Names
    others: Names


class ScoreTerms(NamedTuple):
    """The terms of the scores at places, as parallel arrays with an item for each bot at each table."""

    place: Numbers
    bot: Numbers
    opposed: Numbers
    """1 for an opponent of the place, 0 for its side."""
    share: Array


class Places:
    """Places, their bots and their tables, numbered as they occur, or bots in the given order."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self.number = {name: number for number, name in enumerate(names)}
        self._index: dict[SeatPlace, int] = {}
        self._tables: dict[Names, int] = {}
        self._one, self._table = array("q"), array("q")
        self._whose, self._share = array("q"), array("d")
        self._most = 1, 0

    def __len__(self) -> int:
        """Return the number of games."""
        return len(self._index)

    @property
    def bots(self) -> int:
        """The number of bots."""
        return len(self.number)

    @property
    def one(self) -> Numbers:
        """The bot of each place."""
        return np.array(self._one)

    @property
    def table(self) -> Numbers:
        """The table of each place; tables are numbered by who sits there."""
        return np.array(self._table)

    @property
    def terms(self) -> ScoreTerms:
        """The terms of each score."""
        place, bot, opposed = np.array(self._whose).reshape(-1, 3).T
        return ScoreTerms(place, bot, opposed, np.array(self._share))

    def numbers(self, places: Iterable[SeatPlace]) -> Numbers:
        """Return the number of each place; new ones are added."""
        return np.array([self._number(place) for place in places], np.int64)

    def rows(self) -> Any:
        """Return the terms of each score as scipy's sparse array, a row per place."""
        place, bot, opposed, share = self.terms
        return coo_array((share, (place, bot + opposed * self.bots)), (len(self), 2 * self.bots)).tocsr()

    def size_of_side(self) -> int:
        """Return the largest number of bots that share a score."""
        return self._most[0]

    def possible(self) -> int:
        """Return the number of tables at which each bot could sit."""
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


RIDGE = 0.01
"""A small penalty that, where games do not decide, takes a bot's contribution as what others concede less.

It weighs far less than a game.
"""
NEXT_TO_NOTHING = 1e-6
ONE_SIDED = 1 / 3
"""A bot's score is known only if no other one's share of its games is farther than this from the even share to all."""
AT_ONCE = 1_000
"""This many tables are left out at a time, to keep the arrays small."""
MIXED = 0.9
"""The share of all games in which opponents must have changed to predict scores against bots not met."""


class Levers(NamedTuple):
    """The solution of the normal equations: the inverse matrix, and how a score moves each quantity sought."""

    inverse: Array
    asked: Array
    """By the quantity sought for each bot, a row each, and by parameter."""
    moves: Array
    """By bot, a row each, and by place."""


class PlaceSums(NamedTuple):
    """The scores on deals at places, added up: a row each, in the order of deals, then of places."""

    deals: Numbers
    places: tuple[SeatPlace, ...]
    deal: Numbers
    """As an index into ``deals``."""
    place: Numbers
    total: Array
    games: Numbers

    def by_deal(self) -> Iterable[slice]:
        """Yield the rows of each deal."""
        ends = np.searchsorted(self.deal, np.arange(len(self.deals) + 1)).tolist()
        return starmap(slice, pairwise(ends))

    def model(self) -> Model:
        """Return the model fitted to all deals together."""
        known = Places(sorted({place.side[0] for place in self.places}))
        numbers = known.numbers(self.places)
        games, total = (np.bincount(numbers[self.place], each, len(known)) for each in (self.games, self.total))
        return Model(known, games.astype(float), total.astype(float))


def sum_by_place(found: Entries, score: Array, rows: Flags, partners: Sequence[Sequence[int]] = ()) -> PlaceSums:
    """Add up the games of each deal by place, for the rows in ``rows``; ``score`` has an item for every row."""
    games = found.games
    seating, seat = games.seating[found.game[rows]], found.seat[rows]
    seated, holder = np.unique(seating * games.width + seat, return_inverse=True)
    sitting = (divmod(each, games.width) for each in seated.tolist())
    listed = [_place(games.seatings[seating], seat, partners) for seating, seat in sitting]
    places = sorted(set(listed))
    number = {place: at for at, place in enumerate(places)}
    place = np.array([number[each] for each in listed], np.int64)[holder]
    deals, deal = np.unique(found.deal[rows], return_inverse=True)
    codes, row = np.unique(deal * len(places) + place, return_inverse=True)
    total = np.bincount(row, score[rows]).astype(float)
    return PlaceSums(deals, tuple(places), codes // len(places), codes % len(places), total, np.bincount(row))


def _place(seating: Names, at: int, partners: Sequence[Sequence[int]]) -> SeatPlace:
    name = seating[at]
    side = next((seats for seats in partners if at in seats), (at,))
    own = {name, *(seating[seat] for seat in side)}
    mine = [name, *sorted(own - {name})]
    return SeatPlace(tuple(mine), tuple(sorted(other for other in seating if other not in own)))


class Model:
    """The parameters: for each bot its contribution to its side, then for each what it concedes to the others."""

    def __init__(self, places: Places, games: Array, scores: Array) -> None:
        self.places, self.games, self.scores = places, games, scores
        self.number, self.names, self.bots = places.number, list(places.number), places.bots
        self.one, self.rows = places.one, places.rows()
        self.sought = self._field()
        self.ridge = np.tile(RIDGE * (np.eye(self.bots) - 1 / self.bots), (2, 2))
        self.ridge += np.kron([[1, -1], [-1, 1]], np.ones((self.bots, self.bots)))
        self.ridge[np.diag_indices(2 * self.bots)] += NEXT_TO_NOTHING

    def _field(self) -> Array:
        """Return the quantity sought for each bot: its mean score with and against every other equally often."""
        size = self.places.size_of_side()
        others = (1 - np.eye(self.bots)) / max(self.bots - 1, 1)
        return np.hstack([np.eye(self.bots) / size + others * (size - 1) / size, others])

    def matrix(self, games: Array) -> Array:
        """Return the normal equations' matrix for these numbers of games at each place."""
        found: Array = (self.rows.T @ (self.rows * games[:, None])).toarray()
        return found

    def levers(self, whole: Array) -> Levers:
        """Return how a score at each place changes the quantities sought; ``whole`` is the normal equations' matrix."""
        inverse = np.linalg.inv(whole).astype(float)
        asked = self.sought @ inverse
        moves: Array = (self.rows @ asked.T).T
        return Levers(inverse, asked, moves)

    def jackknife(self, levers: Levers, at: Array) -> Array:
        """Return the change of the quantities sought if a table had not been played: a row per table."""
        missed = self.scores / self.games - self.rows @ at
        table = self.places.table
        order, sizes = np.argsort(table, kind="stable"), np.bincount(table)
        first = np.cumsum(sizes) - sizes
        left = np.zeros((len(sizes), self.bots))
        for size in np.unique(sizes).tolist():
            tables = np.flatnonzero(sizes == size)
            for some in np.array_split(tables, -(-len(tables) // AT_ONCE)):
                left[some] = self._without(order[first[some][:, None] + np.arange(size)], levers, missed)
        return left

    def _without(self, tables: Numbers, levers: Levers, missed: Array) -> Array:
        """Return the changes that some tables made; they are given by their places, a row per table."""
        column, share = self._sums[0][tables], self._sums[1][tables]
        pulled = levers.inverse[column[:, :, :, None, None], column[:, None, None, :, :]]
        pulled = (pulled * share[:, :, :, None, None]).sum(axis=2)
        pulled = (pulled * share[:, None, :, :]).sum(axis=3) * self.games[tables][:, None, :]
        size = tables.shape[1]
        alone = np.linalg.pinv(np.eye(size) - pulled, rcond=np.finfo(float).eps * size) @ missed[tables][:, :, None]
        moved: Array = (levers.moves[:, tables] * (self.games[tables] * alone[:, :, 0])).sum(axis=2).T
        return moved

    # kept, because a fit needs it several times and the model does not change
    @cached_property
    def _sums(self) -> tuple[Numbers, Array]:
        """The columns and shares of each row; rows with fewer terms are padded with zero shares."""
        sizes = np.diff(self.rows.indptr)
        there = np.arange(sizes.max(initial=1)) < sizes[:, None]
        column, share = np.zeros(there.shape, np.int64), np.zeros(there.shape)
        column[there], share[there] = self.rows.indices, self.rows.data
        return column, share

    # kept, because a fit needs it several times and the model does not change
    @cached_property
    def tables_played(self) -> Array:
        """The number of tables at which each bot has been, besides the first."""
        return np.bincount(self.one, minlength=self.bots).astype(float) - 1

    # kept, because a fit needs it several times and the model does not change
    @cached_property
    def never(self) -> Array:
        """The share of all possible tables at which each bot has not been."""
        missed: Array = np.maximum(1 - (self.tables_played + 1) / max(self.places.possible(), 1), 0)
        return missed

    # kept, because a fit needs it several times and the model does not change
    @cached_property
    def _beside(self) -> Array:
        """The share of one bot's games, a row each, in which each other bot was at the table."""
        terms = self.places.terms
        both = self.one[terms.place] * self.bots + terms.bot
        beside = np.bincount(both, self.games[terms.place], self.bots**2).reshape(self.bots, self.bots)
        shares: Array = beside / beside.diagonal()[:, None]
        np.fill_diagonal(shares, 0)
        return shares

    def estimable(self) -> Flags:
        """Return whose scores the games determine: everybody is connected, and the bot's opponents changed."""
        return self._has_varied_company() & self._is_connected()

    def _has_varied_company(self) -> Flags:
        """Return which bots met changing opponents, none much more often than others if all meet equally."""
        alike = self._beside.sum(axis=1) / max(self.bots - 1, 1)
        return np.asarray(self._beside.max(axis=1) <= alike + (1 - alike) * ONE_SIDED + NEXT_TO_NOTHING)

    def predictable(self, *, sampled: bool) -> Flags:
        """Return which bots' scores against bots they have not met are known.

        They are those who have met all, and everybody if opponents are ``sampled`` from the field and mixed.
        """
        met_all = (self._beside > 0).sum(axis=1) == self.bots - 1
        games = np.bincount(self.one, self.games, self.bots)
        mixed = games @ self._has_varied_company() >= MIXED * games.sum()
        return np.asarray(met_all | (sampled & mixed))

    def _is_connected(self) -> bool:
        """Return whether everybody has met everybody, directly or through others."""
        return bool(connected_components(coo_array(self._beside), directed=False)[0] == 1)
