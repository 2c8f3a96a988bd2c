"""Confinement: under which sandbox levels a tournament's bots have played, and who may use the network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from croupier.server.tournaments.manifest import manifests

if TYPE_CHECKING:
    from croupier.server.processes.sandbox import Level
    from croupier.server.tournaments.store import Store


class Confinement(NamedTuple):
    """The levels of a tournament's runs, in their order, and the versions that may use the network, by name."""

    levels: list[str]
    network: list[str]

    @classmethod
    def of(cls, store: Store) -> Confinement:
        """Read it from the store; an earlier croupier kept no levels."""
        bound = [bot for link in manifests(store) for bot in link.document["bots"]]
        return cls(store.fact("levels") or [], sorted({bot["name"] for bot in bound if bot.get("network")}))

    def document(self) -> dict[str, Any]:
        """Return it as ``standings --json`` prints it."""
        return {"sandbox": self.levels, "network": self.network}

    def lines(self) -> list[str]:
        """Return what a person is told."""
        shut_in = [f"sandbox: {', then '.join(self.levels)}"] if self.levels else []
        return shut_in + ([f"may use the network: {', '.join(self.network)}"] if self.network else [])


def note_level(store: Store, level: Level) -> None:
    """Write down that a run takes this level."""
    known = store.fact("levels") or []
    if level.value not in known:
        store.state("levels", [*known, level.value])
