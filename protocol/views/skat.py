"""What a player of Skat may see: the auction, the contract, the skat to whom it is known, the tricks."""

from __future__ import annotations

from croupier.protocol.skat import after_picking_up
from croupier.protocol.views.view import CARDS, FORMS, NUMBER, SYMBOL, SYMBOLS, TABLE, TRICK, TRICKS, View

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import ClassVar

    from croupier.protocol.views.view import Field, Play


class SkatView(View):
    """What one seat may know of a game of Skat.

    ``position`` is None for the dealer who sits out of four. ``bids`` is every call so far, in order: ``(NAME, N)``,
    ``(NAME, "hold")`` or ``(NAME, "pass")``. ``contract`` is the game, then the words that hold of ``hand``,
    ``schneider``, ``schwarz``, ``ouvert``; ``("ramsch",)`` after all passed. ``contra`` is what those asked said:
    ``(NAME, "contra")``, ``(NAME, "re")`` or ``(NAME, "pass")``. ``skat`` is what the declarer found, when ``hand``
    has all twelve cards, and from the declaration on what he put down. ``points`` are in the tricks of one's own side.
    """

    GAME = "skat"
    BIDDING = ("bid", "skat", "declare", "contra")
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
