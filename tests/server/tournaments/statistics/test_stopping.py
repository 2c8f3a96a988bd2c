"""Stopping: it may be asked after every set, and stops both ways."""

from __future__ import annotations

import numpy as np
import pytest
from contests import Here, contest, document, pretend, settings
from scipy import stats

from croupier.server.games.game import Game
from croupier.server.table.played_game import PlayedGame
from croupier.server.tournaments.statistics.stopping import (
    ALPHA,
    EFFECT,
    Watch,
    decide,
    decisions,
    is_sure,
    sequence,
    t_boundary,
)

EQUALS = {
    "normal": lambda dice, shape: dice.normal(size=shape),
    "skewed": lambda dice, shape: dice.gamma(2, size=shape) - 2,
    "win or loss": lambda dice, shape: dice.choice([-1.0, 0, 0, 1], shape),
    "long tails": lambda dice, shape: dice.standard_t(3, shape),
}


class High(Game):
    """A game for two."""

    NAME, PENALTY, AWARD = "high", -10, 1


def alarms(make, tournaments, sets, seed=1):
    """Return how many tournaments between equals ever showed a difference, watched after every set."""
    low, high = sequence(make(np.random.default_rng(seed), (tournaments, sets)))
    return np.mean(((low > 0) | (high < 0)).any(axis=1))


@pytest.mark.parametrize("kind", EQUALS)
def test_false_alarms_stay_under_the_stated_rate(kind):
    """Watched after each of 500 sets."""
    assert alarms(EQUALS[kind], 1000, 500) < ALPHA


@pytest.mark.soak
@pytest.mark.parametrize("kind", EQUALS)
def test_false_alarms_stay_under_the_stated_rate_for_long(kind):
    """Watched after each of 5,000 sets."""
    assert np.mean([alarms(EQUALS[kind], 500, 5_000, seed) for seed in range(10)]) < ALPHA


def test_the_reach_is_where_the_mixed_likelihood_ratio_meets_its_bound():
    """Integrating Student's ratio over normal effects by quadrature, at the bound it is 1 / alpha."""
    for number in (50, 300):
        t = float(t_boundary(number))
        effects = np.linspace(-6 * EFFECT, 6 * EFFECT, 801)
        root = np.sqrt(number - 1)
        spreads = np.linspace(0.2, 2, 2001)
        weights = spreads * stats.chi.pdf(spreads * root, number - 1) * root
        density = stats.norm.pdf(t * spreads - effects[:, None] * np.sqrt(number)) * weights
        ratio = np.trapezoid(density, spreads, axis=1) / stats.t.pdf(t, number - 1)
        mixed = np.trapezoid(ratio * stats.norm.pdf(effects, scale=EFFECT), effects)
        assert mixed == pytest.approx(1 / ALPHA, rel=0.01)


def test_a_difference_is_found():
    """And the interval that decided it leaves out 0."""
    values = np.random.default_rng(2).normal(0.5, 1, 1000)
    found = decide(values)
    assert found.verdict == "different"
    assert 0 < found.low < 0.5 < found.high
    assert found.sets < 150


def test_equals_are_alike_once_the_interval_lies_inside_the_margin():
    """Without a margin nothing can prove that."""
    values = np.random.default_rng(3).normal(0, 1, 3000)
    assert decide(values, margin=0.2).verdict == "alike"
    assert decide(values).verdict is None


def test_a_few_equal_sets_are_no_proof():
    """Ten wins by one point might be luck; games that were all level might still differ."""
    assert decide([1.0] * 10).verdict is None
    assert decide([0.0] * 10, margin=0.5, worst=[1.0] * 10).verdict is None
    assert decide([0.0] * 500, margin=0.5, worst=[1.0] * 500).verdict == "alike"
    assert decide([]).verdict is None


def test_once_sure_it_stays_sure():
    """Later sets do not change what was decided, so that it does not matter when one looks."""
    values = np.random.default_rng(4).normal(0.5, 1, 1000)
    first = decide(values).sets
    assert decide(values[:first]) == decide(values[: first + 50]) == decide(values)
    assert decide(values[: first - 1]).verdict is None


def test_scores_of_hundreds_stop_as_soon_as_scores_of_one():
    """The spread is measured, not bounded beforehand."""
    values = np.random.default_rng(5).normal(0.3, 1, 2000)
    assert decide(values, 0.2).sets == decide(values * 300, 60).sets


def test_many_players_share_the_chance_of_an_error():
    """Each pair is decided on its own sets, in the order of the deals."""
    dice = np.random.default_rng(6)
    rows = [
        PlayedGame(("a", "b", "c"), deal, ("a", "b", "c"), (*map(int, dice.normal([9, 5, 5], 3)),), (1, 2, 3))
        for deal in range(200)
    ]
    found = decisions(rows, High, [("a", "b"), ("a", "c"), ("b", "c")], margin=5)
    assert {pair: decision.verdict for pair, decision in found.items()} == {
        ("a", "b"): "different",
        ("a", "c"): "different",
        ("b", "c"): "alike",
    }
    assert found == decisions(rows[::-1], High, [("a", "b"), ("a", "c"), ("b", "c")], margin=5)
    assert is_sure(found)
    assert not is_sure(decisions(rows, High, [("a", "b"), ("a", "new"), ("b", "new")], margin=5))


def test_a_look_sees_what_has_come_since_and_finds_what_all_at_once_would():
    """Of the sets before no more is kept than sums: each look costs the same."""
    dice = np.random.default_rng(7)
    rows = [PlayedGame(("a", "b"), deal, ("a", "b"), (*map(int, dice.normal(6, 3, 2)),), (1, 2)) for deal in range(300)]
    watch = Watch(High, [("a", "b")], margin=1.5)
    for start in range(0, 300, 7):
        watch.look(rows[start : start + 7])
    assert watch.decided == decisions(rows, High, [("a", "b")], margin=1.5)
    assert watch.decided["a", "b"].verdict == "alike"


def test_in_the_long_run_it_is_the_asymptotic_confidence_sequence():
    """Robbins' mixture for a known spread: the other theorem's formula."""
    number = np.array([10_000.0, 1_000_000])
    growth = EFFECT**2 * number + 1
    theirs = np.sqrt(2 * growth / (growth - 1) * np.log(np.sqrt(growth) / ALPHA))
    assert t_boundary(number) == pytest.approx(theirs, rel=1e-3)


def test_until_sure_stops_when_the_difference_is_known(tmp_path):
    """Clear differences are found long before the cap."""
    crew = Here(pretend(lambda name, deal: {"a": 1, "b": 5, "c": 9, "d": 13}[name[0]] + deal % 3))
    contest(tmp_path, settings(deals=5_000, until_sure=True), crew)
    assert document(tmp_path)["games"] < 4 * 1_000
    assert document(tmp_path)["finished"]


def test_until_sure_stops_when_the_difference_does_not_matter(tmp_path):
    """Equals are found out too, if it is said what matters; without a margin they play to the cap."""
    crew = Here(pretend(lambda name, deal: 5 + (ord(name[0]) * deal * 7919) % 3))
    contest(tmp_path / "margin", settings(deals=5_000, until_sure=True, margin=1.0), crew)
    assert document(tmp_path / "margin")["games"] < 4 * 5_000
    contest(tmp_path / "none", settings(deals=200, until_sure=True), Here(pretend(lambda name, deal: 5)))
    assert document(tmp_path / "none")["games"] == 4 * 200


def test_until_sure_stops_at_the_same_set_wherever_the_run_was_broken(tmp_path):
    """Batches that were played ahead do not count before their turn."""

    def asked():
        return settings(deals=2_000, until_sure=True)

    def scores(name, deal):
        return {"a": 1, "b": 3, "c": 5, "d": 7}[name[0]] + (deal * ord(name[0])) % 11

    contest(tmp_path / "whole", asked(), Here(pretend(scores)))
    crew = Here()

    def broken(job, stopped):
        if len(crew.jobs) > 2:
            raise KeyboardInterrupt
        return pretend(scores)(job, stopped)

    crew.play = broken
    with pytest.raises(KeyboardInterrupt):
        contest(tmp_path / "broken", asked(), crew)
    contest(tmp_path / "broken", asked(), Here(pretend(scores)))
    assert document(tmp_path / "broken") == document(tmp_path / "whole")


def test_cards_that_a_set_cancels_do_not_make_it_wait():
    """A game that is far off by its cards counts only while a few sets carry all that is known."""
    values = np.random.default_rng(5).normal(0.5, 1, 1000)
    assert decide(values, worst=np.full(1000, 24)).sets == pytest.approx(decide(values).sets, abs=30)
    few = np.where(np.arange(1000) % 100 == 0, 3.0, 0.0)
    assert decide(few[:300], worst=np.full(300, 24)).verdict is None
