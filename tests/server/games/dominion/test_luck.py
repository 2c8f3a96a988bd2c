"""The luck of a shuffle: nothing on average over all orders, whatever is shuffled, and with any players."""

from __future__ import annotations

from itertools import permutations
from random import Random
from statistics import fmean, stdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.protocol.dominion import PILES
from croupier.server.games.dominion.game import Dominion
from croupier.server.games.dominion.luck import gain, luck
from croupier.server.games.game import Dice, Label
from croupier.server.table.luck_tally import LuckTally

cards = st.sampled_from(PILES)


@settings(max_examples=25, deadline=None)
@given(reshuffles=st.integers(0, 9), pile=st.lists(cards, min_size=1, max_size=6), held=st.lists(cards, max_size=4))
def test_the_mean_over_all_orders_is_nothing(reshuffles, pile, held):
    """Enumerated in full: whatever has been bought, and whatever was left of the last deck."""
    assert fmean(gain(reshuffles, order, held) for order in permutations(pile)) == pytest.approx(0, abs=1e-9)


def test_two_hands_and_more_are_weighed_and_those_behind_them_by_a_table_of_their_own():
    """Seven cards behind a hand of three: all 5,040 orders, of which some are worth more than others."""
    pile = ["gold", "silver", "smithy", "copper", "estate", "estate", "province"]
    found = [gain(3, order, ["copper", "gold", "estate"]) for order in permutations(pile)]
    assert fmean(found) == pytest.approx(0, abs=1e-9)
    assert max(found) > 0.5 > -0.5 > min(found)


ALL_SORTS = "gold silver estate smithy copper province duchy copper moat mine copper estate"


@pytest.mark.parametrize(
    ("reshuffles", "order", "held", "found"),
    [
        (0, "copper " * 4 + "estate " * 3 + "copper " * 3, "", "0x1.7777777777778p-3"),
        (2, ALL_SORTS, "silver copper", "-0x1.05f28db47e308p-2"),
        (9, "copper gold copper estate " * 9, "gold gold gold gold", "0x1.4740cfc5cc72ep-1"),
    ],
)
def test_luck_is_the_same_to_the_last_bit_however_it_is_counted(reshuffles, order, held, found):
    """It is kept in stores, and verifying them computes it again: of two hands, two and a half, and seven."""
    assert gain(reshuffles, order.split(), held.split()).hex() == found


def test_what_one_wins_the_others_lose():
    """The order of a deck is its player's luck; the first deck has no hand before it."""
    order = ["copper"] * 5 + ["estate"] * 3 + ["copper"] * 2
    mine, other = luck(Label("deal", 0), order, (), 2)
    assert mine == -other != 0
    for seat in range(4):
        shares = luck(Label("reshuffle", seat, 1), order, (), 4)
        assert sum(shares) == pytest.approx(0)
        assert [other for other in range(4) if shares[other] == -3 * shares[seat - 1]] == [seat]


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
        lucky = LuckTally(Dominion, 2)
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
