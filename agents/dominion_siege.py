"""Siege: a strategy for Dominion that keeps the others short of cards."""

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
    from croupier.agents.dominion import Condition


def beside(n: int, kind: str) -> Condition:
    """Buy once the player owns ``n`` cards of another kind."""
    return lambda state, card: state.owned.count(kind) >= n


class Siege(DominionAgent):
    """Play two militias; build up money with markets, silver and gold."""

    tryAction = first(
        *(play(VILLAGE), play(MARKET), mine, play(SMITHY)),
        *(play(MILITIA), play(WOODCUTTER), play(MOAT)),
    )
    tryBuy = buy_first(
        (PROVINCE, beside(2, GOLD)),
        (DUCHY, when_provinces_below(6)),
        (ESTATE, when_provinces_below(3)),
        (GOLD, always),
        (MILITIA, fewer_than(1)),
        (MARKET, always),
        (MILITIA, fewer_than(2)),
        (SILVER, always),
        (ESTATE, when_provinces_below(5)),
    )
