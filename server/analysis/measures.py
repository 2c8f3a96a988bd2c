"""Measures: the numbers of an analysis, each with its 95 % interval.

A lead is an expected place between 0, the last, and 1, the first. The formulas are those published for RECYCLE games;
where several share the first place, each is a winner and they are averaged. Changes of the lead are counted in this
project's own way.
"""

from __future__ import annotations

from math import sqrt
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from croupier.server.analysis.basics import Sample, basics, clustered_mean, mean
from croupier.server.analysis.proportions import image, share_by_deal
from croupier.server.analysis.tables import Table
from croupier.server.analysis.variance import variance_shares
from croupier.server.tournaments.statistics.intervals import FINE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from croupier.server.analysis.basics import Basics, Facts
    from croupier.server.analysis.tables import AnalyzedGame
    from croupier.server.analysis.variance import VarianceShares
    from croupier.server.tournaments.statistics.intervals import Interval


WON = 0.8
"""A winner with a higher lead is safe."""
CLEARLY = 0.1
"""A lead counts as higher than another only by this much."""


def danger_line(players: int) -> float:
    """Return the lead up to which a winner is in danger: halfway from the first place to the second.

    A lead exactly there counts as danger, as in the published values; a small tolerance allows for sums of floats.
    """
    return (1 + (players - 2) / (players - 1)) / 2 + FINE


def drama(game: AnalyzedGame) -> float:
    """Return how much danger the winner was in: the mean root of the missing lead, over the moments of danger."""
    line = danger_line(len(game.ranks))
    return fmean(fmean([sqrt(line - lead) for lead in history if lead < line] or [0.0]) for history in _histories(game))


def security(game: AnalyzedGame) -> float:
    """Return the share of moments at which the winner was not in danger."""
    line = danger_line(len(game.ranks))
    return fmean(fmean(lead >= line for lead in history) for history in _histories(game))


def decisiveness(game: AnalyzedGame) -> float | None:
    """Return how soon a game is over once it is decided: 1 if it is decided by the winner's last choice, or never.

    None if no winner ever chose.
    """
    found = [share for seat in game.winners if (share := _decision(game, seat)) is not None]
    return fmean(found) if found else None


def _decision(game: AnalyzedGame, seat: int) -> float | None:
    """Return the share of a winner's choices up to the first at which it was safe."""
    own = [moment.leads[seat] for moment in game.moments if moment.seat == seat]
    if not own:
        return None
    return next((number for number, lead in enumerate(own, 1) if lead > WON), len(own)) / len(own)


def changes(game: AnalyzedGame) -> int:
    """Count clear changes of the lead, because leads from a few worlds fluctuate by chance.

    Leads are averaged over as many choices as there are players, and a leader must be ahead by `CLEARLY`.
    """
    leader, changed = None, 0
    for now in range(len(game.moments)):
        recent = game.moments[max(0, now + 1 - len(game.ranks)) : now + 1]
        level = [fmean(leads) for leads in zip(*(moment.leads for moment in recent), strict=True)]
        second, best = sorted(level)[-2:]
        behind = second if leader is None else level[leader]
        if best - behind > CLEARLY:
            changed += leader is not None
            leader = level.index(best)
    return changed


def _histories(game: AnalyzedGame) -> list[list[float]]:
    """Return each winner's leads at all moments."""
    return [[moment.leads[seat] for moment in game.moments] for seat in game.winners]


def fairness(sample: Sample) -> Interval:
    """Return 1 if the first seat wins its fair share, 0 if it wins always or never. A shared win counts in parts."""
    due = sample.facts.due

    def fair(won: float) -> float:
        return won / due if won <= due else (1 - won) / (1 - due)

    first = [sample.facts.first(game, 0) for game in sample.games]
    return image(share_by_deal(range(len(first)), first), fair, peak=due)


def convergence(sample: Sample) -> Interval:
    """Return one half minus half the slope of the options: above one half if they become fewer."""
    return mean([0.5 - _slope(game.options) / 2 for game in sample.games])


def _slope(values: Sequence[int]) -> float:
    """Return the slope of the regression line through values at 1, 2, 3 and so on."""
    if len(values) < 2:
        return 0.0
    x = np.arange(len(values)) - (len(values) - 1) / 2
    return float(x @ np.asarray(values, float) / (x @ x))


def order(sample: Sample) -> Interval:
    """Return the scaled share of first places of the one player among random ones: 0 is fair, 1 is all of them."""
    due = sample.facts.due
    first = [sample.facts.first(game, game.place) for game in sample.games]
    return image(share_by_deal([game.deal for game in sample.games], first), lambda share: (share - due) / (1 - due))


def gain(sample: Sample) -> Interval:
    """Return how much better the one player scores than its opponents, in points per game; positive is better."""
    sign = -1 if sample.facts.low_wins else 1
    ahead = [sign * (game.scores[game.place] - _of_opponents(sample.facts, game)) for game in sample.games]
    return clustered_mean([game.deal for game in sample.games], ahead)


def _of_opponents(facts: Facts, game: AnalyzedGame) -> float:
    side = facts.side(game.place)
    others = [score for seat, score in enumerate(game.scores) if seat not in side]
    return sum(others) / len(others)


def spread(sample: Sample) -> Interval:
    """Return how much choices matter: the expected place of the best option minus that of the worst."""
    moments = [(number, moment) for number, game in enumerate(sample.games) for moment in game.moments]
    return clustered_mean([number for number, _ in moments], [moment.best - moment.worst for _, moment in moments])


def _of_leads(formula: Callable[[AnalyzedGame], float | None]) -> Callable[[Sample], Interval]:
    """Return a measure: the mean of a formula over the games that have leads."""

    def of(sample: Sample) -> Interval:
        found = [formula(game) for game in sample.games if game.moments]
        return mean([value for value in found if value is not None])

    return of


class Measure(NamedTuple):
    """One number about a game: its table, its formula, and its meaning."""

    name: str
    table: Table
    of: Callable[[Sample], Interval]
    says: str


MEASURES = (
    Measure("fairness", Table.RANDOM, fairness, "1: the first seat wins its share; 0: always or never"),
    Measure("convergence", Table.RANDOM, convergence, "above .5: options become fewer as the game goes on"),
    Measure("order", Table.ONE_THINKING, order, "1: who thinks always wins against chance; 0: no more than chance"),
    Measure("gain", Table.ONE_THINKING, gain, "by how much who thinks scores better a game than players of chance"),
    Measure("sensible-order", Table.ONE_SENSIBLE, order, "as order, of the sensible bot"),
    Measure("sensible-gain", Table.ONE_SENSIBLE, gain, "as gain, of the sensible bot"),
    Measure("search-order", Table.ONE_SEARCHING, order, "as order, of the searching player"),
    Measure("search-gain", Table.ONE_SEARCHING, gain, "as gain, of the searching player"),
    Measure("spread", Table.THINKING, spread, "how much choices matter: expected place, best option less worst"),
    Measure("drama", Table.THINKING, _of_leads(drama), "how far in danger the winner was"),
    Measure("security", Table.THINKING, _of_leads(security), "share of the game in which the winner was safe"),
    Measure("decisiveness", Table.THINKING, _of_leads(decisiveness), "1: over as soon as it is decided"),
    Measure("lead-changes", Table.THINKING, _of_leads(changes), "how often a game another seat takes the lead"),
)

SHARES = ("luck-deal", "luck-seat", "luck-player", "opponents")
"""The names of the shares of the variance, in the order of `VarianceShares`."""
SAYS = {
    "length": "choices a game, at random as the next five",
    "options": "options a choice",
    "forced": "share of choices with one option",
    "first-seat": "share of wins of the first seat",
    "ties": "share of games whose first place is shared by opponents",
    "void": "share of games that come to no end",
    **{measure.name: measure.says for measure in MEASURES},
    "luck-deal": "share of the scores' variance that the deal explains",
    "luck-seat": "... that the seat explains",
    "luck-player": "... that the better player explains",
    "opponents": "... that is left: how the opponents play, and the luck in that",
}
"""Every number in the order of the tables, with its meaning."""


class Figures(NamedTuple):
    """All numbers of an analysis."""

    basics: dict[Table, Basics]
    measures: dict[str, Interval]
    variance: VarianceShares | None

    @property
    def numbers(self) -> dict[str, Interval]:
        """Return every number by its name: those of random games, the measures, and the shares of the variance."""
        games = self.basics[Table.RANDOM]
        plain = {name: getattr(games, name) for name in ("length", "options", "forced", "ties", "void")}
        shares = {} if self.variance is None else dict(zip(SHARES, self.variance, strict=True))
        known = plain | {"first-seat": games.seats[0].wins} | self.measures | shares
        return {name: known[name] for name in SAYS if name in known}


def figures(facts: Facts, games: Mapping[Table, Sequence[AnalyzedGame]]) -> Figures:
    """Compute all numbers from the games of each table."""
    samples = {table: Sample.of(facts, played) for table, played in games.items()}
    known = {table: sample for table, sample in samples.items() if sample.games}
    measures = {each.name: each.of(known[each.table]) for each in MEASURES if each.table in known}
    skilled = known.get(Table.ONE_THINKING) or known.get(Table.ONE_SENSIBLE)
    return Figures(
        {table: basics(facts, played) for table, played in games.items()},
        measures,
        variance_shares(skilled.games, facts.seats) if skilled else None,
    )
