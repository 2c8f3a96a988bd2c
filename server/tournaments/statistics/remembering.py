"""Remembering: whether a bot does better when a deal comes again, in its later seatings, than the first time.

Which seating of a deal is played first is drawn by the key, so whoever remembers nothing does as well in each, on
average, whoever it is and whoever else sits there.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

from croupier.server.tournaments.statistics.intervals import LEVEL, Interval, clustered

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from croupier.server.table.played import PlayedGame

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
        """Whether that is more than chance brings."""
        return self.gain.sets >= LEAST_SETS and self.gain.low is not None and self.gain.low > FINE

    def document(self) -> dict[str, Any]:
        """Return it as ``standings --json`` prints it."""
        bounds = {key: None if value is None else round(value, 4) for key, value in self.gain._asdict().items()}
        return {"name": self.name, **bounds, "remembers": self.remembers}


def later_seatings(games: Iterable[PlayedGame], *, low_wins: bool) -> tuple[Later, ...]:
    """Compare each entry's first game of every set with its others; ``games`` come in the order of play.

    Sets with a fault in them are left out: a penalty is no play.
    """
    sets: defaultdict[tuple[tuple[str, ...], int], list[PlayedGame]] = defaultdict(list)
    for game in games:
        sets[game.pairing, game.deal].append(game)
    gains = [
        (name, deal, gain)
        for (_, deal), played in sets.items()
        if len(played) > 1 and all(game.clean for game in played)
        for name, gain in _gains(played, low_wins=low_wins)
    ]
    names = sorted({name for name, _, _ in gains})
    number = {name: place for place, name in enumerate(names)}
    groups, units, values = zip(*gains, strict=True) if gains else ((), (), ())
    level = 1 - (1 - LEVEL) / max(1, len(names))
    found = clustered([number[name] for name in groups], units, values, len(names), level)
    return tuple(Later(name, gain) for name, gain in zip(names, found, strict=True))


def _gains(played: Sequence[PlayedGame], *, low_wins: bool) -> Iterator[tuple[str, float]]:
    """Yield by how much each entry did better in a set's later games than in its first."""
    first, *later = (dict(game.entries(low_wins=low_wins)) for game in played)
    for name, score in first.items():
        gain = sum(scores[name] for scores in later) / len(later) - score
        yield name, -gain if low_wins else gain
