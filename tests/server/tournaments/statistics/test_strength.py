"""Strength: the most likely one, whatever order the games came in."""

from __future__ import annotations

import choix
import numpy as np
import pytest
from scipy import stats

from croupier.server.tournaments.statistics.strength import POINTS, Comparisons, Counts, fit, strengths


def games(count=600, players=5, ties=0.0, seed=1):
    """Play games between players of strengths 0, 0.3, 0.6 and so on; return won, lost, tied one by one."""
    dice = np.random.default_rng(seed)
    one = dice.integers(players, size=count)
    other = (one + dice.integers(1, players, size=count)) % players
    one, other = np.minimum(one, other), np.maximum(one, other)
    tied = dice.random(count) < ties
    won = ~tied & (dice.random(count) < 1 / (1 + np.exp(0.3 * (other - one))))
    return Comparisons(one, other, np.arange(count) // 4, won * 1.0, ~won & ~tied, tied * 1.0)


def counts(played):
    """Drop the sets."""
    return Counts(played.one, played.other, played.won, played.lost * 1.0, played.tied)


def test_without_ties_it_is_the_bradley_terry_model():
    """Another library's maximum likelihood agrees."""
    played = games()
    pairs = [
        (one, other) if won else (other, one)
        for one, other, won in zip(played.one.tolist(), played.other.tolist(), played.won.tolist(), strict=True)
    ]
    theirs = choix.opt_pairwise(5, pairs)
    ours = fit(counts(played), 5, ridge=1e-9)[:-1]
    assert ours == pytest.approx(theirs - theirs.mean(), abs=1e-4)


def test_at_the_maximum_everybody_scores_what_is_expected():
    """The likelihood's slope is nought: a tie is half a win, and as many ties are expected as there were."""
    played = games(ties=0.3)
    at = fit(counts(played), 5, ridge=1e-12)
    one, other, tie = at[played.one], at[played.other], at[-1]
    odds = np.exp([one, other, tie + (one + other) / 2])
    win, loss, level = odds / odds.sum(axis=0)
    for player in range(5):
        expected = (win + level / 2)[played.one == player].sum() + (loss + level / 2)[played.other == player].sum()
        scored = (played.won + played.tied / 2)[played.one == player].sum()
        scored += (played.lost + played.tied / 2)[played.other == player].sum()
        assert expected == pytest.approx(scored, abs=1e-6)
    assert level.sum() == pytest.approx(played.tied.sum(), abs=1e-6)


def test_the_order_of_the_games_does_not_matter():
    """Ratings that are updated game by game depend on it; this one does not."""
    played = games(ties=0.2)
    order = np.random.default_rng(9).permutation(len(played.one))
    mixed = Comparisons(*(column[order] for column in played))
    for one, other in zip(strengths(played, 5), strengths(mixed, 5), strict=True):
        assert one == pytest.approx(other)


def test_intervals_hold_the_true_differences():
    """Four hundred points are odds of ten to one."""
    found = strengths(games(4000, ties=0.1), 5)
    middle = np.mean([POINTS * 0.3 * player for player in range(5)])
    for player, interval in enumerate(found):
        assert interval.low < POINTS * 0.3 * player - middle < interval.high
        assert interval.high - interval.low < 60


def test_who_never_lost_has_a_finite_strength():
    """And a greater one the more he has won."""

    def against_one(won):
        return fit(Counts(np.array([0]), np.array([1]), np.array([won]), np.zeros(1), np.zeros(1)), 2)[0]

    assert 0 < against_one(1.0) < against_one(10.0) < against_one(1000.0) < 10


def test_only_ties_are_equal_strengths_and_nobody_is_none():
    """The model's edges."""
    level = fit(Counts(np.array([0]), np.array([1]), np.zeros(1), np.zeros(1), np.full(1, 50.0)), 2)
    assert level[:2] == pytest.approx([0, 0])
    empty = Comparisons(*(np.zeros(0, np.int64) for _ in range(3)), *(np.zeros(0) for _ in range(3)))
    assert [found.mean for found in strengths(empty, 2)] == [0, 0]


def test_where_a_few_sets_carry_a_strength_its_bounds_are_students_of_so_few():
    """Most games are lost in three of sixteen sets: the spread is known from hardly more than two or three."""
    losses, each = np.array([5, 5, 4, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0]), 6
    lost = (np.arange(each) < losses[:, None]).ravel() * 1.0
    one, unit = np.zeros(len(lost), np.int64), np.repeat(np.arange(len(losses)), each)
    found, _ = strengths(Comparisons(one, one + 1, unit, 1 - lost, lost, one * 0.0), 2)
    off = losses - losses.mean()
    carry = (off**2).sum() ** 2 / (off**4).sum()
    spread = np.sqrt((off**2).sum() * 16 / 15) * POINTS / (2 * lost.mean() * (1 - lost.mean()) * len(lost))
    assert carry < 5
    twice = np.sqrt(2)  # just as many sets differ from the commonest as must, eight of sixteen
    assert found.high - found.mean == pytest.approx(stats.t.ppf(0.975, carry - 1) * spread * twice, rel=0.02)
