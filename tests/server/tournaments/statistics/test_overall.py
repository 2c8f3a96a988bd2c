"""One ranking over several games: each in its own unit, with an interval that holds."""

import random
from dataclasses import replace

import numpy as np
import pytest

from croupier.server.table.played_game import PlayedGame
from croupier.server.tournaments.statistics.columns import Columns
from croupier.server.tournaments.statistics.credit import credit_games
from croupier.server.tournaments.statistics.field import field, field_means
from croupier.server.tournaments.statistics.intervals import Interval
from croupier.server.tournaments.statistics.overall import (
    GameScores,
    deviation_of_deal,
    in_deviations,
    overall,
    scores_so_far,
)
from croupier.server.tournaments.statistics.scoring import Scoring
from croupier.server.tournaments.statistics.standings import standings

RULES = Scoring("made up", LOW_WINS=False, PENALTY=-40.0)
LOW = RULES._replace(LOW_WINS=True, PENALTY=40.0)


def duels(seed, strength, deals=100, spread=10, sign=1):
    """Make up games of two between all pairs, each deal in both seatings."""
    dice, names = random.Random(seed), sorted(strength)
    for deal in range(1, deals + 1):
        for one in names:
            for other in names:
                if one != other:
                    lead = strength[one] - strength[other] + dice.gauss(0, spread)
                    scores = (round(sign * lead), round(-sign * lead))
                    yield PlayedGame(
                        tuple(sorted((one, other))), deal, (one, other), scores, (1, 2) if lead > 0 else (2, 1)
                    )


def game(name, games, rules=RULES, weight=1.0):
    """Return a game's scores in its unit."""
    games = Columns.of(games)
    players = standings(games, rules).players
    return GameScores(name, weight, in_deviations(players, deviation_of_deal(games, rules), low_wins=rules.LOW_WINS))


def test_a_game_counts_alike_whatever_its_scores_are_and_whichever_way_they_win():
    """A hundred times the points, or points against, change nothing."""
    strength = {"ann": 5, "ben": 0, "cat": -5}
    plain = game("one", duels(1, strength))
    large = game(
        "one",
        (each._replace(scores=tuple(100 * score for score in each.scores)) for each in duels(1, strength)),
        RULES._replace(PENALTY=-4000.0),
    )
    low = game("one", duels(1, strength, sign=-1), LOW)
    for name, score in plain.scores.items():
        assert list(large.scores[name]) == pytest.approx(list(score))
        assert low.scores[name].mean == pytest.approx(score.mean)
        assert low.scores[name].low < low.scores[name].mean < low.scores[name].high
    assert sum(score.mean for score in plain.scores.values()) == pytest.approx(0)


def test_the_unit_is_the_deviation_of_a_bots_mean_score_of_a_deal():
    """Of two games a deal with each of two others, of ten points' deviation each."""
    games = Columns.of(duels(1, {"ann": 50, "ben": 0, "cat": -50}, deals=400))
    assert deviation_of_deal(games, RULES) == pytest.approx(10 / 2, rel=0.1)


def test_a_weight_counts_a_game_that_much_more():
    """The mean is weighted, and so are the intervals: games have nothing in common."""
    scores = [
        GameScores("a", 3, {"ann": Interval(1.0, 0.0, 2.0, 100)}),
        GameScores("b", 1, {"ann": Interval(5.0, 3.0, 7.0, 100)}),
    ]
    score = overall(scores, ["ann"])[0].score
    assert score.mean == pytest.approx((3 * 1 + 5) / 4)
    assert score.high - score.mean == pytest.approx(np.hypot(3 * 1, 2) / 4, rel=0.02)
    assert score.mean - score.low == pytest.approx(score.high - score.mean)


def test_the_interval_of_the_whole_covers_the_truth():
    """Nineteen times of twenty."""
    covered, truth = [], 0.0
    strength = {"ann": 1.0, "ben": 1.0, "cat": 1.0, "dan": 1.0}
    for seed in range(60):
        games = [
            game(name, duels(f"{seed}{name}", strength, deals=30, spread=spread), RULES._replace(PENALTY=-4.0 * spread))
            for name, spread in (("x", 5), ("y", 50))
        ]
        covered += [line.score.low < truth < line.score.high for line in overall(games, strength)]
    assert 0.9 < np.mean(covered) < 0.99


def test_without_a_bot_in_a_game_an_author_counts_there_as_the_last():
    """To hand in fewer bots never pays."""
    both = {"ann": Interval(0.5, 0.4, 0.6, 50), "ben": Interval(-2.0, -2.1, -1.9, 50)}
    lines = overall(
        [GameScores("a", 1, both), GameScores("b", 1, {"ben": Interval(-1.0, -1.1, -0.9, 50)})], ["ann", "ben"]
    )
    assert [(line.name, line.score.mean) for line in lines] == [
        ("ann", pytest.approx(-0.25)),
        ("ben", pytest.approx(-1.5)),
    ]
    assert list(lines[0].games) == ["a"]


def test_one_that_has_not_played_is_last_without_a_score():
    """Also without a bound anywhere there is none of the whole."""
    lines = overall([GameScores("a", 1, {"ben": Interval(-3.0, None, None, 2)})], ["ann", "ben"])
    assert [(line.name, line.score) for line in lines] == [
        ("ben", Interval(-3.0, None, None, 2)),
        ("ann", Interval(None, None, None, 0)),
    ]


def test_the_quick_scores_are_those_of_the_standings():
    """Means, and scores against the field."""
    games = Columns.of(duels(1, {"ann": 5, "ben": 0, "cat": -5, "dan": 1}))
    counted = credit_games(games, RULES)
    assert list(field_means(counted).values()) == pytest.approx([each.mean for each in field(counted)])
    means = {player.name: player.score.mean for player in standings(games, RULES).players}
    assert scores_so_far(games, RULES, against_field=False) == pytest.approx(means)
    assert scores_so_far(games, RULES, against_field=True) == field_means(counted)


def test_while_the_field_is_hardly_known_the_plain_means_count_without_bounds():
    """As after the first rounds of a large field, when the fit may say anything."""

    def player(name, mean, against):
        some = standings(duels(1, {"ann": 0, "ben": 0}, deals=2), RULES).players[0]
        return replace(some, name=name, score=Interval(mean, mean - 1, mean + 1, 9), field=Interval(*against, 9))

    wild = [player("ann", 1.0, (40.0, -60.0, 140.0)), player("ben", -1.0, (-40.0, -140.0, 60.0))]
    known = [player("ann", 1.0, (1.5, 0.5, 2.5)), player("ben", -1.0, (-1.5, -2.5, -0.5))]
    assert in_deviations(wild, 2.0, low_wins=False)["ann"] == (0.5, None, None, 9)
    assert in_deviations(known, 2.0, low_wins=False)["ann"] == (0.75, 0.25, 1.25, 9)
