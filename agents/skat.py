"""Skat: what a player decides before the cards and in the play, and a club player who does it sensibly.

A first bot overrides one hook and still bids, picks up, declares and plays::

    class Bold(SkatAgent):
        def bidUpTo(self, state):
            return 20 if "cJ" in state.hand else 0
"""

from __future__ import annotations

from croupier.agents.skat_cards import Cards, order, value
from croupier.agents.skat_hand import best_declaration, hand_declaration, prospects
from croupier.agents.skat_play import defend, drive_home, duck, push, shun
from croupier.agents.tricks import TrickAgent, card, playable
from croupier.protocol.skat import BASE, POINTS, TRUMPS, card_points

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.protocol.views.skat import SkatView
    from croupier.protocol.views.view import Play

PASS: Play = ("pass",)
PICK_UP: Play = ("pick-up",)
HAND: Play = ("hand",)


# The agent


class SkatAgent(TrickAgent):
    """A player of Skat. As it stands it bids on five trumps, puts down its weakest cards and plays low."""

    def tryBid(self, state: SkatView) -> Play | None:
        """Drive the auction: bid and hold up to `bidUpTo`. In the phases after it this hook is asked first too."""
        return call_up_to(state, self.bidUpTo(state)) if state.phase == "bid" else None

    def bidUpTo(self, state: SkatView) -> int:
        """Return the value up to which to bid and hold; 0 is to pass."""
        game = longest(state.hand)
        return value(game, state.hand) if len(trumps(game, state.hand)) >= 5 else 0

    def trySkat(self, state: SkatView) -> Play | None:
        """Take the skat, or leave it."""
        return PICK_UP

    def tryDeclare(self, state: SkatView) -> Play | None:
        """Declare a game, and put two cards down where the skat was picked up."""
        return declare(state, longest(state.hand))

    def tryContra(self, state: SkatView) -> Play | None:
        """Double the game as a defender, or double it again as the declarer."""
        return PASS

    def suit(self, card: str, state: SkatView) -> str:
        """Return ``trump``, or the printed suit of a plain card."""
        return order(state.contract[0]).suit[card]

    def strength(self, card: str, state: SkatView) -> int:
        """Return how high a card is in its suit."""
        return order(state.contract[0]).power[card]

    def best(self, state: SkatView) -> str:
        """Return the card that has the trick so far."""
        cards: tuple[str, ...] = state.trick.cards
        return cards[order(state.contract[0]).best(cards)]

    def choose(self, state: SkatView) -> Play:
        """Ask the hook of the phase; where that has no answer too, do what `SkatAgent` does."""
        match state.phase:
            case "skat":
                return self.trySkat(state) or PICK_UP
            case "declare":
                return self.tryDeclare(state) or declare(state, longest(state.hand))
            case "play":
                return card(min(playable(state), key=POINTS.__getitem__))
            case "contra":
                return self.tryContra(state) or PASS
            case _:
                return PASS


# The auction, the skat and the declaration


def call_up_to(state: SkatView, limit: int) -> Play:
    """Bid the next value, or hold the last, if it is not above the limit."""
    word, *value = state.legal[0]
    wanted = value[0] if word == "bid" else state.bid
    return state.legal[0] if wanted <= limit else PASS


def trumps(game: str, cards: Sequence[str]) -> list[str]:
    """Return the trumps among the cards."""
    return [card for card in cards if card in TRUMPS[game]]


def longest(cards: Sequence[str]) -> str:
    """Return the suit game with most trumps, of equals the one with more points in trumps left outside them."""
    return max(list(BASE)[:4], key=lambda game: (len(trumps(game, cards)), -card_points(trumps(game, cards))))


def declare(state: SkatView, game: str) -> Play:
    """Declare a game with the two weakest cards put down, or from the hand."""
    return ("declare", game, *(weakest_two(game, state.hand) if state.skat else ()))


def weakest_two(game: str, cards: Sequence[str]) -> tuple[str, ...]:
    """Return the two plain cards that leave a suit or bring home points: short suits first, their tens before all."""
    plain = [card for card in cards if card not in TRUMPS[game]] or list(cards)
    length = {suit: sum(card[0] == suit for card in plain) for suit in "cshd"}
    going = sorted(plain, key=lambda card: (card[1] == "A", length[card[0]], -POINTS[card]))
    return tuple((going + [card for card in reversed(cards) if card not in going])[:2])


# A club player


class SkatClub(SkatAgent):
    """Weigh every game and pair to put down, bid what is likely to be won; draw trumps, or give a partner points."""

    def bidUpTo(self, state: SkatView) -> int:
        """Return the highest bid that is held by a game with a gain to expect, from the hand or with the skat."""
        return max([held for score, held, _ in prospects(state.hand) if score > 0], default=0)

    def trySkat(self, state: SkatView) -> Play | None:
        """Leave the skat where a game from the hand should score more."""
        return HAND if hand_declaration(state.hand, state.bid) else PICK_UP

    def tryDeclare(self, state: SkatView) -> Play | None:
        """Declare the game with the best expected score that holds the bid, without the best pair to put down."""
        return (best_declaration if state.skat else hand_declaration)(state.hand, state.bid)

    def tryPlay(self, state: SkatView) -> Play | None:
        """Play as one's side should."""
        sight = state.sight
        cards = Cards(sight)
        if not cards.declarer:
            return card(shun(cards))
        if cards.declarer == cards.me:
            return card(duck(cards) if cards.game == "null" else drive_home(cards))
        return card(push(cards) if cards.game == "null" else defend(cards))
