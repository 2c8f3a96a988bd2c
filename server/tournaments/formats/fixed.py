"""The formats whose pairings are known beforehand and share all their deals."""

from __future__ import annotations

from abc import abstractmethod
from itertools import chain, combinations, permutations
from typing import TYPE_CHECKING

from croupier.server.tournaments.formats.schedule import LEAST, Batch, Schedule, cut

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from croupier.server.tournaments.formats.schedule import Layout, Names, Results


class Fixed(Schedule):
    """Every pairing plays deals 1 to N; a round is a batch of each, so that a stop leaves all with as many sets."""

    same_deals = True

    @abstractmethod
    def pairings(self) -> list[Names]:
        """List who sits together."""

    def rounds(self, results: Results) -> Iterator[tuple[Batch, ...]]:
        """Yield a piece of the deals for all pairings at a time."""
        pairings = self.pairings()
        for number, deals in enumerate(cut(range(1, self.deals + 1), len(pairings), self.most)):
            yield tuple(self.batch(number, pairing, deals) for pairing in pairings)

    def _seated(self, tables: Iterable[Names]) -> list[Names]:
        return [pairing for members in tables for pairing in self.table.pairings(self.shuffled(members))]


class RoundRobin(Fixed):
    """All entries against all: every choice of entries for a table, partners in every way."""

    copies = False

    def pairings(self) -> list[Names]:
        """List every choice of entries."""
        return self._seated(combinations(self.in_order(self.entries), self.table.size))


class Gauntlet(Fixed):
    """The first entry against the others: it sits at every table."""

    ranked_by = "field"

    def pairings(self) -> list[Names]:
        """List every choice of opponents for the first entry."""
        first, *others = self.entries
        return self._seated((first, *chosen) for chosen in combinations(self.in_order(others), self.table.size - 1))


class Paired(Fixed):
    """The first two, each with the same others on the same deals, which are all the rest; without any, each other.

    Rounds are short: whoever asks whether one is better looks after each.
    """

    @classmethod
    def least(cls, table: Layout) -> int:
        """Need the two: they fill the table."""
        return 2

    def rounds(self, results: Results) -> Iterator[tuple[Batch, ...]]:
        """Yield a few deals at a time."""
        pairings = self.pairings()
        for number, first in enumerate(range(1, self.deals + 1, LEAST)):
            deals = range(first, min(first + LEAST, self.deals + 1))
            yield tuple(self.batch(number, pairing, deals) for pairing in pairings)

    def pairings(self) -> list[Names]:
        """List the tables of the one beside those of the other: every choice of others, or copies of the other one."""
        one, two, *field = self.entries
        places = self.table.size - 1
        if not field:
            tables = [(one, *[two] * places), (two, *[one] * places)]
        else:
            enough = field * -(-places // len(field))
            others = dict.fromkeys(combinations(enough if len(field) < places else field, places))
            tables = [(name, *chosen) for chosen in others for name in (one, two)]
        pairings = [self.table.pairings(table)[0] for table in tables]
        return [*{frozenset(chain(*self.table.circles(pairing))): pairing for pairing in pairings}.values()]


class OneAgainstMany(Fixed):
    """Each entry alone against a table of each other entry: A in each seat, B in all others."""

    @classmethod
    def least(cls, table: Layout) -> int:
        """Need two: one of them fills the table."""
        return 2

    def pairings(self) -> list[Names]:
        """List every entry against every other; where one side mirrors the other, once."""
        others = self.table.size - 1
        pairs = permutations(self.in_order(self.entries), 2)
        pairings = [self.table.pairings([one, *[many] * others])[0] for one, many in pairs]
        return [*{frozenset(chain(*self.table.circles(pairing))): pairing for pairing in pairings}.values()]
