"""Jass: a bot that chooses the contract by its hand, counts trumps and knows which cards can no longer be beaten."""

from __future__ import annotations

from croupier.agents.tricks import ACE_HIGH, TrickAgent, card, playable, strengths, unseen
from croupier.protocol.cards import PACK_36, RANKS, SIX_HIGH, SUITS
from croupier.protocol.jass import FACTORS, POINTS, TRUMP_RANKS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from croupier.protocol.views.view import Play

SHIFT = ("shift",)
UPSIDE_DOWN = strengths(SIX_HIGH)
TRUMPS = strengths(TRUMP_RANKS)

# A least-squares fit to 20,000 deals, each played in every contract by four of this bot: by how many points the pair of
# the player who chooses is ahead. Further features (length, guarded kings, who leads) predict no better choice.
AS_TRUMP = {"J": 62, "9": 43, "A": 32}
"""The lead that a trump is worth; any other trump is worth 19."""
AS_TOP = (25, 22, 14)
"""The lead that a suit's highest cards are worth without trumps, as long as none above is missing."""
BESIDE_TRUMPS = (7, 10, 0)
"""The lead that they are worth beside trumps."""
WITH_TRUMPS, WITHOUT = -75, -34
"""The lead of a hand that has none of these cards, with trumps and without."""
ENOUGH = 47
"""The lead that the partner's contract brings, by which a hand is shifted that promises less."""
WORTH_A_TRUMP = 10


class TrumpCounter(TrickAgent):
    """Draw trumps while others have some, lead the best card left, take valuable tricks, feed the partner."""

    def tryBid(self, state: Any) -> Play:
        """Choose the contract that promises most at its factor, or shift; show all Weis."""
        if state.phase == "weis":
            shown: Play = state.legal[0]
            return shown
        factors = FACTORS[state.options["factors"]]
        promises = {contract: factor * promise(state.hand, contract) for contract, factor in factors.items()}
        best = max(promises, key=promises.__getitem__)
        if SHIFT in state.legal and promises[best] < ENOUGH * sum(factors.values()) / len(factors):
            return SHIFT
        return ("trump", best)

    def tryPlay(self, state: Any) -> Play:
        """Lead, or decide by the cards on the table. A player who can follow may trump anyway."""
        return self.tryLead(state) if not state.trick else self.tryFollow(state)

    def tryLead(self, state: Any) -> Play:
        """Draw trumps from the top, then lead the best card left of a suit, else the least valuable card."""
        tops = [c for c in playable(state) if self.is_top(c, state)]
        trumps = [c for c in tops if c[0] == state.contract]
        if trumps and self.others_have_trumps(state):
            return card(trumps[0])
        tops = [c for c in tops if c[0] != state.contract]
        return card(max(tops, key=lambda c: points(c, state))) if tops else card(self.least(playable(state), state))

    def tryFollow(self, state: Any) -> Play:
        """Feed a trick that stays the partner's, take one that is worth it, else give the least valuable card."""
        cards, last = playable(state), len(state.trick) == 3
        best = max(state.trick.cards, key=lambda c: self.power(c, state))
        if self.partners(best, state):
            if last or self.is_top(best, state):
                return card(self.most(cards, state))
            return card(self.least(cards, state))
        winning = [c for c in cards if self.power(c, state) > self.power(best, state)]
        safe = winning if last else [c for c in winning if self.is_top(c, state) or c[0] == state.contract]
        if safe and (taking := self.taking(safe, state)):
            return card(taking)
        return card(self.least(cards, state))

    def taking(self, winning: list[str], state: Any) -> str | None:
        """Choose the card that takes a trick; no trump where few points are to be won."""
        plain = [c for c in winning if c[0] != state.contract]
        if plain:
            return max(plain, key=lambda c: points(c, state))
        lies = sum(points(c, state) for c in state.trick.cards)
        return min(winning, key=lambda c: TRUMPS[c[1]]) if lies >= WORTH_A_TRUMP else None

    def most(self, cards: list[str], state: Any) -> str:
        """Return the card with the most points that is neither a trump nor the best of its suit, if there is one."""
        return max(cards, key=lambda c: (c[0] != state.contract, not self.is_top(c, state), points(c, state)))

    def least(self, cards: Iterable[str], state: Any) -> str:
        """Return the card that costs least: neither a trump nor the best of its suit, with few points."""
        return min(
            cards,
            key=lambda c: (c[0] == state.contract, self.is_top(c, state), points(c, state), self.strength(c, state)),
        )

    def strength(self, card: str, state: Any) -> int:
        """Return how high a card is in its suit."""
        order = TRUMPS if card[0] == state.contract else UPSIDE_DOWN if state.contract == "u" else ACE_HIGH
        return order[card[1]]

    def power(self, card: str, state: Any) -> int:
        """Return how high a card is in the trick on the table."""
        if card[0] == state.contract:
            return 100 + TRUMPS[card[1]]
        return self.strength(card, state) if card[0] == state.trick.cards[0][0] else -1

    def is_top(self, card: str, state: Any) -> bool:
        """Return whether no other player has a higher card of its suit."""
        mine = self.strength(card, state)
        return all(c[0] != card[0] or self.strength(c, state) < mine for c in unseen(state, PACK_36))

    def others_have_trumps(self, state: Any) -> bool:
        """Return whether trumps are left in other hands."""
        return any(c[0] == state.contract for c in unseen(state, PACK_36))

    def partners(self, best: str, state: Any) -> bool:
        """Return whether a card on the table is the partner's."""
        cards = state.trick.cards
        return len(cards) >= 2 and cards[-2] == best


def points(name: str, state: Any) -> int:
    """Return the card points of a card."""
    return POINTS[state.contract][name]


def promise(hand: Iterable[str], contract: str) -> int:
    """Return the lead in points, without the contract's factor, that a hand promises to the pair that chooses."""
    suits = {suit: {c[1] for c in hand if c[0] == suit} for suit in SUITS}
    high = RANKS[4:] if contract == "u" else SIX_HIGH
    if contract not in SUITS:
        return WITHOUT + sum(run(ranks, high, AS_TOP) for ranks in suits.values())
    trumps = suits.pop(contract)
    beside = sum(run(ranks, high, BESIDE_TRUMPS) for ranks in suits.values())
    return WITH_TRUMPS + beside + sum(AS_TRUMP.get(rank, 19) for rank in trumps)


def run(ranks: set[str], high: str, worth: Sequence[int]) -> int:
    """Return the worth of the unbroken run of a suit's highest cards; the last number is for each further one."""
    promised = 0
    for place, rank in enumerate(high):
        if rank not in ranks:
            break
        promised += worth[min(place, len(worth) - 1)]
    return promised
