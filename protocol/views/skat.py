"""What a player of Skat may see: the auction, the contract, the skat to whom it is known, the tricks."""

from __future__ import annotations

from croupier.protocol.views.view import CARDS, FORMS, NUMBER, SYMBOL, SYMBOLS, TABLE, TRICK, TRICKS, View

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
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


def from_the_hand(least_null: int) -> Iterator[Play]:
    """List the declarations of one who left the skat; a Null worth less than ``least_null`` is not among them."""
    for game in TRUMP_GAMES:
        yield ("declare", game)
        yield ("declare", game, "schneider")
        yield ("declare", game, "schneider", "schwarz")
        yield ("declare", game, "schneider", "schwarz", "ouvert")
    if NULL_VALUES["hand",] >= least_null:
        yield ("declare", "null")
    if NULL_VALUES["hand", "ouvert"] >= least_null:
        yield ("declare", "null", "ouvert")


def after_picking_up(cards: Sequence[str], least_null: int) -> Iterator[Play]:
    """List the declarations of one who holds these twelve cards, with each pair that can be put down."""
    pairs = [(one, other) for place, one in enumerate(cards) for other in cards[place + 1 :]]
    for game in TRUMP_GAMES:
        for pair in pairs:
            yield ("declare", game, *pair)
    if NULL_VALUES[()] >= least_null:
        for pair in pairs:
            yield ("declare", "null", *pair)
    if NULL_VALUES["ouvert",] >= least_null:
        for pair in pairs:
            yield ("declare", "null", *pair, "ouvert")


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
