"""OpenSpiel's players at our tables: whole games without a fault, from positions that the view alone gives."""

import json
import shlex
import sys
from itertools import count, islice
from random import Random
from types import SimpleNamespace

import pytest
import trio
from command_line import croupier

from croupier.agents import bundled
from croupier.agents.bridges import base, openspiel_games
from croupier.agents.bridges.base import NoPlay
from croupier.server import games, imagining
from croupier.server.deals import Key
from croupier.server.games.game import Dice
from croupier.server.table.referee import Referee, Terms
from croupier.server.table.seat import LocalSeat

pytest.importorskip("pyspiel", reason="needs the openspiel extra")

import pyspiel

from croupier.agents.bridges import openspiel

SEATED = f"{shlex.quote(sys.executable)} -m croupier bridge openspiel --algorithm random"
NAMES = ("ann", "bob", "cleo", "dot")
PLAYERS = ("random", "mcts", "is-mcts")


def seat(player="is-mcts", simulations=10, seed="1", worlds=imagining.worlds):
    """Return a player."""
    return openspiel.OpenSpiel(player, simulations, seed, worlds)


def game_of(name, number=1, options=()):
    """Begin a game."""
    rules = games.find(name)
    return rules(NAMES[: rules.SEATS[0]], dict(options), Dice(Random(number)))


def played(name, player, number):
    """Play a game with the player in every second seat; return it."""
    rules = games.find(name)
    agents = [seat(player), bundled.make("random")] * (rules.SEATS[0] // 2)
    seats = [LocalSeat(who, agent) for who, agent in zip(NAMES[: len(agents)], agents, strict=True)]
    return trio.run(Referee(rules, {}, seats, Key.from_seed("openspiel").deal(number), Terms()).play)


@pytest.mark.parametrize("name", openspiel_games.COUNTERPARTS)
@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("number", [2, pytest.param(500, marks=pytest.mark.soak)])
def test_each_player_plays_whole_games(name, player, number):
    """Nobody commits a fault."""
    for deal in range(1, number + 1):
        result = played(name, player, deal)
        assert (result.outcome.value, result.faults) == ("finished", ())


@pytest.mark.parametrize("name", openspiel_games.COUNTERPARTS)
def test_a_position_tells_its_player_no_more_than_the_view_does(name):
    """Those from the view alone look to the player as the real one does, all along a game."""
    for number in range(1, 6):
        game, rng = game_of(name, number), Random(number)
        while game.turn is not None:
            view = game.view(game.turn)
            plays = list(view.legal_plays())
            if len(plays) > 1:
                found = openspiel_games.find(view)
                real = {who: game.view(game.players.index(who)) for who in view.players}
                library = pyspiel.load_game(found.name(view))
                truth = library.new_initial_state()
                for action in found.history(real):
                    truth.apply_action_with_legality_check(action)
                for position in islice(seat()._positions(library, found, view, []), 5):
                    assert position.information_state_string() == truth.information_state_string()
            game.play(game.turn, rng.choice(plays))


def plays(player, seed):
    """List the plays of a player that plays Gops against itself."""
    game, agent, found = game_of("recycle:gops"), seat(player, seed=seed), []
    while game.turn is not None:
        found.append(agent.tryPlay(game.view(game.turn)))
        game.play(game.turn, found[-1])
    return found


@pytest.mark.parametrize("player", PLAYERS)
def test_the_same_seed_gives_the_same_plays(player):
    """And another seed other ones."""
    assert plays(player, "1") == plays(player, "1") != plays(player, "2")


@pytest.mark.parametrize("player", ["mcts", "is-mcts"])
@pytest.mark.parametrize("name", openspiel_games.COUNTERPARTS)
def test_a_search_ends_with_the_clock(player, name, monkeypatch):
    """However many simulations it was to have; each look at the clock takes a second here."""
    drawn, seconds = [], count()
    for module in (base, openspiel):
        monkeypatch.setattr(module, "monotonic", lambda: next(seconds))

    def worlds(view, rng):
        for deal in imagining.worlds(view, rng):
            drawn.append(deal)
            yield deal

    game = game_of(name)
    agent = seat(player, 1_000_000, worlds=worlds)
    view = game.view(game.turn)
    game.check(game.turn, (agent.tryBid if name == "hearts" else agent.tryPlay)(view))
    assert len(drawn) < 50


def test_a_position_that_the_library_cannot_reach_is_no_play():
    """As in a game from somebody's file that is called like one of ours."""
    game = game_of("recycle:kuhn-poker")
    views = {name: game.view(seat) for seat, name in enumerate(game.players)}
    views["ann"].stores = (("table", "CHECKS", 3),)

    def worlds(view, rng):
        yield SimpleNamespace(players=views)

    with pytest.raises(NoPlay, match="OpenSpiel's kuhn_poker does not come to this position"):
        seat(worlds=worlds).tryPlay(game.view(0))


def test_a_state_that_no_game_comes_to_is_no_play():
    """The reason is that of `croupier imagine`."""
    view = game_of("recycle:kuhn-poker").view(0)
    view.at = (999, *view.at[1:])
    with pytest.raises(NoPlay, match="no game of recycle comes to this STATE"):
        seat().tryPlay(view)


def test_it_is_seated_like_any_bot(tmp_path):
    """As a process, with a name, for whole games."""
    words = ("play", "hearts", f"spiel={SEATED}", "duck", "duck", "duck", "--deals", "2", "--start", "60000", "--json")
    for game in json.loads(croupier(*words, cwd=tmp_path)[0])["games"]:
        assert (game["outcome"], game["faults"]) == ("finished", [])


def test_a_game_with_other_rules_is_refused_at_the_table(tmp_path):
    """The fault names the rule; the others play on."""
    words = ("play", "recycle:spades", f"spiel={SEATED}", "random", "random", "random", "--start", "60000", "--json")
    (game,) = json.loads(croupier(*words, cwd=tmp_path)[0])["games"]
    (fault,) = game["faults"]
    assert (game["outcome"], fault["player"], fault["kind"]) == ("finished", "spiel", "crashed")
    assert "OpenSpiel plays recycle:spades by other rules: there a player may bid nil" in fault["why"]
