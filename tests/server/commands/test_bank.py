"""``croupier play --bank``: a reserve of time beyond ``--time``, which lasts for a game."""

from __future__ import annotations

import json
import re
import shlex
import sys

import pytest
from command_line import croupier

SLOW = """
import time
from croupier.agents import Agent, drive

class Slow(Agent):
    def choose(self, state):
        time.sleep({pause})
        return next(iter(state.legal_plays()))

drive(Slow())
"""


@pytest.fixture
def play(tmp_path):
    """Play a slow program against a fast one, two short deals; return the games and what the slow one was sent."""

    def played(pause, *words):
        program = tmp_path / "slow.py"
        program.write_text(SLOW.format(pause=pause))
        bots = [f"slow={shlex.join([sys.executable, str(program)])}", "big-money"]
        options = ["-o", "turns=2", "--deals", 2, "--time", 50, "--wire", tmp_path / "wire", "--json"]
        out, _ = croupier("play", "dominion", *bots, *options, *words)
        return json.loads(out)["games"], (tmp_path / "wire" / "slow.wire").read_text()

    return played


def faults(games):
    """List the kinds of fault by game."""
    return [[fault["kind"] for fault in game["faults"]] for game in games]


def test_without_a_bank_a_reply_takes_no_longer_than_the_time(play):
    """And STATE names none."""
    games, sent = play(0.4)
    assert faults(games) == [["timeout"], ["timeout"]]
    assert "(bank" not in sent


def test_a_bank_covers_what_goes_beyond_the_time(play):
    """Every reply takes three times the time: the bank pays for it, and STATE says how much is left."""
    games, sent = play(0.15, "--bank", 60_000)
    assert faults(games) == [[], []]
    left = [int(bank) for bank in re.findall(r"\(bank (\d+)\)", sent)]
    assert max(left) == 60_000
    assert min(left) < 60_000 - 2 * 100


def test_an_empty_bank_is_a_timeout_and_each_game_has_a_full_one(play):
    """A reply takes 0.9 s: two are paid, the third is not; the next game begins with all of it."""
    games, sent = play(0.9, "--bank", 2_000)
    assert faults(games) == [["timeout"], ["timeout"]]
    left = [int(bank) for bank in re.findall(r"\(bank (\d+)\)", sent)]
    assert left.count(2_000) >= 2
    assert any(0 < bank <= 1_150 for bank in left)


def test_a_bank_is_a_number_of_milliseconds(tmp_path):
    """Anything else is refused."""
    _, said = croupier("play", "dominion", "smithy", "miner", "--bank", "-5", code=2)
    assert "--bank" in said
