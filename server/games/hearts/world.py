"""What a search asks of Hearts: what bots look at in the play, and what others may hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.protocol.cards import suit
from croupier.protocol.views.hearts import GIVEN, HeartsSight, HeartsView
from croupier.server.games.glance import Glance
from croupier.server.games.hearts.cards import HEARTS, JACK, PACK, POINT_CARDS, POINTS, TWO_OF_CLUBS
from croupier.server.games.hearts.retelling import HeartsRetelling
from croupier.server.games.tricks_world import TrickWorld

if TYPE_CHECKING:
    from random import Random

    from croupier.protocol.views.view import View
    from croupier.server.games.hands import Hand
    from croupier.server.games.hearts.game import Hearts


class HeartsGlance(Glance, HeartsView):
    """A `HeartsView` at a glance."""


class HeartsWorld(TrickWorld):
    """Hearts as a search has it."""

    game: Hearts
    RETELLING = HeartsRetelling

    def worth(self, card: str) -> int:
        """Return a card's points, the jack of diamonds' among them."""
        return -self.game.jack if card == JACK else POINTS[card]

    def glance(self, seat: int) -> View:
        """Return what ``seat`` may know; the play of a card as sets of cards, all else when it is asked for."""
        game = self.game
        if game.phase != "play" or seat != game.turn:
            return game.view(seat)
        hands, taken = game.hands, game.taken
        hand, mine, out = hands[seat], taken[seat], sum(hands) - hands[seat]
        may, sweeping = game.playable(seat), 0 < mine == sum(taken)
        sight = HeartsSight(hand, may, out, game.trick, opening=not game.tricks, sweeping=sweeping)
        return HeartsGlance(game, seat, sight)

    def known(self, seat: int, other: int) -> Hand:
        """Return what is left of one's gift, and the two of clubs before it was led."""
        game = self.game
        if game.phase != "play":
            return 0
        gift = game.gave[seat] if other == game.receiver(seat) else 0
        two = TWO_OF_CLUBS if game.two_leads and other == game.leader else 0
        return game.hands[other] & (gift | two)

    def hidden(self, seat: int) -> list[Hand]:
        """Return the others' gifts while they lie on the table."""
        game = self.game
        return [] if game.phase == "play" else [gift for other, gift in enumerate(game.gave) if other != seat]

    def rehide(self, seat: int, piles: list[Hand], rng: Random) -> None:
        """Let others have given what they may have given: what their receiver has, or had."""
        game = self.game
        if game.phase != "play":
            piles.insert(seat, game.gave[seat])
            game.gave = piles
        elif game.passing != "none":
            held = game.hands[:]
            for player, card in game.played():
                held[player] += PACK.units[card]
            for giver in {0, 1, 2, 3} - {seat, game.giver(seat)}:
                game.gave[giver] = PACK.hand(rng.sample(PACK.cards.of(held[game.receiver(giver)]), GIVEN))

    def lacks(self) -> list[Hand]:
        """Add that a heart led before they were broken, and a point on the first trick, was forced."""
        game = self.game
        lacks = super().lacks()
        broken = game.options["break"] == "no"
        for number, (leader, cards) in enumerate(game.all_tricks()):
            if cards and not broken and suit(cards[0]) == "h":
                lacks[leader] |= ~HEARTS
            broken = broken or not game.breakers.isdisjoint(cards)
            for seat, card in zip(game.around[leader], cards, strict=False):
                if number == 0 and game.safe and POINTS[card]:
                    follows = seat != leader and suit(card) == suit(cards[0])
                    lacks[seat] |= (game.suits[card] if follows else PACK.everything) & ~POINT_CARDS
        return lacks
