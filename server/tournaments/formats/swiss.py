"""Swiss: each round seats players together who have done equally well and have not met."""

from __future__ import annotations

from collections import Counter
from math import ceil, log2
from typing import TYPE_CHECKING

from croupier.server.tournaments.formats.schedule import Schedule
from croupier.server.tournaments.formats.seating import seat, seat_ahead

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from random import Random

    from croupier.server.tournaments.formats.schedule import Batch, Names, Results

REMATCH = 1_000
MOST_AHEAD = 16
"""With more bots, tables without a second meeting nearly always exist, or no search would find them."""


class Swiss(Schedule):
    """A number of rounds, each a match of some sets: a match point for each opponent at the table who scores less.

    Equal scores share the point. A player who sits out gets the average.
    """

    adaptive = True
    ranked_by = "field"
    counts = "match points"

    @property
    def count(self) -> int:
        """How many rounds there are."""
        return self.asked_rounds or usual(len(self.entries))

    def rounds(self, results: Results) -> Iterator[tuple[Batch, ...]]:
        """Yield a round, then pair the next on its results."""
        return self._rounds(results, _Ledger(self.entries))

    def points(self, results: Results) -> Mapping[str, float]:
        """Return the match points of the rounds played so far."""
        ledger = _Ledger(self.entries)
        for _ in self._rounds(results, ledger):
            pass
        return ledger.points

    def planned_games(self) -> int:
        """Return the number of games; each round has equally many tables."""
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
        seated = self._seat(number, playing, idle, ledger, dice)
        return idle, [self.shuffle(table) for table in seated]

    def _seat(
        self, number: int, playing: list[str], idle: list[str], ledger: _Ledger, dice: Random
    ) -> Iterator[list[str]]:
        """Seat the players; where later rounds may run out of tables, look ahead."""
        ahead = self._ahead - number
        if ahead > 1:
            everybody = [*playing, *idle]
            met = [[ledger.met[one, other] for other in everybody] for one in everybody]
            apart = [[(ledger.points[one] - ledger.points[other]) ** 2 for other in everybody] for one in everybody]
            rounds = [_but(everybody, len(idle), turn) for turn in range(ahead)]
            tables = seat_ahead(rounds, self.table.size, apart, met, dice)
            if tables is not None:
                return ([everybody[place] for place in places] for places in tables)
        cost = [[ledger.cost(one, other) for other in playing] for one in playing]
        seated = seat(range(len(playing)), self.table.size, cost, dice)
        return ([playing[place] for place in places] for places in seated)

    @property
    def _ahead(self) -> int:
        """The last round to look ahead to: one in which many have met, within the usual number of rounds.

        The requested number does not matter, so that requesting more changes nothing that was already drawn.
        """
        bots, others = len(self.entries), self.table.size - 1
        rounds = min((bots - 1) // others, usual(bots))
        tight = bots // self.table.size >= self.table.size and 2 * rounds * others > bots + 1
        return rounds if tight and bots <= MOST_AHEAD else 0


def usual(bots: int) -> int:
    """Return the number of rounds by default."""
    return ceil(log2(bots)) + 1


def _but(everybody: Sequence[str], idle: int, turn: int) -> list[int]:
    """Return who plays ``rounds`` rounds from now, if those who sit out next are in the order of the list."""
    bots = len(everybody)
    out = {(bots - (turn + 1) * idle + place) % bots for place in range(idle)}
    return [place for place in range(bots) if place not in out]


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
        """Return how undesirable it is that these two meet."""
        return REMATCH * self.met[one, other] + (self.points[one] - self.points[other]) ** 2
