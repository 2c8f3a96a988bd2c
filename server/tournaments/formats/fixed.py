"""The formats whose pairings are known in advance and share all their deals."""

from __future__ import annotations

from abc import abstractmethod
from itertools import combinations, permutations
from math import comb
from typing import TYPE_CHECKING, Any

from croupier.server.tournaments.formats.schedule import LEAST, Asks, Schedule, ScheduleError, cut

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from croupier.server.tournaments.formats.schedule import Batch, Layout, Names, Results

MOST_TABLES = 1_000_000


class Fixed(Schedule):
    """Every pairing plays deals 1 to N; a round is a batch of each, so that all have equally many sets at any stop."""

    same_deals = True

    def __init__(self, entries: Sequence[str], table: Layout, *how: Any, **more: Any) -> None:
        super().__init__(entries, table, *how, **more)
        if self.tables > MOST_TABLES:
            raise ScheduleError(
                f"{len(entries)} bots at tables of {table.size} have {self.tables:,} tables in this format, which"
                " nobody can play: enter fewer, or take balanced"
            )

    @abstractmethod
    def pairings(self) -> Iterable[Names]:
        """Yield who sits together."""

    @property
    @abstractmethod
    def tables(self) -> int:
        """How many pairings there are."""

    def rounds(self, results: Results) -> Iterator[Iterable[Batch]]:
        """Yield the deals for all pairings, one batch at a time."""
        for number, deals in enumerate(cut(range(1, self.deals + 1), self.tables, self.most)):
            yield (self.batch(number, pairing, deals) for pairing in self.pairings())

    def planned_games(self) -> int:
        """Count the games without drawing the tables."""
        pairing = next(iter(self.pairings()))
        return self.tables * self.deals * self.table.games(pairing)

    def _seat_each(self, tables: Iterable[Names]) -> Iterator[Names]:
        for members in tables:
            yield from self.table.pairings(self.shuffle(members))

    @property
    def _ways(self) -> int:
        """The number of ways in which the entries at a table can be partners."""
        return len(self.table.pairings(self.entries[: self.table.size]))


class RoundRobin(Fixed):
    """All entries against all: every combination of entries at a table, with every choice of partners."""

    copies = False

    def pairings(self) -> Iterator[Names]:
        """Yield every combination of entries."""
        return self._seat_each(combinations(self.in_order(self.entries), self.table.size))

    @property
    def tables(self) -> int:
        """The number of combinations."""
        return comb(len(self.entries), self.table.size) * self._ways


class Gauntlet(Fixed):
    """The first entry against the others: it sits at every table."""

    ranked_by = "field"
    asks = Asks.FIRST

    def pairings(self) -> Iterator[Names]:
        """Yield every choice of opponents for the first entry."""
        first, *others = self.entries
        return self._seat_each((first, *chosen) for chosen in combinations(self.in_order(others), self.table.size - 1))

    @property
    def tables(self) -> int:
        """The number of combinations."""
        return comb(len(self.entries) - 1, self.table.size - 1) * self._ways


class Paired(Fixed):
    """The first two, each with the same others on the same deals; the others are all the rest, or none and they meet.

    Rounds are short, because the question of who is better is asked after each.
    """

    asks = Asks.FIRST_TWO

    @classmethod
    def least(cls, table: Layout) -> int:
        """Return 2, because the two can fill a table."""
        return 2

    def rounds(self, results: Results) -> Iterator[Iterable[Batch]]:
        """Yield a few deals at a time."""
        for number, first in enumerate(range(1, self.deals + 1, LEAST)):
            deals = range(first, min(first + LEAST, self.deals + 1))
            yield (self.batch(number, pairing, deals) for pairing in self.pairings())

    def pairings(self) -> Iterator[Names]:
        """Yield the tables of the first beside those of the second: all choices of others, or copies of an opponent."""
        one, two, *field = self.entries
        places = self.table.size - 1
        tables: Iterable[Names]
        if field:
            tables = ((name, *chosen) for chosen in self._others(field, places) for name in (one, two))
        elif places == 1:
            tables = [(two, one)]
        else:
            tables = [(one, *[two] * places), (two, *[one] * places)]
        return (self.table.pairings(table)[0] for table in tables)

    def _others(self, field: Sequence[str], places: int) -> Iterable[Names]:
        """Yield every choice of others; if they are few, each has several seats."""
        if len(field) >= places:
            return combinations(field, places)
        return dict.fromkeys(combinations([*field] * -(-places // len(field)), places))

    @property
    def tables(self) -> int:
        """The number of tables of both."""
        field, places = len(self.entries) - 2, self.table.size - 1
        return 2 * comb(field, places) if field >= places else sum(1 for _ in self.pairings())


class OneAgainstMany(Fixed):
    """Each entry alone against a table of each other entry: A in each seat, B in all others."""

    @classmethod
    def least(cls, table: Layout) -> int:
        """Return 2, because one of them fills the table."""
        return 2

    def pairings(self) -> Iterator[Names]:
        """Yield every entry against every other, only once if the sides are symmetric."""
        order, others = self.in_order(self.entries), self.table.size - 1
        pairs = permutations(order, 2) if others > 1 else (pair[::-1] for pair in combinations(order, 2))
        return (self.table.pairings([one, *[many] * others])[0] for one, many in pairs)

    @property
    def tables(self) -> int:
        """The number of such pairs."""
        pairs = comb(len(self.entries), 2)
        return pairs if self.table.size == 2 else 2 * pairs
