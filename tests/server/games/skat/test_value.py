"""What a game of Skat is worth, by the words of the rule."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.protocol.skat import BASE, PACK, TRUMPS, VALUES, matadors
from croupier.server.games.skat.contract import SkatContract
from croupier.server.games.skat.value import settle, settle_impossible_null, settle_null


@pytest.mark.parametrize(
    ("game", "cards", "run"),
    [
        ("grand", "cJ sJ hJ dJ", 4),
        ("grand", "cJ hJ dJ cA", 1),
        ("grand", "dJ cA", -3),
        ("grand", "cA cT", -4),
        ("clubs", "cJ sJ hJ dJ cA cT cK cQ c9 c8 c7", 11),
        ("clubs", "cJ sJ hJ dJ cT cK", 4),
        ("diamonds", "sJ hJ", -1),
        ("hearts", "h7", -10),
        ("spades", "cA cT cK", -11),
        ("spades", "cJ", 1),
    ],
)
def test_matadors_are_the_unbroken_run_of_top_trumps(game, cards, run):
    """With the jack of clubs the run held counts, without it the run missing."""
    assert matadors(game, cards.split()) == run


def settled(game, words="", *, bid=18, points=70, tricks=6, run=1):
    """Settle a game that is won with one matador where nothing else is said."""
    return settle(SkatContract.of(game, tuple(words.split())), bid, points, tricks, run)


@pytest.mark.parametrize(
    ("result", "value"),
    [
        (settled("diamonds"), 18),
        (settled("hearts", run=-1), 20),
        (settled("spades", run=2), 33),
        (settled("clubs", run=-4), 60),
        (settled("grand", run=4), 120),
        (settled("clubs", "hand"), 36),
        (settled("clubs", points=89), 24),
        (settled("clubs", points=90), 36),
        (settled("clubs", points=120, tricks=9), 36),
        (settled("clubs", points=120, tricks=10), 48),
        (settled("clubs", "hand schneider", points=90), 60),
        (settled("clubs", "hand schneider schwarz", points=120, tricks=10), 84),
        (settled("clubs", "hand ouvert", points=120, tricks=10), 96),
        (settled("clubs", "hand ouvert", points=120, tricks=10, run=2), 108),
        (settled("grand", "hand ouvert", points=120, tricks=10, run=4), 264),
        (settled("clubs", "hand ouvert", points=120, tricks=10, run=11), 216),
        (settled("grand", "hand", points=120, tricks=10, run=-3), 168),
    ],
)
def test_the_value_is_the_base_times_the_levels(result, value):
    """One level each: matadors, game, hand, schneider, schwarz, each announcement, ouvert."""
    assert (result.value, result.won, result.overbid) == (value, True, False)


@pytest.mark.parametrize(
    ("result", "value"),
    [
        (settled("diamonds", points=60), -36),
        (settled("clubs", "hand", points=60), -72),
        (settled("diamonds", points=31), -36),
        (settled("diamonds", points=30), -54),
        (settled("diamonds", points=0, tricks=1), -54),
        (settled("diamonds", points=10, tricks=0), -72),
        (settled("clubs", "hand schneider", points=89), -120),
        (settled("clubs", "hand schneider schwarz", points=120, tricks=9), -168),
        (settled("clubs", "hand ouvert", points=13, tricks=0), -192),
        (settled("grand", points=60, run=-4), -240),
    ],
)
def test_a_lost_game_counts_twice(result, value):
    """Also a hand game; a declarer who is schneider or schwarz himself loses these levels too."""
    assert (result.value, result.won) == (value, False)


@pytest.mark.parametrize(
    ("result", "value"),
    [
        (settled("diamonds", bid=36), -72),
        (settled("diamonds", bid=20), -54),
        (settled("grand", bid=60), -144),
        (settled("clubs", bid=59), -120),
        (settled("hearts", "hand", bid=33, run=-1, points=120, tricks=9), 40),
        (settled("diamonds", bid=36, points=20), -72),
    ],
)
def test_an_overbid_costs_twice_the_next_multiple_that_holds_the_bid(result, value):
    """It is lost even with 61 points; schneider and schwarz made in play may cure it."""
    assert result.value == value
    assert result.overbid == (value < 0)


def test_a_bid_binds_only_from_below():
    """A declarer who wins at 18 scores the whole value."""
    assert settled("grand", "hand ouvert", bid=18, points=120, tricks=10, run=4).value == 264


@pytest.mark.parametrize(("words", "value"), [((), 23), (("hand",), 35), (("ouvert",), 46), (("hand", "ouvert"), 59)])
def test_null_has_four_values(words, value):
    """Null 23, from the hand 35, ouvert 46, ouvert from the hand 59; one trick loses it, twice."""
    contract = SkatContract.of("null", words)
    assert settle_null(contract, 18, 0, 0).value == value
    assert settle_null(contract, 18, 0, 1).value == -2 * value


@pytest.mark.parametrize(
    ("words", "bid", "cards", "charged"),
    [
        ((), 24, "cJ dA", 24),
        ((), 27, "cJ dA", 27),
        (("hand",), 36, "cJ sJ", 36),
        (("hand",), 36, "cJ sJ hJ dJ", 54),
        ((), 24, "sJ hJ dJ", 24),
    ],
)
def test_an_impossible_null_costs_the_cheapest_game_that_holds_the_bid(words, bid, cards, charged):
    """A suit game or Grand by its matadors, one level more from the hand, at least the bid; twice."""
    result = settle_impossible_null(SkatContract.of("null", words), bid, cards.split())
    assert (result.value, result.overbid) == (-2 * charged, True)


def test_announcements_imply_each_other():
    """Ouvert implies schwarz, schwarz schneider; in a Null ouvert implies nothing."""
    assert SkatContract.of("grand", ("hand", "ouvert")).words == ("hand", "schneider", "schwarz", "ouvert")
    assert SkatContract.of("grand", ("schwarz", "hand")).words == ("hand", "schneider", "schwarz")
    assert SkatContract.of("null", ("ouvert",)).words == ("ouvert",)


@given(
    st.sampled_from(sorted(BASE)),
    st.sampled_from(["", "hand", "hand schneider", "hand schwarz", "hand ouvert"]),
    st.sampled_from(VALUES),
    st.sets(st.sampled_from(PACK), min_size=12, max_size=12),
    st.integers(0, 120),
    st.integers(0, 10),
)
def test_every_value_can_be_bid_and_pays_or_costs_it_twice(game, words, bid, cards, points, tricks):
    """A won game is worth a bid value not below the bid; a lost one minus twice a multiple of the base value."""
    run = matadors(game, cards)
    assert 1 <= abs(run) <= len(TRUMPS[game])
    result = settled(game, words, bid=bid, points=points, tricks=tricks, run=run)
    if result.won:
        assert result.value in VALUES
        assert result.value >= bid
        assert points >= 61
    else:
        assert result.value % (2 * BASE[game]) == 0
        assert -result.value >= 2 * bid or not result.overbid
