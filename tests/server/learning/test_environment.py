"""Environments: every game passes PettingZoo's own tests, pays at the end of a hand, and can be looked at."""

import shlex
import sys
import warnings

import numpy as np
import pytest

from croupier import environments
from croupier.agents import bundled
from croupier.agents.driver import choose
from croupier.server import games
from croupier.server.deals import Key
from croupier.server.games.hearts import Hearts
from croupier.server.learning.setting import BadSetting

pytest.importorskip("pettingzoo", reason="pettingzoo is not installed (make test-bridges)")

from pettingzoo.test import api_test, seed_test

NONE = {"pass": "none"}
GAMES = [*games.BUNDLED, *(f"recycle:{name}" for name in games.library())]
DICTIONARIES = ("Observation is not a NumPy array", "Observation space for each agent probably should be")
"""What PettingZoo warns of where an observation is a dictionary, as here."""
NOT_ON_TURN = ("Action mask numpy array is all zeros",)
"""What it warns of when it looks at an agent whose game is over."""
WARNED = (*DICTIONARIES, *NOT_ON_TURN)


def lowest(seen):
    """Return the first legal action."""
    return int(seen["action_mask"].argmax())


def play_out(env):
    """Play a game to its end, everybody by the first legal action; return each agent's reward and how it ended."""
    paid = {}
    for agent in env.agent_iter():
        seen, reward, over, cut, _ = env.last()
        paid[agent] = paid.get(agent, 0) + reward
        env.step(None if over or cut else lowest(seen))
    return paid


@pytest.mark.parametrize("name", GAMES)
def test_every_game_passes_the_tests_of_pettingzoo(name):
    """The test of the interface, and that of equal seeds; it warns of nothing but dictionaries."""
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        api_test(environments.env(name), num_cycles=30)
        seed_test(lambda: environments.env(name), num_cycles=20)
    said = {str(each.message) for each in warned}
    assert not [text for text in said if not text.startswith(WARNED)]


@pytest.mark.parametrize("name", GAMES)
def test_what_is_seen_is_in_its_space(name):
    """Each observation of a game, and each mask has a legal action."""
    env = environments.env(name)
    env.reset(seed=5)
    for agent in env.agent_iter(60):
        seen, _, over, cut, _ = env.last()
        assert env.observation_space(agent).contains(seen)
        if over or cut:
            break
        assert seen["action_mask"].any()
        env.step(int(env.action_space(agent).sample(seen["action_mask"])))


def test_rewards_are_the_points_at_the_end():
    """In Hearts, where low wins, the negative scores of the same game by the rules; nothing before."""
    env = environments.env("hearts", options=NONE)
    env.reset(seed=3)
    game = Hearts(env.possible_agents, NONE, Key.from_seed("3").deal(1))
    while game.turn is not None:
        assert not any(env.rewards.values())
        assert env.agent_selection == f"player_{game.turn}"
        env.step(lowest(env.last()[0]))
        game.play(game.turn, game.legal()[0])
    assert [-env.rewards[agent] for agent in env.possible_agents] == list(game.scores())
    assert all(env.terminations.values())


def test_resets_go_through_the_deals_of_a_seed():
    """Two resets are two deals; the seed again is the first again."""
    env = environments.env("hearts", options=NONE)
    hands = []
    for seed in (4, None, 4):
        env.reset(seed=seed)
        hands.append(env.observe("player_0")["hand"].tobytes())
    assert hands[0] == hands[2] != hands[1]


def test_a_game_that_counts_for_nobody_is_cut_off():
    """More choices than a program may have: all are truncated, and nobody is paid."""
    env = environments.env("recycle:cassino", options={"max-choices": 5})
    env.reset(seed=1)
    while not any(env.truncations.values()):
        env.step(lowest(env.last()[0]))
    assert not any(env.terminations.values())
    assert not any(env.rewards.values())


def test_an_illegal_action_is_refused():
    """With the actions that the mask allows."""
    env = environments.env("hearts", options=NONE)
    env.reset(seed=1)
    with pytest.raises(ValueError, match=r"player_\d cannot take action 51 now: its action_mask allows 0 \(play c2\)"):
        env.step(51)


def test_a_seat_off_turn_may_do_nothing():
    """Its mask is empty, and it sees its hand."""
    env = environments.env("hearts", options=NONE)
    env.reset(seed=1)
    off = next(agent for agent in env.agents if agent != env.agent_selection)
    assert not env.observe(off)["action_mask"].any()
    assert env.observe(off)["hand"].sum() == 13


def test_bots_take_seats():
    """A bundled one in this process and a program behind pipes; only the others are agents, and games go on."""
    program = f"{shlex.quote(sys.executable)} -P -c 'from croupier.agents.bundled import start; start()' random"
    env = environments.env("hearts", options=NONE, seats={1: "duck", 2: program})
    assert env.possible_agents == ["player_0", "player_3"]
    for _ in range(3):
        env.reset()
        paid = play_out(env)
        assert set(paid) == {"player_0", "player_3"}
        assert -26 <= sum(paid.values()) <= 0 or min(paid.values()) == -26
    env.close()


def test_a_game_with_bots_can_be_given_up():
    """A reset in the middle begins another game, with programs that know nothing of the last."""
    program = f"json:{shlex.quote(sys.executable)} -P -c 'from croupier.agents.bundled import start; start()' random"
    env = environments.env("hearts", options=NONE, seats={1: program})
    env.reset(seed=1)
    env.step(lowest(env.last()[0]))
    env.reset(seed=2)
    assert play_out(env)
    env.close()


def test_a_bot_that_fails_is_played_by_a_stand_in():
    """The game goes on to its end, with the points of the fault."""
    env = environments.env("hearts", options=NONE, seats={1: f"{shlex.quote(sys.executable)} -c 'raise SystemExit(1)'"})
    env.reset(seed=1)
    assert all(reward <= 0 for reward in play_out(env).values())
    env.close()


def test_a_bot_plays_here_as_it_plays_alone():
    """Asked by hand in an environment without bots, it makes the same game for the learners as in its own seats."""
    bots = {f"player_{seat}": bundled.make("jass") for seat in (1, 3)}
    alone, hosted = environments.env("jass"), environments.env("jass", seats={1: "jass", 3: "jass"})
    for env in (alone, hosted):
        env.reset(seed=8)
    while not any(alone.terminations.values()):
        agent = alone.agent_selection
        if agent in bots:
            game = alone.sitting.game
            action = alone.encoder.actions.table.index(choose(bots[agent], game.view(game.turn)))
        else:
            seen = alone.observe(agent)
            assert agent == hosted.agent_selection
            assert all(np.array_equal(seen[key], array) for key, array in hosted.observe(agent).items())
            action = lowest(seen)
            hosted.step(action)
        alone.step(action)
    assert hosted.rewards == {agent: alone.rewards[agent] for agent in hosted.agents}
    assert any(hosted.rewards.values())
    hosted.close()


def test_a_game_can_be_looked_at():
    """As lines with all cards, or as the viewer's page; without a mode there is nothing."""
    env = environments.env("hearts", options=NONE, render_mode="ansi")
    env.reset(seed=1)
    agent = env.agent_selection
    env.step(lowest(env.last()[0]))
    lines = env.render().splitlines()
    assert lines[0].startswith("player_0 holds")
    assert lines[-1] == f"{agent}: play c2"
    page = environments.env("jass", render_mode="html", seats={1: "jass"})
    page.reset(seed=1)
    play_out(page)
    assert page.render().startswith("<!DOCTYPE html>")
    page.close()
    assert environments.env("jass").render() is None
    with pytest.raises(BadSetting, match="render_mode is one of ansi, html, not rgb_array"):
        environments.env("jass", render_mode="rgb_array")


def test_a_missing_library_is_named(monkeypatch):
    """With the command that installs it."""
    monkeypatch.setattr("croupier.server.extras.missing", lambda extra: f"pip install {extra}")
    with pytest.raises(ImportError, match="libraries that are not installed here: pip install rl"):
        environments.env("hearts")


def test_masks_are_ready_for_the_space():
    """Gymnasium samples with them as they are."""
    env = environments.env("skat")
    env.reset(seed=1)
    mask = env.last()[0]["action_mask"]
    assert mask.dtype == np.int8
    assert mask[env.action_space(env.agent_selection).sample(mask)] == 1
