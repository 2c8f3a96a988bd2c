"""One player's cards in Dominion: deck, hand, cards in play, discards, and what the others know of them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Self

from croupier.protocol.dominion import PILES, POINTS, START, Piles
from croupier.protocol.views.dominion import Other

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

_BEGINS = Piles(Counter(START))


class Player:
    """One player's cards.

    In ``hand``, ``plays`` and ``discards`` the newest card is first; the deck's top is its last card. The others know
    the discards in ``seen`` and the cards in hand in ``held``; they see the discard ``top``.
    """

    __slots__ = (
        "_deck_seen",
        "_other",
        "_owns",
        "deck",
        "discards",
        "hand",
        "held",
        "plays",
        "reshuffles",
        "seen",
        "top",
        "turns",
    )

    def __init__(self, deck: Sequence[str]) -> None:
        self.deck = list(reversed(deck))
        self.hand: list[str] = []
        self.plays: list[str] = []
        self.discards: list[str] = []
        self.held: list[str] = []
        self.seen: list[str] = []
        self.top: str | None = None
        self._owns = _BEGINS
        self.turns = 0
        self.reshuffles = 0
        self._other: Other | None = None
        self._deck_seen: tuple[str, ...] | None = None

    def copy(self) -> Self:
        """Return an independent copy."""
        new = type(self).__new__(type(self))
        new.deck, new.hand, new.plays = self.deck[:], self.hand[:], self.plays[:]
        new.discards, new.held, new.seen = self.discards[:], self.held[:], self.seen[:]
        new.top, new.turns, new.reshuffles = self.top, self.turns, self.reshuffles
        private = self._owns, self._other, self._deck_seen
        new._owns, new._other, new._deck_seen = private  # noqa: SLF001  # its own kind
        return new

    @property
    def owns(self) -> Mapping[str, int]:
        """The number of each card that the player owns, wherever they are; a missing key means none."""
        return self._owns

    @owns.setter
    def owns(self, owns: Mapping[str, int]) -> None:
        self._owns = Piles({card: owns[card] for card in PILES if owns.get(card)})

    # What the player and the others see

    def sorted_deck(self) -> tuple[str, ...]:
        """Return the deck in alphabetical order, which does not reveal its real order to its owner."""
        if self._deck_seen is None:
            self._deck_seen = tuple(sorted(self.deck))
        return self._deck_seen

    def other(self) -> Other:
        """Return what the others see, in the form of their views."""
        if self._other is None:
            self._other = Other(len(self.deck), len(self.hand), len(self.discards), self.top, self._owns)
        return self._other

    def forget_sight(self) -> None:
        """Forget what the others saw, because the player is about to do something."""
        self._other = None

    def points(self) -> int:
        """Count the victory points of all cards that the player owns."""
        return sum([worth * self._owns.get(card, 0) for card, worth in POINTS.items()])

    # What happens to the cards

    def take(self, number: int) -> int:
        """Draw ``number`` cards, at least one, or all there are, each to the front of the hand; return how many."""
        drawn = self.deck[-number:]
        self.hand = drawn + self.hand
        del self.deck[-number:]
        self._deck_seen = None
        return len(drawn)

    def renew(self, order: Sequence[str]) -> None:
        """Turn the shuffled discards into the new deck."""
        self.deck = list(reversed(order))
        self._deck_seen = None
        self.discards.clear()
        self.seen.clear()
        self.top = None

    def leave(self, card: str) -> None:
        """Take a card out of the hand, visibly to all; of equal cards the first."""
        self.hand.remove(card)
        if card in self.held:
            self.held.remove(card)

    def put_down(self, card: str) -> None:
        """Move a card from the hand into play."""
        self.leave(card)
        self.plays.insert(0, card)

    def put_down_all(self, worth: Mapping[str, int]) -> int:
        """Move all cards with a value from the hand into play, one after another; return the sum."""
        treasures = [card for card in self.hand if card in worth]
        self.forget_sight()
        self.hand = [card for card in self.hand if card not in worth]
        self.held = [card for card in self.held if card not in worth]
        self.plays[:0] = reversed(treasures)
        return sum([worth[card] for card in treasures])

    def discard(self, *cards: str) -> None:
        """Move cards from the hand to the discards, visibly, in the order in which they are named."""
        for card in cards:
            self.leave(card)
        self.lay(*cards)

    def discard_hidden(self, *cards: str) -> None:
        """Move cards from the hand to the discards; the others see only the first."""
        for card in cards:
            self.hand.remove(card)
        self.discards[:0] = cards
        self.held.clear()
        self.seen.append(cards[0])
        self.top = cards[0]

    def lay(self, *cards: str) -> None:
        """Put cards on the discards, visibly, in the order in which they are named."""
        if cards:
            self.discards[:0] = cards
            self.seen += cards
            self.top = cards[0]

    def hold(self, card: str) -> None:
        """Let the others know that a card is in the hand."""
        if card not in self.held:
            self.held.append(card)

    def lose(self, card: str) -> None:
        """Remove a card of the hand from the game."""
        self.leave(card)
        self._count(card, -1)

    def own(self, card: str) -> None:
        """Count a card that the player gains."""
        self._count(card, 1)

    def _count(self, card: str, more: int) -> None:
        """Count ``number`` more of a card; a new kind is inserted in the supply's order."""
        number = self._owns.get(card, 0) + more
        if number and card in self._owns:
            self._owns = self._owns.but(card, number)
        else:
            self.owns = {**self._owns, card: number}

    def clean(self, *shown: str) -> None:
        """Move hand, plays and old discards to the discards, in this order; the hand's card that is shown stays."""
        if shown:
            self.hold(*shown)
            self.top = shown[0]
        elif self.plays:
            self.top = self.plays[0]
        self.seen += self.held + self.plays
        self.discards = self.hand + self.plays + self.discards
        self.hand, self.plays, self.held = [], [], []

    def deal_again(self, rng: Random) -> None:
        """Deal the cards whose place the others do not know again to hand, deck and discards, keeping the sizes."""
        hidden = [*self.hand, *self.deck, *self.discards]
        for card in (*self.held, *self.seen):
            hidden.remove(card)
        hidden.sort()  # the result must not depend on where they really are
        rng.shuffle(hidden)
        hand, deck = len(self.hand), len(self.deck)
        self.deck = [hidden.pop() for _ in range(deck)]
        self.hand = self.held + [hidden.pop() for _ in range(hand - len(self.held))]
        rng.shuffle(self.hand)
        self.discards = self.seen + hidden
        self._deck_seen = None
