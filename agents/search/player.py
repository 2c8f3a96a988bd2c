"""The searching player: decides from a view alone, without any memory."""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING

from croupier.agents.agent import Agent
from croupier.agents.search.budget import Budget
from croupier.agents.search.candidates import MOST, candidates
from croupier.agents.search.sampling import WORLDS, Sampling
from croupier.protocol.notifications import Attacked, Request

if TYPE_CHECKING:
    from collections.abc import Callable

    from croupier.agents.search.budget import Stopwatch
    from croupier.agents.search.playout import Playout
    from croupier.agents.search.world import World
    from croupier.protocol.views.view import Play, View

LEAST = 3
"""At least this many plays are compared; more only as long as each can be tried in `WORLDS` worlds."""
TIMES = re.compile(r" \((clock|bank) \d+\)")


class Search(Agent):
    """Think about every decision in worlds that its view allows.

    ``world_of`` returns a game that fits a view, ``manner`` the way in which a game's worlds are played out. The random
    numbers depend on ``seed`` and the view alone: the same view gets the same answer.
    """

    def __init__(
        self,
        world_of: Callable[[View], World | None],
        manner: Callable[[str], Playout],
        budget: Budget | None = None,
        seed: str = "",
    ) -> None:
        self.world_of = world_of
        self.manner = manner
        self.budget = budget or Budget()
        self.seed = seed
        self.exact = self.weighing = True
        self.playouts: dict[str, Playout] = {}

    def tryBid(self, state: View) -> Play | None:
        """Think."""
        return self.think(Request(state))

    def tryPlay(self, state: View) -> Play | None:
        """Think."""
        return self.think(Request(state))

    def tryDefend(self, attack: Play, attacker: str, state: View) -> Play | None:
        """Think."""
        return self.think(Attacked(attack, attacker, state))

    def think(self, question: Request | Attacked) -> Play:
        """Return the best play that can be found within the budget."""
        state = question.view
        watch = self.budget.start(state)
        world, playout = self.world_of(state), self.playout(state.game)
        if world is None:
            return playout.answer(question)
        if (routine := world.routine()) is not None:
            return routine
        rng = Random(f"{self.seed} {observation(state)}")
        seat = world.game.turn or 0
        proposed = playout.proposals(world)
        plays, afford = [play for play, _ in proposed], 0
        if not playout.advice.alone:
            afford = watch.affords(lambda: playout.finish(world.determinize(seat, rng), seat, rng, watch.wall))
            plays = candidates(world, plays, rng, min(MOST, max(LEAST, afford // WORLDS)))
        if len(set(plays)) == 1:
            return plays[0]
        bots, worlds = [bot for _, bot in proposed], afford // len(plays)
        sampling = Sampling(
            world, plays, playout, rng, bots=bots, worlds=worlds, exact=self.exact, weighing=self.weighing
        )
        return self.best(sampling, watch)

    def best(self, sampling: Sampling, watch: Stopwatch) -> Play:
        """Return the best of the plays that are to be compared."""
        return sampling.think(watch)

    def playout(self, game: str) -> Playout:
        """Return the way in which a game's worlds are played out."""
        if game not in self.playouts:
            self.playouts[game] = self.manner(game)
        return self.playouts[game]


def observation(state: View) -> str:
    """Write a view as text without its times, which differ from run to run."""
    return TIMES.sub("", str(state))
