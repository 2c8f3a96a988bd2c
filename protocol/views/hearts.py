"""A Hearts player's knowledge."""

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
    """The facts needed to play a card, with sets of cards as bits (`croupier.protocol.cards.BITS`).

    ``may`` are the cards that may be played, ``out`` those that the others hold. ``opening`` says whether this is the
    first trick, ``sweeping`` whether this seat has taken all points so far, and at least one.
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
    """List every choice of three cards of a hand to give away."""
    return Choosing(hand, GIVEN, ((("give",), ()),))


class HeartsView(View):
    """The seat's hand, the table and every finished trick; the cards given and received, and the points taken.

    ``passing`` is where this hand's three cards go: left, right, across or none. ``gave`` and ``received`` are None
    until then. ``taken`` counts the hearts and the queen of spades in each player's tricks of this hand.
    """

    GAME = "hearts"
    BIDDING = ("give",)
    WORDS = ("give", "play", "left", "across", "right", "none")
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

    # kept with the view, because a bot's hooks ask for it several times per decision
    @once
    def sight(self) -> HeartsSight:
        """Return the facts needed to play a card."""
        hand, points = bits(self.hand), self.taken
        gone = sum([bits(trick.cards) for trick in self.tricks]) + bits(self.trick.cards)
        may = bits(play[1] for play in self.legal)
        sweeping = 0 < points[self.me] == sum(points.values())
        out = PACK - hand - gone
        return HeartsSight(hand, may, out, self.trick.cards, opening=not self.tricks, sweeping=sweeping)

    def legal_plays(self) -> Iterable[Play]:
        """List the legal plays; when giving, every choice of three cards."""
        if self.legal is not None or self.phase != "give" or self.gave is not None:
            return super().legal_plays()
        return gifts(self.hand)


VIEW = HeartsView
