"""What nobody has to think about at Dominion: legal, done at once as one by one, and never a choice lost."""

from random import Random

import pytest

from croupier.protocol.dominion import ACTIONS, COINS
from croupier.server.games.dominion.game import Dominion
from croupier.server.games.game import Dice
from croupier.server.games.world import world_of

NAMES = ("alice", "bob", "carol", "dave")


def positions(players, rules, seed):
    """Yield the game before each decision of some of its turns, played by chance that likes to act and to buy."""
    rng = Random(seed)
    game = Dominion(NAMES[:players], {"rules": rules, "turns": 14}, Dice(rng))
    while game.turn is not None:
        yield game
        plays = [game.sample(rng) for _ in range(4)]
        game.play(game.turn, max(plays, key=lambda play: (play[0] != "clean", play[0] == "act", rng.random())))


def looks(game):
    """Return all that anybody sees, and what lies under the backs."""
    return [str(game.view(seat)) for seat in range(len(game.players))], [side.deck for side in game.sides]


@pytest.mark.parametrize(("players", "rules"), [(2, "official"), (3, "classic"), (4, "official")])
def test_what_is_done_at_once_is_what_is_done_one_by_one(players, rules):
    """The treasures of a hand, the end of a turn, the next player's treasures: the same game, the same shuffles."""
    met = 0
    for number, game in enumerate(positions(players, rules, players)):
        if world_of(game).routine() is None:
            continue
        met += 1
        slow, fast = game.copy(), game.copy()
        slow.deal = Dice(Random(number))
        fast.deal = Dice(Random(number))
        while slow.turn is not None and (play := world_of(slow).routine()) is not None:
            assert play in list(slow.legal())
            slow.check(slow.turn, play)
            slow.play(slow.turn, play)
        world_of(fast).advance()
        assert (fast.turn, looks(fast)) == (slow.turn, looks(slow))
    assert met > 50


def test_a_choice_is_left_to_be_made():
    """Nothing is routine while an action could be played, an attack is to be met, or there is something to buy."""
    for game in positions(2, "official", 7):
        hand = game.sides[game.turn].hand
        to_act = game.actions and set(hand) & set(ACTIONS)
        to_buy = game.buys and (game.bought or not set(hand) & set(COINS))
        if game.attack is not None or to_act or to_buy:
            assert world_of(game).routine() is None


def test_a_glance_is_a_view_but_for_the_list_of_plays():
    """A bot that plays a world out sees all that STATE says."""
    for game in positions(2, "official", 8):
        for seat in range(2):
            view, glance = game.view(seat), world_of(game).glance(seat)
            assert glance.legal is None
            glance.legal = view.legal
            assert glance == view
