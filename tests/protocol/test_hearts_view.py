"""What a player of Hearts is told, byte for byte, and what a bot makes of it."""

from croupier.protocol import views
from croupier.protocol.sexp import parse
from croupier.protocol.views.hearts import HeartsView
from croupier.protocol.views.view import Trick
from croupier.server.deals import Key
from croupier.server.games.hearts import Hearts

NAMES = ("alice", "bob", "carol", "dave")
STATE = (
    "((game hearts) (options (pass left) (lead c2) (first-trick safe) (break yes) (queen-breaks no) (moon others-up) "
    "(jack 0) (score-to 0) (hands 1000)) (players bob carol dave alice) (tally (bob 0) (carol 7) (dave 0) (alice 19)) "
    "(passing left) (phase play) (hand d9 h3 sQ) (trick alice d2) (tricks (carol c2 c9 cA cK) (alice h2 h5 h7 h4)) "
    "(gave cQ hA hK) (received c3 d9 s2) (broken yes) (taken (bob 0) (carol 0) (dave 4) (alice 0)) (clock 1000) "
    "(legal (play d9)))"
)


def test_a_view_of_hearts_is_read_as_it_was_written():
    """Every field is an attribute, in its own type, and is written back in the same order."""
    view = views.read(parse(STATE))
    assert isinstance(view, HeartsView)
    assert str(view) == STATE
    assert (view.me, view.phase, view.hand) == ("bob", "play", ("d9", "h3", "sQ"))
    assert view.trick == Trick("alice", ("d2",))
    assert view.tricks[1] == Trick("alice", ("h2", "h5", "h7", "h4"))
    assert view.tally == {"bob": 0, "carol": 7, "dave": 0, "alice": 19}
    assert (view.passing, view.gave, view.received) == ("left", ("cQ", "hA", "hK"), ("c3", "d9", "s2"))
    assert view.broken is True
    assert view.taken["dave"] == 4
    assert view.legal == (("play", "d9"),)


def test_the_fields_stand_in_their_order():
    """What stays for a hand comes first, then what all trick-taking games have, then what else Hearts adds."""
    game = Hearts(NAMES, {"pass": "none"}, Key.from_seed("view").deal(1))
    keys = [field[0] for field in parse(str(game.view(game.turn)))]
    common = ["game", "options", "players", "tally", "passing", "phase", "hand", "trick", "tricks"]
    assert keys == [*common, "broken", "taken", "legal"]


def test_gifts_are_listed_where_state_leaves_them_out():
    """STATE lists no gifts, which are too many; the view lists all 286 as the game does."""
    game = Hearts(NAMES, {}, Key.from_seed("view").deal(1))
    view = views.read(parse(str(game.view(0))))
    assert view.legal is None
    assert list(view.legal_plays()) == list(game.legal())
