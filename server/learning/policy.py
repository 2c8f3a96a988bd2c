"""PolicyAgent: a bot from a function of an observation and its mask, such as a trained network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.agents.agent import Agent
from croupier.server import games
from croupier.server.arrays import Encoder
from croupier.server.arrays.encoder import MASK

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from croupier.protocol.views.view import Play
    from croupier.server.arrays.columns import Array

    Policy = Callable[[Mapping[str, Array], Array], int]
    """A function of an observation and its ``action_mask`` that returns an action."""


class PolicyAgent(Agent):
    """Ask a function for each play; it is given the arrays that the environment of the game would give.

    ``program`` is the file of a RECYCLE program that is not in the library. Raise ValueError in a decision for which
    the function returns an action that the mask forbids.
    """

    def __init__(self, policy: Policy, program: str | None = None) -> None:
        self._policy = policy
        self._program = program
        self._encoders: dict[Any, Encoder] = {}

    def choose(self, state: Any) -> Play:
        """Ask for an action, and return its play."""
        encoder = self._encoder(state)
        moment = encoder.of_view(state)
        observation = encoder.observation(moment)
        action = int(self._policy(observation, observation[MASK]))
        if not encoder.actions.is_legal(action, moment.legal):
            raise ValueError(
                f"the policy chose action {action}, and its mask allows {encoder.actions.told(moment.legal)}"
            )
        return encoder.actions.play(action, moment.legal)

    def _encoder(self, state: Any) -> Encoder:
        """Return the encoder of a view's game, its options and the size of its table."""
        game = f"{state.game}:{state.program}" if state.game == "recycle" else state.game
        key = game, len(state.players), *state.options.items()
        if key not in self._encoders:
            rules = games.of_view(state, self._program)
            self._encoders[key] = Encoder(rules, len(state.players), state.options)
        return self._encoders[key]
