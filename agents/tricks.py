"""TrickAgent: the base of bots for trick-taking games, with the cards on the table, gone, and beatable."""

from __future__ import annotations

from croupier.agents.agent import Agent
from croupier.protocol.cards import RANKS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from croupier.protocol.views.view import Play


def strengths(low_to_high: str) -> dict[str, int]:
    """Return the strength of each rank in a list from low to high."""
    return {rank: strength for strength, rank in enumerate(low_to_high)}


ACE_HIGH = strengths(RANKS)


class TrickAgent(Agent):
    """A player of tricks: `tryBid` before the cards, then, to each trick, `tryLead`, `tryFollow` or `tryDiscard`.

    Suits are printed suits and aces are high; a game with trumps says otherwise in `suit` and `strength`.
    """

    def tryLead(self, state: Any) -> Play | None:
        """Decide which card to lead."""
        return None

    def tryFollow(self, state: Any) -> Play | None:
        """Decide which card of the suit led to play."""
        return None

    def tryDiscard(self, state: Any) -> Play | None:
        """Decide which card to play when the suit led cannot be followed."""
        return None

    def tryPlay(self, state: Any) -> Play | None:
        """Ask the hook that fits the moment."""
        if not state.trick:
            return self.tryLead(state)
        led = self.suit(state.trick.cards[0], state)
        for card in playable(state):
            if self.suit(card, state) == led:
                return self.tryFollow(state)
        return self.tryDiscard(state)

    def suit(self, card: str, state: Any) -> str:
        """Return the effective suit of a card."""
        return card[0]

    def strength(self, card: str, state: Any) -> int:
        """Return how high a card is among those of its effective suit."""
        return ACE_HIGH[card[1]]

    def best(self, state: Any) -> str:
        """Return the card of the suit led that is the highest on the table."""
        cards: tuple[str, ...] = state.trick.cards
        led = self.suit(cards[0], state)
        return max(
            (card for card in cards if self.suit(card, state) == led), key=lambda card: self.strength(card, state)
        )


def playable(state: Any) -> list[str]:
    """Return the cards that may be played."""
    return [play[1] for play in state.legal if play[0] == "play"]


def card(name: str) -> Play:
    """Return the play of a card."""
    return ("play", name)


def played_cards(state: Any) -> set[str]:
    """Return the cards that have been played in this hand."""
    return {name for trick in state.tricks for name in trick.cards} | set(state.trick.cards)


def unseen(state: Any, pack: Iterable[str]) -> set[str]:
    """Return the cards that other players still hold, as far as the own hand and the play reveal."""
    return set(pack) - played_cards(state) - set(state.hand)


def lengths(hand: Iterable[str]) -> Mapping[str, int]:
    """Return how many cards of each printed suit a hand has."""
    counts = dict.fromkeys("cdhs", 0)
    for name in hand:
        counts[name[0]] += 1
    return counts
