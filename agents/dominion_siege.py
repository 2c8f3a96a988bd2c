"""Siege: a strategy for Dominion that keeps the others short of cards; two variants turn green earlier or later."""

from __future__ import annotations

from croupier.agents.agent import first
from croupier.agents.dominion import (
    DUCHY,
    ESTATE,
    GOLD,
    MARKET,
    MILITIA,
    MOAT,
    PROVINCE,
    SILVER,
    SMITHY,
    VILLAGE,
    WOODCUTTER,
    DominionAgent,
    always,
    buy_first,
    fewer_than,
    mine,
    play,
    when_provinces_below,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from croupier.agents.dominion import Condition, Hook


def beside(n: int, kind: str) -> Condition:
    """Buy once the player owns ``n`` cards of another kind."""
    return lambda state, card: state.owned.count(kind) >= n


def besiege(golds: int, duchies: int, estates: int) -> Hook:
    """Buy provinces once there are ``golds`` golds; buy duchies and estates when few provinces are left.

    ``duchies`` and ``estates`` are the numbers of provinces at which each begins. Other cards follow in this order:
    gold, a first militia, markets, a second militia, silver.
    """
    return buy_first(
        (PROVINCE, beside(golds, GOLD)),
        (DUCHY, when_provinces_below(duchies + 1)),
        (ESTATE, when_provinces_below(estates + 1)),
        (GOLD, always),
        (MILITIA, fewer_than(1)),
        (MARKET, always),
        (MILITIA, fewer_than(2)),
        (SILVER, always),
        (ESTATE, when_provinces_below(estates + 3)),
    )


class Siege(DominionAgent):
    """Play two militias; build up money with markets, silver and gold."""

    tryAction = first(
        *(play(VILLAGE), play(MARKET), mine, play(SMITHY)),
        *(play(MILITIA), play(WOODCUTTER), play(MOAT)),
    )
    tryBuy = besiege(golds=2, duchies=5, estates=2)


class EarlySiege(Siege):
    """Turn to victory cards early, in case the game ends soon."""

    tryBuy = besiege(golds=0, duchies=7, estates=4)


class LateSiege(Siege):
    """Turn to victory cards late, after one more gold."""

    tryBuy = besiege(golds=2, duchies=3, estates=1)
