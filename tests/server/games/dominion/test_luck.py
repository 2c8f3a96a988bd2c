"""The luck of a shuffle: nothing on average over all orders, whatever is shuffled, and whoever plays."""

from __future__ import annotations

from itertools import permutations
from random import Random
from statistics import fmean, stdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.protocol.dominion import PILES
from croupier.server.games.dominion.game import Dominion
from croupier.server.games.dominion.luck import gained, luck
from croupier.server.games.game import Dice, Label
from croupier.server.table.luck import Luck

cards = st.sampled_from(PILES)


@settings(max_examples=25, deadline=None)
@given(reshuffles=st.integers(0, 9), pile=st.lists(cards, min_size=1, max_size=6), held=st.lists(cards, max_size=4))
def test_the_mean_over_all_orders_is_nothing(reshuffles, pile, held):
    """Enumerated in full: whatever has been bought, and whatever was left of the last deck."""
    assert fmean(gained(reshuffles, order, held) for order in permutations(pile)) == pytest.approx(0, abs=1e-9)


def test_two_hands_and_more_are_weighed_and_those_behind_them_by_a_table_of_their_own():
    """Seven cards behind a hand of three: all 5,040 orders, of which some are worth more than others."""
    pile = ["gold", "silver", "smithy", "copper", "estate", "estate", "province"]
    found = [gained(3, order, ["copper", "gold", "estate"]) for order in permutations(pile)]
    assert fmean(found) == pytest.approx(0, abs=1e-9)
    assert max(found) > 0.5 > -0.5 > min(found)


def test_what_one_wins_the_others_lose():
    """The order of a deck is its player's luck; the first deck has no hand before it."""
    order = ["copper"] * 5 + ["estate"] * 3 + ["copper"] * 2
    mine, other = luck(Label("deal", 0), order, (), 2)
    assert mine == -other != 0
    assert sum(luck(Label("reshuffle", 2, 1), order, (), 4)) == pytest.approx(0)


def hostile(gains, game, dice):
    """Play to be rid of luck: buy the dearest while there was none, nothing any more once there was."""
    plays = list(game.legal())
    seat = game.active
    if gains()[seat] > 0:
        return next((play for play in plays if play[0] == "clean"), None) or dice.choice(plays)
    adds = [play for play in plays if play[0] == "add"]
    buys = [play for play in plays if play[0] == "buy"]
    return (adds or buys[::-1] or plays)[0]


def test_nobody_can_play_so_that_his_luck_is_not_nothing_on_average():
    """Not even who is told of it, and stops while he is ahead."""
    found = []
    for number in range(150):
        dice = Random(number)
        lucky = Luck(Dominion, 2)
        game = lucky.game = Dominion(("a", "b"), {"turns": 9}, Watched(Dice(dice), lucky))
        while game.turn is not None:
            game.play(game.turn, hostile(lambda: lucky.gains, game, dice))  # noqa: B023  used at once
        found.append(lucky.gains[0])
    assert abs(fmean(found)) < 4 * stdev(found) / len(found) ** 0.5
    assert stdev(found) > 0.5


class Watched:
    """A deal that tells of its shuffles."""

    def __init__(self, deal, lucky):
        self.deal, self.lucky = deal, lucky

    def shuffle(self, label, pile):
        """Shuffle, and tell."""
        order = self.deal.shuffle(label, pile)
        self.lucky.watch(label, order)
        return order
