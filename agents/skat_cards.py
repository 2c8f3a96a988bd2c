"""Cards of Skat in the eyes of a player: which beats which in a game, which are still out, what a trick holds."""

from __future__ import annotations

from croupier.protocol.cards import RANKS, TEN_HIGH
from croupier.protocol.skat import BASE, PACK, POINTS, TRUMPS, effective_suit, matadors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from croupier.protocol.views.skat import SkatView


def value(game: str, cards: Collection[str]) -> int:
    """Return what a game of suit or Grand is worth at least with these cards: its matadors and one."""
    return BASE[game] * (abs(matadors(game, cards)) + 1)


class Order:
    """Suits and ranks of one game: ``suit[card]``, and ``power[card]`` among the cards of its suit."""

    __slots__ = ("power", "suit")

    def __init__(self, game: str) -> None:
        trumps = TRUMPS[game]
        ranks = RANKS if game == "null" else TEN_HIGH
        self.suit = {card: effective_suit(game, card) for card in PACK}
        self.power = {card: 99 - trumps.index(card) if card in trumps else ranks.index(card[1]) for card in PACK}

    def beats(self, card: str, best: str) -> bool:
        """Whether a card takes a trick from the best one before it."""
        if self.suit[card] == self.suit[best]:
            return self.power[card] > self.power[best]
        return self.suit[card] == "trump"

    def best(self, trick: Sequence[str]) -> int:
        """Return the place of the card that has the trick so far."""
        best = 0
        for place, card in enumerate(trick):
            if self.beats(card, trick[best]):
                best = place
        return best


_orders: dict[str, Order] = {}


def order(game: str) -> Order:
    """Return the order of a game, made when it is first played."""
    if game not in _orders:
        _orders[game] = Order(game)
    return _orders[game]


class Cards:
    """What a player sees in the play: the game, the cards that are out, the trick and whose it is so far."""

    __slots__ = ("best", "game", "hand", "options", "order", "out", "played", "taken_by", "trick", "worth")

    def __init__(self, state: SkatView) -> None:
        self.game: str = state.contract[0]
        self.order = order(self.game)
        self.hand: tuple[str, ...] = state.hand
        self.options: list[str] = [play[1] for play in state.legal]
        self.trick: tuple[str, ...] = state.trick.cards
        seen = {*self.hand, *(state.skat or ()), *self.trick, *[card for trick in state.tricks for card in trick.cards]}
        self.out = [card for card in PACK if card not in seen]
        """Cards that others hold, or that lie in a skat one does not know."""
        self.worth = sum([POINTS[card] for card in self.trick])
        self.played = _clockwise(state)[: len(self.trick)] if self.trick else []
        """Who has played to the trick, in order."""
        self.best, self.taken_by = "", ""
        if self.trick:
            place = self.order.best(self.trick)
            self.best, self.taken_by = self.trick[place], self.played[place]

    def winners(self) -> list[str]:
        """List the playable cards that take the trick as it is."""
        return [card for card in self.options if self.order.beats(card, self.best)]

    def is_high(self, card: str) -> bool:
        """Whether no card that is out is higher in its suit."""
        suit, power = self.order.suit, self.order.power
        return not any(suit[other] == suit[card] and power[other] > power[card] for other in self.out)

    def out_in(self, suit: str) -> int:
        """Count the cards of a suit that are out."""
        return sum([self.order.suit[card] == suit for card in self.out])

    def held(self, suit: str) -> list[str]:
        """List the cards of a suit in the hand."""
        return [card for card in self.hand if self.order.suit[card] == suit]


def _clockwise(state: SkatView) -> list[str]:
    """List the three who play, from the leader of the trick; all of them spoke in the auction."""
    playing = {name for name, _ in state.bids}
    names = [name for name in state.players if name in playing]
    place = names.index(state.trick.leader)
    return names[place:] + names[:place]
