"""JassBroadcast: Jass told and drawn: its contracts by their names, and what was shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.server.games.broadcast import Said
from croupier.server.games.tricks_broadcast import TrickBroadcast

if TYPE_CHECKING:
    from collections.abc import Iterator

    from croupier.protocol.views.view import View

CONTRACTS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades", "o": "Obenabe", "u": "Undenufe"}


class JassBroadcast(TrickBroadcast):
    """Say which contract is played."""

    def field(self, view: View, label: str, value: Any) -> Iterator[Said]:
        """Yield what a field says: the contract by its name."""
        if label == "contract" and value is not None:
            yield Said(None, f"{'trumps: ' if value in 'cdhs' else ''}{CONTRACTS[value]}")
        else:
            yield from super().field(view, label, value)
