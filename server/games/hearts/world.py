"""What a search asks of Hearts: a hand retold from a view, what bots look at, and what others may hold."""

from __future__ import annotations

from functools import cache
from operator import add
from typing import TYPE_CHECKING, Any

from croupier.protocol.cards import PACK_52, suit
from croupier.protocol.hearts import DIVIDED, NOBODY, OpenHearts
from croupier.protocol.views.hearts import GIVEN
from croupier.server.games.hearts.cards import (
    ALL_POINTS,
    BREAKERS,
    BREAKERS_AND_QUEEN,
    HEARTS,
    JACK,
    PACK,
    POINT_CARDS,
    POINTS,
    ROTATION,
    STEPS,
    SUITS,
    TABLE,
    TWO_OF_CLUBS,
)
from croupier.server.games.open_cards import Stakes, lay_open, numbered
from croupier.server.games.tricks_world import Retelling, TrickWorld

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from croupier.protocol.open_cards import NumberedCards, OpenCards
    from croupier.server.games.hands import Hand
    from croupier.server.games.hearts.game import Hearts


NUMBERS = {card: number for number, card in enumerate(PACK_52)}


# cached because the options of a game stay the same
@cache
def numbered_cards(jack: int, *, bars: bool, queen_breaks: bool) -> NumberedCards:
    """Return the cards in numbers."""
    breakers = PACK.where((BREAKERS_AND_QUEEN if queen_breaks else BREAKERS).__contains__)
    points = {card: -jack if card == JACK else POINTS[card] for card in PACK.units}
    barred = HEARTS if bars else 0
    return numbered(PACK, SUITS, TABLE, Stakes(points, barred=barred, breakers=breakers, counted=POINT_CARDS))


def moons(option: str) -> list[list[int]]:
    """Return what a moon adds to each seat's points, by the seat that has shot it."""
    mine, others = (-2 * ALL_POINTS, 0) if option == "shooter-down" else (-ALL_POINTS, ALL_POINTS)
    return [[mine if seat == shooter else others for seat in range(4)] for shooter in range(4)]


class HeartsRetelling(Retelling):
    """A hand of Hearts retold: the others' gifts are any three cards that their receivers had."""

    size = 13

    def options(self) -> dict[str, Any]:
        """Return the options with this hand's direction of passing."""
        return {**super().options(), "pass": self.view.passing}

    def certain(self, name: str) -> list[str]:
        """Return the part of the viewer's gift that its receiver still holds."""
        given = self.view.gave or ()
        return [card for card in given if card not in self.played[name]] if name == self.players[self.receiver] else []

    @property
    def step(self) -> int:
        """By how many seats the cards are passed."""
        return STEPS[self.view.passing]

    @property
    def receiver(self) -> int:
        """The receiver of the viewer's gift."""
        return (self.seat(self.view.me) + self.step) % 4

    def current_hands(self) -> dict[str, list[str]]:
        """Return the hands with the cards that are set aside as gifts."""
        current_hands = super().current_hands()
        if self.view.phase == "give":
            current_hands[self.view.me] += self.view.gave or ()
        return current_hands

    def hands(self) -> tuple[list[list[str]], list[str]]:
        """Return the hands as they were before giving."""
        hands, rest = super().hands()
        me, view, step = self.seat(self.view.me), self.view, self.step
        self.gifts: dict[int, list[str]] = {}
        if view.phase == "give" or not step:
            self.gifts = {me: list(view.gave)} if view.gave else {}
            return hands, rest
        known_cards = {me: view.gave, (me - step) % 4: view.received}
        self.gifts = {giver: list(known_cards.get(giver) or hands[(giver + step) % 4][:GIVEN]) for giver in range(4)}
        return [self._return_gift(seat, hand) for seat, hand in enumerate(hands)], rest

    def _return_gift(self, seat: int, hand: list[str]) -> list[str]:
        received = self.gifts[(seat - self.step) % 4]
        return [card for card in hand if card not in received] + self.gifts[seat]

    def before(self, game: Any) -> None:
        """Repeat the giving."""
        game.number = 1 + ROTATION.index(self.view.passing)
        for seat, gift in self.gifts.items():
            game.play(seat, ("give", *gift))


class HeartsWorld(TrickWorld):
    """Hearts as a search sees it."""

    game: Hearts
    RETELLING = HeartsRetelling

    def worth(self, card: str) -> int:
        """Return a card's points, including those of the jack of diamonds."""
        return -self.game.jack if card == JACK else POINTS[card]

    def open_cards(self) -> OpenCards | None:
        """Return the rest of a hand in numbers, after the first trick, which has its own rules."""
        game, option = self.game, self.game.options
        if not game.tricks:
            return None
        bars, queen_breaks = option["break"] == "yes", option["queen-breaks"] == "yes"
        takers = [seat for seat, points in enumerate(game.taken) if points]
        return lay_open(game, numbered_cards(game.jack, bars=bars, queen_breaks=queen_breaks), None)._replace(
            low_wins=True,
            broken=game.broken,
            sweeper=takers[0] if len(takers) == 1 else None,
            divided=len(takers) > 1,
            sweeps=moons(str(option["moon"])),
        )

    def open_hearts(self) -> OpenHearts:
        """Return the rest of a hand in numbers, once the cards are played."""
        game, option = self.game, self.game.options
        takers = [seat for seat, points in enumerate(game.taken) if points]
        return OpenHearts(
            hands=game.hands,
            taken=game.taken,
            trick=[NUMBERS[card] for card in game.trick],
            leader=game.leader,
            sweeper=DIVIDED if len(takers) > 1 else takers[0] if takers else NOBODY,
            broken=game.broken,
            opening=not game.tricks,
            bars=option["break"] == "yes",
            queen_breaks=option["queen-breaks"] == "yes",
            safe=game.safe,
            two_leads=game.two_leads,
            jack_taker=NOBODY if game.jack_taker is None else game.jack_taker,
        )

    def settle(self, taken: Sequence[int], jack_taker: int) -> None:
        """End the game with these points of each seat in this hand, and `NOBODY` or who took the jack of diamonds."""
        game = self.game
        game.taken, game.jack_taker = list(taken), None if jack_taker == NOBODY else jack_taker
        game.tally = tuple(map(add, game.tally, game.points()))
        game.turn = None

    def known_cards(self, seat: int, other: int) -> Hand:
        """Return the part of the seat's gift that is left, and the two of clubs before it was led."""
        game = self.game
        if game.phase != "play":
            return 0
        gift = game.gave[seat] if other == game.receiver(seat) else 0
        two = TWO_OF_CLUBS if game.two_leads and other == game.leader else 0
        return game.hands[other] & (gift | two)

    def given(self, seat: int) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        """Return the thirteen cards of which a seat was given three, and these; None if none were given."""
        game = self.game
        if game.phase != "play" or not any(game.gave):
            return None
        giver = game.giver(seat)
        held = HeartsRetelling.began(game)[giver] + game.gave[giver] - game.gave[game.giver(giver)]
        return PACK.cards.of(held), PACK.cards[game.gave[giver]]

    def hidden_piles(self, seat: int) -> list[Hand]:
        """Return the others' gifts while they are set aside."""
        game = self.game
        return [] if game.phase == "play" else [gift for other, gift in enumerate(game.gave) if other != seat]

    def rehide(self, seat: int, piles: list[Hand], rng: Random) -> None:
        """Choose the others' gifts again among the cards that their receivers have, or had."""
        game = self.game
        if game.phase != "play":
            piles.insert(seat, game.gave[seat])
            game.gave = piles
        elif game.passing != "none":
            current_hands = HeartsRetelling.began(game)
            for giver in {0, 1, 2, 3} - {seat, game.giver(seat)}:
                game.gave[giver] = PACK.hand(rng.sample(PACK.cards.of(current_hands[game.receiver(giver)]), GIVEN))

    def lacks(self) -> list[Hand]:
        """Add that a heart led before they were broken, and a point in the first trick, were forced."""
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
