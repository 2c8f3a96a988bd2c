"""HeartsPlayout: worlds of Hearts played out in numbers by players that see a moon coming.

From the middle of a hand that takes 10 µs compiled and 92 µs in Python, where asking a bot for each card took 148.
"""

from __future__ import annotations

from importlib import import_module
from math import inf
from typing import TYPE_CHECKING, Any

from croupier.agents.hearts import Duck, dangerous_cards
from croupier.agents.search.playout import UNLIKELY, Advice, Caution, Playout, alike, ask
from croupier.agents.search.world import worth
from croupier.agents.tricks import ACE_HIGH, lengths
from croupier.protocol.cards import PACK_52
from croupier.protocol.hearts import NOBODY

if TYPE_CHECKING:
    from random import Random

    from croupier.agents.agent import Agent
    from croupier.protocol.views.hearts import HeartsView
    from croupier.protocol.views.view import Play

HOPE = 6
"""With more losers in hand, shooting the moon is not tried."""


def moons() -> Any:
    """Return the module that plays hands out; with numba the first call takes some seconds, or less with a cache."""
    return import_module("croupier.agents.hearts_moons")


class Shooter(Duck):
    """An adviser that would shoot the moon: it gives low cards away. Its cards are played by `HeartsPlayout`."""

    def tryBid(self, state: HeartsView) -> Play | None:
        """Give three low cards away, low hearts and those of short suits first."""
        held = lengths(state.hand)

        def use(name: str) -> int:
            return ACE_HIGH[name[1]] + 2 * held[name[0]] - 4 * (name[0] == "h")

        return ("give", *sorted(state.hand, key=use)[:3])


DUCK, SHOOTER = Duck(), Shooter()


class HeartsPlayout(Playout):
    """Cards are given away by bots and played by the players of `moons`, who see a moon coming.

    After a play of the shooter its seat shoots the moon as long as it can. A search that follows `duck` until there is
    much evidence against it was measured to be weaker.
    """

    def __init__(self) -> None:
        super().__init__(DUCK, advice=Advice((SHOOTER,)), caution=Caution(few=3, errors=0.5))

    def proposals(self, world: Any) -> list[tuple[Play, Agent]]:
        """Return the reflex bot's play, and the shooter's where there is hope, even if it is the same."""
        proposed = super().proposals(world)
        if world.game.phase == "play" and (card := self._shot(world)):
            proposed.append((("play", card), SHOOTER))
        return proposed

    def _shot(self, world: Any) -> str | None:
        """Return the shooter's card, None where shooting the moon is not tried."""
        hand, seat, players = world.open_hearts(), world.game.turn, moons()
        mine = hand.hands[seat]
        if hand.sweeper not in (NOBODY, seat) or players.losers(mine, sum(hand.hands) - mine) > HOPE:
            return None
        record = players.record(hand, 0)
        card: int = players.choose(record, seat, players.playable(record, seat), seat)
        return PACK_52[card]

    def likelihood(self, world: Any, seat: int) -> float:
        """Return the likelihood of the gift to a seat, relative to one that the reflex bot would make.

        To deal the hand again and ask the bot took a third of the time for a world.
        """
        if (given := world.given(seat)) is None:
            return 1.0
        hand, gift = given
        likely: float = UNLIKELY ** (1 - alike(("give", *gift), ("give", *dangerous_cards(hand))))
        return likely

    def finish(self, world: Any, seat: int, rng: Random, end: float = inf, bot: Agent | None = None) -> float:
        """Play a world to its end; return its worth to a seat. This takes so little time that ``end`` is not needed."""
        game = world.game
        while game.phase == "give":
            game.play(game.turn, ask(bot if bot is not None and game.turn == seat else DUCK, world))
        if game.turn is not None:
            players = moons()
            record = players.record(world.open_hearts(), rng.getrandbits(31))
            players.play_out(record, seat if bot is SHOOTER else NOBODY, round(1000 * self.chance))
            world.settle(*players.result(record))
        return worth(world, seat)
