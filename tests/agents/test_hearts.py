"""Duck: what it would say aloud, and that it is better than chance."""

import pytest
from tests.support.games import ahead

from croupier.agents.driver import respond
from croupier.agents.hearts import Duck
from croupier.protocol.notifications import Request
from croupier.protocol.views.hearts import HeartsView
from croupier.protocol.views.view import Trick
from croupier.server.games.hearts import Hearts

NAMES = ("me", "left", "across", "right")


def asked(hand, trick="", tricks=(), phase="play", legal=None, **taken):
    """Ask a duck; return what it plays."""
    hand, cards = tuple(hand.split()), tuple(trick.split())
    follow = [card for card in hand if cards and card[0] == cards[0][0]]
    view = HeartsView(
        game="hearts",
        players=NAMES,
        phase=phase,
        hand=hand,
        trick=Trick("right", cards),
        tricks=tuple(Trick("me", tuple(cards.split())) for cards in tricks),
        taken=dict.fromkeys(NAMES, 0) | taken,
        legal=tuple(("play", card) for card in legal or follow or hand) if phase == "play" else None,
    )
    return " ".join(respond(Duck(), Request(view))[1:])


@pytest.mark.parametrize(
    ("hand", "trick", "played"),
    [
        ("d3 d9 dK", "dT d2", "d9"),
        ("d3 d9 dK", "d2 dA d4", "dK"),
        ("d3 d9 dK", "dT h2 d4", "d9"),
        ("dQ dK", "d2", "dQ"),
        ("s2 sQ", "sK", "sQ"),
        ("s2 sQ sA", "s5", "s2"),
        ("sQ sA", "s5 s6 s7", "sA"),
    ],
)
def test_it_ducks(hand, trick, played):
    """It plays the highest card that does not win; last to a cheap trick, its highest; the queen where she is safe."""
    assert asked(hand, trick, tricks=["c2 c3 c4 c5"]) == played


@pytest.mark.parametrize(
    ("hand", "played"),
    [("c4 hA sQ", "sQ"), ("c4 hA sK", "sK"), ("c4 cA hK h2", "hK")],
)
def test_it_dumps(hand, played):
    """Void, it gets rid of the queen, of what would catch her, of high hearts."""
    assert asked(hand, "d5", tricks=["c2 c3 c5 c6"]) == played


def test_it_gives_the_queen_unless_she_is_guarded():
    """The queen goes left from a short suit and stays in a long one."""
    assert "sQ" in asked("c2 c3 c4 d2 d3 d4 h2 h3 h4 h5 s2 s3 sQ", phase="give").split()
    assert "sQ" not in asked("c2 c3 cK d2 d3 dA h2 hA s2 s3 s4 s5 sQ", phase="give").split()


def test_it_shoots_the_moon_when_nothing_can_go_wrong():
    """With all points so far and only winners in hand it goes on winning."""
    out = ["c2 c3 c4 c5", "c6 c7 c8 c9", "hA h2 h3 h4"]
    assert asked("cT cJ cQ cK cA", tricks=out, me=3) == "cA"


def test_it_beats_chance():
    """On the same deals in every seat it takes fewer points than three random players, beyond doubt."""
    lead, width = ahead(Hearts, {"pass": "left"}, Duck, [(seat,) for seat in range(4)], 40)
    assert lead + 3 * width < 0
