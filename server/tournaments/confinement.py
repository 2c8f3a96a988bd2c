"""Confinement: under which sandbox levels a tournament's bots have played, for people to see."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    from croupier.server.processes.sandbox import Level
    from croupier.server.tournaments.store import Store

Levels = list[Literal["none", "limits", "bwrap"]]
"""Level names as the store keeps them, in the order in which runs took them."""


class Confinement(NamedTuple):
    """The levels of a tournament's runs."""

    levels: Levels

    @classmethod
    def of(cls, store: Store) -> Confinement:
        """Read it from the store; an earlier croupier kept no levels."""
        return cls(store.fact("levels") or [])

    def document(self) -> dict[str, Any]:
        """Return it as ``standings --json`` prints it."""
        return {"sandbox": self.levels}

    def lines(self) -> list[str]:
        """Return what a person is told."""
        return [f"sandbox: {', then '.join(self.levels)}"] if self.levels else []


def note_level(store: Store, level: Level) -> None:
    """Write down that a run takes this level."""
    known = Confinement.of(store).levels
    if level.value not in known:
        store.state("levels", [*known, level.value])
