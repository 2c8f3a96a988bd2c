"""What a player of Skat is told, byte for byte, and what a bot makes of it."""

import pytest
from tests.support.skat_table import begin, fore_plays, say

from croupier.protocol import views
from croupier.protocol.sexp import parse
from croupier.protocol.skat import after_picking_up, in_order
from croupier.protocol.views.skat import SkatView
from croupier.protocol.views.view import Trick

STATE = (
    "((game skat) (options (scoring classic) (list 1) (all-pass void) (contra yes) (impossible-null reject)) "
    "(players bob carol alice) (tally (bob 0) (carol -48) (alice 24)) (position middlehand) "
    "(phase play) (hand cA sK h9 d7) (trick alice hJ) (tricks (alice cJ c7 c8)) "
    "(bids (bob 18) (alice hold) (bob pass) (carol pass)) "
    "(declarer alice) (contract hearts hand schneider) (contra (bob contra) (alice re)) (open hA hT) (points 14) "
    "(clock 1000) (legal (play h9)))"
)


def test_a_view_of_skat_is_read_as_it_was_written():
    """Every field is an attribute, in its own type, and is written back in the same order."""
    view = views.read(parse(STATE))
    assert isinstance(view, SkatView)
    assert str(view) == STATE
    assert (view.me, view.phase, view.hand) == ("bob", "play", ("cA", "sK", "h9", "d7"))
    assert (view.trick, view.tricks) == (Trick("alice", ("hJ",)), (Trick("alice", ("cJ", "c7", "c8")),))
    assert view.tally == {"bob": 0, "carol": -48, "alice": 24}
    assert (view.position, view.declarer, view.points) == ("middlehand", "alice", 14)
    assert view.bids == (("bob", 18), ("alice", "hold"), ("bob", "pass"), ("carol", "pass"))
    assert view.contract == ("hearts", "hand", "schneider")
    assert view.contra == (("bob", "contra"), ("alice", "re"))
    assert (view.open, view.skat, view.bid) == (("hA", "hT"), None, 18)
    assert view.legal == (("play", "h9"),)


def test_the_fields_stand_in_their_order():
    """What stays for a hand comes first, then what all trick-taking games have, then what else Skat adds."""
    game = begin()
    common = ["game", "options", "players", "tally", "position", "phase", "hand", "trick", "tricks", "bids"]
    assert [field[0] for field in parse(str(game.view(game.turn)))] == [*common, "legal"]
    fore_plays(game)
    say(game, "pick-up")
    assert [field[0] for field in parse(str(game.view(0)))] == [*common, "declarer", "skat"]
    say(game, "declare null cJ cA ouvert")
    told = [*common, "declarer", "contract"]
    assert [field[0] for field in parse(str(game.view(0)))] == [*told, "skat", "open", "points", "legal"]
    assert [field[0] for field in parse(str(game.view(1)))] == [*told, "open", "points"]


def test_hands_are_sorted_by_suits_with_the_jack_on_top():
    """Clubs, spades, hearts, diamonds; jack, ace, ten, king, queen, nine, eight, seven."""
    assert " ".join(in_order(["d7", "dJ", "hA", "cJ", "c7", "cT", "sQ", "cA"])) == "cJ cA cT c7 sQ hA dJ d7"


def test_a_player_lists_what_can_be_declared():
    """STATE leaves the 462 declarations out; the view lists those that hold the bid."""
    game = begin()
    fore_plays(game)
    say(game, "pick-up")
    state = views.read(parse(str(game.view(0))))
    assert state.legal is None
    assert len(state.legal_plays()) == 462
    assert list(state.legal_plays()) == list(game.legal())


@pytest.mark.parametrize(("least", "games"), [(18, 7), (23, 7), (24, 6), (46, 6), (48, 5)])
def test_a_null_below_the_bid_is_not_listed(least, games):
    """Null is worth 23, ouvert 46."""
    plays = after_picking_up(("cJ", "cA", "cT"), least)
    assert len(plays) == 3 * games
    assert len(set(plays)) == len(plays)
