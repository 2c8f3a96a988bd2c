"""The published measures come out again: within what a hundred games then and a thousand now can tell."""

from math import sqrt

import pytest

from croupier.server import games
from croupier.server.analysis.basics import Facts
from croupier.server.analysis.measures import figures
from croupier.server.analysis.proportions import wilson
from croupier.server.analysis.run import AnalysisRun
from croupier.server.analysis.subject import Effort, Sizes, subject
from croupier.server.analysis.tables import Table

pytestmark = pytest.mark.soak

GAMES = 100
"""In which the published values were taken, of four players each."""
DUE = 1 / 4
ROUNDED = 0.005
"""By how much a published value may have been rounded."""


def analyzed(folder, game, options=None):
    """Analyze a game as it was published: a thousand games at each table, ten worlds an option."""
    rules = games.find(game)
    chosen = rules.read_options(options or {})
    one = subject("1", game, rules, chosen, 4, "published", Sizes(1000, 1000, 0), Effort(worlds=10))
    played = AnalysisRun(one, folder).play()
    return figures(Facts(4, rules.PARTNERS, rules.LOW_WINS), played).numbers, played


def overlaps(known, value, error):
    """Return whether an interval overlaps a published value with its own error."""
    return known.low <= value + error and value - error <= known.high


def of_order(value):
    """Return the error of an order that was taken in a hundred games."""
    won = DUE + value * (1 - DUE)
    return 1.96 * sqrt(won * (1 - won) / GAMES) / (1 - DUE)


def of_mean(known):
    """Return the error that a mean over games has in a hundred of them: that of ours, over fewer games."""
    return (known.high - known.low) / 2 * sqrt(known.sets / GAMES)


def of_fairness():
    """Return the error of a fairness near one that was taken in a hundred games."""
    return 1.96 * sqrt(DUE * (1 - DUE) / GAMES) / DUE


def test_agram(tmp_path):
    """Order .19, spread .05, drama .27, security .27, convergence .56, fairness .96."""
    numbers, _ = analyzed(tmp_path, "recycle:agram")
    assert overlaps(numbers["order"], 0.19, of_order(0.19))
    for name, value in {"spread": 0.05, "drama": 0.27, "security": 0.27, "convergence": 0.56}.items():
        assert overlaps(numbers[name], value, of_mean(numbers[name]) + ROUNDED)
    assert overlaps(numbers["fairness"], 0.96, of_fairness())


def test_pairs(tmp_path):
    """Spread .21, drama .41, security .24, convergence .50, fairness .92."""
    numbers, _ = analyzed(tmp_path, "recycle:pairs")
    for name, value in {"spread": 0.21, "drama": 0.41, "security": 0.24}.items():
        assert overlaps(numbers[name], value, of_mean(numbers[name]) + ROUNDED)
    assert numbers["convergence"].mean == 0.5
    assert overlaps(numbers["fairness"], 0.92, of_fairness())


def test_hearts(tmp_path):
    """Order .52, spread .14, drama .46, security .34, convergence .54, fairness .86; nine moons in a hundred games."""
    numbers, played = analyzed(tmp_path, "hearts", {"variant": "seed"})
    assert overlaps(numbers["order"], 0.52, of_order(0.52))
    assert overlaps(numbers["fairness"], 0.86, of_fairness())
    for name, value in {"spread": 0.14, "drama": 0.46, "security": 0.34, "convergence": 0.54}.items():
        assert overlaps(numbers[name], value, of_mean(numbers[name]) + ROUNDED)
    moons = wilson(sum(min(game.scores) == -26 for game in played[Table.THINKING]), len(played[Table.THINKING]))
    assert overlaps(moons, 0.09, 1.96 * sqrt(0.09 * 0.91 / GAMES))
