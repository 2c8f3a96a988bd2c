"""HeartsBroadcast: Hearts told and drawn: where cards are passed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.server.games.tricks_broadcast import TrickBroadcast

if TYPE_CHECKING:
    from croupier.protocol.views.view import View

_TO = {"left": "to the left", "right": "to the right", "across": "across the table"}


class HeartsBroadcast(TrickBroadcast):
    """Ask a person for the cards to pass by where they go."""

    def question(self, view: View) -> str:
        """Ask for a card, or for those that are passed."""
        hearts: Any = view
        if hearts.phase == "give":
            return f"Choose three cards to pass {_TO.get(hearts.passing, 'on')}."
        return super().question(view)
