"""DoppelkopfBroadcast: describes and draws Doppelkopf, including the parties as far as they are known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from croupier.protocol.doppelkopf import NORMAL, SOLOS
from croupier.server.games.broadcast import Said
from croupier.server.games.tricks_broadcast import TrickBroadcast

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from croupier.protocol.views.view import View


class DoppelkopfBroadcast(TrickBroadcast):
    """Tell reservations while they are made, and parties once they are known."""

    OWN: ClassVar[frozenset[str]] = frozenset()
    VERBS: ClassVar[Mapping[str, tuple[str, str]]] = {
        **TrickBroadcast.VERBS,
        "healthy": ("no reservation", "has no reservation"),
        "wedding": ("declare a wedding", "declares a wedding"),
        "poverty": ("offer poverty", "offers poverty"),
        "solo": ("declare a solo:", "declares a solo:"),
        "take": ("take the cards", "takes the cards"),
        "exchange": ("give back", "gives back"),
    }
    QUESTIONS: ClassVar[Mapping[str, str]] = {
        **TrickBroadcast.QUESTIONS,
        "reserve": "Do you have a reservation?",
        "poverty": "Do you take the poor player's cards?",
        "exchange": "Choose the cards to give back.",
    }
    CONTRACTS: ClassVar[Mapping[str, str]] = {
        NORMAL: "",
        "wedding": "(wedding)",
        "poverty": "(poverty)",
        "solo": "(solo ",
        **{name: f"(solo {name})" for name in SOLOS},
    }

    def contract(self) -> Sequence[str]:
        """Return the contract; for a solo also which one."""
        match self.game.contract:
            case None:
                return ()
            case "solo", name, _:
                return ("solo", name)
            case [word, *_] | word:
                return (word,)

    def field(self, view: View, label: str, value: Any) -> Iterator[Said]:
        """Yield a field's meaning: the seat's own party in addition to those that everybody knows."""
        players = self.game.players
        if label == "reservations":
            spoken = value.items() if view.phase != "play" else ()
            yield from (Said(players.index(name), word) for name, word in spoken)
        elif label == "parties":
            yield from (Said(players.index(name), word) for name, word in value.items())
        elif label == "party":
            return
        else:
            yield from super().field(view, label, value)

    def beside(self, view: View) -> Iterator[str]:
        """Yield the seat's own party if it is not public."""
        own: Any = view
        if own.party is not None and own.me not in own.parties:
            yield f"{own.party}, in secret"
