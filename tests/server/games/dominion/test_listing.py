"""What STATE lists is made once for equal turns, and may be played until somebody has: then it is examined again."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.dominion_table import refused, table

from croupier.protocol.dominion import PILES, Piles, supply, turn_plays
from croupier.protocol.views.view import list_legal
from croupier.server.games.dominion.plays import NOTHING, listing
from croupier.server.games.world import world_of

hands = st.lists(st.sampled_from(PILES), max_size=8)
few_sold_out = st.lists(st.sampled_from(PILES), max_size=4)
few = st.integers(0, 2)


@settings(max_examples=300, deadline=None)
@given(hand=hands, sold=few_sold_out, actions=few, buys=few, coins=st.integers(0, 9), adding=st.booleans())
def test_a_listing_says_what_the_rules_list(hand, sold, actions, buys, coins, adding):
    """Whatever was listed before, and in whatever order the hand is; empty if there are more than 64 plays."""
    left = Piles({**supply(2), **dict.fromkeys(sold, 0)})
    plays = list_legal(turn_plays(hand, left, actions, buys, coins, adding=adding))
    found = listing(hand, left, actions, buys, coins, adding=adding)
    assert found is listing(hand[::-1], Piles(left), actions, buys, coins, adding=adding)
    if plays is None:
        assert found is NOTHING
    else:
        assert found.plays == plays
        assert found.allowed == set(plays)


def told(game):
    """Return the game, whose player on turn was told what he may play."""
    assert "buy" in str(game.view(game.turn))
    return game


def test_what_was_listed_is_not_looked_at_again(monkeypatch):
    """It is allowed as it stands; all else is told why not, as if nothing had been listed."""
    game = told(table("copper moat estate"))
    monkeypatch.setattr("croupier.server.games.dominion.game.words", None)
    game.check(0, ("add", "copper"))
    monkeypatch.undo()
    assert refused(game, "add silver") == "there is no silver in your hand"
    assert refused(game, "buy silver") == "silver costs 3, more than the 0 allowed"
    with pytest.raises(Exception, match="it is alice's turn"):
        game.check(1, ("add", "copper"))


def test_what_was_listed_is_forgotten_when_somebody_plays():
    """By the player himself, in a copy in which the cards lie otherwise, and where treasures are played at once."""
    game = told(table("copper moat estate"))
    copied, hurried = game.copy(), table("copper copper")
    copied.sides[0].hand = ["estate"]
    assert refused(copied, "add copper") == "there is no copper in your hand"
    world_of(told(hurried)).advance()
    assert refused(hurried, "add copper") == "there is no copper in your hand"
    game.play(0, ("add", "copper"))
    assert refused(game, "act moat") == "no action is left"
    assert refused(game, "add copper") == "there is no copper in your hand"
