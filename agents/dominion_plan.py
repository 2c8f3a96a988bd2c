"""Plan: a strategy for Dominion that consists of the decks that it wants early, midway and late."""

from __future__ import annotations

from croupier.agents.agent import first
from croupier.agents.dominion import (
    CELLAR,
    DUCHY,
    ESTATE,
    GOLD,
    MARKET,
    MILITIA,
    MOAT,
    PROVINCE,
    REMODEL,
    SILVER,
    SMITHY,
    VILLAGE,
    WOODCUTTER,
    WORKSHOP,
    DominionAgent,
    can_act,
    mine,
    play,
)
from croupier.protocol.dominion import ACTIONS, COST, POINTS, REMODEL_ADDS, WORKSHOP_BUILDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import ClassVar

    from croupier.protocol.views.dominion import DominionView
    from croupier.protocol.views.view import Play

    Deck = Mapping[str, int]

ACTION_CARDS = frozenset(ACTIONS)
LATE = 4
"""The end is near when at most this many provinces are left, or two piles have run out."""
LAST: Deck = {PROVINCE: 12, GOLD: 30, SILVER: 40}
"""The deck for a game that nobody else ends: all provinces, and the money for them."""


def lacking(deck: Deck, state: DominionView, coins: int) -> str | None:
    """Return the most expensive card for at most ``coins`` of which the player owns too few for the deck."""
    owned, supply = state.owned, state.supply
    dearest, price = None, -1
    for card, number in deck.items():
        if price < COST[card] <= coins and supply[card] and owned.count(card) < number:
            dearest, price = card, COST[card]
    return dearest


def cellar(agent: Plan, state: DominionView) -> Play | None:
    """Exchange the victory cards in the hand."""
    idle = [card for card in state.hand if card in POINTS]
    return ("act", CELLAR, *idle) if idle and can_act(state, CELLAR) else None


def workshop(agent: Plan, state: DominionView) -> Play | None:
    """Build what the deck lacks."""
    card = agent.next_card(state, WORKSHOP_BUILDS) if can_act(state, WORKSHOP) else None
    return ("act", WORKSHOP, card) if card else None


def remodel(agent: Plan, state: DominionView) -> Play | None:
    """Turn a card that the deck has too many of into one that it lacks, the most expensive first."""
    if can_act(state, REMODEL):
        for old in sorted(dict.fromkeys(state.hand), key=COST.__getitem__, reverse=True):
            new = agent.next_card(state, COST[old] + REMODEL_ADDS)
            if old != REMODEL and new and COST[new] > COST[old] and agent.spares(state, old):
                return ("act", REMODEL, old, new)
    return None


class Plan(DominionAgent):
    """Buy the most expensive card that the current deck lacks, and play every action that leads there."""

    early: ClassVar[Deck] = {SILVER: 2, MILITIA: 1}
    midway: ClassVar[Deck] = {SILVER: 5, GOLD: 6, MARKET: 2, MILITIA: 1, SMITHY: 1, PROVINCE: 8}
    late: ClassVar[Deck] = {PROVINCE: 12, DUCHY: 12, ESTATE: 8}

    act = first(
        *(play(VILLAGE), play(MARKET), cellar, remodel, workshop, mine),
        *(play(SMITHY), play(MILITIA), play(WOODCUTTER), play(MOAT)),
    )

    def tryAction(self, state: DominionView) -> Play | None:
        """Play an action if there is one; most hands have none."""
        return None if not state.actions or ACTION_CARDS.isdisjoint(state.hand) else self.act(state)

    def tryBuy(self, state: DominionView) -> Play | None:
        """Buy what the deck lacks."""
        card = self.next_card(state, state.coins) if state.buys else None
        return ("buy", card) if card else None

    def deck(self, state: DominionView) -> Deck:
        """Return the deck to aim for: the late one when the end is near, else the first incomplete one."""
        near = state.supply[PROVINCE] <= LATE or list(state.supply.values()).count(0) > 1
        decks = (self.late,) if near else (self.early, self.midway, self.late)
        return next((deck for deck in decks if lacking(deck, state, COST[PROVINCE])), LAST)

    def next_card(self, state: DominionView, coins: int) -> str | None:
        """Return the card to get for ``coins``: the current deck's, unless the next deck's costs at least two more."""
        deck = self.deck(state)
        now = lacking(deck, state, coins)
        if deck is self.late:
            return now or lacking(LAST, state, coins)
        later = lacking(self.midway, state, coins) if deck is self.early else None
        return later if later and (now is None or COST[later] > COST[now] + 1) else now

    def spares(self, state: DominionView, card: str) -> bool:
        """Return whether the player owns more of a card than the current deck asks for."""
        return state.owned.count(card) > self.deck(state).get(card, 0)
