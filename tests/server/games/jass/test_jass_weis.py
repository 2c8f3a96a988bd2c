"""Stöcke and Weis at the table of Jass: when they are shown, to whom they count, and that they may end a match."""

import pytest
from tests.support.jass_table import finish, hands, say, table
from tests.support.trick_table import play

from croupier.protocol.cards import PACK_36
from croupier.server.games.game import IllegalPlay, Told


def test_stoecke_count_with_the_second_of_them():
    """King and queen of trumps in one hand are 20 when the second is played, and the table is told."""
    game = table("sQ sK", "s7", "s8", "s9", trump="s", stoeck="yes", factors="schieber")
    assert play(game, "sQ", "s7", "s8", "s9") == []
    assert game.turn == 3
    assert play(game, hands(game)[3][0], "sK") == [Told(("stoeck", "alice"))]
    assert game.points == [40, 34]


@pytest.mark.parametrize(("hands", "name"), [(("hQ", "hK"), "h"), (("hQ hK sQ", "sK"), "s"), (("hQ hK",), "o")])
def test_there_are_no_stoecke_in_two_hands_or_without_trumps(hands, name):
    """Split between players, of another suit, or without trumps, king and queen are just cards."""
    game, news = table(*hands, trump=name, stoeck="yes"), []
    while game.turn is not None:
        news += play(game, game.legal()[0][1])
    assert [told.play[0] for told in news] == ["score"]


def test_stoecke_may_end_the_match():
    """They count before the trick that they are played in."""
    game = table("hQ hK", "h7", "h8", "h6", trump="h", stoeck="yes", score_to=23)
    play(game, "hQ", "h7", "h8", "h6")
    assert [told.play[0] for told in play(game, "hK")] == ["stoeck", "score"]
    assert (game.turn, game.scores(), game.trick) == (None, (23, 0, 23, 0), ["hK"])


def test_weis_are_shown_before_one_s_own_first_card():
    """Each player is asked when it is his turn to play for the first time, and never again."""
    game = table("c6 c7 c8", trump="o", weis="yes")
    for seat in range(4):
        assert (game.turn, game.phase) == (seat, "weis")
        with pytest.raises(IllegalPlay, match="not played yet"):
            game.check(seat, game.PACK.plays[game.hands[seat]][0])
        say(game)
        assert (game.turn, game.phase) == (seat, "play")
        play(game, game.legal()[0][1])
    assert game.phase == "play"
    finish(game, *PACK_36)
    assert sum(game.scores()) // 2 in (157, 257)


def test_the_pair_with_the_best_weis_scores_all_that_it_showed():
    """The best single Weis decides; the partner's count with it, the opponents' not at all."""
    game = table("s6 s7 s8", "cJ cQ cK cA", "dA hA sA dK dQ", "d6 d7 d8", trump="o", weis="yes", factors="schieber")
    say(game, "s7", "s6", "s8")
    play(game, "s6")
    say(game, "cJ", "cQ", "cK", "cA")
    play(game, game.legal()[0][1])
    say(game, "dQ", "dK", "dA")
    play(game, game.legal()[0][1])
    assert say(game, "d6", "d7", "d8") == [Told(("weis", ("bob", 50), ("dave", 20)))]
    assert game.points == [0, 210]
    assert game.view(2).weis == {
        "alice": ("s6", "s7", "s8"),
        "bob": ("cJ", "cQ", "cK", "cA"),
        "carol": ("dQ", "dK", "dA"),
        "dave": ("d6", "d7", "d8"),
    }


def test_what_is_shown_is_told_in_the_order_of_the_cards():
    """Cards may be named in any order, and everybody hears the same."""
    game = table("s6 s7 s8", trump="o", weis="yes")
    assert game.public(0, ("weis", "s8", "s6", "s7")) == ("weis", "s6", "s7", "s8")


def test_who_shows_nothing_is_not_in_the_view():
    """Silence leaves no trace but the turn."""
    game = table("s6 s7 s8", trump="o", weis="yes")
    say(game)
    assert game.view(1).weis == {}


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("s6", "s7"), "no sequence of three"),
        (("s6", "s7", "s7"), "named twice"),
        (("d6", "d7", "d8"), "d6 is not in the hand"),
    ],
)
def test_only_weis_in_the_hand_may_be_shown(words, why):
    """What is no Weis, twice or not there is refused."""
    with pytest.raises(IllegalPlay, match=why):
        say(table("s6 s7 s8 c6 c7", trump="o", weis="yes"), *words)


def test_weis_may_end_the_match_before_the_first_trick():
    """They count when the fourth player has shown, before his card."""
    game = table("cJ dJ hJ sJ", trump="o", weis="yes", score_to=200)
    for words in (("cJ", "dJ", "hJ", "sJ"), (), ()):
        say(game, *words)
        play(game, game.legal()[0][1])
    assert [told.play[0] for told in say(game)] == ["weis", "score"]
    assert (game.turn, game.scores()) == (None, (200, 0, 200, 0))
