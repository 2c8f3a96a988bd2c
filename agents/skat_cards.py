"""Cards of Skat as a player sees them: which beats which in a game, which are still out, what a trick contains."""

from __future__ import annotations

from croupier.protocol.cards import RANKS, SUITS, TEN_HIGH
from croupier.protocol.skat import BASE, PACK, POINTS, TRUMPS, effective_suit, matadors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from croupier.protocol.views.skat import SkatSight


def value(game: str, cards: Collection[str]) -> int:
    """Return the least value of a suit game or Grand with these cards: its matadors and one."""
    return BASE[game] * (abs(matadors(game, cards)) + 1)


class Order:
    """Suits and ranks of one game: ``suit[card]``, and ``power[card]`` among the cards of its suit.

    ``of[suit]`` are the cards of a suit, ``higher[card]`` those of its suit that are higher, ``over[card]`` all that
    take a trick from it. ``cost[card]`` orders cards by the loss of parting with them, ``fat[card]`` by the points that
    they bring.
    """

    __slots__ = ("cost", "fat", "higher", "of", "over", "power", "suit")

    def __init__(self, game: str) -> None:
        trumps = TRUMPS[game]
        ranks = RANKS if game == "null" else TEN_HIGH
        self.suit = suit = {card: effective_suit(game, card) for card in PACK}
        self.power = power = {
            card: 99 - trumps.index(card) if card in trumps else ranks.index(card[1]) for card in PACK
        }
        self.of = {name: frozenset([card for card in PACK if suit[card] == name]) for name in ("trump", *SUITS)}
        self.higher = {
            card: frozenset([other for other in self.of[suit[card]] if power[other] > power[card]]) for card in PACK
        }
        trump = self.of["trump"]
        self.over = {card: self.higher[card] | (trump if card not in trump else frozenset()) for card in PACK}
        self.cost = {
            card: (POINTS[card] + 6 * (suit[card] == "trump") + 4 * (card[1] == "J"), power[card]) for card in PACK
        }
        self.fat = {card: (POINTS[card], -power[card]) for card in PACK}

    def best(self, trick: Sequence[str]) -> int:
        """Return the index of the card that has the trick so far."""
        best = 0
        for place, card in enumerate(trick):
            if card in self.over[trick[best]]:
                best = place
        return best


_orders: dict[str, Order] = {}


def order(game: str) -> Order:
    """Return the order of a game, computed when it is first played."""
    if game not in _orders:
        _orders[game] = Order(game)
    return _orders[game]


class Cards:
    """A player's knowledge during the play: the game, the cards still out, the trick and who has it so far.

    ``behind`` are those who have yet to play to the trick after this player. ``partner`` is the other defender, if this
    player is one. It and ``declarer`` are empty where there is none. ``void`` are the suits that each player is known
    to have no card of.
    """

    __slots__ = (
        *("behind", "best", "declarer", "game", "hand", "me", "options", "order", "out", "partner", "taken_by"),
        *("trick", "void", "worth"),
    )

    def __init__(self, sight: SkatSight) -> None:
        self.game = sight.game
        self.me, self.declarer = sight.me, sight.declarer or ""
        self.hand = sight.hand
        self.options = sight.may
        self.out = sight.out
        self.order = order(self.game)
        seats = sight.seats
        leader, self.trick = sight.tricks[-1] if sight.tricks else ("", ())
        if len(self.trick) == 3:
            self.trick = ()
        self.behind = seats[1 : 3 - len(self.trick)]
        defends = self.declarer not in {"", self.me}
        self.partner = next(name for name in seats[1:] if name != self.declarer) if defends else ""
        self.void = self._voids(sight)
        self.worth, self.best, self.taken_by = 0, "", ""
        if self.trick:
            self.worth = sum([POINTS[card] for card in self.trick])
            place = self.order.best(self.trick)
            first = seats.index(leader)
            self.best, self.taken_by = self.trick[place], seats[(first + place) % 3]

    def _voids(self, sight: SkatSight) -> dict[str, set[str]]:
        suit, seats = self.order.suit, sight.seats
        void: dict[str, set[str]] = {name: set() for name in seats}
        for leader, cards in sight.tricks:
            first = seats.index(leader)
            for place, card in enumerate(cards):
                if suit[card] != suit[cards[0]]:
                    void[seats[(first + place) % 3]].add(suit[cards[0]])
        return void

    def winners(self) -> list[str]:
        """List the playable cards that take the trick at this moment."""
        over = self.order.over[self.best]
        return [card for card in self.options if card in over]

    def is_high(self, card: str) -> bool:
        """Return whether no card still out is higher in its suit."""
        return self.order.higher[card].isdisjoint(self.out)

    def out_in(self, suit: str) -> int:
        """Count the cards of a suit that are still out."""
        return len(self.order.of[suit].intersection(self.out))

    def count_in(self, suit: str) -> int:
        """Count the cards of a suit in the hand."""
        return len(self.order.of[suit].intersection(self.hand))
