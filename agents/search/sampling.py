"""Sampling: every candidate is played out in the same sampled worlds; the worst are dropped early.

This is Monte Carlo with perfect information: in each world all cards are known. Candidates meet the same worlds and the
same luck, so that only their effects differ.
"""

from __future__ import annotations

from math import sqrt
from random import Random
from typing import TYPE_CHECKING

from croupier.agents.search.common_chance import CommonChance
from croupier.agents.search.endgame import Endgame

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.agents.agent import Agent
    from croupier.agents.search.budget import Stopwatch
    from croupier.agents.search.playout import Playout
    from croupier.agents.search.world import World
    from croupier.protocol.views.view import Play

HOPELESS = 2.0
"""A play more standard errors than this behind the best is dropped."""
HALVINGS = (2, 4, 8)
"""After these numbers of worlds only the better half goes on, if there is time for ``WORLDS`` worlds of all plays."""
WORLDS = 8
FINALISTS = 3
TRIES = 4
"""At most this many worlds are drawn to find a likely one."""


class Sampling:
    """The candidates of one decision and their values, world by world.

    ``bots`` are those that play on for the seat after the first plays; after the others it is the reflex bot. With time
    for more ``worlds`` of all plays, halves are dropped later.
    """

    def __init__(
        self,
        world: World,
        plays: Sequence[Play],
        playout: Playout,
        rng: Random,
        *,
        bots: Sequence[Agent] = (),
        worlds: int = WORLDS,
        exact: bool = True,
        weighing: bool = True,
    ) -> None:
        self.world = world
        self.seat = world.game.turn or 0
        self.plays = list(plays)
        self.alive = list(range(len(plays)))
        self.values: list[list[float]] = [[] for _ in plays]
        self.playout = playout
        self.bots: list[Agent | None] = [*bots, *[None] * (len(plays) - len(bots))]
        self.halvings = [number * max(1, worlds // WORLDS) for number in HALVINGS]
        self.few, self.errors = playout.caution
        self.exact = exact
        self.weighing = weighing
        self.rng = rng

    def think(self, watch: Stopwatch) -> Play:
        """Sample worlds until the budget is spent; return the best play."""
        while not watch.over and len(self.alive) > 1:
            self._sample(watch)
        return self.plays[self._best()]

    def _sample(self, watch: Stopwatch) -> None:
        """Play out every candidate in another world; a world that could not be finished does not count."""
        world, luck = self.likely(), self.rng.random()
        world.deal_by(CommonChance(self.rng))
        end = Endgame.of(world) if self.exact else None
        if not self.offers_as_much(world):
            watch.spend()
            return
        row = []
        for number in self.alive:
            if watch.over:
                return
            row.append(end.value(self.plays[number], self.seat) if end else self._play_out(world, number, luck, watch))
            watch.spend()
        if watch.late:
            return
        for number, value in zip(self.alive, row, strict=True):
            self.values[number].append(value)
        self._drop()

    def _play_out(self, world: World, number: int, luck: float, watch: Stopwatch) -> float:
        """Return what a candidate is worth in a world that is played out after it."""
        twin = world.copy()
        twin.game.play(self.seat, self.plays[number])
        return self.playout.finish(twin, self.seat, Random(luck), watch.wall, self.bots[number])

    def offers_as_much(self, world: World) -> bool:
        """Return whether a world offers as many plays as the real game; hidden cards may decide a program's options."""
        here, there = self.world.game.legal(), world.game.legal()
        return len(here) == len(there) if isinstance(here, tuple) and isinstance(there, tuple) else True

    def likely(self) -> World:
        """Return an imagined world; one in which the others' announcements are unlikely is mostly rejected."""
        for _ in range(TRIES if self.weighing else 0):
            world = self.world.determinize(self.seat, self.rng)
            if self.rng.random() < self.playout.likelihood(world, self.seat):
                return world
        return self.world.determinize(self.seat, self.rng)

    def _drop(self) -> None:
        """Drop plays that are clearly worse than the best, and at some points the worse half.

        The first play is dropped only if it is clearly worse. Nothing is before the first half: a few worlds without a
        rare disaster would drop the plays that avoid it.
        """
        ranked = sorted(self.alive, key=lambda number: -sum(self.values[number]))
        worlds = len(self.values[ranked[0]])
        keep = max(FINALISTS, (len(ranked) + 1) // 2) if worlds in self.halvings else len(ranked)
        first, rest = ranked[0], ranked[1:keep]
        early = worlds < max(self.few, self.halvings[0])
        going_on = {first, *[number for number in rest if early or not self._worse(number, first)]}
        if 0 in self.alive and (early or not self._worse(0, first)):
            going_on.add(0)
        self.alive = sorted(going_on)

    def _worse(self, number: int, best: int) -> bool:
        mean, error = self._ahead(best, number)
        return mean > 0 and mean > HOPELESS * error

    def _ahead(self, one: int, other: int) -> tuple[float, float]:
        """Return one play's mean lead over another in the worlds that both have seen, and its standard error."""
        gains = [mine - his for mine, his in zip(self.values[one], self.values[other], strict=False)]
        mean = sum(gains) / len(gains)
        spread = sum([(gain - mean) ** 2 for gain in gains]) / max(1, len(gains) - 1)
        return mean, sqrt(spread / len(gains)) * (1 + self.few / len(gains))

    def _best(self) -> int:
        """Return the best play left; with a reflex bot, its own play unless another is clearly better."""
        best = max(self.alive, key=lambda number: sum(self.values[number]))
        if best == 0 or self.playout.agent is None:
            return best
        if len(self.values[best]) < self.few:
            return 0
        mean, error = self._ahead(best, 0)
        return best if mean > self.errors * error else 0
