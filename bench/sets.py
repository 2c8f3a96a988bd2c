"""Play sets of real games between simple players, to test statistics."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import numpy as np

from croupier.agents.driver import decide
from croupier.protocol.cards import RANKS
from croupier.protocol.notifications import Attacked, Request
from croupier.server.deals import Key
from croupier.server.games import find

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from croupier.agents.agent import Agent
    from croupier.server.games.game import Game, Play

    Policy = Callable[[Game, Random], Play]


def uniform(game: Game, dice: Random) -> Play:
    """Play any legal play."""
    return game.sample(dice)


def low(game: Game, dice: Random) -> Play:
    """Play the lowest legal card, and any play that is not a card."""
    return min(game.legal(), key=_height) if _in_play(game) else game.sample(dice)


def high(game: Game, dice: Random) -> Play:
    """Play the highest legal card, and any play that is not a card."""
    return max(game.legal(), key=_height) if _in_play(game) else game.sample(dice)


def acting(agent: Agent) -> Policy:
    """Let an agent decide that is told nothing but its questions."""

    def policy(game: Game, _: Random) -> Play:
        assert game.turn is not None
        view = game.view(game.turn)
        if game.attack is None:
            return decide(agent, Request(view))
        return decide(agent, Attacked(game.attack.play, game.players[game.attack.attacker], view))

    return policy


def _in_play(game: Game) -> bool:
    return next(iter(game.legal()))[0] == "play"


def _height(play: Play) -> int:
    return RANKS.index(str(play[1])[1])


def play(name: str, policies: list[Policy], key: Key, deal: int, dice: Random) -> tuple[int, ...]:
    """Play one game; return the scores by seat."""
    game = find(name)([f"p{seat}" for seat in range(len(policies))], {}, key.deal(deal))
    while game.turn is not None:
        seat = game.turn
        game.play(seat, policies[seat](game, dice))
    return game.scores()


def sets(name: str, policies: list[Policy], count: int, turns: int, seed: str) -> NDArray[np.float64]:
    """Play sets in rotation; return scores by set, game and policy."""
    key, dice = Key.from_seed(seed), Random(seed)
    result = np.zeros((count, turns, len(policies)))
    for number in range(count):
        for turn in range(turns):
            seated = policies[turn:] + policies[:turn]
            result[number, turn] = np.roll(play(name, seated, key, number + 1, dice), turn)
    return result
