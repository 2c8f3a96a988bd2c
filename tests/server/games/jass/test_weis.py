"""Weis: what may be shown, what it is worth, and whose is the best."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.protocol.cards import PACK_36
from croupier.server.games.jass.weis import is_shown, showings, weis, winning

hands = st.sets(st.sampled_from(PACK_36), min_size=9, max_size=9)


def points(cards, contract="o"):
    """Add up what these cards are worth, shown together."""
    return sum(one.points for one in weis(cards.split(), contract))


@pytest.mark.parametrize(
    ("cards", "worth"),
    [
        ("c6 c7 c8", 20),
        ("h9 hT hJ hQ", 50),
        ("sT sJ sQ sK sA", 100),
        ("s6 s7 s8 s9 sT sJ", 100),
        ("cJ dJ hJ sJ", 200),
        ("c9 d9 h9 s9", 150),
        ("cA dA hA sA", 100),
        ("cK dK hK sK", 100),
        ("cQ dQ hQ sQ", 100),
        ("cT dT hT sT", 100),
        ("c8 d8 h8 s8", 0),
        ("c6 c7 d8", 0),
        ("cK cA c6", 0),
    ],
)
def test_a_sequence_counts_by_its_length_and_a_four_by_its_rank(cards, worth):
    """Three neighbors are 20, four 50, five and more 100; four jacks 200, nines 150, tens to aces 100."""
    assert points(cards) == worth


def test_a_card_serves_in_a_sequence_and_in_a_four():
    """The nine of hearts counts with its neighbors and with the other nines."""
    assert points("h8 h9 hT c9 d9 s9") == 170


def test_two_sequences_of_a_suit_count_each():
    """A gap makes two sequences of one suit."""
    assert points("c6 c7 c8 cT cJ cQ") == 40


def test_what_belongs_to_nothing_is_no_weis():
    """Every card that is shown belongs to a sequence or a four among the cards shown."""
    assert is_shown(["h7", "h6", "h8"])
    assert is_shown([])
    assert not is_shown(["h6", "h7", "h8", "hT"])
    assert not is_shown(["h6", "h7"])


def test_a_hand_may_show_all_part_or_nothing():
    """Of a sequence of four, the four, either three, or nothing may be shown."""
    assert showings(["c6", "hA", "hK", "hQ", "hJ"]) == [
        ("hJ", "hQ", "hK", "hA"),
        ("hJ", "hQ", "hK"),
        ("hQ", "hK", "hA"),
        (),
    ]


@given(hands)
def test_what_may_be_shown_is_what_is_made_of_weis(hand):
    """Each showing is listed once, with cards of the hand that all belong to Weis, and few enough to be listed."""
    listed = showings(hand)
    assert len(set(listed)) == len(listed) <= 64
    assert all(is_shown(cards) and set(cards) <= hand for cards in listed)
    assert listed[-1] == ()


@given(st.sets(st.sampled_from(PACK_36), max_size=9), st.randoms(use_true_random=False))
def test_every_showing_is_listed(hand, rng):
    """Whatever part of a hand is made of Weis is among its showings."""
    part = {card for card in hand if rng.random() < 0.8}
    assert is_shown(tuple(part)) == (part in map(set, showings(hand)))


@pytest.mark.parametrize(
    ("better", "worse", "contract"),
    [
        ("c6 c7 c8 c9", "hQ hK hA", "h"),
        ("s6 s7 s8 s9 sT", "cA dA hA sA", "o"),
        ("s6 s7 s8 s9 sT sJ", "hT hJ hQ hK hA", "o"),
        ("cA dA hA sA", "cK dK hK sK", "o"),
        ("cK dK hK sK", "cA dA hA sA", "u"),
        ("c9 cT cJ", "h8 h9 hT", "o"),
        ("h8 h9 hT", "c9 cT cJ", "u"),
        ("h8 h9 hT", "c8 c9 cT", "h"),
    ],
)
def test_points_then_length_then_height_then_trumps_decide(better, worse, contract):
    """Of equal points the longer wins, then the higher (in Undenufe the lower), then the trumps, in any order."""
    for first, second in ((better, worse), (worse, better)):
        shown = {3: first.split(), 0: second.split()}
        assert shown[winning(shown, contract)] == better.split()


def test_of_two_alike_the_earlier_wins():
    """Where nothing else decides, who showed first has the best."""
    shown = {2: ["c8", "c9", "cT"], 3: ["h8", "h9", "hT"], 1: []}
    assert winning(shown, "s") == 2


def test_nobody_wins_with_nothing():
    """Where nobody has shown anything there is no best Weis."""
    assert winning({0: [], 1: [], 2: [], 3: []}, "h") is None
