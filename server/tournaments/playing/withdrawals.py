"""Withdrawals: who has faulted too often to play on, decided in the order in which batches are kept.

A batch is played without those who had too many faults in all games kept before it. Games of the same batch do not
count, so that a batch that was stopped halfway continues as it began. Each program's first games are a batch of their
own, a trial, so that one that faults in every game plays few.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING

from croupier.server.table.faults import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from croupier.server.table.played_game import Names
    from croupier.server.tournaments.formats.schedule import Batch

_SAID_BEFORE = "withdrawn: "
"""The beginning of a fault's cause in older records, which have no kind for a withdrawal and call it a crash."""
NONE: Mapping[tuple[Names, int], Iterable[int]] = MappingProxyType({})
LEAST_GAMES = 10
"""Nobody is withdrawn before this many games."""


def is_withdrawal(kind: str, why: str) -> bool:
    """Return whether a recorded fault means that the player had been withdrawn before the game."""
    return kind == Kind.WITHDRAWN.value or why.startswith(_SAID_BEFORE)


class Withdrawals:
    """The games and faulted games of each entry in everything that was kept."""

    def __init__(self, share: float) -> None:
        self.share = share
        self.played: Counter[str] = Counter()
        self.faulted: Counter[str] = Counter()

    def note(self, seating: Sequence[str], offenders: Iterable[int], games: int = 1) -> None:
        """Count a game, or several alike, once for each entry in it, and whether it committed a fault."""
        for name in set(seating):
            self.played[name] += games
        for name in {seating[seat] for seat in offenders}:
            self.faulted[name] += games

    def have_played(self, names: Iterable[str]) -> bool:
        """Return whether each of these has played a game."""
        return all(self.played[name] for name in names)

    def absent(self, pairing: Iterable[str], known: Mapping[tuple[Names, int], Iterable[int]] = NONE) -> dict[str, str]:
        """Return the reason for each member of a pairing that no longer plays.

        ``known`` has the games of the same batch that have been counted, each with the seats that faulted.
        """
        why = f"a fault in more than {self.share:.0%} of its games"
        return {name: why for name in dict.fromkeys(pairing) if self._too_many(name, known)}

    def _too_many(self, name: str, known: Mapping[tuple[Names, int], Iterable[int]]) -> bool:
        games, faulted = self.played[name], self.faulted[name]
        for (seating, _), offenders in known.items():
            games -= name in seating
            faulted -= any(seating[seat] == name for seat in offenders)
        return games >= LEAST_GAMES and faulted > self.share * games


def trials_first(batches: Iterable[Batch], untried: set[str]) -> Iterator[Batch]:
    """Yield the trials of a round, then the rest of it.

    A trial is the first deals at a table of somebody ``untried``: enough for `LEAST_GAMES` games, or all of them if
    fewer than as many again would be left. The players of a trial are removed from ``untried``.
    """
    rest = iter(batches)
    put_off: list[Batch] = []
    while untried and (batch := next(rest, None)):
        if untried.isdisjoint(batch.pairing):
            put_off.append(batch)
            continue
        untried.difference_update(batch.pairing)
        few = -(-LEAST_GAMES // len(batch.seatings[0]))
        trial, *later = batch.split(few) if len(batch.deals) >= 2 * few else [batch]
        yield trial._replace(trial=True)
        put_off += later
    yield from chain(put_off, rest)
