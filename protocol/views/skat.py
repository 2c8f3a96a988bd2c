"""What a player of Skat may see: the auction, the contract, the skat to whom it is known, the tricks."""

from __future__ import annotations

from croupier.protocol.views.view import CARDS, FORMS, NUMBER, SYMBOL, SYMBOLS, TABLE, TRICK, TRICKS, View

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import ClassVar

    from croupier.protocol.views.view import Field, Play

PACK = tuple([suit + rank for suit in "cshd" for rank in "JATKQ987"])
"""The 32 cards in the order in which hands are written: suit by suit from clubs, the jack on top, then the ace."""
PLACE = {card: place for place, card in enumerate(PACK)}

TRUMP_GAMES = ("clubs", "spades", "hearts", "diamonds", "grand")
NULL_VALUES: dict[tuple[str, ...], int] = {(): 23, ("hand",): 35, ("ouvert",): 46, ("hand", "ouvert"): 59}


def in_order(cards: Iterable[str]) -> tuple[str, ...]:
    """Sort cards as Skat hands are written."""
    return tuple(sorted(cards, key=PLACE.__getitem__))


_FROM_THE_HAND = (
    *[
        (game, words)
        for game in TRUMP_GAMES
        for words in ((), ("schneider",), ("schneider", "schwarz"), ("schneider", "schwarz", "ouvert"))
    ],
    ("null", ()),
    ("null", ("ouvert",)),
)
_AFTER_PICKING_UP = (*[(game, ()) for game in TRUMP_GAMES], ("null", ()), ("null", ("ouvert",)))


def from_the_hand(least_null: int) -> list[Play]:
    """List the declarations of one who left the skat; a Null worth less than ``least_null`` is not among them."""
    return [
        ("declare", game, *words)
        for game, words in _FROM_THE_HAND
        if game != "null" or NULL_VALUES["hand", *words] >= least_null
    ]


def after_picking_up(cards: Sequence[str], least_null: int) -> list[Play]:
    """List the declarations of one who holds these twelve cards, with each pair that can be put down."""
    pairs = [(one, other) for place, one in enumerate(cards) for other in cards[place + 1 :]]
    return [
        ("declare", game, *pair, *words)
        for game, words in _AFTER_PICKING_UP
        if game != "null" or NULL_VALUES[words] >= least_null
        for pair in pairs
    ]


class SkatView(View):
    """What one seat may know of a game of Skat.

    ``position`` is None for the dealer who sits out of four. ``bids`` is every call so far, in order: ``(NAME, N)``,
    ``(NAME, "hold")`` or ``(NAME, "pass")``. ``contract`` is the game, then the words that hold of ``hand``,
    ``schneider``, ``schwarz``, ``ouvert``; ``("ramsch",)`` after all passed. ``contra`` is what those asked said:
    ``(NAME, "contra")``, ``(NAME, "re")`` or ``(NAME, "pass")``. ``skat`` is what the declarer found, when ``hand``
    has all twelve cards, and from the declaration on what he put down. ``points`` are in the tricks of one's own side.
    """

    GAME = "skat"
    FIELDS: ClassVar[Mapping[str, Field]] = {
        "hand": CARDS,
        "trick": TRICK,
        "tricks": TRICKS,
        "tally": TABLE,
        "position": SYMBOL,
        "bids": FORMS,
        "declarer": SYMBOL,
        "contract": SYMBOLS,
        "contra": FORMS,
        "skat": CARDS,
        "open": CARDS,
        "points": NUMBER,
    }

    @property
    def bid(self) -> int:
        """The highest value that was bid, 0 while there is none."""
        return max([call for _, call in self.bids if call.__class__ is int], default=0)

    def legal_plays(self) -> Iterable[Play]:
        """List the legal plays; those of putting two of twelve cards down too, which STATE leaves out."""
        if self.legal is None and self.phase == "declare" and len(self.hand) == 12:
            return after_picking_up(self.hand, self.bid if self.options["impossible-null"] == "reject" else 0)
        return super().legal_plays()


VIEW = SkatView
