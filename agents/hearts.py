"""Duck: a bot for Hearts that plays below the trick and gets rid of dangerous cards when it can."""

from __future__ import annotations

from croupier.agents.agent import Agent
from croupier.agents.tricks import ACE_HIGH, lengths
from croupier.protocol.cards import BITS, SUIT_BITS, bits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.protocol.views.hearts import HeartsView
    from croupier.protocol.views.view import Play

QUEEN = "sQ"
ABOVE_THE_QUEEN = ("sA", "sK")
GUARDED = 5

LADY, CATCHERS = BITS[QUEEN], bits(ABOVE_THE_QUEEN)
SPADES, HEARTS = SUIT_BITS["s"], SUIT_BITS["h"]
POINTS = LADY | HEARTS
SUIT = {card: SUIT_BITS[card[0]] for card in BITS}
PLAYS: dict[int, Play] = {bit: ("play", card) for card, bit in BITS.items()}
HEIGHT = {bit: ACE_HIGH[card[1]] for card, bit in BITS.items()}
FALLEN, ALONE, HUNTING = 20, 15, -1
"""The risk of leading the queen or a card above her; a suit that nobody else has; spades that draw her out."""
RISK = [[rivals and rivals / (rivals + 3) * 2 - above / rivals * 3 for above in range(14)] for rivals in range(14)]
"""The risk of leading a card, by how many cards of its suit the others hold and how many of those are higher."""


def lowest(cards: int) -> int:
    """Return the lowest card of a suit."""
    return cards & -cards


def highest(cards: int) -> int:
    """Return the highest card of a suit."""
    return 1 << (cards.bit_length() - 1)


def dangerous_cards(hand: Sequence[str]) -> list[str]:
    """Return the three most dangerous cards of a hand: high spades without company, high hearts and short suits."""
    held = lengths(hand)

    def danger(name: str) -> int:
        height = ACE_HIGH[name[1]]
        if name == QUEEN or name in ABOVE_THE_QUEEN:
            return 100 + height * (name == QUEEN) if held["s"] < GUARDED else 0
        if name[0] == "s":
            return -20 + height
        return height + (3 if name[0] == "h" else 6 - 2 * held[name[0]])

    return sorted(hand, key=danger)[-3:]


class Duck(Agent):
    """Give away high spades, high hearts and short suits; duck; dump points on others; hardly ever shoot the moon."""

    def tryBid(self, state: HeartsView) -> Play | None:
        """Give the three most dangerous cards away."""
        return ("give", *dangerous_cards(state.hand))

    def tryPlay(self, state: HeartsView) -> Play | None:
        """Ask the hook that fits the moment."""
        at = state.sight
        if at.sweeping and (play := self.tryShoot(state)):
            return play
        if not at.trick:
            return self.tryLead(state)
        return self.tryFollow(state) if at.may & SUIT[at.trick[0]] else self.tryDiscard(state)

    def tryShoot(self, state: HeartsView) -> Play | None:
        """Shoot the moon if nobody else has a point and no card still out can beat a card of the hand."""
        at = state.sight
        if any(at.hand & suit and at.out & suit > lowest(at.hand & suit) for suit in SUIT_BITS.values()):
            return None
        return PLAYS[
            max([highest(at.may & suit) for suit in SUIT_BITS.values() if at.may & suit], key=HEIGHT.__getitem__)
        ]

    def tryLead(self, state: HeartsView) -> Play | None:
        """Lead the card most likely to be beaten: the lowest of a suit; spades below the queen while she is out."""
        at = state.sight
        may, out = at.may, at.out
        falling = LADY | CATCHERS if out & LADY else LADY
        risks: list[tuple[float, int, int]] = []
        for suit in SUIT_BITS.values():
            if not (cards := may & suit):
                continue
            card, rivals = lowest(cards & ~falling or cards), out & suit
            risk: float
            if card & falling:
                risk = FALLEN
            elif not rivals:
                risk = ALONE
            elif suit == SPADES and out & LADY and not at.hand & CATCHERS:
                risk = HUNTING
            else:
                risk = RISK[rivals.bit_count()][(rivals & -card).bit_count()]
            risks.append((risk, HEIGHT[card], card))
        return PLAYS[min(risks)[2]]

    def tryFollow(self, state: HeartsView) -> Play | None:
        """Duck as high as possible; win, with the highest card, only where it is cheap or unavoidable."""
        at = state.sight
        may, trick = at.may, at.trick
        led, lie = SUIT[trick[0]], bits(trick)
        lower = may & (highest(lie & led) - 1)
        rest = may & ~LADY or may
        if lower & LADY:
            return PLAYS[LADY]
        last = len(trick) == 3
        if last and not lie & POINTS and not may & HEARTS:
            return PLAYS[highest(rest)]
        if lower:
            return PLAYS[highest(lower)]
        return PLAYS[highest(rest) if last or at.opening else lowest(rest)]

    def tryDiscard(self, state: HeartsView) -> Play | None:
        """Discard the queen, then cards that might catch her, then hearts and high cards from short suits."""
        at = state.sight
        hand, may, out = at.hand, at.may, at.out
        if may & LADY:
            return PLAYS[LADY]
        if out & LADY and may & CATCHERS:
            return PLAYS[lowest(may & CATCHERS)]
        dangers = []
        for suit in SUIT_BITS.values():
            if cards := may & suit:
                card = highest(cards)
                height = HEIGHT[card]
                high_heart = suit == HEARTS and height > 5
                dangers.append((height + (20 if high_heart else 3 * (4 - (hand & suit).bit_count())), -card))
        return PLAYS[-max(dangers)[1]]
