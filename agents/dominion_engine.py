"""Engine: a strategy for Dominion whose deck draws itself whole, and then pays for two provinces in one turn."""

from __future__ import annotations

from croupier.agents.agent import first
from croupier.agents.dominion import (
    CELLAR,
    COPPER,
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
    DominionAgent,
    can_act,
    discard_first,
    play,
)
from croupier.protocol.dominion import ACTIONS, COINS, COST, POINTS, REMODEL_ADDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import ClassVar

    from croupier.agents.agent import Agent
    from croupier.agents.dominion import Hook
    from croupier.protocol.views.dominion import DominionView
    from croupier.protocol.views.view import Play

    Deck = Mapping[str, int]

PARTS = {MILITIA: 1, REMODEL: 1, MARKET: 3, SMITHY: 5, VILLAGE: 9, GOLD: 30, SILVER: 2, MOAT: 1, CELLAR: 1}
"""How many of each card the deck wants, the most wanted one first."""
TERMINALS = frozenset(ACTIONS) - {VILLAGE, MARKET, CELLAR}
"""The actions that take an action and give none."""
PAYS = {**COINS, MARKET: 1, MILITIA: 2}
"""The coins that a card of the deck brings when it is played."""
LAST = 2
"""The number of provinces at which an estate is worth more than a part of the deck."""


def draw(card: str, spare: int = 0) -> Hook:
    """Play a card that draws if there is something to draw, and ``spare`` actions are left for what it draws."""

    def hook(_: Agent, state: DominionView) -> Play | None:
        useful = state.actions > spare and (state.deck or state.discards)
        return ("act", card) if useful and can_act(state, card) else None

    return hook


def cellar(_: Agent, state: DominionView) -> Play | None:
    """Exchange victory cards and coppers: nearly every other card of the deck is better."""
    idle = [card for card in state.hand if card in POINTS or card == COPPER]
    return ("act", CELLAR, *idle) if idle and can_act(state, CELLAR) else None


def remodel(agent: Engine, state: DominionView) -> Play | None:
    """Turn a gold into a province when it is time, else an estate or a copper into a card that the deck wants."""
    if not can_act(state, REMODEL):
        return None
    if GOLD in state.hand and agent.is_time(state):
        return ("act", REMODEL, GOLD, PROVINCE)
    for old in (COPPER,) if agent.is_late(state) else (ESTATE, COPPER):
        new = part(state, COST[old] + REMODEL_ADDS) if old in state.hand else None
        if new:
            return ("act", REMODEL, old, new)
    return None


def part(state: DominionView, coins: int, wanted: Deck = PARTS) -> str | None:
    """Return the most wanted card for at most ``coins`` of which the deck has too few.

    It never has more terminals than villages and one: a further one would often lie idle in the hand.
    """
    owned, supply = state.owned, state.supply
    has_room = sum([card in TERMINALS for card in owned]) <= owned.count(VILLAGE)
    for card, number in wanted.items():
        fits = COST[card] <= coins and supply[card] and (has_room or card not in TERMINALS)
        if fits and owned.count(card) < number:
            return card
    return None


class Engine(DominionAgent):
    """Draw the whole deck by villages and smithies, then buy two provinces in one turn.

    A militia in every turn leaves the others three cards. Villages and smithies grow together. Remodel turns the cards
    of the start into better ones, and golds into provinces.
    """

    wanted: ClassVar[Deck] = PARTS
    """What it buys; remodel makes what `PARTS` says."""
    ready = 2 * COST[PROVINCE]
    """The coins of the deck at which it turns to victory cards: with fewer it cannot buy two provinces in one turn."""
    late = 4
    """The number of provinces at which it buys any victory card."""

    tryAction = first(
        *(play(VILLAGE), play(MARKET), draw(SMITHY, spare=1), cellar),
        *(play(MILITIA), remodel, draw(SMITHY), draw(MOAT)),
    )
    discardTo = discard_first(PROVINCE, DUCHY, ESTATE, COPPER, CELLAR, MOAT, REMODEL, SILVER, GOLD, MILITIA, MARKET)

    def tryBuy(self, state: DominionView) -> Play | None:
        """Buy a province when it is time, smaller victory cards at the end, else a part of the deck."""
        card = self.next_card(state) if state.buys else None
        return ("buy", card) if card else None

    def next_card(self, state: DominionView) -> str | None:
        """Return the card to buy."""
        coins, supply = state.coins, state.supply
        is_late = self.is_late(state)
        if coins >= COST[PROVINCE] and self.is_time(state):
            return PROVINCE
        if coins >= COST[DUCHY] and supply[DUCHY] and is_late:
            return DUCHY
        estate = ESTATE if coins >= COST[ESTATE] and supply[ESTATE] and is_late else None
        if estate and supply[PROVINCE] <= LAST:
            return estate
        return part(state, coins, self.wanted) or estate

    def is_late(self, state: DominionView) -> bool:
        """Return whether few provinces are left, or two piles have run out."""
        return state.supply[PROVINCE] <= self.late or list(state.supply.values()).count(0) > 1

    def is_time(self, state: DominionView) -> bool:
        """Return whether a province is better than another part of the deck."""
        left = state.supply[PROVINCE]
        return bool(left and (left <= self.late or sum([PAYS.get(card, 0) for card in state.owned]) >= self.ready))


class VillageEngine(Engine):
    """Buy most of the villages first: the pile is shared, and another engine stalls without them.

    Against money, which needs no villages, it is weaker than `Engine`. The militia and the first smithies come from
    remodel.
    """

    wanted: ClassVar[Deck] = {REMODEL: 1, VILLAGE: 7, MARKET: 3, SMITHY: 5, GOLD: 30, SILVER: 2, MOAT: 2}
