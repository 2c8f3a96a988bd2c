"""A Jass player's knowledge."""

from __future__ import annotations

from croupier.protocol.views.view import CARDS, PLAYER, SYMBOL, TABLE, TRICK, TRICKS, Field, View

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import ClassVar

SHOWN = Field(
    lambda value: "".join([f" ({' '.join((name, *cards))})" for name, cards in value.items()]),
    lambda forms: {form[0]: form[1:] for form in forms},
    dict,
    lambda value: {name: tuple(cards) for name, cards in value.items()},
)
"""``(NAME C ...) ...``: a dict from name to cards."""


class JassView(View):
    """The seat's hand, the table, every finished trick, and the contract.

    ``contract`` is None until it is known, ``chosen_by`` until it is chosen. ``points`` are those of each player's pair
    in this hand so far, at the contract's rate. ``weis`` is what was shown, None where the game has no Weis.
    """

    GAME = "jass"
    BIDDING = ("trump", "weis")
    WORDS = ("trump", "shift", "weis", "play", "c", "d", "h", "s", "o", "u")
    FIELDS: ClassVar[Mapping[str, Field]] = {
        "tally": TABLE,
        "phase": SYMBOL,
        "hand": CARDS,
        "trick": TRICK,
        "tricks": TRICKS,
        "contract": SYMBOL,
        "chosen-by": PLAYER,
        "points": TABLE,
        "weis": SHOWN,
    }


VIEW = JassView
