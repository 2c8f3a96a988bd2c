"""Schedule: who plays whom on which deals, decided by the key and the results so far, and by nothing else.

A *set* is one deal number in all the seatings that matter. A *pairing* is who sits together. A *batch* is some sets of
one pairing, run together on one worker.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from itertools import permutations
from random import Random
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from croupier.server.deals import Key

Names = tuple[str, ...]
LEAST, MOST, PIECES = 10, 100, 16
"""Deals a batch, at least and at most, and batches a round: fresh processes for every seating must not cost more than
the games, and every worker wants one."""


class ScheduleError(ValueError):
    """These entries cannot play this format; the message says what to do."""


class Batch(NamedTuple):
    """Sets of one pairing: ``deals`` in each of ``seatings``. An entry that holds several seats is named at each."""

    round: int
    pairing: Names
    deals: range
    seatings: tuple[Names, ...]

    def games(self) -> Iterator[tuple[Names, int]]:
        """Yield each seating and deal in the order of play: all deals in one seating before the next."""
        return ((seating, deal) for seating in self.seatings for deal in self.deals)


class Results(Protocol):
    """What an adaptive format asks of the games so far."""

    def scores(self, pairing: Names, deals: range) -> Mapping[str, float] | None:
        """Return each entry's mean score over these sets, turned so that more is better; None if one is missing."""
        ...


class Layout(NamedTuple):
    """What a game's table is like: its seats, which of them are partners, and in how many seatings a deal is played."""

    seats: int
    partners: tuple[tuple[int, ...], ...] = ()
    copies: bool = False
    """Whether one entry plays all the seats of a partnership."""
    every: bool = False
    """Whether a set is every order of the players, not the rotations alone."""

    @property
    def size(self) -> int:
        """How many entries sit at it."""
        return len(self.partners) if self.copies and self.partners else self.seats

    def pairings(self, members: Sequence[str]) -> list[Names]:
        """List the ways in which these entries can sit together: one, or one for each choice of partners."""
        if self.size < self.seats:
            side = {seat: number for number, seats in enumerate(self.partners) for seat in seats}
            return [tuple(members[side[seat]] for seat in range(self.seats))]
        if not self.partners:
            return [tuple(members)]
        ways = {self._sides(order): order for order in reversed(list(permutations(members)))}
        return list(reversed(ways.values()))

    def _sides(self, order: Sequence[str | int]) -> frozenset[frozenset[str | int]]:
        return frozenset(frozenset(order[seat] for seat in seats) for seats in self.partners)

    def seatings(self, pairing: Names) -> tuple[Names, ...]:
        """List the seatings of a set: each once, partners together."""
        seats = range(self.seats)
        orders: Iterable[tuple[int, ...]] = (
            permutations(seats)
            if self.every
            else (tuple((seat + turn) % self.seats for seat in seats) for turn in seats)
        )
        together = [order for order in orders if self._sides(order) == self._sides(seats)]
        return tuple(dict.fromkeys(tuple(pairing[place] for place in order) for order in together))


class Schedule(ABC):
    """A tournament's format: rounds of batches, the same whenever it is asked with the same results."""

    adaptive: ClassVar[bool] = False
    """Whether a round must be played before the next can be asked for."""
    ranked_by: ClassVar[str] = "mean"
    copies: ClassVar[bool] = True
    """Whether an entry must hold all the seats of a partnership for the format to tell partners apart."""

    def __init__(self, entries: Sequence[str], table: Layout, deals: int, key: Key) -> None:
        if len(entries) < self.least(table):
            raise ScheduleError(
                f"this format seats {self.least(table)} bots at a table and there are {len(entries)}:"
                " enter more, or take one-against-many, which needs two"
            )
        self.entries = tuple(entries)
        self.table = table
        self.deals = deals
        self.key = key

    @classmethod
    def least(cls, table: Layout) -> int:
        """Return how many entries the format needs."""
        return table.size

    @abstractmethod
    def rounds(self, results: Results) -> Iterator[tuple[Batch, ...]]:
        """Yield the batches of each round; an adaptive format looks at a round's results when asked for the next."""

    def planned(self) -> int | None:
        """Return how many games the tournament has, None where the results decide that."""
        if self.adaptive:
            return None
        return sum(len(batch.deals) * len(batch.seatings) for batches in self.rounds(NoResults()) for batch in batches)

    def points(self, results: Results) -> Mapping[str, float] | None:
        """Return what the format itself counts and ranks by; None where the scores decide."""
        return None

    def dice(self, *what: object) -> Random:
        """Return the chance that belongs to a purpose."""
        stream = self.key.stream("schedule", *what)
        return Random(int.from_bytes(bytes(next(stream) for _ in range(16))))

    def shuffled(self, members: Iterable[str]) -> list[str]:
        """Return the entries of a table in an order of their own, the same whenever they meet."""
        mixed = sorted(members)
        self.dice("table", *mixed).shuffle(mixed)
        return mixed

    def batches(self, number: int, pairings: Iterable[Names], deals: range) -> tuple[Batch, ...]:
        """Cut a round into batches, early deals of all pairings first."""
        tables = [(pairing, self.table.seatings(pairing)) for pairing in pairings]
        pieces = cut(deals, len(tables))
        return tuple(Batch(number, pairing, piece, seatings) for piece in pieces for pairing, seatings in tables)

    def fresh_deals(self, number: int) -> range:
        """Return the deals of a round that no other round plays."""
        return range(number * self.deals + 1, (number + 1) * self.deals + 1)


def cut(deals: range, pairings: int) -> list[range]:
    """Cut the deals of so many pairings into batches."""
    size = min(MOST, max(LEAST, -(-len(deals) * pairings // PIECES)))
    return [deals[start : start + size] for start in range(0, len(deals), size)]


class NoResults:
    """The results of a tournament that has not begun."""

    def scores(self, pairing: Names, deals: range) -> None:
        """Know nothing."""
