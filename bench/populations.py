"""Populations: sets of real games between bundled bots and patches of them, from which tournaments are drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bench.sets import acting, high, low, sets, uniform

from croupier.agents.dominion import (
    DUCHY,
    ESTATE,
    GOLD,
    PROVINCE,
    SILVER,
    SMITHY,
    BigMoney,
    Smithy,
    always,
    buy_first,
    rarer_than,
    when_provinces_below,
    while_provinces_last,
)
from croupier.agents.hearts import Duck
from croupier.agents.jass import TrumpCounter
from croupier.agents.sedma import SevenSaver, cheapest, value
from croupier.agents.skat import SkatClub
from croupier.agents.tricks import ACE_HIGH, card, playable

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from bench.sets import Policy
    from numpy.typing import NDArray

    from croupier.agents.agent import Agent

    Array = NDArray[Any]


class Keeper(Duck):
    """A duck that passes no hearts and no spades."""

    def tryBid(self, state: Any) -> Any:
        """Give the highest of the other suits, then the rest."""
        return ("give", *sorted(state.hand, key=lambda name: (name[0] in "dc", ACE_HIGH[name[1]]))[-3:])


class Cheaper(Duck):
    """A duck that forgets about the queen while many cards are left."""

    def tryDiscard(self, state: Any) -> Any:
        """Keep the queen while more than nine cards are left."""
        cards = [name for name in playable(state) if name != "sQ"]
        if len(state.hand) > 9 and cards:
            return card(max(cards, key=lambda name: ACE_HIGH[name[1]]))
        return super().tryDiscard(state)


class Closer(Duck):
    """A duck that leads the highest of its last three cards."""

    def tryLead(self, state: Any) -> Any:
        """Lead high at the end."""
        if len(state.hand) == 3:
            return card(max(playable(state), key=lambda name: ACE_HIGH[name[1]]))
        return super().tryLead(state)


class Plain(SevenSaver):
    """A saver that leads the cheapest and looks no further."""

    def tryLead(self, state: Any) -> Any:
        """Lead the cheapest."""
        return card(cheapest(playable(state)))


class Eager(SevenSaver):
    """A saver that takes with sevens at the end, whatever is on the table."""

    def tryFollow(self, state: Any) -> Any:
        """Take with two cards left."""
        if len(state.hand) == 2:
            return card(max(playable(state), key=value))
        return super().tryFollow(state)


class Late(TrumpCounter):
    """A counter that leads its least card to the last four tricks."""

    def tryLead(self, state: Any) -> Any:
        """Lead the least at the end."""
        if len(state.hand) < 5:
            return card(self.least(playable(state), state))
        return super().tryLead(state)


class MoreSmithies(Smithy):
    """A smithy that buys one more."""

    tryBuy = buy_first(
        (PROVINCE, always),
        (GOLD, while_provinces_last(5)),
        (SMITHY, rarer_than(0.08)),
        (DUCHY, when_provinces_below(6)),
        (SILVER, while_provinces_last(5)),
        (ESTATE, when_provinces_below(4)),
    )


class Population(NamedTuple):
    """A game, the players at its table, the number of rotations, and how many sets of it are played."""

    game: str
    players: Callable[[], list[Policy]]
    turns: int
    count: int

    def play(self) -> Array:
        """Return scores by set, game and player."""
        return sets(self.game, self.players(), self.count, self.turns, "population")


def _bots(*kinds: type[Agent] | Policy) -> Callable[[], list[Policy]]:
    return lambda: [acting(kind()) if isinstance(kind, type) else kind for kind in kinds]


POPULATIONS = {
    "Hearts, duck and others": Population("hearts", _bots(Duck, low, high, uniform), 4, 2000),
    "Hearts, a patch": Population("hearts", _bots(Duck, Keeper, Duck, Keeper), 4, 2000),
    "Hearts, a rare patch": Population("hearts", _bots(Duck, Cheaper, Duck, Cheaper), 4, 2000),
    "Hearts, a rarer patch": Population("hearts", _bots(Duck, Closer, Duck, Closer), 4, 2000),
    "Skat, club and others": Population("skat", _bots(SkatClub, low, uniform), 3, 2000),
    "Jass, counter and low": Population("jass", _bots(TrumpCounter, low, TrumpCounter, low), 2, 2000),
    "Jass, a patch": Population("jass", _bots(TrumpCounter, Late, TrumpCounter, Late), 2, 2000),
    "Sedma, saver and low": Population("sedma", _bots(SevenSaver, low, SevenSaver, low), 2, 2000),
    "Sedma, a patch": Population("sedma", _bots(SevenSaver, Plain, SevenSaver, Plain), 2, 2000),
    "Sedma, a rare patch": Population("sedma", _bots(SevenSaver, Eager, SevenSaver, Eager), 2, 2000),
    "Dominion, smithy and big money": Population("dominion", _bots(Smithy, BigMoney), 2, 800),
    "Dominion, a patch": Population("dominion", _bots(Smithy, MoreSmithies), 2, 800),
}
