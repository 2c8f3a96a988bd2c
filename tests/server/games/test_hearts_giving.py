"""Giving at Hearts: to whom, when it arrives, and who knows of it."""

from random import Random

import pytest
from tests.support.hearts_table import begin, give, legal, refused
from tests.support.trick_table import NAMES

from croupier.server.games.game import Dice
from croupier.server.games.hearts import Hearts
from croupier.server.games.world import world_of


def test_three_cards_go_left_right_across_and_none_in_turn():
    """With pass=rotate each hand gives in another direction."""
    game = Hearts(NAMES, {"score-to": 10_000}, Dice(Random(1)))
    seen = {}
    while game.number < 6:
        seen[game.number] = game.view(0).passing
        game.play(game.turn, game.sample(Random(game.number)))
    assert [seen[number] for number in range(1, 6)] == ["left", "right", "across", "none", "left"]


@pytest.mark.parametrize(("direction", "receiver"), [("left", 1), ("across", 2), ("right", 3)])
def test_cards_given_arrive_when_all_have_given(direction, receiver):
    """Nobody sees what he is given before everybody has given; then it is in his hand and named."""
    game = begin("h2 h3 h4", **{"pass": direction})
    give(game, 0, "h4 h2 h3")
    assert game.view(0).gave == ("h2", "h3", "h4")
    assert len(game.view(0).hand) == 10
    for seat in (1, 2, 3):
        assert game.view(receiver).received is None
        give(game, seat, " ".join(game.view(seat).hand[:3]))
    assert game.view(receiver).received == ("h2", "h3", "h4")
    assert {"h2", "h3", "h4"} <= set(game.view(receiver).hand)
    assert len(game.view(receiver).hand) == 13


def test_everybody_may_give_before_his_turn_and_once():
    """Giving is simultaneous: any order is accepted, nobody gives twice."""
    game = begin("h2 h3 h4", "c2 c3 c4", **{"pass": "left"})
    give(game, 1, "c2 c3 c4")
    assert refused(game, 1, "give", "c5", "c6", "c7") == "three cards were given away already"
    give(game, 0, "h2 h3 h4")
    assert game.turn == 2
    assert refused(game, 2, "play", "c5") == "the cards are not played yet"


@pytest.mark.parametrize("cards", [("c2", "c3"), ("c2", "c3", "c4", "c4"), ("c2", "c3", "c3")])
def test_a_gift_is_three_cards_each_named_once(cards):
    """Whatever else is sent is no play, also where three of the cards named are different ones."""
    game = begin("c2 c3 c4", **{"pass": "left"})
    assert "three different cards" in refused(game, 0, "give", *cards)


def test_others_see_that_cards_are_given_not_which():
    """What is told of giving is one word."""
    game = begin(**{"pass": "left"})
    assert game.public(0, game.legal()[0]) == ("give",)
    assert len(game.legal()) == len(set(game.legal())) == 286
    assert game.view(0).legal is None
    assert game.legal()[1:3] == list(game.legal())[1:3]


def test_the_holder_after_giving_leads():
    """A player who was given the two of clubs leads with it."""
    game = begin("c2 c3 c4", **{"pass": "left"})
    give(game, 0, "c2 c3 c4")
    for seat, hand in ((1, 1), (2, 2), (3, 3)):
        give(game, seat, " ".join(game.view(hand).hand[-3:]))
    assert (game.turn, legal(game)) == (1, "c2")


def test_a_gift_stays_where_it_went_until_it_is_played():
    """In a new deal of the hidden cards, the given cards are still with the neighbor."""
    game = begin("h2 h3 h4", **{"pass": "left"})
    give(game, 0, "h2 h3 h4")
    for seat in (1, 2, 3):
        give(game, seat, " ".join(game.view(seat).hand[-3:]))
    for seed in range(20):
        assert {"h2", "h3", "h4"} <= set(world_of(game).determinize(0, Random(seed)).game.view(1).hand)
