"""Hands: cards as numbers, so that what suits what is arithmetic.

A `Pack` gives every card a place in one integer: a bit, or two where the pack has the card twice. A hand is the sum of
its cards' units: ``hand - units[card]`` plays a card, ``hand & where(trumps)`` keeps the trumps, ``everything - hand``
is what others have. A hand lists its cards, or the plays of them, in the pack's order.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from croupier.protocol.cards import suit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from croupier.server.games.game import Play

T = TypeVar("T")
Hand = int
MOST = 1 << 15
"""How many hands a listing remembers as a whole: as many as all that can be left of four suits of thirteen cards."""


class Listing(dict[Hand, T], Generic[T]):
    """What a hand lists, looked up group by group: the lists of one group are remembered, and a hand's is their sum.

    ``of_bit`` says what each bit of a hand lists, ``nothing`` what a hand without cards does: tuples, or texts.
    """

    __slots__ = ("_four", "_known", "_one", "_three", "_two")

    def __init__(self, groups: Iterable[Hand], of_bit: Mapping[Hand, T], nothing: T) -> None:
        super().__init__()
        self._one, self._two, self._three, *rest = [*groups, 0, 0, 0]
        self._four = sum(rest)
        self._known: dict[Hand, Any] = {0: nothing, **of_bit}

    def of(self, hand: Hand) -> T:
        """List a hand that hardly comes again: the same as looking it up, which would remember it."""
        known = self._known
        try:
            listed: T = (
                known[hand & self._one] + known[hand & self._two] + known[hand & self._three] + known[hand & self._four]
            )
        except KeyError:
            for group in (self._one, self._two, self._three, self._four):
                self._listed(hand & group)
            return self.of(hand)
        return listed

    def __missing__(self, hand: Hand) -> T:
        """List a hand, and remember it while there is room."""
        listed = self.of(hand)
        if len(self) < MOST:
            self[hand] = listed
        return listed

    def _listed(self, part: Hand) -> Any:
        """List the first card, then the others, which are likely to be known."""
        known = self._known.get(part)
        if known is None:
            first = part & -part
            known = self._known[part] = self._known[first] + self._listed(part - first)
        return known


class Pack:
    """The cards of a game, in the order in which its players sort them, suit by suit, or by groups like trumps.

    Groups stand together in ``cards``; what stands behind the third is one group. Small ones are looked up sooner.
    """

    __slots__ = ("_width", "cards", "everything", "held", "masks", "offered", "played", "plays", "size", "units")

    def __init__(self, cards: Iterable[str], group: Callable[[str], object] = suit) -> None:
        copies = Counter(cards)
        self._width = width = 1 if max(copies.values()) == 1 else 2
        self.units = {card: 1 << width * place for place, card in enumerate(copies)}
        """What one copy of a card adds to a hand."""
        self.masks = {card: unit * ((1 << width) - 1) for card, unit in self.units.items()}
        """What of a hand are copies of a card."""
        play: dict[str, Play] = {card: ("play", card) for card in copies}
        self.played = {play[card]: mask for card, mask in self.masks.items()}
        """The same by the play of a card."""
        self.size = copies.total()
        self.everything = self.hand(copies.elements())
        """The whole pack, as a hand."""
        groups: dict[object, list[str]] = {}
        for card in copies:
            groups.setdefault(group(card), []).append(card)
        suits = [self.where(members.__contains__) for members in groups.values()]
        bits = [(unit << more, card, 1 + more) for card, unit in self.units.items() for more in range(width)]
        self.cards: Listing[tuple[str, ...]] = Listing(suits, {bit: (card,) * copy for bit, card, copy in bits}, ())
        """Look up the cards of a hand, each copy."""
        self.plays: Listing[tuple[Play, ...]] = Listing(suits, {bit: (play[card],) for bit, card, _ in bits}, ())
        """Look up ``(play C)`` for the cards of a hand, two copies once."""
        self.held = Listing(suits, {bit: f" {card}" * copy for bit, card, copy in bits}, "")
        """Look up the cards of a hand as STATE shows them."""
        self.offered = Listing(suits, {bit: f" (play {card})" for bit, card, _ in bits}, "")
        """Look up the plays of the cards of a hand as STATE lists them."""

    def hand(self, cards: Iterable[str]) -> Hand:
        """Return the hand of these cards."""
        return sum(map(self.units.__getitem__, cards))

    def where(self, holds: Callable[[str], bool]) -> Hand:
        """Return the mask of the cards that a predicate holds for, to be ``&``-ed with hands."""
        return sum(mask for card, mask in self.masks.items() if holds(card))

    def count(self, hand: Hand) -> int:
        """Return how many cards a hand has."""
        return hand.bit_count() if self._width == 1 else len(self.cards[hand])

    def faces(self, hand: Hand) -> frozenset[str]:
        """Return which cards a hand has, however many of each."""
        return frozenset(self.cards[hand])
