"""Ladder: neighbors play for their rungs, for as long as it runs."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from croupier.server.tournaments.formats.schedule import Asks, Schedule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from croupier.server.tournaments.formats.schedule import Batch, Results


class Ladder(Schedule):
    """Entries begin in their order; those on neighboring rungs meet, and the better one takes the higher rung.

    Every other round is shifted by one rung, so that everybody can climb. It never ends by itself.
    """

    adaptive = True
    ranked_by = "field"
    asks = Asks.NEIGHBOURS
    sampled = False

    def rounds(self, results: Results) -> Iterator[tuple[Batch, ...]]:
        """Yield rounds without end, or as many as were requested."""
        rungs = list(self.entries)
        for number in count() if self.asked_rounds is None else range(self.asked_rounds):
            tables = self._tables(number)
            pairings = [self.table.pairings(self.shuffle(rungs[place] for place in places))[0] for places in tables]
            deals = self.fresh_deals(number)
            yield self.batches(number, pairings, deals)
            for places, pairing in zip(tables, pairings, strict=True):
                scores = results.scores(pairing, deals)
                if scores is None:
                    return
                rungs[places.start : places.stop] = sorted(
                    rungs[places.start : places.stop],
                    key=lambda name: -scores[name],
                )

    def planned_games(self) -> int | None:
        """Count the games of the rounds that were requested."""
        if self.asked_rounds is None:
            return None
        pairing = self.table.pairings(self.entries[: self.table.size])[0]
        tables = sum(len(self._tables(number)) for number in range(self.asked_rounds))
        return tables * self.deals * self.table.games(pairing)

    def _tables(self, number: int) -> list[range]:
        """Cut the ladder into tables: from the top, or in odd rounds from a little below it."""
        size, rungs = self.table.size, len(self.entries)
        shift = (rungs % size or size // 2) if number % 2 and rungs > size else 0
        return [range(start, start + size) for start in range(shift, rungs - size + 1, size)]
