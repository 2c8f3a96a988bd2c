"""Facts of Doppelkopf that the rules and the players share: the pack, the games, their trumps, card points."""

from __future__ import annotations

from croupier.protocol.cards import PACK_24

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

WITH_NINES = tuple([card for card in PACK_24 for _ in "12"])
WITHOUT_NINES = tuple([card for card in WITH_NINES if card[1] != "9"])
POINTS = {card: {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0}[card[1]] for card in PACK_24}

OLD_QUEEN, FOX, CHARLIE, DULLE = "cQ", "dA", "cJ", "hT"
"""The queen of clubs makes a player Re; the others have names of their own."""

NORMAL = "normal"
SUIT_SOLOS = {"diamonds": "d", "hearts": "h", "spades": "s", "clubs": "c"}
SOLOS = ("queens", "jacks", "ace", *SUIT_SOLOS)

QUEENS = ("cQ", "sQ", "hQ", "dQ")
JACKS = ("cJ", "sJ", "hJ", "dJ")


def _with_suit(suit: str) -> tuple[str, ...]:
    return (DULLE, *QUEENS, *JACKS, *[suit + rank for rank in "ATK9" if suit + rank != DULLE])


TRUMPS: dict[str, tuple[str, ...]] = {
    NORMAL: _with_suit("d"),
    "queens": QUEENS,
    "jacks": JACKS,
    "ace": (),
    **{game: _with_suit(suit) for game, suit in SUIT_SOLOS.items()},
}
"""The trumps of each game, highest first."""

FACES = (*TRUMPS[NORMAL], *[suit + rank for suit in "csh" for rank in "ATK9" if suit + rank != DULLE])
"""The 24 faces in the order in which hands are written in every game: the normal trumps, then suit by suit."""


def card_points(cards: Iterable[str]) -> int:
    """Count the card points: ace 11, ten 10, king 4, queen 3, jack 2."""
    return sum([POINTS[card] for card in cards])
