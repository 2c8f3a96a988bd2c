"""Hands: cards as numbers, so that comparing cards is arithmetic.

A `Pack` gives every card a place in one integer: a bit, or two where the pack has the card twice. A hand is the sum of
its cards' units: ``hand - units[card]`` plays a card, ``hand & where(trumps)`` keeps the trumps, ``everything - hand``
is what the others have. A hand lists its cards, or the plays of them, in the pack's order.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from croupier.server.games.game import Play

T = TypeVar("T")
Hand = int
MOST = 1 << 15
"""How many whole hands a listing remembers."""
WIDEST = 13
"""The most bits of one piece of a hand: a suit of the large pack."""


class Listing(dict[Hand, T], Generic[T]):
    """A lookup from a hand to a list, in four pieces whose lists are remembered and added.

    ``of_bit`` is the list of each bit of a hand, ``nothing`` that of an empty hand: tuples, or texts. Whole hands are
    remembered too, because every view and every request of a hand needs the same list.
    """

    __slots__ = ("_four", "_half", "_low", "_mask", "_one", "_three", "_two", "_width")

    def __init__(self, of_bit: Sequence[T], nothing: T) -> None:
        super().__init__()
        width = self._width = min(-(-len(of_bit) // 4), WIDEST)
        self._half, self._mask, self._low = 2 * width, (1 << width) - 1, (1 << 2 * width) - 1
        self._one = _piece(of_bit[:width], nothing)
        self._two = _piece(of_bit[width : 2 * width], nothing)
        self._three = _piece(of_bit[2 * width : 3 * width], nothing)
        self._four = _piece(of_bit[3 * width :], nothing)

    def of(self, hand: Hand) -> T:
        """Return the list of a hand that is unlikely to recur; unlike a lookup, this does not remember it."""
        width, mask = self._width, self._mask
        low, high = hand & self._low, hand >> self._half
        try:
            listed: T = (
                self._one[low & mask] + self._two[low >> width] + self._three[high & mask] + self._four[high >> width]
            )
        except TypeError:  # a piece whose list was not computed yet
            _learn(self._one, low & mask)
            _learn(self._two, low >> width)
            _learn(self._three, high & mask)
            _learn(self._four, high >> width)
            return self.of(hand)
        return listed

    def __missing__(self, hand: Hand) -> T:
        """Return the list of a hand, and remember it while there is room."""
        listed = self.of(hand)
        if len(self) < MOST:
            self[hand] = listed
        return listed


def _piece(of_bit: Sequence[T], nothing: T) -> Any:
    """Return a table from a piece of a hand to its list, None if not computed yet; for a wide piece a `Listing`."""
    if len(of_bit) > WIDEST:
        return Listing(of_bit, nothing)
    lists: list[T | None] = [nothing] + [None] * ((1 << len(of_bit)) - 1)
    for bit, listed in enumerate(of_bit):
        lists[1 << bit] = listed
    return lists


def _learn(lists: Any, piece: Hand) -> Any:
    """Compute the list of a piece as its first card's plus the rest's, which is probably known."""
    if lists[piece] is None:
        first = piece & -piece
        lists[piece] = lists[first] + _learn(lists, piece - first)
    return lists[piece]


class Pack:
    """The cards of a game, in the order in which its players sort them: suit by suit, or by groups like trumps."""

    __slots__ = (*("_width", "cards", "everything", "held", "masks", "offered", "played", "plays", "size", "units"),)

    def __init__(self, cards: Iterable[str]) -> None:
        copies = Counter(cards)
        self._width = width = 1 if max(copies.values()) == 1 else 2
        self.units = {card: 1 << width * place for place, card in enumerate(copies)}
        """The number that one copy of a card adds to a hand."""
        self.masks = {card: unit * ((1 << width) - 1) for card, unit in self.units.items()}
        """The bits of a hand that hold the copies of a card."""
        play: dict[str, Play] = {card: ("play", card) for card in copies}
        self.played = {play[card]: mask for card, mask in self.masks.items()}
        """The same, by the play of a card."""
        self.size = copies.total()
        self.everything = self.hand(copies.elements())
        """The whole pack, as a hand."""
        bits = [(card, copy) for card in copies for copy in range(1, width + 1)]
        self.cards: Listing[tuple[str, ...]] = Listing([(card,) * copy for card, copy in bits], ())
        """Look up the cards of a hand, with each copy."""
        self.plays: Listing[tuple[Play, ...]] = Listing([(play[card],) for card, _ in bits], ())
        """Look up ``(play C)`` for the cards of a hand; two copies give one play."""
        self.held = Listing([f" {card}" * copy for card, copy in bits], "")
        """Look up the cards of a hand as text of STATE."""
        self.offered = Listing([f" (play {card})" for card, _ in bits], "")
        """Look up the plays of a hand's cards as text of STATE."""

    def hand(self, cards: Iterable[str]) -> Hand:
        """Return the hand with these cards."""
        return sum(map(self.units.__getitem__, cards))

    def where(self, holds: Callable[[str], bool]) -> Hand:
        """Return the mask of the cards for which a predicate holds, to combine with hands by ``&``."""
        return sum(mask for card, mask in self.masks.items() if holds(card))

    def count(self, hand: Hand) -> int:
        """Count the cards of a hand."""
        return hand.bit_count() if self._width == 1 else len(self.cards[hand])

    def faces(self, hand: Hand) -> frozenset[str]:
        """Return which cards a hand has, however many of each."""
        return frozenset(self.cards[hand])
