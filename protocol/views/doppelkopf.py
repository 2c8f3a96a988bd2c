"""A Doppelkopf player's knowledge: the parties as far as they are known, and never a losing reservation."""

from __future__ import annotations

from itertools import combinations

from croupier.protocol.doppelkopf import NORMAL, SOLOS
from croupier.protocol.sexp import write
from croupier.protocol.views.view import (
    CARDS,
    FORMS,
    NUMBER,
    PLAYER,
    PLAYERS,
    SYMBOL,
    TABLE,
    TRICK,
    TRICKS,
    Field,
    View,
    form_of_json,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import ClassVar

    from croupier.protocol.views.view import Play

CONTRACT = Field(lambda value: f" {write(value)}", lambda forms: forms[0], lambda value: value, form_of_json)
"""``normal``, ``wedding``, ``(solo X NAME)`` or ``(poverty NAME N [NAME [N]])``."""


def exchanges(hand: Sequence[str], count: int) -> Iterator[Play]:
    """List each way to give ``many`` cards of a sorted hand."""
    for cards in dict.fromkeys(combinations(hand, count)):
        yield ("exchange", *cards)


class DoppelkopfView(View):
    """The knowledge of one seat in a game of Doppelkopf.

    ``reservations`` begins with the player who leads. ``contract`` is known when all have spoken; of a poverty it says
    who is poor, how many trumps were offered, who took them, and how many trumps went back. ``party`` is the seat's
    own, once it is decided; ``parties`` is what everybody knows. ``announced`` lists ``(NAME, word)`` in order. In a
    poverty, ``exchanged`` is what the seat gave and ``received`` what it got. ``schweinchen`` is the player who has
    announced them. ``finished`` counts the hands of a list, and ``owing`` are the players who have not yet played their
    duty solo.
    """

    GAME = "doppelkopf"
    BIDDING = ("reserve", "poverty")
    WORDS = (
        *("reserve", "poverty", "play", "healthy", "reservation", "wedding", "solo", NORMAL, *SOLOS),
        *("take", "pass", "exchange", "announce", "re", "kontra", "no90", "no60", "no30", "black"),
    )
    FIELDS: ClassVar[Mapping[str, Field]] = {
        "tally": TABLE,
        "finished": NUMBER,
        "owing": PLAYERS,
        "phase": SYMBOL,
        "hand": CARDS,
        "trick": TRICK,
        "tricks": TRICKS,
        "contract": CONTRACT,
        "reservations": TABLE,
        "party": SYMBOL,
        "parties": TABLE,
        "announced": FORMS,
        "points": TABLE,
        "exchanged": CARDS,
        "received": CARDS,
        "schweinchen": PLAYER,
    }

    def legal_plays(self) -> Iterable[Play]:
        """List the legal plays, even the many ways to give cards in a poverty that STATE leaves out."""
        if self.legal is None and self.phase == "poverty" and self.contract[3:] == (self.me,):
            return exchanges(self.hand, self.contract[2])
        return super().legal_plays()


VIEW = DoppelkopfView
