"""JassBroadcast: Jass told and drawn: its contracts by their names, and what was shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from croupier.protocol.jass import CONTRACTS
from croupier.server.games.broadcast import Said
from croupier.server.games.tricks_broadcast import TrickBroadcast

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from croupier.protocol.views.view import Play, View


class JassBroadcast(TrickBroadcast):
    """Say which contract is played."""

    VERBS: ClassVar[Mapping[str, str]] = {
        **TrickBroadcast.VERBS,
        "shift": "leaves the choice to the partner",
        "weis": "shows",
    }
    CONTRACTS: ClassVar[Mapping[str, str]] = {
        word: f"(trump {key})" for key, name in CONTRACTS.items() for word in (key, name.lower())
    }

    def _in_words(self, play: Play) -> str:
        """Say a play, and a contract by its name."""
        return f"chooses {CONTRACTS[str(play[1])]}" if self.drawn and play[0] == "trump" else super()._in_words(play)

    def contract(self) -> Sequence[str]:
        """Return the contract by its letter and its name."""
        known = self.game.phase != "trump"
        return (self.game.contract.name, CONTRACTS[self.game.contract.name].lower()) if known else ()

    def field(self, view: View, label: str, value: Any) -> Iterator[Said]:
        """Yield what a field says: the contract by its name."""
        if label == "contract" and value is not None:
            yield Said(None, f"{'trumps: ' if value in 'cdhs' else ''}{CONTRACTS[value]}")
        else:
            yield from super().field(view, label, value)
