"""Environment: a game as an AEC environment of PettingZoo."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from croupier.server.learning.setting import deals

if TYPE_CHECKING:
    from collections.abc import Mapping

    from croupier.server.arrays import Encoder
    from croupier.server.arrays.columns import Array
    from croupier.server.arrays.encoder import Moment
    from croupier.server.games.game import Play
    from croupier.server.learning.setting import Setting


class Environment(AECEnv):  # type: ignore[misc]  # an extra, whose types are not looked at
    """A game for learners, one of whom is on turn at a time. `croupier.environments.env` makes it.

    ``possible_agents`` are the seats that no bot takes, ``player_0`` and so on. An observation is a dictionary of
    arrays with an ``action_mask``, which is all zeros for a seat that is not on turn. ``encoder`` knows what each cell
    and each action means, and ``sitting`` has the game itself. Rewards are the points of a hand, paid at its end;
    points that are bad are negative.
    """

    def __init__(self, setting: Setting, render_mode: str | None = None) -> None:
        self.encoder: Encoder = setting.encoder
        self.metadata = {
            "name": f"{setting.name}_v0",
            "render_modes": ["ansi", "html"],
            "is_parallelizable": False,
        }
        self.render_mode = render_mode
        self._setting = setting
        self.sitting = setting.sit(render_mode)
        self._names = {seat: f"player_{seat}" for seat in setting.learners}
        self._seats = {name: seat for seat, name in self._names.items()}
        self.possible_agents = list(self._seats)
        self.agents = self.possible_agents[:]
        encoder = self.encoder
        self.observation_spaces = {name: _space(encoder) for name in self.possible_agents}
        self.action_spaces = {name: spaces.Discrete(encoder.actions.size) for name in self.possible_agents}
        self._deals = deals()
        self._moments: dict[int, Moment] = {}

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of an agent's observations; all agents have equal ones."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of an agent's actions; all agents have equal ones."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a game: with a seed the first of its deals, else the next deal of the last seed.

        Without any seed deals are random. The ``options`` of PettingZoo have no meaning here; those of the game are
        given to `croupier.environments.env`.
        """
        if seed is not None:
            self._deals = deals(seed)
        self.sitting.begin(next(self._deals))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {name: {} for name in self.agents}
        self.agent_selection = self.agents[0]
        self._look()

    def step(self, action: int | None) -> None:
        """Make the play of an action, and let bots play until a learner is on turn; raise ValueError if it is illegal.

        An agent whose game is over takes None.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self.sitting.play(self._play_of(agent, action))
        self._look()
        self._accumulate_rewards()

    def _play_of(self, agent: str, action: int | None) -> Play:
        legal, actions = self._moment(agent).legal, self.encoder.actions
        number = -1 if action is None else int(action)
        if not actions.is_legal(number, legal):
            raise ValueError(f"{agent} cannot take action {action} now: its action_mask allows {actions.told(legal)}")
        return actions.play(number, legal)

    def _look(self) -> None:
        """Take what has changed: who is on turn, what was gained, whether the game is over."""
        sitting = self.sitting
        self._moments.clear()
        gains = sitting.gains.take()
        self.rewards = {name: gains[seat] for name, seat in self._seats.items()}
        if sitting.turn is not None:
            self.agent_selection = self._names[sitting.turn]
        elif sitting.is_void:
            self.truncations = dict.fromkeys(self.agents, True)
        else:
            self.terminations = dict.fromkeys(self.agents, True)

    def _moment(self, agent: str) -> Moment:
        seat = self._seats[agent]
        if seat not in self._moments:
            self._moments[seat] = self.sitting.moment(seat)
        return self._moments[seat]

    def observe(self, agent: str) -> dict[str, Array]:
        """Return what an agent sees now."""
        return self.encoder.observation(self._moment(agent))

    def render(self) -> str | None:
        """Return the game so far: lines of text for ``ansi``, the viewer's page for ``html``."""
        rendered = self.sitting.rendered
        return None if rendered is None else rendered.text()

    def close(self) -> None:
        """Let all bots leave. A closed environment cannot be used again."""
        self._setting.close()


def _space(encoder: Encoder) -> spaces.Dict:
    boxes: dict[str, spaces.Space[Any]] = {}
    for name, (shape, dtype, most) in encoder.shapes().items():
        bounds = np.iinfo(dtype)
        boxes[name] = spaces.Box(0 if most is not None else bounds.min, most or bounds.max, shape, dtype)
    return spaces.Dict(boxes)
