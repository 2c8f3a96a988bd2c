"""What beats what in each game of Doppelkopf, and how its hands are sorted.

The pack is doubled: two copies of a card look the same, so a hand may hold a card twice and a play names a face.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from croupier.protocol.cards import PACK_24, rank, suit
from croupier.server.games.hands import Pack
from croupier.server.games.orderings import (
    SUITS_LOW_TO_HIGH,
    TEN_HIGH,
    Table,
    by,
    compiled,
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

WITH_NINES = tuple(card for card in PACK_24 for _ in "12")
WITHOUT_NINES = tuple(card for card in WITH_NINES if rank(card) != "9")
POINTS = {card: {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0}[rank(card)] for card in PACK_24}
OLD_QUEEN, FOX, CHARLIE, DULLE = "cQ", "dA", "cJ", "hT"
"""The queen of clubs makes a player Re; the others have names of their own."""

TRUMP = "trump"
NORMAL = "normal"
SUIT_SOLOS = {"diamonds": "d", "hearts": "h", "spades": "s", "clubs": "c"}
SOLOS = ("queens", "jacks", "ace", *SUIT_SOLOS)


def is_trump(game: str, card: str) -> bool:
    """Tell whether a card is a trump in a game, ``normal`` or one of the solos."""
    if game == "ace":
        return False
    if game in {"queens", "jacks"}:
        return rank(card) == {"queens": "Q", "jacks": "J"}[game]
    return rank(card) in "QJ" or card == DULLE or suit(card) == SUIT_SOLOS.get(game, "d")


def solo(game: str, led: str, dullen: Ordering[str]) -> Ordering[str]:
    """Order a solo; ``led`` is an effective suit. Of two equal cards the first wins, as always."""
    plain = when(of(led), by(rank, TEN_HIGH) | first_wins)
    if game == "ace":
        return plain
    if game in {"queens", "jacks"}:
        return when(queens if game == "queens" else jacks, by(suit, SUITS_LOW_TO_HIGH) | first_wins) | plain
    return (
        when(of(DULLE), dullen)
        | when(queens, by(suit, SUITS_LOW_TO_HIGH) | first_wins)
        | when(jacks, by(suit, SUITS_LOW_TO_HIGH) | first_wins)
        | when(of(SUIT_SOLOS[game]), by(rank, TEN_HIGH) | first_wins)
        | plain
    )


def _group(card: str) -> str:
    """Name the part of a sorted hand where a card stands: trumps of a normal game in three parts, then suits."""
    if card == DULLE or card[1] == "Q":
        return "0"
    return "1" if card[1] == "J" else "2" if card[0] == "d" else "3456"["cshd".index(card[0])]


PACK = Pack(
    sorted(WITH_NINES, key=lambda card: (_group(card), card != DULLE, "QJATK9".index(card[1]), "cshd".index(card[0]))),
    group=_group,
)
"""All 48 cards, the trumps of a normal game first, from the top; hands are sorted so in every game."""
OLD_QUEENS = PACK.masks[OLD_QUEEN]
FOXES = PACK.masks[FOX]
TRUMPS = PACK.where(lambda card: is_trump(NORMAL, card))
TRUMP_FACES = PACK.faces(TRUMPS)
"""The trumps of a normal game."""


class Order(NamedTuple):
    """What a game's cards are: for each that is led the mask of its effective suit, and who wins a trick."""

    suits: dict[str, Hand]
    trumps: Hand
    table: Table


@cache
def order(game: str, dulle: str = "first", foxes: str = "low") -> Order:
    """Return the order of a game; ``dulle`` is which of two tens of hearts wins, ``foxes`` are high as Schweinchen."""
    effective = {card: TRUMP if is_trump(game, card) else suit(card) for card in PACK_24}
    masks: dict[str, Hand] = {}
    for card, name in effective.items():
        masks[name] = masks.get(name, 0) + PACK.masks[card]
    dullen = second_wins if dulle == "second" else first_wins

    def composed(led: str) -> Ordering[str]:
        ordering = doppelkopf(led, dullen) if game == NORMAL else solo(game, led, dullen)
        return schweinchen(ordering) if foxes == "high" else ordering

    return Order(
        {card: masks[name] for card, name in effective.items()},
        masks.get(TRUMP, 0),
        compiled(PACK_24, composed, led=effective.__getitem__),
    )
