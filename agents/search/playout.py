"""Playouts: how a world is played to its end: by the game's sensible bot, now and then by chance."""

from __future__ import annotations

from math import inf
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from croupier.agents.agent import Agent
from croupier.agents.driver import choose, decide
from croupier.agents.search.world import worth
from croupier.protocol.notifications import Attacked

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from croupier.agents.search.world import World
    from croupier.protocol.notifications import Request
    from croupier.protocol.views.view import Play

CHANCE = 0.1
"""The share of decisions in a playout that chance makes: without any, its author's mistakes are made each time."""
UNLIKELY = 0.1
"""How likely it is to hear what the sensible bot would not have said at all, beside what it would have."""
LONGEST = 2_000
"""Decisions after which a playout counts as it stands."""


class Advice(NamedTuple):
    """Other bots than the sensible one: what they would do is thought about too, and ``alone`` if nothing else is."""

    bots: Sequence[Agent] = ()
    alone: bool = False


class Caution(NamedTuple):
    """What another play must show before it is played instead of the sensible bot's.

    Fewer worlds than ``few`` say nothing, and after so many errors are taken for twice as large. By ``errors`` standard
    errors it must have been better: with more, too much of what is gained on average is left.
    """

    few: int = 6
    errors: float = 1.0


class Playout:
    """A way to play on. ``agent`` is a reflex agent, which plays all seats by their views; without one it is chance.

    Those of whom ``advice`` is taken play nothing out.
    """

    def __init__(
        self,
        agent: Agent | None,
        chance: float = CHANCE,
        advice: Advice | None = None,
        caution: Caution | None = None,
    ) -> None:
        self.agent = agent
        self.advice = advice or Advice()
        self.caution = caution or Caution()
        self.chance = chance if agent is not None else 1.0

    def choose(self, world: World) -> Play | None:
        """Return what the sensible bot does here, None if there is none."""
        return None if self.agent is None else _ask(self.agent, world)

    def proposals(self, world: World) -> list[Play]:
        """List what the sensible bot and its advisers do here, its own first."""
        asked = [] if self.agent is None else [self.agent, *self.advice.bots]
        return list(dict.fromkeys(_ask(agent, world) for agent in asked))

    def answer(self, question: Request | Attacked) -> Play:
        """Return what the sensible bot, or whoever chooses where there is none, plays by its view alone."""
        return decide(self.agent or Agent(), question)

    def likelihood(self, world: World, seat: int) -> float:
        """Return how likely what others said is in a world, beside what the sensible bot would have said there."""
        likely = 1.0
        for then, _, said in world.earlier(seat) if self.agent is not None else ():
            likely *= UNLIKELY ** (1 - alike(said, self.choose(then) or said))
        return likely

    def finish(self, world: World, seat: int, rng: Random, end: float = inf) -> float:
        """Play a world to its end, or until it is so late by `time.monotonic`; return what it is worth to a seat."""
        random, chance = rng.random, self.chance
        game = world.game
        for _ in range(LONGEST):
            world.advance()
            turn = game.turn
            if turn is None or monotonic() >= end:
                break
            play = None if random() < chance else self.choose(world)
            game.play(turn, game.sample(rng) if play is None else play)
        return worth(world, seat)


def _ask(agent: Agent, world: World) -> Play:
    game = world.game
    view, attack = world.glance(game.turn or 0), game.attack
    if attack is None:
        return choose(agent, view)
    return decide(agent, Attacked(attack.play, game.players[attack.attacker], view))


def alike(one: Play, other: Play) -> float:
    """Return how much of what one play names another does: cards, a contract; if neither names any, the word alone."""
    if one[0] != other[0]:
        return 0.0
    mine, his = (frozenset([word for word in play[1:] if isinstance(word, str)]) for play in (one, other))
    return len(mine & his) / max(len(mine), len(his)) if mine or his else 1.0
