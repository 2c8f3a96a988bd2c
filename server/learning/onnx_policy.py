"""OnnxPolicy: an exported network as a policy, run by onnxruntime."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import onnxruntime

from croupier.agents.bridges.base import NoPlay
from croupier.server import games
from croupier.server.arrays.encoder import MASK
from croupier.server.learning.policy import PolicyAgent

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from croupier.protocol.views.view import Play
    from croupier.server.arrays.columns import Array

WHOLE = "observation"
"""The input that takes all arrays but the mask, flattened one after another in the order of the observation."""
_TYPES = {
    "tensor(float)": np.float32,
    "tensor(double)": np.float64,
    "tensor(float16)": np.float16,
    "tensor(int64)": np.int64,
    "tensor(int32)": np.int32,
    "tensor(int16)": np.int16,
    "tensor(int8)": np.int8,
    "tensor(uint8)": np.uint8,
    "tensor(bool)": np.bool_,
}


class BadNetwork(ValueError):
    """A file that is no network that can play, and the reason."""


class OnnxPolicy:
    """A network whose first output has a score for each action; the best legal one is played.

    Each input is named by an array of the observation, ``action_mask`` included, and takes it with a batch of one; an
    input ``observation`` takes all arrays in one row. Raise BadNetwork if the file is no network.
    """

    def __init__(self, file: Path) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1  # a bot has one core
        options.log_severity_level = 4
        try:
            self._session = onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
        except Exception as problem:  # noqa: BLE001  onnxruntime has a dozen kinds without a common one
            raise BadNetwork(f"{file} is no network that onnxruntime loads: {_first_line(problem)}") from None
        self._inputs: dict[str, Any] = {}
        for each in self._session.get_inputs():
            if each.type not in _TYPES:
                raise BadNetwork(f"{file} takes {each.name} as {each.type}; an array of numbers is {', '.join(_TYPES)}")
            self._inputs[each.name] = _TYPES[each.type]
        self._output = self._session.get_outputs()[0].name

    def __call__(self, observation: Mapping[str, Array], mask: Array) -> int:
        """Return the legal action with the highest score; raise NoPlay if the network does not fit the game."""
        given = {name: self._input(name, observation).astype(kind) for name, kind in self._inputs.items()}
        try:
            (scores,) = self._session.run([self._output], given)
        except Exception as problem:  # noqa: BLE001  as above
            raise NoPlay(f"the network does not take the arrays of this game: {_first_line(problem)}") from None
        scores = np.asarray(scores, np.float64).ravel()
        if scores.shape != mask.shape:
            raise NoPlay(f"the network gives {scores.size} scores, and this game has {mask.size} actions")
        if np.isnan(scores).any():
            raise NoPlay("the network gives scores that are no numbers (NaN)")
        legal = np.flatnonzero(mask)
        return int(legal[scores[legal].argmax()])

    def _input(self, name: str, observation: Mapping[str, Array]) -> Array:
        """Return what an input takes, with a batch of one."""
        if name in observation:
            return observation[name][None]
        if name == WHOLE:
            return np.concatenate([array.ravel() for field, array in observation.items() if field != MASK])[None]
        raise NoPlay(f"the network takes {name}, and this game's arrays are {', '.join([*observation, WHOLE])}")


class OnnxAgent(PolicyAgent):
    """A network as a bot behind a bridge."""

    def choose(self, state: Any) -> Play:
        """Ask the network; raise NoPlay if the rules of the game are not found."""
        try:
            return super().choose(state)
        except (games.NoSuchGame, games.BadGame) as problem:
            raise NoPlay(f"{problem} (--program FILE)") from None


def _first_line(problem: Exception) -> str:
    return str(problem).partition("\n")[0]
