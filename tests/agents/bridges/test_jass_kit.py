"""Jass over HTTP with jass-kit itself: its random player asks ours and is asked, and both mean the same game."""

import random
import threading
from contextlib import contextmanager

import numpy as np
import pytest
import trio
from served_jass import ask, served_program
from werkzeug.serving import make_server

from croupier.agents import bundled
from croupier.agents.bridges.jass import JassKit
from croupier.agents.bridges.jass_observation import CARDS, NAMES, observation, undertrumps_there
from croupier.server import entries
from croupier.server.deals import Key
from croupier.server.games.jass import Jass
from croupier.server.table.referee import Referee, Terms
from croupier.server.table.seat import LocalSeat

pytest.importorskip("jass.game", reason="jass-kit is not installed here (pip install jass-kit flask)")

from jass.agents.agent import Agent
from jass.agents.agent_random_schieber import AgentRandomSchieber
from jass.arena.arena import Arena
from jass.game.const import card_ids, card_strings
from jass.game.game_observation import GameObservation
from jass.game.rule_schieber import RuleSchieber
from jass.service.player_service_app import PlayerServiceApp

pytestmark = pytest.mark.filterwarnings("default")

SEATS = ("ada", "bea", "cleo", "dot")
GAMES = [10, pytest.param(500, marks=pytest.mark.soak)]
RULES = ["seed", "free-with-only-trumps", "lower-of-two"]


def deals(games):
    """List the deals of as many games."""
    key = Key.from_seed("jass-kit")
    return [key.deal(number) for number in range(1, games + 1)]


@contextmanager
def their_player():
    """Serve the random player of jass-kit by its own Flask application; yield its address."""
    app = PlayerServiceApp("theirs")
    app.add_player("random", AgentRandomSchieber())
    server = make_server("127.0.0.1", 0, app)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/random"
    finally:
        server.shutdown()
        thread.join()


@pytest.mark.parametrize("undertrump", RULES)
@pytest.mark.parametrize("games", GAMES)
def test_their_player_plays_whole_games_at_our_table(games, undertrump, capsys):
    """Two seats of it against two bots of ours: nobody commits a fault, under either rule on undertrumping."""
    with their_player() as address:
        seats = [
            LocalSeat(name, make()) for name, make in zip(SEATS, [lambda: JassKit(address), jass] * 2, strict=True)
        ]
        for deal in deals(games):
            played = trio.run(Referee(Jass, {"undertrump": undertrump}, seats, deal, Terms()).play)
            assert (played.outcome.value, played.faults) == ("finished", ())
    asked_again = [line for line in capsys.readouterr().err.splitlines() if line.startswith("asked again without")]
    assert not asked_again if undertrump == "lower-of-two" else asked_again or games < 500


def jass():
    """Return a bot of ours."""
    return bundled.make("jass")


@pytest.mark.parametrize("undertrump", RULES)
@pytest.mark.parametrize("games", GAMES)
def test_their_rule_and_ours_say_the_same_of_each_observation(games, undertrump):
    """Theirs reads it and writes it back, and allows the same cards, and those about which the bridge asks again."""
    rng = random.Random(games)
    for deal in deals(games):
        game = Jass(SEATS, {"undertrump": undertrump}, deal)
        while game.turn is not None:
            view = game.view(game.turn)
            told = observation(view)
            theirs = GameObservation.from_json(told)
            assert theirs.to_json() == told
            if view.phase == "play":
                valid = np.flatnonzero(RuleSchieber().get_valid_cards_from_obs(theirs))
                allowed = {CARDS[str(card_strings[card])] for card in valid}
                legal = {card for _, card in view.legal}
                forgiven = {c for c in view.hand if c not in legal and undertrumps_there(view, view.hand, c)}
                assert allowed == legal | forgiven
                assert not (forgiven and undertrump == "lower-of-two")
            game.play(game.turn, game.sample(rng))


@pytest.mark.parametrize("games", GAMES)
def test_a_bot_of_ours_plays_whole_games_at_their_table(games):
    """Their arena checks each card by their rule; two seats are ours, two their random player."""

    class Ours(Agent):
        """Asks our service."""

        def action_trump(self, obs):
            """Choose."""
            return self.answer(obs)["trump"]

        def action_play_card(self, obs):
            """Play a card."""
            return card_ids[self.answer(obs)["card"]]

        def answer(self, obs):
            """Return the service's answer."""
            status, answer = ask(address, obs.to_json() | {"gameId": 0})
            assert status == 200, answer
            return answer

    arena = Arena(games, print_every_x_games=games)
    with served_program(entries.of_bundled("jass")) as (address, said):
        ours, theirs = Ours(), AgentRandomSchieber()
        arena.set_players(ours, theirs, ours, theirs)
        for number in range(games):
            arena.play_game(dealer=number % 4)
    assert not said
    assert set(arena.points_team_0 + arena.points_team_1) == {157}
    assert arena.points_team_0.mean() > arena.points_team_1.mean()


def test_cards_have_their_names():
    """Each once, in their order."""
    assert list(CARDS) == card_strings.tolist()
    assert {NAMES[card]: card for card in NAMES} == CARDS
