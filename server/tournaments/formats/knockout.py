"""Knockout by sets: the worse half of a table leaves, until one is left."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from croupier.server.tournaments.formats.schedule import Asks, Schedule

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from croupier.server.tournaments.formats.schedule import Batch, Names, Results

EXTRA = 3
"""How often a tied match is extended before the lot decides."""


class Knockout(Schedule):
    """Entries are seeded in their order: first against last, and the first have byes if the numbers do not fit.

    A match is decided by the mean score of its sets; a tie plays as many sets again.
    """

    adaptive = True
    ranked_by = counts = "rounds survived"
    asks = Asks.NOTHING

    def rounds(self, results: Results) -> Iterator[tuple[Batch, ...]]:
        """Yield a round, then its ties, then the next round among the remaining entries."""
        return self._rounds(results, {})

    def points(self, results: Results) -> Mapping[str, float]:
        """Return how many rounds each entry has survived."""
        survived = dict.fromkeys(self.entries, 0.0)
        for _ in self._rounds(results, survived):
            pass
        return survived

    def _rounds(self, results: Results, survived: dict[str, float]) -> Iterator[tuple[Batch, ...]]:
        alive = self.entries
        number = 0
        while len(alive) > 1:
            stage = bracket(alive, self.table.size)
            matches = [_Match(table, stage.stay, self.table.pairings(self.shuffle(table))[0]) for table in stage.tables]
            for extra in range(1 + EXTRA):
                open_matches = [match for match in matches if match.is_undecided]
                if not open_matches:
                    break
                deals = self.fresh_deals(number)
                yield self.batches(number, [match.pairing for match in open_matches], deals)
                number += 1
                entered = [match.enter(results, deals) for match in open_matches]
                if not all(entered):
                    return
                if extra == EXTRA:
                    self._draw_lots(open_matches)
            winners = {name for match in matches for name in match.winners()}
            alive = tuple(name for name in alive if name in winners or name in stage.idle)
            survived.update((name, survived.get(name, 0) + 1) for name in alive)

    def _draw_lots(self, matches: Sequence[_Match]) -> None:
        """Decide by lot between entries that the cards left tied."""
        for match in matches:
            lots = self.shuffle(match.totals, "lots")
            for place, name in enumerate(lots):
                match.totals[name] += place * 1e-9


class _Match:
    """A table of a knockout, its totals so far and how many advance."""

    def __init__(self, members: Sequence[str], stay: int, pairing: Names) -> None:
        self.pairing = pairing
        self.stay = stay
        self.totals = dict.fromkeys(members, 0.0)
        self.played = 0

    @property
    def is_undecided(self) -> bool:
        """Return whether the last to advance is tied with the first to leave, or nothing was played."""
        scores = sorted(self.totals.values(), reverse=True)
        return not self.played or scores[self.stay - 1] == scores[self.stay]

    def enter(self, results: Results, deals: range) -> bool:
        """Add these deals; return whether they have been played."""
        scores = results.scores(self.pairing, deals)
        for name, score in (scores or {}).items():
            self.totals[name] += score
        self.played += scores is not None
        return scores is not None

    def winners(self) -> list[str]:
        """List the entries that advance."""
        return sorted(self.totals, key=lambda name: -self.totals[name])[: self.stay]


class Stage(NamedTuple):
    """A round of a knockout: byes, tables, and how many advance from each."""

    idle: Names
    tables: list[Names]
    stay: int


def bracket(alive: Names, size: int) -> Stage:
    """Pair the last seeds so that a full bracket is left, or as nearly as one round can; the best seeds are apart."""
    if len(alive) == size:
        return Stage((), [alive], 1)
    half = max(1, size // 2)
    surplus = len(alive) - _full(len(alive), size, half)
    count = min(len(alive) // size, ceil(surplus / (size - half)))
    leave = min(size - half, surplus // count)
    idle = len(alive) - count * size
    tables: list[list[str]] = [[] for _ in range(count)]
    for place, name in enumerate(alive[idle:]):
        row, column = divmod(place, count)
        tables[column if row % 2 == 0 else count - 1 - column].append(name)
    return Stage(alive[:idle], [tuple(table) for table in tables], size - leave)


def _full(alive: int, size: int, half: int) -> int:
    """Return the largest number below this from which halving every table leads to one full table."""
    full = size
    while full * size // half < alive:
        full = full * size // half
    return full
