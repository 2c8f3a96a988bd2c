"""Luck's share, by scores whose sources are known because they were drawn from them."""

import numpy as np
import pytest
from analyses import played

from croupier.server.analysis.variance import estimate, variance_shares


def scores(deals, *, deal=0.0, seat=0.0, player=0.0, rest=0.0, seats=4, seed=5):
    """Draw scores by deal, place and seat from sources of these standard deviations; the player's is his lead."""
    dice = np.random.default_rng(seed)
    cards = dice.normal(0, 1, (deals, 1, seats)) * deal
    chairs = np.linspace(-1, 1, seats) * seat
    return cards + chairs + np.eye(seats) * player + dice.normal(0, 1, (deals, seats, seats)) * rest


def test_each_source_alone_explains_everything():
    """The rest is rounding."""
    assert estimate(scores(400, deal=1))[0] == pytest.approx(1, abs=0.01)
    assert estimate(scores(9, seat=1)) == pytest.approx([0, 1, 0, 0])
    assert estimate(scores(9, player=1)) == pytest.approx([0, 0, 1, 0])


def test_what_is_only_chance_is_nobodys():
    """Without bias: chance within a deal is not taken for the deal's, the seat's or the player's."""
    assert estimate(scores(4000, rest=1)) == pytest.approx([0, 0, 0, 1], abs=0.03)


def test_sources_share_by_their_variance():
    """Deal 4, seat 5/9 of 1, player 3/16 of 4, rest 1."""
    parts = np.array([4, 5 / 9, 0.75, 1])
    assert estimate(scores(4000, deal=2, seat=1, player=2, rest=1)) == pytest.approx(parts / parts.sum(), abs=0.04)


def test_the_bounds_hold_the_truth():
    """Of forty analyses of half deal and half rest at least thirty-four hold it: 38 are to be expected."""
    held = 0
    for seed in range(40):
        drawn = scores(80, deal=1, rest=1, seed=seed)
        games = [
            played(row.tolist(), deal=deal, place=place)
            for deal, rows in enumerate(drawn)
            for place, row in enumerate(rows)
        ]
        found = variance_shares(games, 4)
        held += found.deal.low <= 0.5 <= found.deal.high
    assert held >= 34


def test_scores_that_never_differ_have_no_luck():
    """Nor have too few deals; a deal of which a seating is missing does not count."""
    assert variance_shares([played([0, 0], deal=deal, place=place) for deal in range(9) for place in (0, 1)], 2) is None
    assert (
        variance_shares([played([deal, place], deal=deal, place=place) for deal in range(3) for place in (0, 1)], 2)
        is None
    )
    assert variance_shares([played([deal, 1], deal=deal, place=0) for deal in range(9)], 2) is None
