"""Results from elsewhere get the intervals and verdicts that independent computations confirm."""

from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from scipy.optimize import brentq

from croupier.server.tournaments.foreign.results import ColumnNames, read_results
from croupier.server.tournaments.statistics.improvement import Question, judge, judge_counts
from croupier.server.tournaments.statistics.standings import standings
from croupier.server.tournaments.statistics.stopping import Bounds

TABLES = Path(__file__).parents[4] / "examples" / "results"
CHESS = read_results(
    (TABLES / "cutechess.pgn").read_text(),
    "cutechess.pgn",
    ColumnNames(deal=["Date", "Round", "ECO"]).for_chess(),
    low_wins=False,
)
CARDS = read_results(
    (TABLES / "duplicate.csv").read_text(),
    "duplicate.csv",
    ColumnNames(["player"], ["points"], ["board"], "seat"),
    low_wins=True,
)
"""Made by hand: 24 boards for four, each in four seatings."""
PUBLISHED = [
    (2.94, (-0.25, 1.25), (253, 4282, 17604, 4431, 286)),
    (2.97, (0.25, 1.25), (58, 3302, 33130, 3518, 84)),
    (2.96, (-0.25, 1.25), (491, 7345, 29693, 7670, 465)),
    (2.97, (0.25, 1.25), (53, 2220, 21459, 2445, 47)),
    (2.96, (-0.50, 1.50), (17, 253, 1042, 337, 39)),
    (2.93, (0.25, 1.75), (11, 407, 3238, 513, 11)),
    (2.94, (-0.25, 1.25), (115, 2196, 11328, 2317, 136)),
    (2.93, (0.25, 1.25), (14, 1030, 14318, 1163, 19)),
]
"""Log-likelihood ratio, bounds in Elo and pairs of games from 0 to 2 points, as fishtest printed them: pull requests
3209, 3098, 2971 and 3331 of official-stockfish/Stockfish."""


def differences(results, one, other):
    """Return the differences of two players' scores, game by game, as a list for each deal."""
    games, found = results.games, {}
    for deal, seating, scores in zip(games.deal.tolist(), games.seating.tolist(), games.scores.tolist(), strict=True):
        seat = games.seatings[seating].index
        found.setdefault(deal, []).append(scores[seat(one)] - scores[seat(other)])
    return list(found.values())


def bootstrap(deals):
    """Return the 95 % interval of the mean over games when deals are drawn again, bias-corrected by scipy."""
    total, games = np.array([(sum(deal), len(deal)) for deal in deals], float).T
    found = stats.bootstrap(
        (total, games), lambda sums, numbers, axis: sums.sum(axis) / numbers.sum(axis), paired=True, rng=1
    )
    return found.confidence_interval


def sign(interval):
    """Return 1 or -1 if the whole interval is on that side of 0, else 0."""
    return int(interval.low > 0) - int(interval.high < 0)


@pytest.mark.parametrize("results", [CHESS, CARDS], ids=["cutechess", "by hand"])
def test_a_bootstrap_over_deals_confirms_each_interval(results):
    """Ours is Student's and counts sets not yet seen, so it is wider, by up to a third; the decisions are the same."""
    table = standings(results.games, results.scoring)
    assert len(table.cross) in {1, 6}
    for pair in table.cross:
        drawn = bootstrap(differences(results, pair.one, pair.other))
        assert pair.score.mean == pytest.approx((drawn.low + drawn.high) / 2, abs=0.1 * (drawn.high - drawn.low))
        assert 1 < (pair.score.high - pair.score.low) / (drawn.high - drawn.low) < 4 / 3
        assert pair.score.sign == sign(drawn)


@pytest.mark.parametrize(
    ("results", "old", "new", "word"),
    [
        (CHESS, "Motors", "Initial Test", "undecided"),
        (CARDS, "low", "duck", "better"),
        (CARDS, "duck", "random", "worse"),
    ],
)
def test_a_verdict_agrees_with_the_bootstrap(results, old, new, word):
    """It is always valid, so it is decided later, but never for the other one."""
    found = judge(results.games, results.scoring, Question(old, new))
    drawn = bootstrap(differences(results, new, old))
    better = -sign(drawn) if results.scoring.LOW_WINS else sign(drawn)
    assert (found.word, better) == (word, {"better": 1, "worse": -1, "undecided": 0}[word])


def generalized_ratio(counts, low, high):
    """Return the logarithm of the generalized likelihood ratio of two means, by maximizing over all five shares.

    The likeliest shares with a mean are ``count / (1 + t * (result - mean))``: empirical likelihood (Owen, 1988).
    """
    number, result = np.array(counts, float), np.linspace(0, 1, 5)

    def log_likelihood(strength):
        off = result - 1 / (1 + 10 ** (-strength / 400))
        edges = -1 / off.max() + 1e-9, -1 / off.min() - 1e-9
        tilt = brentq(lambda t: float((number * off / (1 + t * off)).sum()), *edges)
        return -float((number * np.log(1 + tilt * off)).sum())

    return log_likelihood(high) - log_likelihood(low)


@pytest.mark.parametrize(("ratio", "bounds", "pairs"), PUBLISHED)
def test_the_ratio_of_counts_is_the_published_one(ratio, bounds, pairs):
    """Within 0.03: ours knows the five shares by their moments only, and counts a set not yet seen."""
    found = judge_counts(pairs, Question("old", "new", bounds=Bounds(*bounds), unit="strength"))
    assert generalized_ratio(pairs, *bounds) == pytest.approx(ratio, abs=0.006)
    assert found.test.ratio == pytest.approx(ratio, abs=0.03)
    assert found.sets == sum(pairs)


def test_counts_have_the_verdict_of_the_same_games_as_a_table():
    """After all games, the ratio and the interval do not depend on their order."""
    wins, draws, losses = 60, 50, 30
    lines = ["1,0"] * wins + ["0.5,0.5"] * draws + ["0,1"] * losses
    np.random.default_rng(7).shuffle(lines)
    text = "a,b,x,y\n" + "".join(f"new,old,{line}\n" for line in lines)
    results = read_results(text, "table", ColumnNames(["a", "b"], ["x", "y"]), low_wins=False)
    close = Question("old", "new", bounds=Bounds(-0.01, 0.01))  # so that nothing is decided before the last game
    counted = judge_counts((losses, draws, wins), close)
    assert counted.document() == judge(results.games, results.scoring, close).document()
    assert (counted.word, counted.sets, counted.difference) == ("undecided", 140, pytest.approx(30 / 140))


@pytest.mark.parametrize(("margin", "word"), [(5, "same"), (3, "undecided")])
def test_a_margin_is_in_the_unit_of_the_question(margin, word):
    """In strength, here between -0.99 and 3.77, a margin of 5 includes all of it."""
    found = judge_counts(PUBLISHED[0][2], Question("old", "new", margin, unit="strength"))
    assert (found.word, found.low > -1, 3 < found.high < 4) == (word, True, True)
