"""HeartsBroadcast: describes and draws Hearts, including the direction of passing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.server.games.tricks_broadcast import TrickBroadcast

if TYPE_CHECKING:
    from croupier.protocol.views.view import View

_TO = {"left": "to the left", "right": "to the right", "across": "across the table"}


class HeartsBroadcast(TrickBroadcast):
    """Ask a person for the cards to pass, with their direction."""

    def question(self, view: View) -> str:
        """Return the question for a card, or for the cards to pass."""
        hearts: Any = view
        if hearts.phase == "give":
            return f"Choose three cards to pass {_TO.get(hearts.passing, 'on')}."
        return super().question(view)
