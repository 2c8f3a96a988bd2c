"""Shares with bounds, and differences of them."""

import numpy as np
import pytest

from croupier.server.analysis.proportions import difference, image, share_by_deal, wilson
from croupier.server.tournaments.statistics.intervals import Interval


def test_wilson_gives_the_published_bounds():
    """Newcombe's example (1998): 81 of 263 are .308, between .2553 and .3662; none of 20 up to .1611."""
    found = wilson(81, 263)
    assert (round(found.low, 4), round(found.high, 4)) == (0.2553, 0.3662)
    assert wilson(0, 20)[:3] == pytest.approx((0, 0, 0.1611), abs=5e-5)


def test_a_difference_of_shares_has_newcombes_bounds():
    """His method 10: 56 of 70 less 48 of 80 is .2, between .0524 and .3339."""
    found = difference(wilson(56, 70), wilson(48, 80))
    assert (round(found.low, 4), round(found.high, 4)) == (0.0524, 0.3339)


def test_a_difference_needs_both_bounds():
    """The amount is told, the bounds are not made up."""
    assert difference(Interval(3.0, None, None, 9), Interval(1.0, 0.5, 1.5, 9)) == Interval(2.0, None, None, 9)


def test_games_of_one_deal_are_no_more_than_the_deal_tells():
    """Hits that come by whole deals have wider bounds than as many of games on their own."""
    deals = np.repeat(np.arange(40), 4)
    hits = np.repeat(np.arange(40) % 2, 4).astype(float)
    together, alone = share_by_deal(deals.tolist(), hits.tolist()), share_by_deal(list(range(160)), hits.tolist())
    assert together.mean == alone.mean == 0.5
    assert together.high - together.low > 1.8 * (alone.high - alone.low)


def test_a_share_of_all_has_bounds_too():
    """Where every game is a hit the deals tell it, as one game each."""
    found = share_by_deal([1, 1, 2, 2], [1.0] * 4)
    assert (found.mean, found.high) == (1, 1)
    assert found.low == wilson(2, 2).low


def test_the_image_of_an_interval_holds_the_peak_if_it_lies_inside():
    """A roof with its peak at a half: before it the bounds, across it the peak and the lower of the sides."""

    def roof(x):
        return min(x, 1 - x)

    assert image(Interval(0.2, 0.1, 0.3, 9), roof, peak=0.5) == Interval(0.2, 0.1, 0.3, 9)
    assert image(Interval(0.75, 0.25, 0.875, 9), roof, peak=0.5) == Interval(0.25, 0.125, 0.5, 9)
    assert image(Interval(0.75, 0.7, 0.875, 9), roof, peak=0.5)[1:3] == (0.125, pytest.approx(0.3))
