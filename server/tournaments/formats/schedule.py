"""Schedule: who plays whom on which deals, decided by the key and the results so far, and by nothing else.

A *set* is one deal number in all the seatings that matter. A *pairing* is who sits together. A *batch* is some sets of
one pairing, run together on one worker.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from enum import Enum
from itertools import permutations
from random import Random
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Protocol

from croupier.server.tournaments.formats.roster import Roster

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from croupier.server.deals import Key

Names = tuple[str, ...]
LEAST, MOST, PIECES = 10, 600, 16
"""The fewest and the most deals of a batch, and batches per round.

Starting bots for every seating of a batch must be cheap compared with its games (2 % if bots answer at once), and every
worker needs a batch.
"""
A_LOOK = 25
"""The most deals of a batch in tournaments that check after each round whether they can end."""


class Asks(Enum):
    """The question of a tournament that may end early."""

    PAIRS = "the difference between each two"
    FIRST = "the difference between the first and each other"
    FIRST_TWO = "the difference between the first two"
    NEIGHBOURS = "the difference between those who are next to each other"
    NOTHING = "nothing: all is played"


class ScheduleError(ValueError):
    """These entries cannot play this format; the message says what to do."""


class Batch(NamedTuple):
    """Sets of one pairing: ``deals``, each in its own seatings. An entry with several seats is named for each."""

    round: int
    pairing: Names
    deals: range
    seatings: tuple[tuple[Names, ...], ...]
    """The seatings of each deal, in the order in which they are played."""
    orders: tuple[tuple[int, ...], ...]
    """The deals' indices for each of their seatings, in the order of play: nobody can recognize a deal by its time."""
    trial: bool = False
    """Whether later batches wait for its result."""

    def with_versions(self, versions: Names) -> Batch:
        """Return the same sets with the versions, in the order of the pairing, that play for its entries."""
        as_which = dict(zip(self.pairing, versions, strict=True))
        seatings = (tuple(tuple(as_which[name] for name in seating) for seating in turns) for turns in self.seatings)
        return self._replace(pairing=versions, seatings=tuple(seatings))

    def split(self, deals: int) -> list[Batch]:
        """Split off the first deals as a batch."""
        return [
            self._replace(
                deals=self.deals[piece.start : piece.stop],
                seatings=self.seatings[piece.start : piece.stop],
                orders=tuple(tuple(place - piece.start for place in order if place in piece) for order in self.orders),
            )
            for piece in (range(deals), range(deals, len(self.deals)))
        ]

    def games(self) -> Iterator[tuple[Names, int]]:
        """Yield each seating and deal in the order of play: all deals in one seating each before the next.

        Deals with the same seating are consecutive, so that cached texts of such a table are used again.
        """
        for order, turn in zip(self.orders, zip(*self.seatings, strict=True), strict=True):
            alike: defaultdict[Names, list[int]] = defaultdict(list)
            for place in order:
                alike[turn[place]].append(self.deals[place])
            yield from ((seating, deal) for seating, deals in alike.items() for deal in deals)


class Results(Protocol):
    """The results that an adaptive format asks for."""

    def scores(self, pairing: Names, deals: range) -> Mapping[str, float] | None:
        """Return each entry's mean score over these sets, turned so that more is better; None if one is missing."""
        ...


class Layout(NamedTuple):
    """A game's table: its seats, which of them are partners, and the number of seatings per deal."""

    seats: int
    partners: tuple[tuple[int, ...], ...] = ()
    copies: bool = False
    """Whether one entry plays all the seats of a partnership."""
    every: bool = False
    """Whether a set is every order of the players, not only the rotations."""

    @property
    def size(self) -> int:
        """The number of entries at the table."""
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

    def circles(self, pairing: Names) -> tuple[tuple[Names, ...], ...]:
        """List the ways to sit around the table, partners together, each with the seatings of a set: its rotations.

        With ``every`` order in a set there is only one such way, which is all orders.
        """
        seats = range(self.seats)
        orders = [order for order in permutations(seats) if self._sides(order) == self._sides(seats)]
        named = {order: tuple(pairing[place] for place in order) for order in orders}
        if self.every:
            return (tuple(dict.fromkeys(named.values())),)
        rounds = (
            tuple(dict.fromkeys(named[turned] for turn in seats if (turned := order[turn:] + order[:turn]) in named))
            for order in orders
        )
        return tuple({frozenset(seatings): seatings for seatings in reversed([*rounds])}.values())[::-1]

    def games(self, pairing: Names) -> int:
        """Return how many games a set has."""
        return len(self.circles(pairing)[0])


class Schedule(ABC):
    """A tournament's format: rounds of batches, the same whenever it is asked with the same results."""

    adaptive: ClassVar[bool] = False
    """Whether a round must be played before the next can be drawn."""
    ranked_by: ClassVar[str] = "mean"
    """``mean``; ``field`` if bots have different opponents; or what the format counts."""
    sampled: ClassVar[bool] = True
    """Whether a bot's opponents are a sample of all."""
    counts: ClassVar[str] = ""
    """The unit that it counts itself, if any."""
    same_deals: ClassVar[bool] = False
    """Whether all tables play the same deals, known in advance; else each round has deals of its own."""
    asks: ClassVar[Asks] = Asks.PAIRS
    """The question that is asked, if a tournament ends once it is answered."""
    copies: ClassVar[bool] = True
    """Whether one entry must hold all the seats of a partnership, for the format to distinguish partners."""

    def __init__(
        self,
        entries: Sequence[str],
        table: Layout,
        deals: int,
        key: Key,
        rounds: int | None = None,
        roster: Roster | None = None,
        most: int = MOST,
    ) -> None:
        if len(entries) < self.least(table):
            raise ScheduleError(
                f"this format seats {self.least(table)} bots at a table and there are {len(entries)}:"
                " enter more, or take one-against-many, which needs two"
            )
        self.entries = tuple(entries)
        self.table = table
        self.deals = deals
        self.key = key
        self.asked_rounds = rounds
        self.roster = roster or Roster.beginning(entries)
        self.most = most
        self._places = self.roster.places()
        self._drawn: tuple[int, int, list[int]] = (-1, 0, [])

    @classmethod
    def least(cls, table: Layout) -> int:
        """Return the number of entries that the format needs."""
        return table.size

    @abstractmethod
    def rounds(self, results: Results) -> Iterator[Iterable[Batch]]:
        """Yield the batches of each round; an adaptive format reads a round's results when asked for the next."""

    def planned_games(self) -> int | None:
        """Return the number of games of the tournament, None if the results decide it."""
        if self.adaptive:
            return None
        return sum(sum(map(len, batch.seatings)) for batches in self.rounds(NoResults()) for batch in batches)

    def points(self, results: Results) -> Mapping[str, float] | None:
        """Return the points that the format itself counts and ranks by; None if scores decide."""
        return None

    def dice(self, *what: object) -> Random:
        """Return the random generator for a purpose."""
        stream = self.key.stream("schedule", *what)
        return Random(int.from_bytes(bytes(next(stream) for _ in range(16))))

    def in_order(self, members: Iterable[str]) -> list[str]:
        """List entries in the order in which they first came."""
        return sorted(members, key=self._places.__getitem__)

    def shuffle(self, members: Iterable[str], purpose: str = "table") -> list[str]:
        """Return the entries of a table in an order that is the same whenever they meet."""
        mixed = self.in_order(members)
        self.dice(purpose, *(self._places[name] for name in mixed)).shuffle(mixed)
        return mixed

    def batches(self, number: int, pairings: Iterable[Names], deals: range) -> tuple[Batch, ...]:
        """Cut a round into batches, early deals of all pairings first."""
        tables = list(pairings)
        return tuple(
            self.batch(number, pairing, piece) for piece in cut(deals, len(tables), self.most) for pairing in tables
        )

    def batch(self, number: int, pairing: Names, deals: range) -> Batch:
        """Return sets of a pairing; the order in which they are played is drawn separately by the key."""
        circles = self.table.circles(pairing)
        dice = self.dice("play", deals[0], *(self._places[name] for name in pairing))
        chosen = [circles[self._circle_of(deal, len(circles))] for deal in deals]
        seatings = tuple(tuple(dice.sample(rotations, len(rotations))) for rotations in chosen)
        orders = tuple(tuple(dice.sample(range(len(deals)), len(deals))) for _ in circles[0])
        return Batch(number, pairing, deals, seatings, orders)

    def _circle_of(self, deal: int, count: int) -> int:
        """Draw which way of sitting a deal has; within each run of ``ways`` deals all ways are different."""
        block, place = divmod(deal - 1, count)
        if self._drawn[:2] != (block, count):
            self._drawn = block, count, self.dice("circle", count, block).sample(range(count), count)
        return self._drawn[2][place]

    def fresh_deals(self, number: int) -> range:
        """Return the deals of a round that no other round plays."""
        return range(number * self.deals + 1, (number + 1) * self.deals + 1)


def cut(deals: range, pairings: int, most: int = MOST) -> list[range]:
    """Cut the deals of ``pairings`` pairings into batches."""
    size = min(most, max(LEAST, -(-len(deals) * pairings // PIECES)))
    return [deals[start : start + size] for start in range(0, len(deals), size)]


class NoResults:
    """The results of a tournament that has not begun."""

    def scores(self, pairing: Names, deals: range) -> None:
        """Return None."""
