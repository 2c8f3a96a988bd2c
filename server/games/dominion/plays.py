"""The plays of Dominion: their words, what an action card gives, and what is never a play."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from croupier.protocol.dominion import ACTIONS, CLEAN, MOAT, PILES, TREASURES, turn_plays
from croupier.protocol.views.view import list_legal
from croupier.server.games.game import IllegalPlay, UnknownPlay

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from typing import Any

    from croupier.protocol.dominion import Piles
    from croupier.server.games.game import Play

PLAYS = {
    "(act market)": "play a market; likewise smithy, village, woodcutter, militia, moat",
    "(act cellar C ...)": "discard any number of cards and draw as many",
    "(act mine T T)": "trash a treasure, take one that costs up to 3 more into the hand",
    "(act remodel C C)": "trash a card, gain one that costs up to 2 more",
    "(act workshop C)": "gain a card that costs up to 4",
    "(add T)": "play a treasure",
    "(buy C)": "buy a card",
    "(clean)": "end the turn with an empty hand",
    "(clean C)": "end the turn and show one card of the hand",
    "(moat)": "defend with a moat",
    "(discard C ...)": "defend by discarding down to three cards; the others see the first",
}
EFFECTS = (
    {"cellar": (0, 1, 0, 0), "market": (1, 1, 1, 1), "militia": (0, 0, 0, 2), "moat": (2, 0, 0, 0)}
    | {"smithy": (3, 0, 0, 0), "village": (1, 2, 0, 0), "woodcutter": (0, 0, 1, 2)}
    | dict.fromkeys(("mine", "remodel", "workshop"), (0, 0, 0, 0))
)
"""What an action card gives before its other effects: cards, actions, buys, coins."""
CELLAR: Play = ("act", "cellar")

_CARDS = frozenset(PILES)
_ACTIONS = frozenset(ACTIONS)
FIXED: tuple[Play, ...] = (
    *(("act", card) for card in ACTIONS if card not in ("mine", "cellar", "remodel", "workshop")),
    *(("act", "mine", old, new) for old in TREASURES for new in TREASURES),
    *(("act", "remodel", old, new) for old in PILES for new in PILES),
    *(("act", "workshop", new) for new in PILES),
    *(("add", card) for card in TREASURES),
    *((word, card) for word in ("buy", "clean") for card in PILES),
    CLEAN,
    MOAT,
)
"""Every play without a number of cards of the player's choice."""
_FIXED = frozenset(FIXED)
_ALL_LEFT = dict.fromkeys(PILES, 1)
"""Piles with some of each card, used where the exact numbers do not matter."""


class DominionListing(NamedTuple):
    """The plays of a turn as STATE lists them, and as a set for lookup; both empty if there are too many to list."""

    plays: tuple[Play, ...]
    allowed: frozenset[Play]


NOTHING = DominionListing((), frozenset())


def listing(hand: Sequence[str], piles: Piles, actions: int, buys: int, coins: int, *, adding: bool) -> DominionListing:
    """Return the result of `turn_plays`, computed once for all turns with the same result.

    The plays of an action depend on how many of each card are in the hand; all other plays only on which cards are
    there.
    """
    acting = actions and not _ACTIONS.isdisjoint(hand)
    cards = tuple(sorted(hand)) if acting else frozenset(hand)
    return _listing(cards, coins if buys else None, adding, piles.empty_piles())


@lru_cache(4096)
def _listing(cards: Collection[str], coins: int | None, adding: int, sold_out: Sequence[str]) -> DominionListing:
    """List the plays with a hand, or with its kinds of cards if no action is possible. None coins mean no buy left.

    Cached for `listing`.
    """
    left = _ALL_LEFT | dict.fromkeys(sold_out, 0)
    acting, buying = isinstance(cards, tuple), coins is not None
    plays = list_legal(turn_plays(tuple(cards), left, acting, buying, coins or 0, adding=bool(adding)))
    if plays is None:
        return NOTHING
    return DominionListing(plays, frozenset(plays))


def words(play: Any) -> tuple[str, ...]:
    """Return the play as its words; raise UnknownPlay if it is never a play or a defense of the game."""
    known: tuple[str, ...] = play
    if known not in _FIXED and not _of_any_number(known):
        raise UnknownPlay("not a play of Dominion")
    return known


def _of_any_number(play: Play) -> bool:
    """Return whether a play may name any number of cards, and names only cards."""
    return (play[:1] == ("discard",) and _CARDS.issuperset(play[1:])) or (
        play[:2] == CELLAR and _CARDS.issuperset(play[2:])
    )


def require(hand: Sequence[str], *cards: str) -> None:
    """Raise IllegalPlay unless the hand contains each of these cards as often as it is named."""
    for card in cards:
        if cards.count(card) > hand.count(card):
            raise IllegalPlay(f"there is no {card} in your hand")


def plain(hand: Sequence[str], actions: int, buys: int, treasures: Collection[str]) -> Play | None:
    """Return the play of a treasure, or the end of a turn without buys, if no action could come before it."""
    if actions and not _ACTIONS.isdisjoint(hand):
        return None
    if not buys:
        return ("clean", *hand[:1])
    return next((("add", card) for card in hand if card in treasures), None)


def nth_part(cards: list[str], index: int) -> list[str]:
    """Return one choice of any number of cards; the indices from 0 below `count_parts` give each choice once."""
    chosen = []
    for kind in dict.fromkeys(cards):
        index, number = divmod(index, cards.count(kind) + 1)
        chosen += [kind] * number
    return chosen
