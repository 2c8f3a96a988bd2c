"""Strength: the most likely one, whatever order the games came in."""

from __future__ import annotations

import choix
import numpy as np
import pytest
from scipy import stats

from croupier.server.games.game import Game
from croupier.server.table.played_game import PlayedGame
from croupier.server.tournaments.statistics.improvement import Question, judge
from croupier.server.tournaments.statistics.standings import standings
from croupier.server.tournaments.statistics.stopping import Bounds
from croupier.server.tournaments.statistics.strength import POINTS, Comparisons, Counts, fit, strengths


def games(count=600, players=5, ties=0.0, seed=1):
    """Play games between players of strengths 0, 0.3, 0.6 and so on; return them one by one."""
    dice = np.random.default_rng(seed)
    one = dice.integers(players, size=count)
    other = (one + dice.integers(1, players, size=count)) % players
    one, other = np.minimum(one, other), np.maximum(one, other)
    tied = dice.random(count) < ties
    won = ~tied & (dice.random(count) < 1 / (1 + np.exp(0.3 * (other - one))))
    return Comparisons(one, other, np.arange(count) // 4, won + tied / 2)


def counts(played):
    """Drop the sets."""
    return Counts(played.one, played.other, played.score, np.ones(len(played.one)))


def test_without_ties_it_is_the_bradley_terry_model():
    """Another library's maximum likelihood agrees."""
    played = games()
    pairs = [
        (one, other) if won else (other, one)
        for one, other, won in zip(played.one.tolist(), played.other.tolist(), played.score.tolist(), strict=True)
    ]
    theirs = choix.opt_pairwise(5, pairs)
    ours = fit(counts(played), 5, ridge=1e-9)
    assert ours == pytest.approx(theirs - theirs.mean(), abs=1e-4)


def test_at_the_maximum_everybody_scores_what_is_expected():
    """The likelihood's slope is 0: a tie is half a win."""
    played = games(ties=0.3)
    at = fit(counts(played), 5, ridge=1e-12)
    expected = 1 / (1 + np.exp(at[played.other] - at[played.one]))
    for player in range(5):
        due = expected[played.one == player].sum() + (1 - expected[played.other == player]).sum()
        had = played.score[played.one == player].sum() + (1 - played.score[played.other == player]).sum()
        assert due == pytest.approx(had, abs=1e-6)


class Level(Game):
    """A game in which nothing but the places matters."""

    NAME, PENALTY, AWARD = "level", 0, 2


@pytest.mark.parametrize("ties", [0, 1, 3])
def test_the_table_and_the_test_between_two_bounds_mean_the_same_by_a_strength(ties):
    """However many games are tied for each that is not: 400 points are ten points of the game for one."""
    results = [(1, 2)] * 6 + [(2, 1)] * 4 + [(1, 1)] * 10 * ties
    pair = ("new", "old")
    games = [
        PlayedGame(pair, deal, pair, (2 - mine, 2 - yours), (mine, yours))
        for deal, (mine, yours) in enumerate(results * 30, 1)
    ]
    one, other = sorted(standings(games, Level).players, key=lambda player: player.name)
    ahead = 400 * np.log10((6 + 5 * ties) / (4 + 5 * ties))
    found = judge(games, Level, Question("old", "new", None, Bounds(ahead - 1, ahead + 1), "strength"))
    assert found.difference == pytest.approx(ahead)
    assert one.strength.mean - other.strength.mean == pytest.approx(ahead, abs=0.1)


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
        return fit(Counts(np.array([0]), np.array([1]), np.array([won]), np.array([won])), 2)[0]

    assert 0 < against_one(1.0) < against_one(10.0) < against_one(1000.0) < 10


def test_only_ties_are_equal_strengths_and_nobody_is_none():
    """The model's edges."""
    level = fit(Counts(np.array([0]), np.array([1]), np.full(1, 25.0), np.full(1, 50.0)), 2)
    assert level == pytest.approx([0, 0])
    empty = Comparisons(*(np.zeros(0, np.int64) for _ in range(3)), np.zeros(0))
    assert [found.mean for found in strengths(empty, 2)] == [0, 0]


def test_where_a_few_sets_carry_a_strength_its_bounds_are_students_of_so_few():
    """Most games are lost in three of sixteen sets: the spread is known from hardly more than two or three."""
    losses, each = np.array([5, 5, 4, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0]), 6
    lost = (np.arange(each) < losses[:, None]).ravel() * 1.0
    one, unit = np.zeros(len(lost), np.int64), np.repeat(np.arange(len(losses)), each)
    found, _ = strengths(Comparisons(one, one + 1, unit, 1 - lost), 2)
    off = losses - losses.mean()
    carry = (off**2).sum() ** 2 / (off**4).sum()
    spread = np.sqrt((off**2).sum() * 16 / 15) * POINTS / (2 * lost.mean() * (1 - lost.mean()) * len(lost))
    assert carry < 5
    twice = np.sqrt(2)  # just as many sets differ from the commonest as must, eight of sixteen
    assert found.high - found.mean == pytest.approx(stats.t.ppf(0.975, carry - 1) * spread * twice, rel=0.02)


@pytest.mark.parametrize(("won", "tied", "lost"), [(60, 40, 30), (30, 40, 60), (50, 0, 50)])
def test_elo_and_the_likelihood_of_superiority_are_the_usual_ones(won, tied, lost):
    """Of games on their own: from the share of points, and from wins less losses over the root of both."""
    results = [(1, 2)] * won + [(1, 1)] * tied + [(2, 1)] * lost
    pair = ("new", "old")
    games = [
        PlayedGame(pair, deal, pair, (2 - mine, 2 - yours), (mine, yours))
        for deal, (mine, yours) in enumerate(results, 1)
    ]
    [found] = standings(games, Level).cross
    assert (found.won, found.tied, found.lost) == (won, tied, lost)
    assert found.elo.strength.mean == pytest.approx(400 * np.log10((won + tied / 2) / (lost + tied / 2)))
    assert found.elo.los == pytest.approx(stats.norm.cdf((won - lost) / np.sqrt(won + lost)), abs=0.01)
    assert found.elo.strength.low < found.elo.strength.mean < found.elo.strength.high
    assert found.document()["los"] == round(found.elo.los, 4)
    assert found.opposite.elo.los == pytest.approx(1 - found.elo.los)
    assert (found.opposite.won, found.opposite.elo.strength) == (lost, found.elo.strength.opposite)


def test_elo_is_of_two_sides():
    """At a table of three there are none, and who has won everything has no number."""
    three = [PlayedGame(("a", "b", "c"), deal, ("a", "b", "c"), (3, 2, 1), (1, 2, 3)) for deal in range(20)]
    assert {each.elo for each in standings(three, Level).cross} == {None}
    two = [PlayedGame(("a", "b"), deal, ("a", "b"), (1, 0), (1, 2)) for deal in range(20)]
    assert standings(two, Level).cross[0].elo.strength[:3] == (None, None, None)
