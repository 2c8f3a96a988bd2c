"""Withdrawals: who has faulted too often to play on, decided in the order of the schedule and by nothing else."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from croupier.server.table.faults import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_SAID_BEFORE = "withdrawn: "
"""How a fault's cause begins in records from before there was a kind of fault for it: they call it a crash."""
LEAST_GAMES = 10
"""Nobody is withdrawn before so many games."""


def is_withdrawal(kind: str, why: str) -> bool:
    """Return whether a recorded fault means that the player had been withdrawn before the game."""
    return kind == Kind.WITHDRAWN.value or why.startswith(_SAID_BEFORE)


class Withdrawals:
    """Games and faulted games of each entry in all batches that the schedule has before the one asked about."""

    def __init__(self, share: float) -> None:
        self.share = share
        self.played: Counter[str] = Counter()
        self.faulted: Counter[str] = Counter()

    def note(self, seating: Sequence[str], offenders: Iterable[int], games: int = 1) -> None:
        """Count a game, or several alike, for each entry in it, once, and whether it committed a fault in it."""
        for name in set(seating):
            self.played[name] += games
        for name in {seating[seat] for seat in offenders}:
            self.faulted[name] += games

    def absent(self, names: Iterable[str]) -> dict[str, str]:
        """Return the reason for each of these that no longer plays."""
        why = f"a fault in more than {self.share:.0%} of its games"
        return {name: why for name in dict.fromkeys(names) if self._too_many(name)}

    def _too_many(self, name: str) -> bool:
        games = self.played[name]
        return games >= LEAST_GAMES and self.faulted[name] > self.share * games
