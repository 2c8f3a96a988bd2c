"""The auction of Skat, by its rules."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.skat_table import form

from croupier.protocol.skat import VALUES
from croupier.server.games.game import IllegalPlay
from croupier.server.games.skat.bidding import FOREHAND, MIDDLEHAND, REARHAND, Auction


def after(*calls):
    """Return the auction after these calls, each of which is checked."""
    auction = Auction()
    for call in map(form, calls):
        auction.check(call)
        auction = auction.after[call]
    return auction


ALL_VALUES = """18 20 22 23 24 27 30 33 35 36 40 44 45 46 48 50 54 55 59 60 63 66 70 72 77 80 81 84 88 90 96 99 100
    108 110 117 120 121 126 130 132 135 140 143 144 150 153 154 156 160 162 165 168 170 176 180 187 192 198
    204 216 240 264"""


def test_there_are_63_values():
    """What can be bid is what a game can be worth: 63 values from 18 to 264."""
    assert " ".join(map(str, VALUES)) == " ".join(ALL_VALUES.split())
    assert len(VALUES) == 63


def test_middlehand_bids_to_forehand():
    """Middlehand speaks first, to forehand."""
    assert Auction().turn == MIDDLEHAND
    assert after("bid 18").turn == FOREHAND
    assert after("bid 18", "hold").turn == MIDDLEHAND


@pytest.mark.parametrize(
    ("calls", "declarer", "value"),
    [
        (("bid 18", "pass", "pass"), MIDDLEHAND, 18),
        (("bid 18", "hold", "pass", "pass"), FOREHAND, 18),
        (("bid 18", "pass", "bid 20", "pass"), REARHAND, 20),
        (("bid 18", "pass", "bid 20", "hold", "pass"), MIDDLEHAND, 20),
        (("pass", "bid 18", "pass"), REARHAND, 18),
        (("pass", "bid 18", "hold", "pass"), FOREHAND, 18),
        (("pass", "pass", "bid 18"), FOREHAND, 18),
        (("pass", "pass", "pass"), None, 0),
        (("bid 20", "hold", "bid 33", "pass", "bid 264", "hold", "pass"), MIDDLEHAND, 264),
    ],
)
def test_the_one_who_is_left_plays_at_what_was_bid_last(calls, declarer, value):
    """When one of a pair passes the other goes on; the last one left plays at the value reached."""
    auction = after(*calls)
    assert (auction.turn, auction.declarer, auction.value) == (None, declarer, value)


def test_rearhand_bids_on_to_the_one_who_is_left():
    """Rearhand enters at the value kept, against the player who is left."""
    assert after("bid 18", "hold", "bid 20", "pass").turn == REARHAND
    with pytest.raises(IllegalPlay, match="more than 20"):
        after("bid 18", "hold", "bid 20", "pass", "bid 20")
    assert after("bid 18", "hold", "bid 20", "pass", "bid 22").turn == MIDDLEHAND


def test_forehand_alone_plays_at_18_or_passes():
    """With nothing bid and both others out, forehand decides alone, at 18."""
    auction = after("pass", "pass")
    assert auction.turn == FOREHAND
    assert auction.legal == (("bid", 18), ("pass",))
    for call in ("bid 20", "hold"):
        with pytest.raises(IllegalPlay):
            auction.check(form(call))


@pytest.mark.parametrize(
    ("before", "call"),
    [
        ((), "hold"),
        ((), "bid 19"),
        (("bid 20",), "bid 22"),
        (("bid 20", "hold"), "bid 18"),
        (("bid 20", "hold"), "bid 20"),
    ],
)
def test_a_call_out_of_place_is_refused(before, call):
    """The bidder names more than before, the hearer holds, either may pass."""
    with pytest.raises(IllegalPlay):
        after(*before).check(form(call))


def test_values_may_be_skipped():
    """A bid is any value above the last."""
    assert after("bid 18", "hold", "bid 59").value == 59


@given(st.data())
def test_every_auction_ends(data):
    """However it is called, it ends with a declarer at a bid value or with none at 0, and what is listed is legal."""
    auction, said = Auction(), []
    while auction.turn is not None:
        for call in auction.legal:
            auction.check(call)
        said.append(data.draw(st.sampled_from(auction.legal)))
        auction = auction.after[said[-1]]
    assert (auction.value in VALUES) == (auction.declarer is not None)
    assert auction.value or said == [("pass",)] * 3
