"""Remembering: whether a bot does better in a deal's later seatings than in its first.

The key draws which seating of a deal is played first. So a bot that remembers nothing does equally well in each, on
average, with any players.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from croupier.server.tournaments.statistics.columns import Columns, entries
from croupier.server.tournaments.statistics.intervals import LEVEL, Interval, ratio_intervals

if TYPE_CHECKING:
    from collections.abc import Iterable

    from croupier.server.table.played_game import PlayedGame

FINE = 1e-9
"""Values that differ by less are equal, because sums may differ in their last bits."""
LEAST_SETS = 20
"""Fewer sets prove nothing, because one bad game would decide."""


class Later(NamedTuple):
    """How much better an entry did in a deal's later seatings than in its first; positive is better in every game."""

    name: str
    gain: Interval
    """The bounds hold for all entries together: chance alone accuses anybody in one of forty tournaments."""

    @property
    def remembers(self) -> bool:
        """Return whether the gain is more than chance explains."""
        return self.gain.sets >= LEAST_SETS and self.gain.low is not None and self.gain.low > FINE

    def document(self) -> dict[str, Any]:
        """Return it in the form of ``standings --json``."""
        return {"name": self.name, **self.gain.document(), "sets": self.gain.sets, "remembers": self.remembers}


def later_seatings(games: Iterable[PlayedGame] | Columns, *, low_wins: bool) -> tuple[Later, ...]:
    """Compare each entry's first game of every set with its others; ``games`` are in the order of play.

    Sets with a fault are left out, because a penalty says nothing about play.
    """
    games = Columns.of(games)
    found = entries(games, low_wins=low_wins)
    numbers, who = np.bincount(games.sets), games.sets[found.game] * len(games.names) + found.who
    whole = ((numbers > 1) & (np.bincount(games.sets, ~games.clean) == 0))[games.sets[found.game]]
    first = np.isin(found.game, np.unique(games.sets, return_index=True)[1])
    again, place = np.unique(who[whole & ~first], return_inverse=True)
    rows = np.flatnonzero(whole & first & np.isin(who, again))
    later = np.bincount(place, found.score[whole & ~first])[np.searchsorted(again, who[rows])]
    gains = later / (numbers[games.sets[found.game[rows]]] - 1) - found.score[rows]
    players, group = np.unique(found.who[rows], return_inverse=True)
    level = 1 - (1 - LEVEL) / max(1, len(players))
    gained = ratio_intervals(group, found.deal[rows], -gains if low_wins else gains, len(players), level)
    return tuple(Later(games.names[number], gain) for number, gain in zip(players.tolist(), gained, strict=True))
