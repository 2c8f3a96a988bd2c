"""Swiss: each round seats those together who have done equally well and have not met."""

from __future__ import annotations

from collections import Counter
from math import ceil, log2
from typing import TYPE_CHECKING

from croupier.server.tournaments.formats.schedule import Schedule
from croupier.server.tournaments.formats.seating import seat

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from croupier.server.tournaments.formats.schedule import Batch, Names, Results

REMATCH = 1_000


class Swiss(Schedule):
    """A number of rounds, each a match of some sets: a match point for each opponent at the table who scores less.

    Equal scores share the point. Who sits out has what is got on average.
    """

    adaptive = True
    ranked_by = "field"
    counts = "match points"

    @property
    def count(self) -> int:
        """How many rounds there are."""
        return self.asked_rounds or ceil(log2(len(self.entries))) + 1

    def rounds(self, results: Results) -> Iterator[tuple[Batch, ...]]:
        """Yield a round, then pair the next on its results."""
        return self._rounds(results, _Ledger(self.entries))

    def points(self, results: Results) -> Mapping[str, float]:
        """Return the match points of the rounds played so far."""
        ledger = _Ledger(self.entries)
        for _ in self._rounds(results, ledger):
            pass
        return ledger.points

    def planned(self) -> int:
        """Count the games: as many tables each round, whoever sits at them."""
        tables = len(self.entries) // self.table.size
        pairing = self.table.pairings(self.entries[: self.table.size])[0]
        return self.count * tables * self.deals * self.table.games(pairing)

    def _rounds(self, results: Results, ledger: _Ledger) -> Iterator[tuple[Batch, ...]]:
        for number in range(self.count):
            idle, tables = self._draw(number, ledger)
            pairings = [self.table.pairings(table)[0] for table in tables]
            deals = self.fresh_deals(number)
            yield self.batches(number, pairings, deals)
            matches = [results.scores(pairing, deals) for pairing in pairings]
            played = [match for match in matches if match is not None]
            if len(played) < len(matches):
                return
            ledger.enter(played, idle, (self.table.size - 1) / 2)

    def _draw(self, number: int, ledger: _Ledger) -> tuple[list[str], list[list[str]]]:
        """Choose who sits out, fewest times so far and then fewest points, and tables for the others."""
        dice = self.dice("draw", number)
        order = self.in_order(self.entries)
        dice.shuffle(order)
        order.sort(key=lambda name: (ledger.byes[name], ledger.points[name]))
        spare = len(order) % self.table.size
        idle, playing = order[:spare], order[spare:]
        cost = [[ledger.cost(one, other) for other in playing] for one in playing]
        seated = seat(range(len(playing)), self.table.size, cost, dice)
        return idle, [self.shuffled(playing[place] for place in places) for places in seated]


class _Ledger:
    """Points, meetings and byes so far."""

    def __init__(self, entries: Names) -> None:
        self.points = dict.fromkeys(entries, 0.0)
        self.byes: Counter[str] = Counter()
        self.met: Counter[tuple[str, str]] = Counter()

    def enter(self, matches: Sequence[Mapping[str, float]], idle: Sequence[str], bye: float) -> None:
        """Add a round."""
        for match in matches:
            for name, score in match.items():
                others = [(other, theirs) for other, theirs in match.items() if other != name]
                self.points[name] += sum((score > theirs) + (score == theirs) / 2 for _, theirs in others)
                self.met.update((name, other) for other, _ in others)
        for name in idle:
            self.points[name] += bye
            self.byes[name] += 1

    def cost(self, one: str, other: str) -> float:
        """Return how little these two should meet."""
        return REMATCH * self.met[one, other] + (self.points[one] - self.points[other]) ** 2
