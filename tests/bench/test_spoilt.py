"""Faults of others make no verdict wrong: the simulations of the bench, a few of them, and all as a soak."""

import numpy as np
import pytest
from bench.spoilt import MARGIN, OF_OPPONENT, SETS, SHARES, held, wrong

from croupier.server.tournaments.statistics.stopping import Bounds


def test_intervals_hold_though_one_bot_of_four_fails_in_many_games():
    """Of thirty tournaments in which it fails in three games of ten, 93 percent or more, except by chance."""
    assert min(held(0.3, 60, 30).values()) >= 0.9


def test_the_faults_of_an_opponent_make_no_version_better():
    """Of ten trials of a bot against itself with an opponent that fails in nearly half its games."""
    assert sum(wrong(0.45, 0.0, None, seed) for seed in range(10)) <= 1


@pytest.mark.soak
@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("sets", SETS)
def test_coverage_with_faults(share, sets):
    """Means, differences, field and strength hold in 93 percent or more."""
    assert min(held(share, sets, 400).values()) >= 0.93


@pytest.mark.soak
@pytest.mark.parametrize("share", OF_OPPONENT)
@pytest.mark.parametrize("gap", [0.0, MARGIN])
@pytest.mark.parametrize("bounds", [None, Bounds(0, MARGIN)])
def test_verdicts_with_faults(share, gap, bounds):
    """Until sure and between two bounds, at most five percent are wrong, except by chance."""
    assert np.mean([wrong(share, gap, bounds, seed) for seed in range(400)]) <= 0.07
