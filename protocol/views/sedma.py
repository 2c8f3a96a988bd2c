"""A Sedma player's knowledge."""

from __future__ import annotations

from croupier.protocol.views.view import CARDS, NUMBER, SYMBOL, TABLE, TRICK, TRICKS, View

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import ClassVar

    from croupier.protocol.views.view import Field


class SedmaView(View):
    """The seat's hand, the table, every finished trick, and how many cards are left to draw.

    ``stock`` counts those cards; ``won`` is how many tricks each player has taken in this hand.
    """

    GAME = "sedma"
    WORDS = ("play", "stop")
    FIELDS: ClassVar[Mapping[str, Field]] = {
        "tally": TABLE,
        "phase": SYMBOL,
        "hand": CARDS,
        "trick": TRICK,
        "tricks": TRICKS,
        "stock": NUMBER,
        "won": TABLE,
    }


VIEW = SedmaView
