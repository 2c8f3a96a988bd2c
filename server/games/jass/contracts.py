"""The six contracts of Jass: order of cards, card points, and which cards may be played."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from croupier.protocol.cards import PACK_36, RANKS, SIX_HIGH, SUITS, rank, suit
from croupier.protocol.jass import CONTRACTS, POINTS, TRUMP_RANKS
from croupier.server.games.hands import Pack
from croupier.server.games.orderings import by, compile_order, hearts, of, when

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.server.games.hands import Hand
    from croupier.server.games.orderings import Ordering

PACK = Pack(PACK_36)
LAST_TRICK = 5
"""The points that the last trick has beside those of its cards."""


class JassContract:
    """One of the six contracts: a trump suit, Obenabe or Undenufe."""

    __slots__ = ("higher", "leads", "name", "points", "puur", "suits", "table", "trumps")

    def __init__(self, name: str) -> None:
        self.name = name
        self.suits = {card: PACK.where(of(card[0])) for card in PACK_36}
        """The cards that follow a card."""
        self.trumps: Hand = PACK.where(of(name)) if name in SUITS else 0
        self.puur: Hand = self.trumps & PACK.where(of("J"))
        """The jack of trumps, which a player never has to play."""
        self.table = compile_order(PACK_36, self.order, led=suit)
        self.points = POINTS[name]
        """The points of each card."""
        self.higher = {card: self._trumps_above(card) for card in PACK_36}
        """The trumps that beat a card, by the card."""
        self.leads = {card: self._masks_for_lead(card) for card in PACK_36}
        """What a led card demands: its suit, the cards of it that must be played, the trumps that may be played."""

    def order(self, led: str) -> Ordering[str]:
        """Return the order of the cards when a suit is led."""
        if self.name == "u":
            return when(of(led), by(rank, SIX_HIGH))
        if self.name == "o":
            return hearts(led)
        return when(of(self.name), by(rank, TRUMP_RANKS)) | hearts(led)

    def _trumps_above(self, card: str) -> Hand:
        worth = self.table.holds[card]
        return self.trumps & PACK.where(lambda other: worth[other] > worth[card])

    def _masks_for_lead(self, card: str) -> tuple[Hand, Hand, Hand]:
        suit = self.suits[card]
        return suit, suit & ~self.puur, 0 if suit == self.trumps else self.trumps

    def playable(self, hand: Hand, trick: Sequence[str]) -> Hand:
        """Return the cards of a hand that may be played to a trick; all of them to lead.

        If trumps are led, a player whose only trump is the Puur may play anything. If another suit is led, a card that
        overtrumps may always be played, one that undertrumps only by a player with nothing else.
        """
        if not trick:
            return hand
        led, duty, over = self.leads[trick[0]]
        if not over:
            return hand & led if hand & duty else hand
        over = self.overtrumps(trick)
        if hand & led:
            return hand & (led | over)
        return hand & ~(self.trumps & ~over) or hand

    def overtrumps(self, trick: Sequence[str]) -> Hand:
        """Return the trumps that beat all trumps of a trick."""
        over = self.trumps
        for card in trick:
            over &= self.higher[card]
        return over

    def why_not(self, trick: Sequence[str], card: str) -> str:
        """Return the rule that an unplayable card breaks."""
        led = self.suits[trick[0]]
        if led == self.trumps:
            return f"trumps were led and the hand has more than the Puur, so that {card} may not be played"
        if PACK.units[card] & self.trumps:
            return f"{card} undertrumps, and the hand has something else"
        return f"{CONTRACTS[trick[0][0]]} were led and the hand has some, so that {card} may not be played"

    def lacking(self, before: Sequence[str], card: str) -> Hand:
        """Return the mask of cards that a player cannot hold after playing this card after the others."""
        led, unit = self.suits[before[0]], PACK.units[card]
        if unit & led:
            return 0
        if led == self.trumps or not unit & self.trumps:
            return led & ~self.puur
        over = self.overtrumps(before)
        return 0 if unit & over else PACK.everything & ~(self.trumps & ~over)


class FreeContract(JassContract):
    """A contract in which a hand of only trumps may undertrump."""

    __slots__ = ()

    def playable(self, hand: Hand, trick: Sequence[str]) -> Hand:
        """Return the cards of a hand that may be played to a trick; all of them to lead."""
        return super().playable(hand, trick) if hand & ~self.trumps else hand

    def lacking(self, before: Sequence[str], card: str) -> Hand:
        """Return the mask of cards that a player cannot hold after playing this card after the others."""
        lacks = super().lacking(before, card)
        return lacks & ~self.trumps if PACK.units[card] & self.trumps else lacks


class LowerOfTwoContract(FreeContract):
    """A contract by which, as at jass-kit, of several trumps in a trick the lowest in a plain suit is to be beaten."""

    __slots__ = ()

    def overtrumps(self, trick: Sequence[str]) -> Hand:
        """Return the trumps that beat that trump of a trick."""
        trumps = [card for card in trick if PACK.units[card] & self.trumps]
        return self.higher[min(trumps, key=lambda card: RANKS.index(card[1]))] if trumps else self.trumps


UNDERTRUMP = {"seed": JassContract, "free-with-only-trumps": FreeContract, "lower-of-two": LowerOfTwoContract}
"""The contracts of each value of the option ``undertrump``."""


# cached because compiling an ordering is expensive, and there are few of them
@cache
def contract(name: str, undertrump: str = "seed") -> JassContract:
    """Return one of the six contracts, under the undertrumping rule that an option sets."""
    return UNDERTRUMP[undertrump](name)
