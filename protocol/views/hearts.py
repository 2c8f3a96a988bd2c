"""What a player of Hearts may see."""

from __future__ import annotations

from croupier.protocol.cards import BITS, bits
from croupier.protocol.choosing import Choosing
from croupier.protocol.views.view import CARDS, FLAG, SYMBOL, TABLE, TRICK, TRICKS, View, once

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import ClassVar

    from croupier.protocol.views.view import Field, Play

GIVEN = 3
PACK = (1 << len(BITS)) - 1


class HeartsSight:
    """What is to be seen at a play of a card, sets of cards as bits (`croupier.protocol.cards.BITS`).

    ``may`` is what may be played, ``out`` what the others hold; ``opening`` says whether this is the first trick,
    ``sweeping`` whether there were points, and all of them are one's own.
    """

    __slots__ = ("hand", "may", "opening", "out", "sweeping", "trick")

    def __init__(self, hand: int, may: int, out: int, trick: Sequence[str], *, opening: bool, sweeping: bool) -> None:
        self.hand = hand
        self.may = may
        self.out = out
        self.trick = trick
        self.opening = opening
        self.sweeping = sweeping


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
        "tally": TABLE,
        "passing": SYMBOL,
        "phase": SYMBOL,
        "hand": CARDS,
        "trick": TRICK,
        "tricks": TRICKS,
        "gave": CARDS,
        "received": CARDS,
        "broken": FLAG,
        "taken": TABLE,
    }

    @once
    def sight(self) -> HeartsSight:
        """Show the play of a card at a glance."""
        hand, points = bits(self.hand), self.taken
        gone = sum([bits(trick.cards) for trick in self.tricks]) + bits(self.trick.cards)
        may = bits(play[1] for play in self.legal)
        sweeping = 0 < points[self.me] == sum(points.values())
        out = PACK - hand - gone
        return HeartsSight(hand, may, out, self.trick.cards, opening=not self.tricks, sweeping=sweeping)

    def legal_plays(self) -> Iterable[Play]:
        """List the legal plays; giving, every three cards of the hand."""
        if self.legal is not None or self.phase != "give" or self.gave is not None:
            return super().legal_plays()
        return gifts(self.hand)


VIEW = HeartsView
