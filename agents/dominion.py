"""Dominion: the parts that strategies are made of, and three strategies.

A hook is a function of the agent and the state: ``tryAction = play(SMITHY)`` in a class is a whole hook. A condition is
a function of the state and a card: whether to buy it now.
"""

from __future__ import annotations

from croupier.agents.agent import Agent, first
from croupier.protocol.dominion import COINS, COST, MILITIA_LEAVES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from croupier.protocol.views.dominion import DominionView
    from croupier.protocol.views.view import Play

    Hook = Callable[..., Play | None]
    Condition = Callable[[DominionView, str], bool]

COPPER, SILVER, GOLD = "copper", "silver", "gold"
ESTATE, DUCHY, PROVINCE = "estate", "duchy", "province"
CELLAR, MARKET, MILITIA, MINE, MOAT = "cellar", "market", "militia", "mine", "moat"
REMODEL, SMITHY, VILLAGE, WOODCUTTER, WORKSHOP = "remodel", "smithy", "village", "woodcutter", "workshop"


# The agent


class DominionAgent(Agent):
    """A player of Dominion. By itself it plays its treasures, buys nothing and reveals a moat."""

    def tryPlay(self, state: DominionView) -> Play | None:
        """Play an action, else a treasure, else buy, else end the turn."""
        return self.tryAction(state) or self.tryAdd(state) or self.tryBuy(state) or clean(state)

    def tryAction(self, state: DominionView) -> Play | None:
        """Play a kingdom card."""
        return None

    def tryAdd(self, state: DominionView) -> Play | None:
        """Play any treasure that is left."""
        return add_treasure(state)

    def tryBuy(self, state: DominionView) -> Play | None:
        """Buy a card."""
        return None

    def tryDefend(self, attack: Play, attacker: str, state: DominionView) -> Play | None:
        """Reveal a moat if there is one."""
        return reveal_moat(state)

    def discardTo(self, state: DominionView, n: int) -> Play:
        """Keep ``n`` cards: victory cards go first, then the cheapest cards."""
        return discard(state, n, (PROVINCE, DUCHY, ESTATE, *sorted(state.hand, key=COST.__getitem__)))

    def choose(self, state: DominionView) -> Play:
        """Discard if no hook defended, end the turn if none played."""
        return self.discardTo(state, MILITIA_LEAVES) if state.phase == "defend" else clean(state)


# The cards that the player owns and draws


def draw_probability(cards: tuple[str, ...], card: str) -> float:
    """Return the probability that a card drawn from ``cards`` is this one."""
    return cards.count(card) / len(cards) if cards else 0.0


def expected_draw_value(state: DominionView, n: int) -> float:
    """Return the expected coins of the next ``n`` cards; a short deck is followed by the discards."""
    from_deck = min(n, len(state.deck))
    return from_deck * _mean_worth(state.deck) + (n - from_deck) * _mean_worth(state.discards)


def _mean_worth(cards: tuple[str, ...]) -> float:
    return sum([COINS.get(card, 0) for card in cards]) / len(cards) if cards else 0.0


# Playing actions and treasures


def can_act(state: DominionView, card: str) -> bool:
    """Return whether the card may be played: it is in the hand, and an action is left."""
    return card in state.hand and state.actions > 0


def play(card: str) -> Hook:
    """Play a kingdom card that asks for no further decision, whenever it may be played."""

    def hook(_: Agent, state: DominionView) -> Play | None:
        return ("act", card) if can_act(state, card) else None

    return hook


def mine(_: Agent, state: DominionView) -> Play | None:
    """Play a mine: turn a silver into a gold, else a copper into a silver."""
    if can_act(state, MINE):
        for old, new in ((SILVER, GOLD), (COPPER, SILVER)):
            if old in state.hand and state.supply[new]:
                return ("act", MINE, old, new)
    return None


def add_treasure(state: DominionView) -> Play | None:
    """Play the first treasure in the hand while a buy is left to pay for.

    It is asked again after each, so all treasures get played.
    """
    return next((("add", card) for card in state.hand if card in COINS), None) if state.buys else None


def clean(state: DominionView) -> Play:
    """End the turn, showing the first card that is left in the hand."""
    return ("clean", *state.hand[:1])


# Buying


def buy_first(*wishes: tuple[str, Condition]) -> Hook:
    """Buy the first card of the list that is affordable and whose condition holds."""

    def hook(_: Agent, state: DominionView) -> Play | None:
        return next((("buy", card) for card, should in wishes if can_buy(state, card) and should(state, card)), None)

    return hook


def buy_priority(should: Condition, *priority: str) -> Hook:
    """Buy the first affordable card for which the one condition holds."""
    return buy_first(*[(card, should) for card in priority])


def can_buy(state: DominionView, card: str) -> bool:
    """Return whether a buy is left, the coins suffice and the pile is not empty."""
    return bool(state.buys and COST[card] <= state.coins and state.supply[card])


def always(state: DominionView, card: str) -> bool:
    """Buy the card whenever possible."""
    return True


def while_provinces_last(n: int) -> Condition:
    """Buy while ``n`` provinces or more are left."""
    return lambda state, card: state.supply[PROVINCE] >= n


def when_provinces_below(n: int) -> Condition:
    """Buy once fewer than ``n`` provinces are left."""
    return lambda state, card: state.supply[PROVINCE] < n


def rarer_than(share: float) -> Condition:
    """Buy while less than this share of the player's cards are of the kind."""
    return lambda state, card: draw_probability(state.owned, card) < share


def fewer_than(n: int) -> Condition:
    """Buy while the player owns fewer than ``n`` of the kind."""
    return lambda state, card: state.owned.count(card) < n


# Defending


def reveal_moat(state: DominionView) -> Play | None:
    """Reveal a moat if there is one in the hand."""
    return (MOAT,) if MOAT in state.hand else None


def discard(state: DominionView, n: int, priority: Iterable[str]) -> Play:
    """Discard down to ``n`` cards in the order of ``priority``, then from the front of the hand."""
    place = {card: place for place, card in enumerate(dict.fromkeys(priority))}
    going = sorted(state.hand, key=lambda card: place.get(card, len(place)))
    return ("discard", *going[: max(0, len(going) - n)])


def discard_first(*priority: str) -> Callable[..., Play]:
    """Return a whole ``discardTo`` that discards in this order."""
    return lambda _, state, n: discard(state, n, priority)


# Strategies


class Smithy(DominionAgent):
    """Big money with a smithy now and then."""

    tryAction = play(SMITHY)
    tryBuy = buy_first(
        (PROVINCE, always),
        (GOLD, while_provinces_last(5)),
        (SMITHY, rarer_than(0.05)),
        (DUCHY, when_provinces_below(6)),
        (SILVER, while_provinces_last(5)),
        (ESTATE, when_provinces_below(4)),
    )

    def discardTo(self, state: DominionView, n: int) -> Play:
        """Keep the cards that bring most coins; a smithy counts as the three cards that it draws."""
        worth = {SMITHY: expected_draw_value(state, 3), **COINS}
        return discard(state, n, (PROVINCE, DUCHY, ESTATE, *sorted(worth, key=worth.__getitem__)))


class BigMoney(DominionAgent):
    """Treasures and provinces only, and the smaller victory cards at the end."""

    tryBuy = buy_first(
        (PROVINCE, always),
        (DUCHY, when_provinces_below(5)),
        (ESTATE, when_provinces_below(3)),
        (GOLD, always),
        (SILVER, always),
    )


class Miner(DominionAgent):
    """Villages and smithies to draw, militias to annoy, mines to turn copper into gold."""

    tryAction = first(play(VILLAGE), play(MILITIA), play(SMITHY), mine)
    tryBuy = buy_first(
        (PROVINCE, always),
        (GOLD, always),
        (MINE, rarer_than(0.15)),
        (DUCHY, always),
        (MILITIA, fewer_than(1)),
        (SMITHY, rarer_than(0.08)),
        (VILLAGE, rarer_than(0.1)),
        (SILVER, always),
    )
    discardTo = discard_first(PROVINCE, DUCHY, ESTATE, COPPER, MINE, SILVER, SMITHY)
