"""The way back: a function of observation and mask as a bot, over pipes, with the arrays of its environment."""

import hashlib
import shlex
import sys

import numpy as np
import pytest
from command_line import croupier

from croupier import environments
from croupier.agents.driver import choose, decide
from croupier.protocol import views
from croupier.protocol.notifications import Attacked
from croupier.protocol.sexp import parse
from croupier.server import games
from croupier.server.deals import Key
from croupier.server.games.sheets import text

BOT = """
import hashlib, sys
import numpy as np
from croupier.agents.driver import drive
from croupier.environments import PolicyAgent

def choose(observation, mask):
    seen = hashlib.sha256()
    for name, array in observation.items():
        seen.update(f"{name} {array.dtype} {array.shape}".encode() + array.tobytes())
    print(seen.hexdigest(), file=sys.stderr)
    legal = np.flatnonzero(mask)
    return legal[seen.digest()[0] % len(legal)]

drive(PolicyAgent(choose))
"""
GAMES = [
    ("hearts", 4),
    ("skat", 3),
    ("jass", 4),
    ("doppelkopf", 4),
    ("sedma", 4),
    ("dominion", 2),
    ("recycle:leduc-poker", 2),
    ("recycle:rummy", 2),
]


def fingerprint(observation):
    """Return what the bot prints of an observation."""
    seen = hashlib.sha256()
    for name, array in observation.items():
        seen.update(f"{name} {array.dtype} {array.shape}".encode() + array.tobytes())
    return seen


@pytest.mark.parametrize(("name", "seats"), GAMES)
def test_a_bot_over_pipes_has_the_arrays_of_its_environment(name, seats, tmp_path):
    """Byte for byte and decision for decision, in a whole game of the same deal between four of the same bot."""
    (tmp_path / "bot.py").write_text(BOT)
    bots = [f"player_{seat}={shlex.join([sys.executable, str(tmp_path / 'bot.py')])}" for seat in range(seats)]
    croupier("play", name, *bots, "--seed", "6", "--wire", tmp_path / "wire", "--start", "60000")
    tables = environments.tables(name, 1)
    seen = tables.reset(seed=6)
    told = {seat: [] for seat in range(seats)}
    over = [False]
    while not over[0]:
        row = {key: array[0] for key, array in seen.items()}
        mark = fingerprint(row)
        told[int(tables.turns[0])].append(mark.hexdigest())
        legal = np.flatnonzero(row["action_mask"])
        seen, _, over = tables.step([legal[mark.digest()[0] % len(legal)]])
    for seat, marks in told.items():
        wire = (tmp_path / "wire" / f"player_{seat}.wire").read_text().splitlines()
        assert [line.removeprefix("! ") for line in wire if line.startswith("! ")] == marks


def test_an_action_that_the_mask_forbids_is_an_error():
    """The sentence says what it allows."""
    rules = games.find("hearts")
    game = rules(tuple("abcd"), {"pass": "none"}, Key.from_seed("1").deal(1))
    agent = environments.PolicyAgent(lambda observation, mask: 51)
    with pytest.raises(ValueError, match=r"the policy chose action 51, and its mask allows 0 \(play c2\)"):
        choose(agent, game.view(game.turn))


def test_a_policy_meets_an_attack():
    """It is asked for a defense as for any other play."""
    rules = games.find("dominion")
    tables = environments.tables("dominion", 1)
    seen = tables.reset(seed=1)
    game = rules(("ann", "bob"), {}, Key.from_seed("1").deal(1))
    militia = ("act", "militia")
    while game.attack is None:
        plays = list(game.legal())
        wanted = [militia, ("buy", "militia"), ("add", "copper")]
        game.play(game.turn, next((play for play in wanted if play in plays), plays[-1]))
    state = text(game.players, game.turn).state(game)
    agent = environments.PolicyAgent(lambda observation, mask: int(mask.argmax()))
    play = decide(agent, Attacked(militia, game.players[1 - game.turn], views.read(parse(state))))
    assert play in list(game.legal())
    assert seen["hand"].sum() == 5


def test_an_unknown_program_is_named(tmp_path):
    """A policy that meets a program outside the library is told which file it lacks."""
    file = tmp_path / "mine.gdl"
    file.write_text(games.find("recycle:kuhn-poker").TEXT)
    rules = games.find(str(file))
    game = rules(("ann", "bob"), {}, Key.from_seed("1").deal(1))
    view = game.view(game.turn)
    with pytest.raises(games.NoSuchGame, match="mine"):
        choose(environments.PolicyAgent(lambda observation, mask: 0), view)
    assert choose(environments.PolicyAgent(lambda observation, mask: 0, str(file)), view) == ("choose", 1)
