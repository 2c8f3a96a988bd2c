"""What a player of Hearts may see."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from croupier.protocol.cards import BITS, bits
from croupier.protocol.choosing import Choosing
from croupier.protocol.views.view import CARDS, FLAG, SYMBOL, TABLE, TRICK, TRICKS, View

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import ClassVar

    from croupier.protocol.views.view import Field, Play

GIVEN = 3
PACK = (1 << len(BITS)) - 1


class Sight(NamedTuple):
    """What is to be seen at a play of a card, sets of cards as bits (`croupier.protocol.cards.BITS`)."""

    hand: int
    may: int
    """What may be played."""
    out: int
    """What the others hold."""
    trick: Sequence[str]
    opening: bool
    """Whether this is the first trick."""
    sweeping: bool
    """Whether there were points, and all of them are one's own."""


def gifts(hand: Sequence[str]) -> Choosing:
    """List every three cards of a hand that can be given away."""
    return Choosing(hand, GIVEN, ((("give",), ()),))


class HeartsView(View):
    """One's own hand, the table and every finished trick; what was given and received, and what points were taken.

    ``passing`` is where this hand's three cards go: left, right, across or none. ``gave`` and ``received`` are None
    until it happened. ``taken`` counts the hearts and the queen of spades in each player's tricks of this hand.
    """

    GAME = "hearts"
    BIDDING = ("give",)
    FIELDS: ClassVar[Mapping[str, Field]] = {
        "hand": CARDS,
        "trick": TRICK,
        "tricks": TRICKS,
        "tally": TABLE,
        "passing": SYMBOL,
        "gave": CARDS,
        "received": CARDS,
        "broken": FLAG,
        "taken": TABLE,
    }

    @cached_property
    def sight(self) -> Sight:
        """The play of a card at a glance."""
        hand, points = bits(self.hand), self.taken
        gone = sum([bits(trick.cards) for trick in self.tricks]) + bits(self.trick.cards)
        may = bits(play[1] for play in self.legal)
        sweeping = 0 < points[self.me] == sum(points.values())
        return Sight(hand, may, PACK - hand - gone, self.trick.cards, not self.tricks, sweeping)

    def legal_plays(self) -> Iterable[Play]:
        """List the legal plays; giving, every three cards of the hand."""
        if self.legal is not None or self.phase != "give" or self.gave is not None:
            return super().legal_plays()
        return gifts(self.hand)


VIEW = HeartsView
