"""Confinement: how a tournament's bots were shut in while they played, and who may use the network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from croupier.server.tournaments.entering.manifest import manifests
from croupier.server.tournaments.keeping.chain_state import Played, events

if TYPE_CHECKING:
    from collections.abc import Iterable

    from croupier.server.tournaments.keeping.store import Store


class Confinement(NamedTuple):
    """How the bots of a tournament were shut in, in the order of its runs, and which versions may use the network."""

    levels: list[str]
    network: list[str]
    isolate: list[str]
    bound: bool = True
    """Whether the chain binds levels and isolation; an earlier croupier only noted the levels, or not even them."""

    @classmethod
    def of(cls, store: Store) -> Confinement:
        """Read it from the chain."""
        named = [bot for link in manifests(store) for bot in link.document["bots"]]
        network = sorted({bot["name"] for bot in named if bot.get("network")})
        batches = [event for _, event in events(store.chain()) if isinstance(event, Played)]
        levels, isolate = (_each(batches, how) for how in ("sandbox", "isolate"))
        if batches and not levels:
            return cls(store.fact("levels") or [], network, [], bound=False)
        return cls(levels, network, isolate)

    def document(self) -> dict[str, Any]:
        """Return it as ``standings --json`` prints it."""
        return {"sandbox": self.levels, "isolate": self.isolate, "network": self.network}

    def lines(self) -> list[str]:
        """Return what a person is told."""
        noted = "" if self.bound else " (not bound)"
        shut_in = [f"sandbox: {', then '.join(self.levels)}{noted}"] if self.levels else []
        apart = [f"isolate: {', then '.join(self.isolate)}"] if "strict" in self.isolate else []
        return [*shut_in, *apart, *([f"may use the network: {', '.join(self.network)}"] if self.network else [])]


def _each(batches: Iterable[Played], how: str) -> list[str]:
    """Return what batches say of how they were played, each answer once."""
    return list(dict.fromkeys(said for batch in batches if (said := getattr(batch, how)) is not None))
