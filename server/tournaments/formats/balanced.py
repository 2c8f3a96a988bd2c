"""Balanced: random tables at which all pairs meet equally often, as far as arithmetic allows."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import combinations
from typing import TYPE_CHECKING

from croupier.server.tournaments.formats.schedule import Schedule
from croupier.server.tournaments.formats.seating import seat
from croupier.server.tournaments.formats.social_golfer import rotate

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from random import Random

    from croupier.server.tournaments.formats.schedule import Batch, Layout, Names, Results

ROUNDS = 10
TRIES = 4
"""How many choices of who sits out are tried; they matter if few play."""


class Balanced(Schedule):
    """Keyed random tables: after any round, games per bot and per pair of bots differ by as little as can be found.

    The first rounds are without repeated meetings, if such are known. All tables of a round play the same deals. Seats
    are equal within every set already. If there are more bots than places, those with the most games sit out.
    """

    ranked_by = "field"
    copies = False

    @property
    def count(self) -> int:
        """How many rounds there are."""
        return self.asked_rounds or ROUNDS

    def rounds(self, results: Results) -> Iterator[tuple[Batch, ...]]:
        """Yield the rounds, each with the part of it that later entries play."""
        history = History()
        late = self._late()
        for number in range(self.count):
            pairings = [self._partners(members, history) for members in self._tables(number, history)]
            for pairing in pairings:
                history.add(pairing, self.table)
            deals = self.fresh_deals(number)
            drawn = (pairings, late[number])
            yield tuple(batch for group in drawn for batch in self.batches(number, map(self._now, group), deals))

    def planned_games(self) -> int:
        """Count the games without drawing the tables."""
        tables = sum(len(self.roster.here(number)) // self.table.size for number in range(self.count))
        pairing = self.table.pairings(self.entries[: self.table.size])[0]
        return (tables + sum(map(len, self._late().values()))) * self.deals * self.table.games(pairing)

    def _now(self, pairing: Names) -> Names:
        """Return the current versions of a table's entries, because tables are drawn for entries, not versions."""
        return tuple(self.roster.versions.get(name, name) for name in pairing)

    def _tables(self, number: int, history: History) -> list[list[str]]:
        """Divide the players of a round into tables."""
        here = self.roster.here(number)
        if self.table.size == 2 and self.roster.founders(number):
            return self._circle(number, here)
        if self.roster.founders(number) and number < len(opening := rotate(len(here), self.table.size)):
            order = self.dice("opening").sample(here, len(here))
            return [self.shuffle(order[place] for place in places) for places in opening[number]]
        dice = self.dice("tables", number)
        benches = TRIES if len(here) % self.table.size else 1
        plans = [self._plan(here, history, dice) for _ in range(benches)]
        return [self.shuffle(table) for table in min(plans, key=history.unevenness)]

    def _late(self) -> dict[int, list[Names]]:
        """Draw where latecomers play the rounds that they missed: on those deals, each at a table of its own per round.

        Each is drawn without regard to other changes, so that none affects what was drawn for another.
        """
        late: dict[int, list[Names]] = defaultdict(list)
        for name, missed, others in self.roster.came_later():
            history = History()
            for number in missed:
                company = self._company(name, number, others, history)
                if len(company) == self.table.size - 1:
                    pairing = self._partners(self.shuffle([name, *company]), history)
                    history.add(pairing, self.table)
                    late[number].append(pairing)
        return late

    def _company(self, name: str, number: int, others: Sequence[str], history: History) -> list[str]:
        """Choose a latecomer's opponents among those who have been present since the round, fewest meetings first."""
        there = [other for other in self.roster.here(number) if other in others]
        order = self.dice("late", number, self.roster.places()[name]).sample(there, len(there))
        order.sort(key=lambda other: history.met[name, other])
        return order[: self.table.size - 1]

    def _plan(self, here: Sequence[str], history: History, dice: Random) -> list[list[str]]:
        """Let some of those with the most games sit out, and divide the others into tables."""
        order = dice.sample(here, len(here))
        order.sort(key=lambda name: history.games[name])
        playing = order[: len(here) // self.table.size * self.table.size]
        least = history.least(here)
        cost = [[(history.met[one, other] - least) ** 2 for other in playing] for one in playing]
        seated = seat(range(len(playing)), self.table.size, cost, dice)
        return [[playing[place] for place in places] for places in seated]

    def _circle(self, number: int, here: Sequence[str]) -> list[list[str]]:
        """Pair entries by the circle method, which is exact, in another order each time around."""
        turns = len(here) - 1 + len(here) % 2
        ring: list[str | None] = [*here] if turns < len(here) else [*here, None]
        self.dice("circle").shuffle(ring)
        still, *moving = ring
        turn = number % turns
        moving = moving[turn:] + moving[:turn]
        half = [still, *moving[: len(ring) // 2 - 1]]
        pairs = zip(half, reversed(moving), strict=False)
        return [self.shuffle([one, other]) for one, other in pairs if one is not None and other is not None]

    def _partners(self, members: Sequence[str], history: History) -> Names:
        """Choose partners so that partnerships, too, occur equally often."""
        return min(self.table.pairings(members), key=lambda pairing: history.partnerships(pairing, self.table))


class History:
    """How often each entry has played, with whom, and with whom as a partner."""

    def __init__(self) -> None:
        self.games: Counter[str] = Counter()
        self.met: Counter[tuple[str, str]] = Counter()
        self.partners: Counter[frozenset[str]] = Counter()

    def add(self, pairing: Names, table: Layout) -> None:
        """Add the meetings of a table."""
        for name in set(pairing):
            self.games[name] += 1
            self.met.update((name, other) for other in set(pairing) - {name})
        self.partners.update(_sides(pairing, table))

    def least(self, here: Sequence[str]) -> int:
        """Return the number of meetings of the pair among these that has met least."""
        if len(self.met) < len(here) * (len(here) - 1):
            return 0
        return min(self.met[pair] for pair in combinations(here, 2))

    def unevenness(self, tables: Iterable[Iterable[str]]) -> tuple[int, int]:
        """Return the number of previous meetings at these tables: of all pairs, and of the worst pair."""
        meetings = [self.met[pair] for table in tables for pair in combinations(table, 2)]
        return sum(meetings), max(meetings)

    def partnerships(self, pairing: Names, table: Layout) -> int:
        """Return how often the partners of this pairing have been partners."""
        return sum(self.partners[side] for side in _sides(pairing, table))


def _sides(pairing: Names, table: Layout) -> list[frozenset[str]]:
    return [frozenset(pairing[place] for place in side) for side in table.partners]
