"""JassBroadcast: describes and draws Jass, with the names of contracts, and Weis."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from croupier.protocol.jass import CONTRACTS
from croupier.server.games.broadcast import Said
from croupier.server.games.tricks_broadcast import TrickBroadcast

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from croupier.protocol.views.view import Play, View


class JassBroadcast(TrickBroadcast):
    """Tell which contract is played."""

    VERBS: ClassVar[Mapping[str, tuple[str, str]]] = {
        **TrickBroadcast.VERBS,
        "shift": ("leave it to the partner", "leaves the choice to the partner"),
        "weis": ("show", "shows"),
    }
    QUESTIONS: ClassVar[Mapping[str, str]] = {
        **TrickBroadcast.QUESTIONS,
        "trump": "Which trumps do you choose?",
        "weis": "Which cards do you show?",
    }
    CONTRACTS: ClassVar[Mapping[str, str]] = {
        word: f"(trump {key})" for key, name in CONTRACTS.items() for word in (key, name.lower())
    }

    def _in_words(self, play: Play, *, told: bool = True) -> str:
        """Return a play in words, and a contract by its name."""
        if self.drawn and play[0] == "trump":
            return f"{'chooses' if told else 'choose'} {CONTRACTS[str(play[1])]}"
        return super()._in_words(play, told=told)

    def contract(self) -> Sequence[str]:
        """Return the contract by its letter and its name."""
        known = self.game.phase != "trump"
        return (self.game.contract.name, CONTRACTS[self.game.contract.name].lower()) if known else ()

    def field(self, view: View, label: str, value: Any) -> Iterator[Said]:
        """Yield a field's meaning, with the contract by its name."""
        if label == "contract" and value is not None:
            yield Said(None, f"{'trumps: ' if value in 'cdhs' else ''}{CONTRACTS[value]}")
        else:
            yield from super().field(view, label, value)
