"""Remembering: whether a bot does better when a deal comes again, in its later seatings, than the first time.

Which seating of a deal is played first is drawn by the key, so whoever remembers nothing does as well in each, on
average, whoever it is and whoever else sits there.
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
"""What differs by less is the same: sums may end in other bits."""
LEAST_SETS = 20
"""Fewer prove nothing: one game that went wrong decides."""


class Later(NamedTuple):
    """How much better an entry did in the later seatings of a deal than in its first; better is more, in every game."""

    name: str
    gain: Interval
    """Its bounds are wide enough for all entries together: one in forty tournaments accuses anybody by chance."""

    @property
    def remembers(self) -> bool:
        """Return whether that is more than chance brings."""
        return self.gain.sets >= LEAST_SETS and self.gain.low is not None and self.gain.low > FINE

    def document(self) -> dict[str, Any]:
        """Return it as ``standings --json`` prints it."""
        return {"name": self.name, **self.gain.document(), "sets": self.gain.sets, "remembers": self.remembers}


def later_seatings(games: Iterable[PlayedGame] | Columns, *, low_wins: bool) -> tuple[Later, ...]:
    """Compare each entry's first game of every set with its others; ``games`` come in the order of play.

    Sets with a fault in them are left out: a penalty is no play.
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
