"""Before the cards of Skat: the auction at the table, the skat, what is put down and what is announced."""

import pytest
from tests.support.skat_table import SOLID, begin, declared, form, refused, say

from croupier.server.games.game import IllegalPlay, Told, UnknownPlay


def test_all_pass_ends_the_hand_without_scores():
    """Eingepasst: the hand counts as played, nobody scores."""
    game = begin()
    news = say(game, "pass", "pass", "pass")
    assert news == (Told(("score", ("fore", 0), ("middle", 0), ("rear", 0))),)
    assert (game.turn, game.scores(), game.results) == (None, (0, 0, 0), [None])


def test_bids_are_seen_by_all_in_order():
    """The auction is public: every call with its caller, in order."""
    game = begin()
    say(game, "bid 18", "hold", "bid 20", "pass")
    for seat in range(3):
        assert game.view(seat).bids == (("middle", 18), ("fore", "hold"), ("middle", 20), ("fore", "pass"))
        assert game.view(seat).bid == 20


def test_a_seat_speaks_in_its_turn():
    """Nobody calls for another or out of turn."""
    game = begin()
    with pytest.raises(IllegalPlay, match="middle's turn"):
        game.check(0, ("pass",))


def test_the_skat_is_seen_by_who_picks_it_up():
    """The declarer sees the two cards and holds twelve; the others are told that he picked up."""
    game = declared("pick-up", piles=(SOLID, "", "", "h7 h8"))
    assert set(game.view(0).skat) == {"h7", "h8"}
    assert set(game.view(0).hand) == {*SOLID.split(), "h7", "h8"}
    assert (game.view(1).skat, len(game.view(1).hand)) == (None, 10)


def test_what_is_put_down_is_seen_by_the_declarer_alone():
    """Others see the game without the cards put down."""
    game = declared("pick-up")
    play = ("declare", "clubs", "sA", "hA")
    game.check(0, play)
    assert game.public(0, play) == ("declare", "clubs")
    game.play(0, play)
    assert set(game.view(0).skat) == {"sA", "hA"}
    assert len(game.view(0).hand) == 10
    assert (game.view(1).skat, game.view(1).contract) == (None, ("clubs",))


@pytest.mark.parametrize("text", ["declare grand cJ sJ", "declare grand sJ cJ", "declare null cJ sJ ouvert"])
def test_any_two_of_the_twelve_may_be_put_down(text):
    """Jacks and aces too, in any order."""
    say(declared("pick-up"), text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("declare grand", "puts down two"),
        ("declare grand cJ", "puts down two"),
        ("declare grand cJ sJ hJ", "puts down two"),
        ("declare grand cJ c7", "puts down two"),
        ("declare grand cJ sJ schneider", "nothing is announced"),
        ("declare grand cJ sJ ouvert", "nothing is announced"),
        ("declare null cJ sJ schwarz", "nothing is announced"),
        ("hand", "belongs to skat"),
        ("play cJ", "not played yet"),
    ],
)
def test_after_picking_up_two_cards_go_and_nothing_is_announced(text, why):
    """Schneider, schwarz and ouvert are for hand games; only a Null may be ouvert."""
    refused(declared("pick-up", piles=(SOLID, "c7")), text, why)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("declare grand", ("hand",)),
        ("declare grand schneider", ("hand", "schneider")),
        ("declare grand schwarz", ("hand", "schneider", "schwarz")),
        ("declare grand ouvert", ("hand", "schneider", "schwarz", "ouvert")),
        ("declare grand ouvert schneider", ("hand", "schneider", "schwarz", "ouvert")),
        ("declare null", ("hand",)),
        ("declare null ouvert", ("hand", "ouvert")),
    ],
)
def test_from_the_hand_levels_are_announced_and_implied_ones_written_out(text, words):
    """Schwarz implies schneider, ouvert both; the others see all of them."""
    game = declared("hand")
    seen = game.public(0, form(text))
    say(game, text)
    assert game.view(1).contract == (form(text)[1], *words)
    assert seen == form(text)[:2] + words[1:]


@pytest.mark.parametrize(
    ("text", "why"),
    [("declare grand sA hA", "puts nothing down"), ("declare null schneider", "neither schneider nor schwarz")],
)
def test_from_the_hand_nothing_is_put_down(text, why):
    """A declarer who left the skat does not know it; a Null has no points to announce."""
    refused(declared("hand"), text, why)


@pytest.mark.parametrize(
    "play",
    [
        (),
        ("declare",),
        ("declare", "jacks"),
        ("declare", ("grand",)),
        ("declare", "grand", "schwarz", "schwarz"),
        ("declare", "grand", "hand"),
        ("declare", "grand", ("cJ", "sJ")),
        ("bid", 19),
        ("bid", "18"),
        ("bid", (18,)),
        ("bid",),
        ("play", "c2"),
        ("play", ("cJ",)),
        ("play", "cJ", "sJ"),
        (("pass",),),
        (18,),
        ("double",),
    ],
)
def test_what_nobody_may_ever_play_is_unknown(play):
    """Anything else than the plays of Skat is told apart from what is only wrong now."""
    for game in (begin(), declared("pick-up"), declared("hand", "declare grand")):
        with pytest.raises(UnknownPlay):
            game.check(game.turn, play)
