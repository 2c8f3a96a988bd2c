"""TrumpCounter: what it would say aloud, and that it is better than chance."""

import pytest
from tests.support.games import ahead

from croupier.agents.driver import respond
from croupier.agents.jass import SHIFT, TrumpCounter
from croupier.protocol.notifications import Request
from croupier.protocol.views.jass import JassView
from croupier.protocol.views.view import Trick
from croupier.server.games.jass.game import Jass

NAMES = ("me", "left", "partner", "right")
CHOICES = tuple(("trump", name) for name in "cdhsou")


def asked(hand, trick="", contract="h", legal=None, tricks=()):
    """Ask the bot for a card; a player who follows is told that all of the hand is legal."""
    cards = tuple(trick.split())
    view = JassView(
        game="jass",
        players=NAMES,
        phase="play",
        hand=tuple(hand.split()),
        trick=Trick(NAMES[-len(cards)] if cards else None, cards),
        tricks=tuple(Trick("me", tuple(cards.split())) for cards in tricks),
        contract=contract,
        legal=tuple(("play", card) for card in (legal or hand).split()),
    )
    return respond(TrumpCounter(), Request(view))[1]


def chosen(hand, *shift, factors="one"):
    """Ask the bot for the contract."""
    view = JassView(
        game="jass",
        options={"factors": factors},
        players=NAMES,
        phase="trump",
        hand=tuple(hand.split()),
        legal=(*CHOICES, *shift),
    )
    return respond(TrumpCounter(), Request(view))


@pytest.mark.parametrize(
    ("hand", "contract"),
    [
        ("hJ h9 hA h7 h6 cA d7 s8 s9", "h"),
        ("cA cK cQ dA dK hA sA sK s7", "o"),
        ("c6 c7 c8 d6 d7 h6 s6 s7 sA", "u"),
        ("cA cQ cT c8 c7 dA hA sA sQ", "o"),
        ("cT cQ d6 d7 h6 h7 s9 sJ sK", "u"),
    ],
)
def test_it_chooses_by_the_strength_of_its_hand(hand, contract):
    """Trumps with the jack or the nine, aces for Obenabe though trumps were longer, sixes and sevens for Undenufe."""
    assert chosen(hand, SHIFT) == ("trump", contract)


def test_it_shifts_when_it_is_weak_and_may():
    """A hand that promises little is the partner's choice, unless the partner left it to this one."""
    weak = "c8 cT d9 dT h8 hT hQ s9 sQ"
    assert chosen(weak, SHIFT) == SHIFT
    assert chosen(weak)[0] == "trump"


def test_it_weighs_contracts_by_their_factors():
    """Hearts from the jack are best where all count alike; three aces are where Obenabe counts threefold."""
    hand = "cA cK dA d8 hJ h9 hA hT sQ"
    assert chosen(hand, SHIFT) == ("trump", "h")
    assert chosen(hand, SHIFT, factors="schieber") == ("trump", "o")


def test_it_shifts_more_where_more_is_at_stake():
    """A hand that is good enough where all count alike is shifted where other contracts count more."""
    hand = "cK d8 d7 hJ h9 hT h8 sQ s7"
    assert chosen(hand, SHIFT) == ("trump", "h")
    assert chosen(hand, SHIFT, factors="schieber") == SHIFT


def test_it_shows_all_weis():
    """It shows the most that it may."""
    legal = (("weis", "c6", "c7", "c8"), ("weis",))
    view = JassView(game="jass", players=NAMES, phase="weis", hand=("c6", "c7", "c8"), contract="o", legal=legal)
    assert respond(TrumpCounter(), Request(view)) == legal[0]


@pytest.mark.parametrize(
    ("hand", "tricks", "led"),
    [
        ("hJ h6 cA", (), "hJ"),
        ("h9 h6 cA", (), "cA"),
        ("h9 h6 cK", ("hJ cA c6 c7",), "h9"),
        ("h9 cA c6", ("hJ hA hK hQ", "hT h8 h7 h6"), "cA"),
    ],
)
def test_it_draws_trumps_from_the_top_while_others_have_some(hand, tricks, led):
    """It leads the best trump left, and the best of another suit once there are no more trumps out."""
    assert asked(hand, tricks=tricks) == led


def test_it_feeds_its_partner():
    """Last to a trick that is the partner's, it gives points."""
    assert asked("cT c7", trick="c6 cA c8") == "cT"


def test_it_gives_the_others_little():
    """It throws the least on a trick that it cannot win."""
    assert asked("cT c7", trick="cA") == "c7"


@pytest.mark.parametrize(
    ("trick", "played"), [("c8 cT cA", "h6"), ("c8 c6 c9", "d7"), ("cT c8 h7", "hJ"), ("c8 cT c9", "d7")]
)
def test_it_trumps_what_is_worth_a_trump(trick, played):
    """A trick with points is worth the smallest trump that takes it; one without, or the partner's, is not."""
    assert asked("h6 hJ d7", trick=trick) == played


def test_it_beats_chance():
    """On the same deals in both seatings it scores more than two random players, beyond doubt."""
    lead, width = ahead(Jass, {}, TrumpCounter, Jass.PARTNERS, 60)
    assert lead > 2 * width
