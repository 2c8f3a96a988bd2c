"""Fate: in one world every play that is tried meets the same luck, and over many worlds any luck."""

from collections import Counter
from itertools import permutations
from random import Random

from croupier.agents.search.common_chance import CommonChance
from croupier.server.games.game import Label

DEAL = Label("deal")


def test_one_card_more_leaves_the_others_in_their_order():
    """A player who bought something else still draws what he would have drawn, in the same order."""
    fate, cards = CommonChance(Random(1)), ["copper"] * 7 + ["silver"] * 3 + ["gold"]
    order = fate.shuffle(DEAL, cards)
    assert fate.shuffle(DEAL, cards[::-1]) == order != tuple(sorted(order))
    for more in ("silver", "province"):
        longer = list(fate.shuffle(DEAL, [*cards, more]))
        assert any(tuple(longer[:place] + longer[place + 1 :]) == order for place in range(len(longer)))


def test_another_label_and_another_world_are_other_luck():
    """The second shuffle says nothing of the first, nor one world of another."""
    cards, labels = (
        [f"c{number}" for number in range(20)],
        [Label("deal", seat, n) for seat in range(2) for n in range(3)],
    )
    orders = {fate.shuffle(label, cards) for fate in map(CommonChance, map(Random, range(3))) for label in labels}
    assert len(orders) == 3 * len(labels)


def test_every_order_comes_as_often_as_any_other():
    """Counted in full: the orders of four cards of which two are alike."""
    cards, rng = ("a", "a", "b", "c"), Random(2)
    found = Counter(CommonChance(rng).shuffle(DEAL, cards) for _ in range(6000))
    assert found.keys() == set(permutations(cards))
    expected = 6000 / len(found)
    assert (
        sum((number - expected) ** 2 / expected for number in found.values()) < 31.3
    )  # chi-squared, 11 degrees: 1 in 1000


def test_a_number_is_drawn_once():
    """Under the same label the same, in any bound each as likely."""
    rng = Random(3)
    assert len({fate.draw(DEAL, 1000) for fate in [CommonChance(rng)] for _ in range(5)}) == 1
    assert len(Counter(CommonChance(rng).draw(DEAL, 6) for _ in range(200))) == 6
