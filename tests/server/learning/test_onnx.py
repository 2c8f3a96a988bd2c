"""`croupier bridge onnx`: an exported network plays at a table, and one that does not fit says why."""

import json
import shlex
import sys

import numpy as np
import pytest
from command_line import croupier

from croupier import environments
from croupier.server import games
from croupier.server.deals import Key

pytest.importorskip("onnx", reason="onnx is not installed (make test-bridges)")
pytest.importorskip("onnxruntime", reason="onnxruntime is not installed (make test-bridges)")

import onnx
from one_layer import network
from onnx import TensorProto, helper

from croupier.agents.bridges.base import NoPlay
from croupier.server.learning.onnx_policy import BadNetwork, OnnxAgent, OnnxPolicy

BRIDGE = f"{shlex.quote(sys.executable)} -m croupier bridge onnx"
NONE = {"pass": "none"}


def size_of(tables):
    """Return how many numbers the observations of some tables have, without their masks."""
    return sum(int(np.prod(shape)) for name, (shape, *_) in tables.encoder.shapes().items() if name != "action_mask")


@pytest.mark.parametrize("kind", [TensorProto.FLOAT, TensorProto.INT64])
def test_a_network_plays_the_legal_action_with_the_highest_score(tmp_path, kind):
    """Its input is the hand, in its own type."""
    file = tmp_path / "net.onnx"
    weights = network(file, "hand", 52, 52, kind)
    policy, tables = OnnxPolicy(file), environments.tables("hearts", 1, options=NONE)
    seen = tables.reset(seed=1)
    for _ in range(30):
        row = {name: array[0] for name, array in seen.items()}
        scores = np.where(row["action_mask"], row["hand"] @ weights, -np.inf)
        assert policy(row, row["action_mask"]) == scores.argmax()
        seen, *_ = tables.step([int(scores.argmax())])


def test_a_network_plays_at_a_table(tmp_path):
    """Behind pipes, in a whole game, without a fault; its input is the whole observation in one row."""
    file, tables = tmp_path / "net.onnx", environments.tables("hearts", 1, options=NONE)
    network(file, "observation", size_of(tables), 52)
    words = ("-o", "pass=none", "--start", "60000", "--json")
    (game,) = json.loads(croupier("play", "hearts", f"net={BRIDGE} {file}", *["duck"] * 3, *words)[0])["games"]
    assert (game["outcome"], game["faults"]) == ("finished", [])
    assert "net" in game["scores"]


def test_a_program_outside_the_library_has_to_be_named(tmp_path):
    """The bridge says so in one line; with its file, the network plays it."""
    program, file = tmp_path / "mine.gdl", tmp_path / "net.onnx"
    program.write_text(games.find("recycle:kuhn-poker").TEXT)
    network(file, "current", 2, 64)
    game = games.find(str(program))(("ann", "bob"), {}, Key.from_seed("1").deal(1))
    with pytest.raises(NoPlay, match=r"no file mine, and no game of that name in the library.* \(--program FILE\)"):
        OnnxAgent(OnnxPolicy(file)).choose(game.view(game.turn))
    assert OnnxAgent(OnnxPolicy(file), str(program)).choose(game.view(game.turn)) in list(game.legal())


@pytest.mark.parametrize(
    ("field", "size", "actions", "why"),
    [
        ("eyes", 52, 52, "the network takes eyes, and this game's arrays are tally, passing"),
        ("hand", 36, 52, "the network does not take the arrays of this game"),
        ("hand", 52, 36, "the network gives 36 scores, and this game has 52 actions"),
    ],
)
def test_a_network_of_another_game_says_what_does_not_fit(tmp_path, field, size, actions, why):
    """In one line, which the table reports as the bot's last words."""
    file, tables = tmp_path / "net.onnx", environments.tables("hearts", 1, options=NONE)
    network(file, field, size, actions)
    seen = {name: array[0] for name, array in tables.reset(seed=1).items()}
    with pytest.raises(NoPlay, match=why):
        OnnxPolicy(file)(seen, seen["action_mask"])


def test_a_file_that_is_no_network_is_refused(tmp_path):
    """By its name, in one line; so is a file that does not exist, and a network that takes texts."""
    file = tmp_path / "net.onnx"
    file.write_bytes(b"nothing")
    assert "is no network that onnxruntime loads" in croupier("bridge", "onnx", file, code=2)[1]
    assert "nowhere.onnx" in croupier("bridge", "onnx", tmp_path / "nowhere.onnx", code=2)[1]
    graph = helper.make_graph(
        [helper.make_node("Identity", ["hand"], ["same"])],
        "texts",
        [helper.make_tensor_value_info("hand", TensorProto.STRING, [1])],
        [helper.make_tensor_value_info("same", TensorProto.STRING, [1])],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), file)
    with pytest.raises(BadNetwork, match=r"takes hand as tensor\(string\)"):
        OnnxPolicy(file)
