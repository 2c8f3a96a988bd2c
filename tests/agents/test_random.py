"""Random: any game, from what its seat is sent and nothing else."""

import random
from collections import Counter

import pytest

from croupier.agents.driver import respond
from croupier.agents.random_bot import Random
from croupier.protocol import notifications
from croupier.protocol.notifications import Attacked, Request
from croupier.protocol.sexp import parse
from croupier.protocol.views.view import View
from croupier.server.games import BUNDLED, find
from croupier.server.games.game import Dice


def over_the_wire(game):
    """Return what the seat on turn reads of its request."""
    view = game.view(game.turn)
    attack = game.attack
    asked = Attacked(attack.play, game.players[attack.attacker], view) if attack else Request(view)
    return notifications.read(parse(asked.write()))


@pytest.mark.parametrize("name", BUNDLED)
@pytest.mark.parametrize("seed", range(3))
def test_random_plays_any_game_to_its_end(name, seed):
    """What a request says is enough to list the legal plays, every one of them and no other, however many there are."""
    rules = find(name)
    seats = rules.SEATS[seed % len(rules.SEATS)]
    game = rules([f"p{seat}" for seat in range(seats)], {}, Dice(random.Random(seed)))
    agent = Random(random.Random(seed))
    while game.turn is not None:
        asked = over_the_wire(game)
        assert Counter(asked.view.legal_plays()) == Counter(game.legal())
        play = respond(agent, asked)
        game.check(game.turn, play)
        game.play(game.turn, play)
    assert len(game.scores()) == seats


def test_random_prefers_nothing():
    """Each of four plays is chosen about a quarter of the time."""
    plays = tuple(("play", card) for card in ("h9", "hT", "hJ", "hQ"))
    agent = Random(random.Random(1))
    chosen = Counter(agent.choose(View(legal=plays)) for _ in range(4000))
    assert all(900 < chosen[play] < 1100 for play in plays)


def test_two_random_players_are_not_the_same():
    """Left alone, every random player has chance of its own."""
    view = View(legal=tuple(("choose", number) for number in range(1000)))
    assert [Random().choose(view) for _ in range(5)] != [Random().choose(view) for _ in range(5)]


def test_the_same_games_are_the_same_again_and_one_hand_is_not_always_played_alike():
    """Chance comes from how the games began, in their order."""
    view = View(legal=tuple(("choose", number) for number in range(1000)))

    def evening():
        agent = Random()
        choices = []
        for _ in range(5):
            agent.started(View(hand=("cA",)))
            choices.append(agent.choose(view))
        return choices

    assert evening() == evening()
    assert len(set(evening())) > 1
