"""Playouts: how a world is played to its end: by the game's reflex bot, with some random plays."""

from __future__ import annotations

from math import inf
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from croupier.agents.agent import Agent
from croupier.agents.driver import choose, decide
from croupier.agents.search.endgame import IN_PLAYOUTS, Endgame
from croupier.agents.search.world import worth
from croupier.protocol.notifications import Attacked

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from croupier.agents.search.world import World
    from croupier.protocol.notifications import Request
    from croupier.protocol.views.view import Play

CHANCE = 0.1
"""The share of random decisions in a playout; without any, the reflex bot's mistakes are repeated each time."""
UNLIKELY = 0.1
"""The likelihood of an announcement that the reflex bot would not have made, relative to one that it would."""
LOOK = 4
"""A playout asks this rarely whether its end can be solved, because counting cards costs time too."""
LONGEST = 2_000
"""After this many decisions a playout is scored as it is."""


class Advice(NamedTuple):
    """Other bots whose plays are also candidates, or the only candidates if ``alone``.

    A bot goes on with what it proposed: a plan such as shooting the moon is worth nothing if it is given up at once.
    """

    bots: Sequence[Agent] = ()
    alone: bool = False


class Caution(NamedTuple):
    """The evidence that another play needs to be played instead of the reflex bot's.

    With fewer than ``few`` worlds there is none, and with exactly that many the standard error is doubled. Its mean
    must be ahead by ``errors`` standard errors; a stricter test would give up too much average gain.
    """

    few: int = 6
    errors: float = 1.0


class Playout:
    """A way to play on. ``agent`` is a reflex bot that plays all seats by their views; without it plays are random.

    ``others`` plays instead of it for the opponents of the seat that thinks, and for its partners. After a play that
    only a bot of ``advice`` proposed, that bot plays on for the seat.
    """

    def __init__(
        self,
        agent: Agent | None,
        chance: float = CHANCE,
        advice: Advice | None = None,
        caution: Caution | None = None,
        others: Agent | None = None,
    ) -> None:
        self.agent = agent
        self.others = others or agent
        self.advice = advice or Advice()
        self.caution = caution or Caution()
        self.chance = chance if agent is not None else 1.0
        self.perfect = True
        """Whether everybody plays perfectly once so few cards are left that this costs no more than asking the bot."""

    def choose(self, world: World) -> Play | None:
        """Return the reflex bot's play here, None if there is none."""
        return None if self.agent is None else ask(self.agent, world)

    def proposals(self, world: World) -> list[tuple[Play, Agent]]:
        """Return the plays of the reflex bot and its advisers, its own first, each with the bot that proposed it."""
        proposed: dict[Play, Agent] = {}
        for agent in [] if self.agent is None else [self.agent, *self.advice.bots]:
            proposed.setdefault(ask(agent, world), agent)
        return list(proposed.items())

    def answer(self, question: Request | Attacked) -> Play:
        """Return the play of the reflex bot, or of the plain agent where there is none, by its view alone."""
        return decide(self.agent or Agent(), question)

    def likelihood(self, world: World, seat: int) -> float:
        """Return the likelihood of the others' announcements in a world, relative to those of the reflex bot there."""
        likely = 1.0
        for then, _, said in world.earlier(seat) if self.agent is not None else ():
            likely *= UNLIKELY ** (1 - alike(said, self.choose(then) or said))
        return likely

    def finish(self, world: World, seat: int, rng: Random, end: float = inf, bot: Agent | None = None) -> float:
        """Play a world to its end, or until `time.monotonic` reaches ``end``; return its worth to a seat.

        ``bot`` plays for that seat; without it, the reflex bot does.
        """
        random, chance = rng.random, self.chance
        game = world.game
        for number in range(LONGEST):
            world.advance()
            turn = game.turn
            if turn is None or monotonic() >= end:
                break
            if self.perfect and number % LOOK == 0 and (rest := Endgame.of(world, IN_PLAYOUTS)) is not None:
                rest.finish()
                break
            agent = self.others if turn != seat else bot or self.agent
            play = None if agent is None or random() < chance else ask(agent, world)
            game.play(turn, game.sample(rng) if play is None else play)
        return worth(world, seat)


def ask(agent: Agent, world: World) -> Play:
    """Return a bot's play in a world."""
    game = world.game
    view, attack = world.glance(game.turn or 0), game.attack
    if attack is None:
        return choose(agent, view)
    return decide(agent, Attacked(attack.play, game.players[attack.attacker], view))


def alike(one: Play, other: Play) -> float:
    """Return the share of a play's cards or contract that another play also names.

    If neither names any, it is 1 for the same word.
    """
    if one[0] != other[0]:
        return 0.0
    mine, his = (frozenset([word for word in play[1:] if isinstance(word, str)]) for play in (one, other))
    return len(mine & his) / max(len(mine), len(his)) if mine or his else 1.0
