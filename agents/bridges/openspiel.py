"""OpenSpiel: a player that asks one of OpenSpiel's for each play (extra ``openspiel``).

The library's players want a whole position. It is rebuilt from full deals that agree with the view, so its players know
no more than their seat.
"""

from __future__ import annotations

from collections import Counter
from itertools import islice
from math import isqrt
from random import Random
from time import monotonic
from typing import TYPE_CHECKING, Any

import pyspiel
from numpy.random import RandomState
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

from croupier.agents.agent import Agent
from croupier.agents.bridges.base import Clock, NoPlay
from croupier.agents.bridges.openspiel_games import find

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from croupier.agents.bridges.openspiel_counterpart import Counterpart
    from croupier.protocol.views.view import Play, View

    Worlds = Callable[[View, Random], Iterator[Any]]

_MEMORY = 100
"""The most MiB of a search tree."""
_MOST_PER_WORLD = 200
"""The most simulations of one world in a search with open cards, because it looks at the clock only between worlds."""


class OpenSpiel(Agent):
    """Ask one of the library's players, at this many simulations per decision.

    ``worlds`` yields full deals that agree with a view: objects whose ``players`` are what each of them sees.
    """

    def __init__(self, player: str, simulations: int, seed: str | None, worlds: Worlds) -> None:
        self._think = {"is-mcts": self._is_mcts, "mcts": self._mcts, "random": self._at_random}[player]
        self._simulations = simulations
        self._worlds = worlds
        self._rng = Random(seed)
        self._numpy = RandomState(self._seed())

    def started(self, state: Any) -> None:
        """Refuse games with other rules. Raise NoPlay."""
        try:
            find(state)
        except ValueError as problem:
            raise NoPlay(str(problem)) from None

    def tryBid(self, state: Any) -> Play:
        """Choose a gift. Raise NoPlay."""
        return self._decide(state)

    def tryPlay(self, state: Any) -> Play:
        """Choose a play. Raise NoPlay."""
        return self._decide(state)

    def _decide(self, state: Any) -> Play:
        clock, counterpart = Clock(state), find(state)
        if state.legal is not None and len(state.legal) == 1:
            only: Play = state.legal[0]
            return only
        game = pyspiel.load_game(counterpart.name(state))
        actions: list[int] = []
        try:
            for left in range(counterpart.steps(state), 0, -1):
                positions = self._positions(game, counterpart, state, actions[:])
                actions.append(self._think(game, positions, monotonic() + clock.left / left))
            return counterpart.play(state, actions)
        except (pyspiel.SpielError, LookupError, ValueError) as problem:
            raise NoPlay(
                f"OpenSpiel's {game.get_type().short_name} does not come to this position: {problem}"
            ) from None

    def _positions(self, game: Any, counterpart: Counterpart, state: View, actions: list[int]) -> Iterator[Any]:
        """Yield positions that the player cannot tell apart, after the first actions of its play."""
        for deal in self._worlds(state, self._rng):
            position = game.new_initial_state()
            for action in (*counterpart.history(deal.players), *actions):
                position.apply_action_with_legality_check(action)
            yield position

    def _at_random(self, game: Any, positions: Iterator[Any], end: float) -> int:
        position = next(positions)
        bot = pyspiel.make_uniform_random_bot(position.current_player(), self._seed())
        return int(bot.step(position))

    def _mcts(self, game: Any, positions: Iterator[Any], end: float) -> int:
        """Search some positions, each as if all cards were open, and return the action with the most visits."""
        visits: Counter[int] = Counter()
        each = min(isqrt(self._simulations), _MOST_PER_WORLD)
        for position in islice(positions, self._simulations // each):
            evaluator = pyspiel.RandomRolloutEvaluator(1, self._seed())
            bot = pyspiel.MCTSBot(game, evaluator, _exploration(game), each, _MEMORY, False, self._seed(), False)
            visits.update({child.action: child.explore_count for child in bot.mcts_search(position).children})
            if monotonic() > end:
                break
        return max(visits, key=visits.__getitem__)

    def _is_mcts(self, game: Any, positions: Iterator[Any], end: float) -> int:
        """Search information sets, with another position for each simulation."""
        root = next(positions)
        evaluator = RandomRolloutEvaluator(1, self._numpy)
        bot = ISMCTSBot(game, evaluator, _exploration(game), self._simulations, random_state=self._numpy)
        bot.set_resampler(_until(end, positions))
        try:
            policy = bot.get_policy(root)
        except _OutOfTime:
            policy = bot.get_final_policy(root, bot.lookup_node(root))
        actions, shares = zip(*policy, strict=True)
        return int(self._numpy.choice(actions, p=shares))

    def _seed(self) -> int:
        return self._rng.getrandbits(31)


class _OutOfTime(Exception):
    """The clock does not allow another simulation."""


def _until(end: float, positions: Iterator[Any]) -> Callable[[Any, int], Any]:
    """Return what draws a position for each simulation, and raises _OutOfTime from a time on.

    The first two are always drawn: the second adds the first action to the tree.
    """
    drawn = 0

    def draw(_: Any, __: int) -> Any:
        nonlocal drawn
        if drawn >= 2 and monotonic() > end:
            raise _OutOfTime
        drawn += 1
        return next(positions)

    return draw


def _exploration(game: Any) -> float:
    """Return the constant of the UCB formula: 1 for every half of the range of scores, so 1 in a game of +1 and -1."""
    return float(game.max_utility() - game.min_utility()) / 2
