"""Deals nobody can predict or doubt."""

import hashlib
import pickle
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.protocol.cards import PACK_52
from croupier.server.deals import Key, Listed, Proven, RecordedDeal, WrongShuffle
from croupier.server.games.game import Label

LABELS = st.builds(
    Label, st.sampled_from(["deal", "reshuffle"]), st.none() | st.integers(0, 3), st.none() | st.integers(1, 9)
)


@given(LABELS, LABELS, st.integers(1, 99), st.integers(1, 99))
def test_a_shuffle_belongs_to_its_key_deal_and_label(one, other, first, second):
    """Equal key, deal and label: equal order; anything else: another."""
    key = Key.from_seed("k")
    order = key.deal(first).shuffle(one, PACK_52)
    assert order == key.deal(first).shuffle(one, tuple(reversed(PACK_52)))
    assert (order == key.deal(second).shuffle(other, PACK_52)) == ((one, first) == (other, second))
    assert sorted(order) == sorted(PACK_52)


@pytest.mark.parametrize(
    ("size", "sha256"),
    [
        (2, "99048ab957e9e68b"),
        (10, "5d05823ca923e6a0"),
        (52, "65bd2dc30f32fcd2"),
        (150, "b7fba6e9539bb687"),
        (256, "b70f85ef129fa7c3"),
        (257, "91602f38947dfe36"),
        (700, "a4bc0a25f3a24aa7"),
    ],
)
def test_the_order_of_a_key_is_the_same_in_every_version(size, sha256):
    """Revealed keys must prove old records: within a round of SHAKE-256, over its blocks, and beyond a byte a place."""
    order = Key.from_seed("k").deal(7).shuffle(Label("reshuffle", 1, 3), [f"{place:03}" for place in range(size)])
    assert hashlib.sha256(" ".join(order).encode()).hexdigest().startswith(sha256)


@pytest.mark.parametrize(("number", "sha256"), [(1, "cf86cf2976499de0"), (7, "aa0bc5d41e38825b")])
def test_the_order_of_a_deal_s_own_key_is_the_same_in_every_version(number, sha256):
    """A tournament's deals have keys of their own, and a revealed key must prove their records, too."""
    deal = Key(Key.from_seed("k").secret, "17 23", by_deal=True).deal(number)
    order = deal.shuffle(Label("reshuffle", 1, 3), PACK_52)
    said = [*order, deal.draw(Label("die"), 1000), deal.stand_in(2)]
    assert hashlib.sha256(" ".join(map(str, said)).encode()).hexdigest().startswith(sha256)


def test_a_deal_with_a_key_of_its_own_tells_nothing_of_the_tournament_s():
    """What a machine is given to play it: its own secret, and what everybody knows."""
    key = Key(b"first" * 6, "17 23", {5: b"later" * 6}, by_deal=True)
    for number in (1, 2, 5, 6):
        sent = pickle.dumps(key.deal(number))
        assert key.secret not in sent
        assert key.later[5] not in sent
        same, orders = pickle.loads(sent), [key.deal(each).shuffle(Label("deal"), PACK_52) for each in (1, 2, 5, 6)]
        assert orders.count(same.shuffle(Label("deal"), PACK_52)) == 1
        assert same.commitment == key.of(number).commitment


def test_fresh_keys_differ_and_commit():
    """A key is random, and its commitment is its SHA-256."""
    assert Key.fresh().secret != Key.fresh().secret
    assert len(Key.fresh().secret) == 32
    assert Key(b"").commitment == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def test_a_public_text_changes_the_deals_and_not_the_commitment():
    """Not even the organizer can choose the deals."""
    one, other = Key(b"secret"), Key(b"secret", "lottery 4 8 15")
    assert one.commitment == other.commitment
    assert one.deal(1).shuffle(Label("deal"), PACK_52) != other.deal(1).shuffle(Label("deal"), PACK_52)


def test_every_place_is_as_likely_for_every_card():
    """Chi-square over 2,600 deals of a card's place stays far below what bias would give."""
    places = Counter(Key.from_seed("fair").deal(n).shuffle(Label("deal"), PACK_52).index("hA") for n in range(2600))
    chi_square = sum((places[place] - 50) ** 2 / 50 for place in range(52))
    assert chi_square < 100


def test_recorded_keeps_each_shuffle_once():
    """What was shuffled is asked for once."""
    deal = RecordedDeal(Key.from_seed("k").deal(1))
    order = deal.shuffle(Label("deal"), ["a", "b"])
    assert deal.new() == [(Label("deal"), order)]
    assert deal.new() == []


@pytest.mark.parametrize("cards", [("a", "b"), ("a", "b", "b"), ("a", "b", "c", "d"), ("a", "b", "d")])
def test_a_listed_shuffle_is_the_pile_or_refused(cards):
    """Exactly the same multiset of cards."""
    deal = Listed()
    deal.orders.append(cards)
    with pytest.raises(WrongShuffle):
        deal.shuffle(Label("deal"), ("c", "b", "a"))


def test_a_number_is_drawn_alone():
    """It belongs to its key, deal, label and bound, is kept as one card, and is the same when it is listed."""
    label = Label("random", number=1)
    numbers = [Key.from_seed("k").deal(n).draw(label, 100_000) for n in range(50)]
    assert numbers == [Key.from_seed("k").deal(n).draw(label, 100_000) for n in range(50)]
    assert len(set(numbers)) > 40
    assert Counter(Key.from_seed("fair").deal(n).draw(label, 3) for n in range(300)).keys() == {0, 1, 2}
    kept = RecordedDeal(Key.from_seed("k").deal(7))
    assert kept.draw(label, 100_000) == numbers[7]
    assert kept.new() == [(label, (str(numbers[7]),))]
    for deal in (Listed(), Proven(Key.from_seed("k").deal(7))):
        deal.orders.append((str(numbers[7]),))
        assert deal.draw(label, 100_000) == numbers[7]


@pytest.mark.parametrize("order", [(), ("1", "0"), ("2",), ("-1",), ("x",), ("1" * 5000,)])
def test_a_listed_number_is_one_of_those_there_are_or_refused(order):
    """One card, and a number below the bound."""
    deal = Listed()
    deal.orders.append(order)
    with pytest.raises(WrongShuffle, match="one number from 0 to 1 is drawn here"):
        deal.draw(Label("random"), 2)
    with pytest.raises(WrongShuffle, match="missing"):
        deal.draw(Label("random"), 2)


def test_a_proven_number_is_the_key_s():
    """Another number is refused, also where it is possible."""
    deal = Proven(Key.from_seed("k").deal(7))
    deal.orders.append((str((Key.from_seed("k").deal(7).draw(Label("random"), 9) + 1) % 9),))
    with pytest.raises(WrongShuffle, match="the key gives"):
        deal.draw(Label("random"), 9)


def test_a_proven_shuffle_is_the_key_s_and_whoever_watches_is_told_once():
    """What is not even the pile is called so; another order of the pile is not what the key gives."""
    told, label = [], Label("deal")
    deal = Proven(Key.from_seed("k").deal(7), lambda *what: told.append(what))
    right = Key.from_seed("k").deal(7).shuffle(label, "abcd")
    deal.orders += [right, right[::-1], (*right[:3], "e")]
    assert deal.shuffle(label, "abcd") == right
    assert told == [(label, right)]
    for why in ("the key gives for deal 7", "the shuffle has e too many", "is missing"):
        with pytest.raises(WrongShuffle, match=why):
            deal.shuffle(label, "abcd")


def test_labels_name_seats_by_their_players():
    """A record shows the name, the key knows the seat."""
    assert Label("deal").text(["ann", "bob"]) == "deal"
    assert Label("deal", number=2).text(["ann", "bob"]) == ("deal", 2)
    assert Label("reshuffle", 1, 3).text(["ann", "bob"]) == ("reshuffle", "bob", 3)
