"""Tables: many tables of a game that step together, in numpy arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from croupier.server.arrays.encoder import MASK
from croupier.server.learning.setting import deals

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.server.arrays import Encoder
    from croupier.server.arrays.columns import Array
    from croupier.server.arrays.encoder import Moment
    from croupier.server.learning.setting import Setting
    from croupier.server.learning.sitting import Sitting

_IDLE_GAMES = 1000
"""The most games in a row in which no learner may be asked at a table."""


class Tables:
    """Many tables of a game; at each a learner is on turn. `croupier.environments.tables` makes them.

    Every array has a row for each table: observations those of the learner on turn, rewards one column for each seat.
    When a game is over, its table begins the next one in the same step.
    """

    def __init__(self, setting: Setting, number: int) -> None:
        if number < 1:
            raise ValueError(f"there must be a table: {number} are none")
        self.encoder: Encoder = setting.encoder
        self.number = number
        self.learners = tuple(setting.learners)
        """The seats that no bot takes."""
        self.turns: Array = np.zeros(number, np.int8)
        """The seat on turn at each table."""
        self._setting = setting
        self._sittings: list[Sitting] = [setting.sit() for _ in range(number)]
        self._moments: list[Moment] = []
        self._masks: Array = np.zeros((number, 0), np.int8)
        self._rows = np.arange(number)
        self._deals = deals()

    def reset(self, seed: int | None = None) -> dict[str, Array]:
        """Begin a game at each table, and return what the learners on turn see.

        With a seed the tables get its deals, one after another; each next game gets the next deal.
        """
        if seed is not None:
            self._deals = deals(seed)
        for sitting in self._sittings:
            self._begin(sitting)
        return self._observe()

    def step(self, actions: Sequence[int] | Array) -> tuple[dict[str, Array], Array, Array]:
        """Make one play at each table; return observations, rewards and ends.

        ``actions`` has shape (tables,). The rewards, of shape (tables, seats), are a hand's points when it is over,
        negative where they are bad, else zero. The ends, of shape (tables,), are true where a game is over; there the
        observation is the first of the next. Raise ValueError if an action is illegal; then nothing is played.
        """
        chosen = np.asarray(actions)
        self._check(chosen)
        rewards = np.zeros((self.number, self.encoder.seats), np.float32)
        ends = np.zeros(self.number, np.bool_)
        play_of, moments = self.encoder.actions.play, self._moments
        for table, (sitting, action) in enumerate(zip(self._sittings, chosen.tolist(), strict=True)):
            sitting.play(play_of(action, moments[table].legal))
            if sitting.gains.is_new:
                rewards[table] = sitting.gains.take()
            if sitting.turn is None:
                ends[table] = True
                self._begin(sitting)
        return self._observe(), rewards, ends

    def _begin(self, sitting: Sitting) -> None:
        """Begin games until a learner is asked in one."""
        for _ in range(_IDLE_GAMES):
            sitting.begin(next(self._deals))
            if sitting.turn is not None:
                return
        raise RuntimeError(f"in {_IDLE_GAMES} games of {self.encoder.rules.NAME} no learner was asked")

    def _observe(self) -> dict[str, Array]:
        turns: list[Any] = [sitting.turn for sitting in self._sittings]
        self.turns = np.array(turns, np.int8)
        self._moments = [
            sitting.sheets[seat].moment(sitting.game) for sitting, seat in zip(self._sittings, turns, strict=True)
        ]
        observations = self.encoder.batch(self._moments)
        self._masks = observations[MASK].copy()  # the caller may change its own
        return observations

    def _check(self, actions: Array) -> None:
        """Raise ValueError unless each table's action is legal."""
        if not self._moments:
            raise ValueError("call reset before step")
        if actions.shape != (self.number,):
            raise ValueError(f"actions have shape ({self.number},), one for each table, not {actions.shape}")
        known = (actions >= 0) & (actions < self.encoder.actions.size)
        legal = known & self._masks[self._rows, np.where(known, actions, 0)].astype(bool)
        if not legal.all():
            table = int(np.argmin(legal))
            allowed = self.encoder.actions.told(self._moments[table].legal)
            raise ValueError(f"action {actions[table]} is illegal at table {table}: its action_mask allows {allowed}")

    def close(self) -> None:
        """Let all bots leave. Closed tables cannot be used again."""
        self._setting.close()
