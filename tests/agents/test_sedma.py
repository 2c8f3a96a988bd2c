"""SevenSaver: what it would say aloud, and that it is better than chance."""

import pytest
from tests.support.games import ahead

from croupier.agents.driver import respond
from croupier.agents.sedma import SevenSaver
from croupier.protocol.notifications import Request
from croupier.protocol.views.sedma import SedmaView
from croupier.protocol.views.view import Trick
from croupier.server.games.sedma import Sedma

NAMES = ("me", "left", "partner", "right")


def asked(hand, trick="", legal=None, stock=8):
    """Ask the bot for a play; unless told otherwise, all of the hand is legal."""
    hand, cards = tuple(hand.split()), tuple(trick.split())
    view = SedmaView(
        game="sedma",
        players=NAMES,
        phase="play",
        hand=hand,
        trick=Trick(NAMES[-len(cards) % 4], cards) if cards else Trick(),
        tricks=(),
        stock=stock,
        legal=legal or tuple(("play", card) for card in hand),
    )
    return respond(SevenSaver(), Request(view))[-1]


@pytest.mark.parametrize(
    ("hand", "trick", "played"),
    [
        ("s7 cA d9 hK", "", "d9"),
        ("s7 cA d9 dK", "hK", "dK"),
        ("s7 cA d9 dK", "h8", "d9"),
        ("s7 cA d9 dK", "hT", "s7"),
        ("s7 dT d9 dK", "hT", "dT"),
        ("s7 cA d9 dK", "h8 sT", "d9"),
        ("s7 cA d9 dK", "h8 sQ cT", "s7"),
        ("s7 cA d8 dK", "h8 sQ cT", "d8"),
    ],
)
def test_it_saves_its_sevens(hand, trick, played):
    """A seven is for points that others have; a card of the rank led takes what it can; otherwise the cheapest goes."""
    assert asked(hand, trick) == played


def test_it_takes_the_last_trick_with_what_it_has():
    """The last trick is worth ten points."""
    assert asked("s7", "h8", stock=0) == "s7"


@pytest.mark.parametrize(("trick", "played"), [("h8 c8 sQ", "cA"), ("h8 c9 sQ", "d9"), ("h8 c8", "d9")])
def test_it_gives_points_to_its_partner(trick, played):
    """Last to a trick that the partner has, it adds an ace or a ten; to any other the cheapest."""
    assert asked("cA d9 dK", trick) == played


@pytest.mark.parametrize(
    ("trick", "played"),
    [("h8 c8 sQ dT", "s7"), ("h8 d9 sQ cK", "stop"), ("h8 c8 sQ d9", "stop"), ("h8 dT sQ cK", "stop")],
)
def test_it_goes_on_for_points_that_others_have(trick, played):
    """It stops where it has the trick, or where there is nothing to win."""
    assert asked("s7 d9 dK", trick, legal=(("play", "s7"), ("stop",))) == played


@pytest.mark.parametrize("rounds", ["one", "many"])
def test_it_beats_chance(rounds):
    """On the same deals in both seatings it scores more than two random players, beyond doubt."""
    lead, width = ahead(Sedma, {"rounds": rounds}, SevenSaver, Sedma.PARTNERS, 60)
    assert lead > 2 * width
