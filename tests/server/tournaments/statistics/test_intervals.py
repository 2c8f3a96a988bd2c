"""Intervals over sets hold what they promise."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from croupier.server.tournaments.statistics.intervals import ratio_intervals

TOURNAMENTS = 5_000
GAMES = 4


def simulated(size, tournaments=TOURNAMENTS, seed=0):
    """Simulate skewed scores of mean 6.5, from 0 to 26 as at Hearts, games of a set leaning the same way."""
    dice = np.random.default_rng([size, seed])
    share = dice.beta(3, 9, (tournaments, size, 1)) * np.ones(GAMES)
    return dice.binomial(26, share)


def held(bounds):
    """Return the share of intervals that hold the truth."""
    return np.mean([low <= 6.5 <= high for low, high in bounds])


def by_sets(games):
    """Return the intervals that the standings would show."""
    tournaments, size, each = games.shape
    groups = np.repeat(np.arange(tournaments), size * each)
    units = np.tile(np.repeat(np.arange(size), each), tournaments)
    return [(found.low, found.high) for found in ratio_intervals(groups, units, games.ravel(), tournaments)]


@pytest.mark.parametrize("size", [30, 100])
def test_nineteen_intervals_of_twenty_hold_the_truth_from_thirty_sets_on(size):
    """Five thousand simulated tournaments: 94 to 96 percent."""
    assert 0.94 <= held(by_sets(simulated(size))) <= 0.96


@pytest.mark.soak
@pytest.mark.parametrize("size", [10, 30, 100, 1000])
def test_coverage_at_every_size(size):
    """The same in pieces that fit the memory; at ten sets it is Student's t that keeps it above 93."""
    share = np.mean([held(by_sets(simulated(size, 500, seed))) for seed in range(10)])
    assert (0.94 if size >= 30 else 0.93) <= share <= 0.96


def test_the_game_as_the_unit_promises_too_much():
    """Games of one deal lean the same way: taking them for independent, more than one interval in ten misses."""
    games = simulated(100, 2000).reshape(2000, -1)
    half = stats.t.ppf(0.975, games.shape[1] - 1) * games.std(axis=1, ddof=1) / np.sqrt(games.shape[1])
    assert held(np.stack([games.mean(axis=1) - half, games.mean(axis=1) + half], axis=1)) < 0.9


def test_equal_sets_have_students_interval_over_their_means():
    """The textbook's formula, as another library computes it, except for one more game that goes as badly as any."""
    games = np.random.default_rng(3).normal(size=(12, GAMES))
    [found] = ratio_intervals([0] * games.size, np.repeat(np.arange(12), GAMES), games.ravel(), 1)
    farthest = np.abs(games - games.mean()).max()
    spread = stats.sem(games.mean(axis=1)) ** 2 + farthest**2 / games.size**2
    low, high = stats.t.interval(0.95, 11, games.mean(), np.sqrt(spread))
    assert found == pytest.approx((games.mean(), low, high, 12))


def test_what_has_not_come_yet_matters_ever_less():
    """Of many sets the interval is Student's, though any game may go very badly."""
    games = np.random.default_rng(3).normal(size=(2_000, GAMES))
    [found] = ratio_intervals([0] * games.size, np.repeat(np.arange(2_000), GAMES), games.ravel(), 1, worst=-9)
    half = stats.t.ppf(0.975, 1_999) * stats.sem(games.mean(axis=1))
    assert found.high - found.mean == pytest.approx(half, rel=0.02)


def test_one_set_has_a_mean_and_no_bounds_and_none_has_nothing():
    """What cannot be known is not shown."""
    one, none = ratio_intervals([0, 0], [7, 7], [1, 3], 2)
    assert one == (2, None, None, 1)
    assert none == (None, None, None, 0)
    assert ratio_intervals([], [], [], 1) == [none]


def over(values, worst=None):
    """Return the interval over sets of one game each."""
    [found] = ratio_intervals([0] * len(values), range(len(values)), values, 1, worst=worst)
    return found


TOLD = [1, -2, 5, 3, -4, 2, 4, -3, -1, -5]


@pytest.mark.parametrize(
    ("values", "worst"),
    [([1, 2, 3, 4], None), ([7] * 60, None), ([0] * 60 + TOLD[1:], None), (TOLD, 12), ([0] * 9 + [30, *TOLD], None)],
)
def test_no_interval_is_shown_before_the_sets_have_told_enough(values, worst):
    """Too few sets, too few that differ, a game that may come yet and would outweigh all so far, one that did."""
    found = over(values, worst)
    assert found.few
    assert (found.low, found.high, found.sets) == (None, None, len(values))


@pytest.mark.parametrize(("values", "worst"), [(TOLD, 5), (TOLD[:5], None), ([0] * 60 + TOLD, None), (TOLD * 20, 12)])
def test_where_they_have_it_is_students(values, worst):
    """Ten sets that differ are enough, however many are the same; and half of them where there are fewer."""
    found = over(values, worst)
    off = np.abs([*values, *([] if worst is None else [worst])] - np.mean(values))
    spread = stats.sem(values) ** 2 + (1 + (worst is not None)) * off.max() ** 2 / len(values) ** 2
    assert found.high - found.mean == pytest.approx(stats.t.ppf(0.975, len(values) - 1) * np.sqrt(spread), rel=0.02)


def test_a_large_unit_pulls_the_mean_and_is_given_its_weight():
    """Units of one to three games: 19 of 20 intervals still hold the truth, or nearly."""
    dice = np.random.default_rng(4)
    tournaments, sizes = 4_000, [3, 1, 2, 1, 3, 2, 2, 1]
    sets = np.repeat(np.arange(len(sizes)), sizes)
    games = dice.normal(size=(tournaments, len(sizes)))[:, sets]
    groups = np.repeat(np.arange(tournaments), len(sets))
    found = ratio_intervals(groups, np.tile(sets, tournaments), games.ravel(), tournaments)
    assert np.mean([each.low <= 0 <= each.high for each in found if not each.few]) > 0.93


def cards(sets, spread, tournaments=200):
    """Play sets of two games whose cards, which change sides, spread so much more than what is left; 0.7 is true."""
    dice = np.random.default_rng([sets, spread])
    dealt = dice.normal(size=(tournaments, sets, 1)) * spread * [1, -1]
    return dealt + dice.normal(size=(tournaments, sets, 2)) + 0.7


@pytest.mark.parametrize("spread", [1, 4, 8])
def test_cards_that_a_set_cancels_cost_no_power(spread):
    """However far off single games are, sets that vary enough show a difference as soon as Student's interval does."""
    found = by_sets(cards(60, spread))
    assert np.mean([low is not None and low > 0 for low, _ in found]) > 0.98
    held = [low <= 0.7 <= high for low, high in found if low is not None]
    assert np.mean(held) > 0.9
