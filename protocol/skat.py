"""Facts of Skat that the rules, the views and the players share: cards, games, values, declarations."""

from __future__ import annotations

from croupier.protocol.choosing import Choosing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from croupier.protocol.views.view import Play

PACK = tuple([suit + rank for suit in "cshd" for rank in "JATKQ987"])
"""The 32 cards in the order in which hands are written: suit by suit from clubs, the jack on top, then the ace."""
PLACE = {card: place for place, card in enumerate(PACK)}
POINTS = {card: {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}.get(card[1], 0) for card in PACK}

BASE = {"clubs": 12, "spades": 11, "hearts": 10, "diamonds": 9, "grand": 24}
NULL_VALUES: dict[tuple[str, ...], int] = {(): 23, ("hand",): 35, ("ouvert",): 46, ("hand", "ouvert"): 59}
GAMES = (*BASE, "null")

JACKS = ("cJ", "sJ", "hJ", "dJ")
TRUMPS: dict[str, tuple[str, ...]] = {
    **{game: (*JACKS, *[game[0] + rank for rank in "ATKQ987"]) for game in BASE},
    "grand": JACKS,
    "ramsch": JACKS,
    "null": (),
}
"""The trumps of each game, highest first: the sequence in which matadors are counted."""

VALUES = tuple(
    sorted(
        {base * levels for base in (9, 10, 11, 12) for levels in range(2, 19)}
        | {24 * levels for levels in range(2, 12)}
        | set(NULL_VALUES.values())
    )
)
"""The 63 values that a game can have, from 18 to 264: the possible bids."""


def in_order(cards: Iterable[str]) -> tuple[str, ...]:
    """Sort cards as Skat hands are written."""
    return tuple(sorted(cards, key=PLACE.__getitem__))


def card_points(cards: Iterable[str]) -> int:
    """Count the card points: ace 11, ten 10, king 4, queen 3, jack 2."""
    return sum(map(POINTS.__getitem__, cards))


def effective_suit(game: str, card: str) -> str:
    """Return the suit that a card belongs to in a game: ``trump``, or what is printed on it."""
    return "trump" if card in TRUMPS[game] else card[0]


def matadors(game: str, cards: Collection[str]) -> int:
    """Count the unbroken run of top trumps that the cards hold (with), or, negative, that they lack (without)."""
    trumps = TRUMPS[game]
    has = trumps[0] in cards
    run = next((place for place, card in enumerate(trumps) if (card in cards) is not has), len(trumps))
    return run if has else -run


_ANNOUNCED = ((), ("schneider",), ("schneider", "schwarz"), ("schneider", "schwarz", "ouvert"))
_FROM_THE_HAND = (*[(game, words) for game in BASE for words in _ANNOUNCED], ("null", ()), ("null", ("ouvert",)))
_SUITS_AND_GRAND: tuple[tuple[Play, Play], ...] = tuple([(("declare", game), ()) for game in BASE])
_WITH_OUVERT = (*_SUITS_AND_GRAND, (("declare", "null"), ("ouvert",)))
_WITH_NULL = (*_WITH_OUVERT, (("declare", "null"), ()))


def from_the_hand(least_null: int) -> list[Play]:
    """List the declarations of a player who left the skat; a Null worth less than ``least_null`` is left out."""
    return [
        ("declare", game, *words)
        for game, words in _FROM_THE_HAND
        if game != "null" or NULL_VALUES["hand", *words] >= least_null
    ]


def after_picking_up(cards: Sequence[str], least_null: int) -> Choosing:
    """List the declarations of a player with these twelve cards: for each pair that can be put down, each game."""
    return Choosing(cards, 2, _games_with_null_worth(least_null))


def _games_with_null_worth(least: int) -> tuple[tuple[Play, Play], ...]:
    """Return the words before and after the cards put down, with only those Nulls that are worth at least ``least``."""
    if least <= NULL_VALUES[()]:
        return _WITH_NULL
    return _WITH_OUVERT if least <= NULL_VALUES["ouvert",] else _SUITS_AND_GRAND
