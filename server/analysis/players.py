"""Players of an analysis: a random one, the game's own bot, one that thinks, one that searches; all in this process."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from croupier.agents.driver import decide
from croupier.agents.search import Search
from croupier.protocol.notifications import Attacked, Request
from croupier.server.games.game import IllegalPlay
from croupier.server.games.world import world_of
from croupier.server.thinking import manner, sensible

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from croupier.agents.agent import Agent
    from croupier.agents.search import Budget
    from croupier.server.games.game import Game, Play
    from croupier.server.games.world import World

MANY = 2_000
"""The most options that are counted: a Cellar may have millions."""
CONSIDERED = 100
"""At most this many options are considered; of more, a sample is drawn."""
CUT = 10_000
"""The number of choices after which an imagined game is scored as it is."""


class Thought(NamedTuple):
    """A thinking player's expectations: its place after its best and its worst option, and all places after its choice.

    A place is 1 for the first, 0 for the last, and in proportion between them.
    """

    best: float
    worst: float
    leads: tuple[float, ...]


class Decision(NamedTuple):
    """A play, and what the player expected of it."""

    play: Play
    thought: Thought | None = None


class Player(Protocol):
    """Decides for a seat."""

    def decide(self, game: Game, seat: int, plays: Sequence[Play]) -> Decision:
        """Choose one of the plays: all legal ones, or the first `MANY` of them."""
        ...


class Chance:
    """Chooses any legal play, each with the same probability."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def decide(self, game: Game, seat: int, plays: Sequence[Play]) -> Decision:
        """Choose at random."""
        return Decision(self.rng.choice(plays) if len(plays) < MANY else game.sample(self.rng))


class Sensible:
    """The bundled bot of a game."""

    def __init__(self, game: str) -> None:
        self.agent = sensible(game)

    def decide(self, game: Game, seat: int, plays: Sequence[Play]) -> Decision:
        """Ask the bot."""
        assert self.agent is not None, game.NAME
        return Decision(_ask(self.agent, game, seat))


class Searcher:
    """The bundled searching player, which sees a world that its seat may imagine, never the game itself."""

    def __init__(self, rng: Random, budget: Budget) -> None:
        self.rng = rng
        self.agent = Search(lambda _: self.world, manner, budget, str(rng.random()))
        self.world: World | None = None

    def decide(self, game: Game, seat: int, plays: Sequence[Play]) -> Decision:
        """Let it search."""
        self.world = world_of(game).determinize(seat, self.rng)
        return Decision(_ask(self.agent, game, seat))


def _ask(agent: Agent, game: Game, seat: int) -> Play:
    """Return the play of an agent, which sees the view of its seat; raise IllegalPlay if it is illegal."""
    view, attack = game.view(seat), game.attack
    play = decide(
        agent, Request(view) if attack is None else Attacked(attack.play, game.players[attack.attacker], view)
    )
    game.check(seat, play)
    return play


class Thinker:
    """Perfect-information Monte Carlo search: each option in a number of worlds, each played out at random.

    This is the player of the published measures of RECYCLE games. Every option gets its own worlds, dealt again from
    what the seat knows. The option with the best mean place is taken, or a random one of several.
    """

    def __init__(self, rng: Random, worlds: int) -> None:
        self.rng = rng
        self.worlds = worlds

    def decide(self, game: Game, seat: int, plays: Sequence[Play]) -> Decision:
        """Try the options, at most `CONSIDERED` of them."""
        tried = plays if len(plays) <= CONSIDERED else self.rng.sample(plays, CONSIDERED)
        leads = [self._leads(game, seat, play) for play in tried]
        own = [each[seat] for each in leads]
        best = max(own)
        taken = self.rng.choice([number for number, lead in enumerate(own) if lead == best])
        return Decision(tried[taken], Thought(best, min(own), leads[taken]))

    def _leads(self, game: Game, seat: int, play: Play) -> tuple[float, ...]:
        """Return the mean final place of each seat after a play.

        The plays of a program may depend on hidden cards. Worlds in which this one is illegal do not count.
        """
        last = len(game.players) - 1
        ends = [ranks for _ in range(self.worlds) if (ranks := self._imagine(game, seat, play)) is not None]
        if not ends:
            return (0.5,) * (last + 1)
        return tuple([1 - (sum(ranks) / len(ends) - 1) / last for ranks in zip(*ends, strict=True)])

    def _imagine(self, game: Game, seat: int, play: Play) -> Sequence[int] | None:
        """Return the final ranks of one world after a play, None if the play is illegal there."""
        world: Game = world_of(game).determinize(seat, self.rng).game
        try:
            world.check(seat, play)
        except IllegalPlay:
            return None
        world.play(seat, play)
        _play_out(world, self.rng)
        return world.ranks()


def _play_out(game: Game, rng: Random) -> None:
    """Play a game to its end at random."""
    for _ in range(CUT):
        if game.turn is None:
            return
        game.play(game.turn, game.sample(rng))
