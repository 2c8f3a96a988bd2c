"""What a player of Jass may see."""

from __future__ import annotations

from croupier.protocol.views.view import CARDS, SYMBOL, TABLE, TRICK, TRICKS, Field, View

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
    """One's own hand, the table, every finished trick, and the contract.

    ``contract`` is None until it is known, ``chosen_by`` while nobody chose it; ``points`` is what each player's pair
    has in this hand so far, as it will be scored; ``weis`` is what was shown, None where the game has no Weis.
    """

    GAME = "jass"
    BIDDING = ("trump", "weis")
    FIELDS: ClassVar[Mapping[str, Field]] = {
        "tally": TABLE,
        "phase": SYMBOL,
        "hand": CARDS,
        "trick": TRICK,
        "tricks": TRICKS,
        "contract": SYMBOL,
        "chosen-by": SYMBOL,
        "points": TABLE,
        "weis": SHOWN,
    }


VIEW = JassView
