"""The Militia of Dominion: who is asked, what defends, and what the others are told."""

import pytest
from tests.support.dominion_table import do, refused, table

from croupier.server.games.game import Defended


def words(cards):
    """Return cards as one text."""
    return " ".join(cards)


def test_a_militia_asks_the_others_in_turn_and_tells_when_all_have_answered():
    """Discards go in front of the discards as named and are told by their first card; then the turn goes on."""
    game = table("militia", "gold copper estate silver moat", "copper estate duchy gold moat", "moat gold silver")
    assert not do(game, "act militia")
    assert (game.attack.play, game.attack.attacker, game.turn, game.phase) == (("act", "militia"), 0, 1, "defend")
    assert not do(game, "discard estate copper")
    assert not do(game, "moat")
    assert do(game, "discard") == [
        Defended(1, ("discard", "estate")),
        Defended(2, ("moat",)),
        Defended(3, ("discard",)),
    ]
    assert (game.turn, game.attack, game.coins) == (0, None, 2)
    assert [words(side.hand) for side in game.sides[1:]] == [
        "gold silver moat",
        "copper estate duchy gold moat",
        "moat gold silver",
    ]
    assert game.sides[1].discards == ["estate", "copper"]


def test_a_defense_leaves_exactly_three_cards():
    """No more and no fewer are discarded, all of them from the hand; a moat must be held."""
    game = table("militia copper", "copper copper estate estate silver")
    assert refused(game, "discard copper copper") == "there is no attack to defend against"
    do(game, "act militia")
    for wrong in (
        "discard",
        "discard copper",
        "discard copper copper estate",
        "discard gold copper",
        "moat",
        "add copper",
    ):
        refused(game, wrong)
    assert [words(play) for play in game.legal()] == [
        "discard copper copper",
        "discard copper estate",
        "discard copper silver",
        "discard estate estate",
        "discard estate silver",
    ]


@pytest.mark.parametrize("hand", ["", "copper", "copper moat", "copper estate moat"])
def test_three_cards_or_fewer_are_safe(hand):
    """The reply is an empty discard, or still a moat."""
    game = table("militia", hand)
    do(game, "act militia")
    moat = [("moat",)] if "moat" in hand else []
    assert list(game.legal()) == [*moat, ("discard",)]
    assert do(game, "discard") == [Defended(1, ("discard",))]


def test_only_the_first_discard_is_public():
    """A defense is told by its first card, all else in full."""
    game = table("militia", "copper estate gold silver duchy")
    assert game.public(0, ("act", "cellar", "estate", "estate")) == ("act", "cellar", "estate", "estate")
    assert game.public(1, ("discard", "estate", "gold")) == ("discard", "estate")
    assert game.public(1, ("moat",)) == ("moat",)
