"""Sedma: a bot that saves its sevens for tricks with points."""

from __future__ import annotations

from croupier.agents.tricks import TrickAgent, card, playable, played_cards

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from croupier.protocol.views.view import Play

JOKER = "7"
STOP = ("stop",)


class SevenSaver(TrickAgent):
    """Take tricks with points, cheaply; give points to the partner, nothing to the others."""

    def suit(self, card: str, state: Any) -> str:
        """Return the rank that a card counts as: a seven counts as the rank led."""
        return state.trick.cards[0][1] if card[1] == JOKER and state.trick else card[1]

    def tryPlay(self, state: Any) -> Play | None:
        """Decide about another round if asked, else as in any trick."""
        return self.goOn(state) if STOP in state.legal else super().tryPlay(state)

    def goOn(self, state: Any) -> Play:
        """Go on for points that others are about to take."""
        cards = playable(state)
        return card(cheapest(cards)) if cards and worth(state) and not self.ours(state) else STOP

    def tryLead(self, state: Any) -> Play:
        """Lead the cheapest card of a rank that few others can still match."""
        seen = played_cards(state) | set(state.hand)
        return card(min(playable(state), key=lambda c: (value(c), -sum(other[1] == c[1] for other in seen))))

    def tryFollow(self, state: Any) -> Play | None:
        """Take the trick from the others; use a seven only for points."""
        if self.ours(state):
            return self.tryDiscard(state)
        matching = [c for c in playable(state) if self.suit(c, state) == state.trick.cards[0][1]]
        taking = cheapest(matching)
        return card(taking) if taking[1] != JOKER or worth(state) else self.tryDiscard(state)

    def tryDiscard(self, state: Any) -> Play:
        """Give points to a trick that is certainly ours, else the cheapest card."""
        cards = playable(state)
        safe = self.ours(state) and len(state.trick) % 4 == 3
        points = [c for c in cards if c[1] in "AT"]
        return card(points[0] if safe and points else cheapest(cards))

    def ours(self, state: Any) -> bool:
        """Return whether the trick so far belongs to this player or the partner."""
        cards = state.trick.cards
        winner = max(place for place, c in enumerate(cards) if self.suit(c, state) == cards[0][1])
        return (winner - len(cards)) % 2 == 0


def value(name: str) -> int:
    """Return the cost of parting with a card."""
    return 20 if name[1] == JOKER else 10 if name[1] in "AT" else 0


def cheapest(cards: list[str]) -> str:
    """Return a card that costs least."""
    return min(cards, key=value)


def worth(state: Any) -> bool:
    """Return whether there are points on the table, or for the last trick."""
    return any(c[1] in "AT" for c in state.trick.cards) or (not state.stock and len(state.hand) == 1)
