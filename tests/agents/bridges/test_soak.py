"""Five hundred games through each bridge: whatever the other side does, no fault is ours."""

import importlib.util
import json
import random
import shlex
import sys

import mock_jass
import mock_model
import pytest
from command_line import croupier
from served_jass import served_program

from croupier.server import entries

GAMES = 500
BRIDGE = f"{shlex.quote(sys.executable)} -m croupier bridge"
PATIENT = ("--start", "120000", "--time", "60000")
LLM = pytest.mark.skipif(importlib.util.find_spec("openai") is None, reason="needs the llm extra")
WRONG = [
    lambda observation: mock_jass.http({"error": "no model"}, 500),
    lambda observation: mock_jass.http(b'{"card": "D'),
    lambda observation: mock_jass.http({"card": "D11", "trump": 99}),
    lambda observation: mock_jass.http({"card": "H6", "trump": 10}),
]
"""What a player service may do wrong; the last is an answer like any other, but seldom right."""


def mostly(plays, tricks, share):
    """Return a script that follows the rules, and at this share of the questions plays one of the tricks."""
    rng = random.Random(share)

    def script(question):
        return (rng.choice(tricks) if rng.random() < share else plays)(question)

    return script


def games_of(folder, game, bot, *others):
    """Play, with a bridge in the first seat; return the games."""
    words = ("play", game, f"bridge={BRIDGE} {bot}", *others, "--network", "bridge", "--deals", GAMES, *PATIENT)
    out, errors = croupier(*words, "--json", cwd=folder)
    assert "Traceback" not in out + errors
    games = json.loads(out)["games"]
    assert [played["outcome"] for played in games] == ["finished"] * GAMES
    return games


def require_theirs(games, reasons):
    """Require that there are faults, all of the bridge's seat: a play against the rules, or one of these ends."""
    faults = [fault for played in games for fault in played["faults"]]
    assert faults
    for fault in faults:
        assert fault["player"] == "bridge"
        assert fault["kind"] in {"illegal", "unknown"} or any(reason in fault["why"] for reason in reasons), fault


@LLM
@pytest.mark.soak
def test_a_model_that_answers_well_commits_no_fault(tmp_path):
    with mock_model.serving() as server:
        games = games_of(tmp_path, "hearts", f"llm --model mock --url {server.url}", *["duck"] * 3)
    assert not any(played["faults"] for played in games)


@LLM
@pytest.mark.soak
def test_a_model_that_often_fails_is_to_blame_for_each_fault(tmp_path):
    """Three of ten answers are wrong; after the second retry the seat has no play, or an illegal one."""
    with mock_model.serving(mostly(mock_model.plays, mock_model.TRICKS, 0.3)) as server:
        games = games_of(tmp_path, "hearts", f"llm --model mock --url {server.url}", *["duck"] * 3)
    require_theirs(games, ["no play from the model after 3 calls: "])


@pytest.mark.soak
def test_a_service_that_answers_well_commits_no_fault(tmp_path):
    with mock_jass.serving() as server:
        games = games_of(tmp_path, "jass", f"jass --url {server.address}", *["jass"] * 3)
    assert not any(played["faults"] for played in games)


@pytest.mark.soak
def test_a_service_that_often_fails_is_to_blame_for_each_fault(tmp_path):
    """There is no second question: one wrong answer in fifty ends every fifth game of the seat."""
    with mock_jass.serving(mostly(mock_jass.plays, WRONG, 0.02)) as server:
        games = games_of(tmp_path, "jass", f"jass --url {server.address}", *["jass"] * 3)
    require_theirs(
        games,
        [
            "the service answered with status 500",
            "the answer is no JSON",
            "the service played D11",
            "the service chose 99",
        ],
    )


@pytest.mark.soak
def test_a_bot_that_is_served_commits_no_fault(tmp_path):
    """Ours asks ours: whatever goes wrong would be our fault."""
    with served_program(entries.of_bundled("jass")) as (address, said):
        games = games_of(tmp_path, "jass", f"jass --url {address}", *["jass"] * 3)
    assert not said
    assert not any(played["faults"] for played in games)
