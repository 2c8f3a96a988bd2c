"""Cards as text: suit, then rank, as in ``h9`` and ``sT``; Dominion's and RECYCLE's cards are words and numbers."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

SUITS = "cdhs"
RANKS = "23456789TJQKA"
TEN_HIGH = "23456789JQKTA"
"""Skat's and Doppelkopf's ranks, low to high."""
SIX_HIGH = RANKS[::-1]
"""Undenufe: the order reversed."""

PACK_52 = tuple(suit + rank for suit in SUITS for rank in RANKS)
PACK_36 = tuple(suit + rank for suit in SUITS for rank in RANKS[4:])
PACK_32 = tuple(suit + rank for suit in SUITS for rank in RANKS[5:])
PACK_24 = tuple(suit + rank for suit in SUITS for rank in RANKS[7:])

BITS = {card: 1 << place for place, card in enumerate(PACK_52)}
"""A set of cards as one number, for fast operations on many: the bits of a suit are adjacent, higher ranks higher."""
SUIT_BITS = {suit: 0x1FFF << 13 * place for place, suit in enumerate(SUITS)}

_ORDER = {card: place for place, card in enumerate(PACK_52)}


def suit(card: str) -> str:
    """Return the printed suit, one of ``c d h s``."""
    return card[0]


def rank(card: str) -> str:
    """Return the printed rank, one of ``2 3 4 5 6 7 8 9 T J Q K A``."""
    return card[1]


def bits(cards: Iterable[str]) -> int:
    """Return a set of different cards as bits."""
    return sum([BITS[card] for card in cards])


def by_suit(cards: tuple[str, ...] | list[str]) -> tuple[str, ...]:
    """Sort cards by suit (clubs, diamonds, hearts, spades), then by rank from the two to the ace."""
    return tuple(sorted(cards, key=_ORDER.__getitem__))
