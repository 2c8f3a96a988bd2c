"""Columns: games as arrays, a row per game, so that a hundred thousand are counted without a loop."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from croupier.server.table.faults import Outcome

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from croupier.server.table.faults import Fault, PlayerFault
    from croupier.server.table.played_game import Histogram, Names, PlayedGame

    Array = NDArray[np.float64]
    Places = NDArray[np.int64]
    Flags = NDArray[np.bool_]
    Value = TypeVar("Value", np.int64, np.float64)


Key = TypeVar("Key")


class Lists(NamedTuple):
    """Some games as lists: parallel ones of what all have, and sparse ones with indices of what few have."""

    pairings: Sequence[Names]
    deals: Sequence[int]
    seatings: Sequence[Names]
    scores: Sequence[Sequence[float]]
    ranks: Sequence[Sequence[int]]
    times: Sequence[Sequence[Histogram]]
    faults: Mapping[int, Sequence[PlayerFault]]
    assisted: Collection[int]
    cut: Collection[int]
    luck: Mapping[int, Sequence[float]]

    @classmethod
    def of(cls, games: Sequence[PlayedGame]) -> Lists:
        """Return the lists of some games."""
        placed = list(enumerate(games))
        return cls(
            [game.pairing for game in games],
            [game.deal for game in games],
            [game.seating for game in games],
            [game.scores for game in games],
            [game.ranks for game in games],
            [game.times for game in games],
            faults={place: game.faults for place, game in placed if game.faults},
            assisted={place for place, game in placed if game.assisted},
            cut={place for place, game in placed if game.outcome is Outcome.FORFEIT},
            luck={place: game.luck for place, game in placed if game.luck},
        )


@dataclass(frozen=True, eq=False)
class Columns:
    """Games that count, a row each. Names and pairings are numbered in alphabetical order."""

    names: Names
    pairings: Sequence[Names]
    seatings: Sequence[Names]
    pairing: Places
    deal: Places
    seating: Places
    scores: Array
    """By game and seat; 0 if a game has no such seat."""
    ranks: Places
    guilty: Flags
    """Whether each seat committed a fault, by game."""
    clean: Flags
    """Whether everybody played to the end without a stand-in, by game."""
    cut: Flags
    """Whether a fault ended the game, so that no stand-in played on."""
    faults: Counter[tuple[str, Fault]]
    luck: Array | None
    """The luck of each seat, if any game has it."""
    times: Mapping[str, Counter[int]]
    """Thinking times of each player, in buckets."""

    @classmethod
    def of(cls, games: Iterable[PlayedGame] | Columns) -> Columns:
        """Return games as columns, in their order."""
        if isinstance(games, Columns):
            return games
        return cls.join([Lists.of(list(games))])

    @classmethod
    def join(cls, pieces: Iterable[Lists]) -> Columns:
        """Join pieces, one after another."""
        growing = _Growing()
        for piece in pieces:
            growing.add(piece)
        return growing.columns()

    def __len__(self) -> int:
        """Return the number of games."""
        return len(self.deal)

    @property
    def width(self) -> int:
        """The most seats of any game, and at least one."""
        return int(self.scores.shape[1])

    # kept, because nearly every statistic needs it, and columns never change
    @cached_property
    def tables(self) -> Places:
        """Return the player by seating and seat; -1 is nobody."""
        number = {name: place for place, name in enumerate(self.names)}
        empty = [-1] * self.width
        listed = [([number[name] for name in seating] + empty)[: self.width] for seating in self.seatings]
        return np.array(listed, np.int64).reshape(len(listed), self.width)

    @property
    def seats(self) -> Places:
        """Return the player by game and seat; -1 is nobody."""
        found: Places = self.tables[self.seating]
        return found

    # kept, because nearly every statistic needs it, and columns never change
    @cached_property
    def sets(self) -> Places:
        """Return the set of each game: those of the same deal at the same table."""
        deals, deal = np.unique(self.deal, return_inverse=True)
        found: Places = np.unique(self.pairing * len(deals) + deal, return_inverse=True)[1]
        return found

    def among(self, names: Iterable[str]) -> Columns:
        """Return the same games, including the names of players without games."""
        return replace(self, names=tuple(sorted({*names, *self.names})))

    def sort(self) -> Columns:
        """Return the games sorted by pairing, deal and seating, so that their order of arrival does not matter."""
        by_seat = reversed(self.seats.T)
        return self.take(np.lexsort((*by_seat, self.deal, self.pairing)))

    def take(self, which: Places | Flags) -> Columns:
        """Return some of the games, or all in another order; faults and times remain those of all."""
        rows = {name: getattr(self, name)[which] for name in ("pairing", "deal", "seating", "scores", "ranks")}
        rows |= {name: getattr(self, name)[which] for name in ("guilty", "clean", "cut")}
        return replace(self, **rows, luck=None if self.luck is None else self.luck[which])


class _Numbers(dict[Key, int]):
    """Numbers for values, in the order of their first occurrence."""

    def __missing__(self, key: Key) -> int:
        self[key] = number = len(self)
        return number


class _Growing:
    """Columns that grow as games are added."""

    def __init__(self) -> None:
        self.games = 0
        self.pairings, self.seatings = _Numbers["Names"](), _Numbers["Names"]()
        self.numbers: list[tuple[Places, Places, Places]] = []
        self.scores: list[Array] = []
        self.ranks: list[Places] = []
        self.faults: list[tuple[int, PlayerFault]] = []
        self.assisted: list[int] = []
        self.cut: list[int] = []
        self.luck: dict[int, Sequence[float]] = {}
        self.players = _Numbers[str]()
        self.times: defaultdict[str, Counter[int]] = defaultdict(Counter)

    def add(self, piece: Lists) -> None:
        """Add games."""
        first = self.games
        self.games += (count := len(piece.deals))
        numbered = (map(self.pairings.__getitem__, piece.pairings), map(self.seatings.__getitem__, piece.seatings))
        pairing, seating = (np.fromiter(each, np.int64, count) for each in numbered)
        self.numbers.append((pairing, np.array(piece.deals, np.int64), seating))
        self.scores.append(np.fromiter(chain.from_iterable(piece.scores), float))
        self.ranks.append(np.fromiter(chain.from_iterable(piece.ranks), np.int64))
        self.faults += [(first + place, fault) for place, faults in piece.faults.items() for fault in faults]
        self.assisted += [first + place for place in piece.assisted]
        self.cut += [first + place for place in piece.cut]
        self.luck |= {first + place: gains for place, gains in piece.luck.items()}
        self._add_times([both for both in zip(piece.seatings, piece.times, strict=True) if both[1]])

    def _add_times(self, told: Sequence[tuple[Names, Sequence[Histogram]]]) -> None:
        """Add up thinking times of the given players."""
        seated = chain.from_iterable(seating for seating, _ in told)
        who = np.fromiter(map(self.players.__getitem__, seated), np.int64)
        listed = [*chain.from_iterable(times for _, times in told)]
        sizes = np.fromiter(map(len, listed), np.int64, len(listed))
        bucket, number = np.fromiter(chain.from_iterable(chain.from_iterable(listed)), np.int64).reshape(-1, 2).T
        width = int(bucket.max(initial=0)) + 1
        found = np.bincount(np.repeat(who, sizes) * width + bucket, number, len(self.players) * width)
        for name, counted in zip(self.players, found.reshape(-1, width), strict=True):
            for place in np.flatnonzero(counted).tolist():
                self.times[name][place] += int(counted[place])

    def columns(self) -> Columns:
        """Return the columns of the games added."""
        seatings, pairings = tuple(self.seatings), sorted(self.pairings)
        pairing, deal, seating = np.concatenate([np.empty((3, 0), np.int64), *map(np.array, self.numbers)], axis=1)
        sizes = np.fromiter(map(len, seatings), np.int64, len(seatings))
        there = np.arange(sizes.max(initial=1)) < sizes[seating][:, None]
        guilty, clean, gains = np.zeros(there.shape, bool), np.ones(self.games, bool), np.zeros(there.shape)
        cut = np.zeros(self.games, bool)
        cut[self.cut] = True
        for game, fault in self.faults:
            guilty[game, fault.seat] = True
        clean[self.assisted] = False
        for game, gained in self.luck.items():
            gains[game, : len(gained)] = gained
        rank = np.empty(len(pairings), np.int64)
        rank[[self.pairings[each] for each in pairings]] = np.arange(len(pairings))
        return Columns(
            names=tuple(sorted(set(chain.from_iterable(seatings)))),
            pairings=pairings,
            seatings=seatings,
            pairing=rank[pairing],
            deal=deal,
            seating=seating,
            scores=_by_seat(there, np.concatenate([np.empty(0), *self.scores])),
            ranks=_by_seat(there, np.concatenate([np.empty(0, np.int64), *self.ranks])),
            guilty=guilty,
            clean=clean & ~guilty.any(axis=1),
            cut=cut,
            faults=Counter((seatings[seating[game]][fault.seat], fault.fault) for game, fault in self.faults),
            luck=gains if self.luck else None,
            times=self.times,
        )


def _by_seat(there: Flags, values: NDArray[Value]) -> NDArray[Value]:
    """Return a flat array of values by game and seat."""
    found = np.zeros(there.shape, values.dtype)
    found[there] = values
    return found


class Entries(NamedTuple):
    """The entries of each game: a row for each, in the order of games and seats."""

    games: Columns
    row: Places
    """The row of the entry by game and seat."""
    game: Places
    seat: Places
    """The entry's first seat."""
    who: Places
    score: Array
    """The mean of its seats, or the worst of them if one committed a fault."""

    @property
    def deal(self) -> Places:
        """The deal of each row."""
        found: Places = self.games.deal[self.game]
        return found

    def names(self, rows: Places) -> list[str]:
        """Return the names of some rows."""
        return [self.games.names[number] for number in self.who[rows].tolist()]


def entries(games: Columns, *, low_wins: bool) -> Entries:
    """Return the entries of each game."""
    first = (games.tables[:, :, None] == games.tables[:, None, :]).argmax(axis=2)
    holds = (first == np.arange(games.width)) & (games.tables >= 0)
    game, seat = np.nonzero(holds[games.seating])
    row = np.full(games.scores.shape, -1)
    row[game, seat] = np.arange(len(game))
    row = np.take_along_axis(row, first[games.seating], axis=1)
    there = row >= 0
    of, scores = row[there], games.scores[there]
    score = np.bincount(of, scores, len(game)) / np.bincount(of, minlength=len(game))
    if games.guilty.any():
        worst = np.full(len(game), -np.inf if low_wins else np.inf)
        (np.maximum if low_wins else np.minimum).at(worst, of, scores)
        spoilt = np.unique(row[games.guilty])
        score[spoilt] = worst[spoilt]
    return Entries(games, row, game, seat, games.tables[games.seating[game], seat], score)
