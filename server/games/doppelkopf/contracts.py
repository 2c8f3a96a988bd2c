"""The orders of cards in each game of Doppelkopf, and the sorting of hands.

The pack is doubled: two copies of a card look the same, so a hand may contain a card twice and a play names a face.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from croupier.protocol.cards import PACK_24, TEN_HIGH, rank, suit
from croupier.protocol.doppelkopf import FACES, FOX, NORMAL, OLD_QUEEN, SUIT_SOLOS, TRUMPS
from croupier.server.games.hands import Pack
from croupier.server.games.orderings import (
    SUITS_LOW_TO_HIGH,
    Compiled,
    by,
    compile_order,
    doppelkopf,
    first_wins,
    jacks,
    of,
    queens,
    schweinchen,
    second_wins,
    when,
)

if TYPE_CHECKING:
    from croupier.server.games.hands import Hand
    from croupier.server.games.orderings import Ordering

TRUMP = "trump"


def ordering(game: str, led: str, dullen: Ordering[str]) -> Ordering[str]:
    """Return the order of a game; ``led`` is an effective suit. The first of two equal cards wins, as always."""
    plain = when(of(led), by(rank, TEN_HIGH) | first_wins)
    if game == "ace":
        return plain
    if game in {"queens", "jacks"}:
        return when(queens if game == "queens" else jacks, by(suit, SUITS_LOW_TO_HIGH) | first_wins) | plain
    return doppelkopf(led, dullen, SUIT_SOLOS.get(game, "d"))


PACK = Pack([face for face in FACES for _ in "12"])
"""All 48 cards in the order in which hands are sorted in every game: the trumps of a normal game, then the suits."""
OLD_QUEENS = PACK.masks[OLD_QUEEN]
FOXES = PACK.masks[FOX]
TRUMP_FACES = frozenset(TRUMPS[NORMAL])
NORMAL_TRUMPS = PACK.where(TRUMP_FACES.__contains__)


class Order(NamedTuple):
    """A game's order: for each card led the mask of its effective suit, and the table of who wins a trick."""

    suits: dict[str, Hand]
    trumps: Hand
    table: Compiled


# cached because compiling an ordering is expensive, and there are few of them
@cache
def order(game: str, dulle: str = "first", foxes: str = "low") -> Order:
    """Return the order of a game; ``dulle`` is which of two tens of hearts wins; Schweinchen raise the ``foxes``."""
    effective = {card: TRUMP if card in TRUMPS[game] else suit(card) for card in PACK_24}
    masks: dict[str, Hand] = {}
    for card, name in effective.items():
        masks[name] = masks.get(name, 0) + PACK.masks[card]
    dullen = second_wins if dulle == "second" else first_wins

    def compose(led: str) -> Ordering[str]:
        ordered = ordering(game, led, dullen)
        return schweinchen(ordered) if foxes == "high" else ordered

    return Order(
        {card: masks[name] for card, name in effective.items()},
        masks.get(TRUMP, 0),
        compile_order(PACK_24, compose, led=effective.__getitem__),
    )
