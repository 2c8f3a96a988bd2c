"""Overall: one ranking over several games, in which each game counts alike unless it is weighted.

A game's scores are measured in its own unit: the standard deviation of a bot's mean score of one deal, about the bot's
mean of all deals. So a point at Skat and a point at Hearts need not be worth the same, and no game decides because its
scores are large. Zero is the mean of all who play the game now.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from croupier.server.tournaments.statistics.credit import credit_games
from croupier.server.tournaments.statistics.field import field_means
from croupier.server.tournaments.statistics.intervals import Interval, make_interval, sum_by_unit, t_quantile

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from croupier.server.tournaments.statistics.columns import Columns
    from croupier.server.tournaments.statistics.scoring import Rules
    from croupier.server.tournaments.statistics.standings import Ranked


UNSETTLED = 2
"""Scores against the field that lie this many times farther apart than the plain means are not known yet."""


class GameScores(NamedTuple):
    """The scores of one game by player, in its unit, with the weight of the game."""

    name: str
    weight: float
    scores: Mapping[str, Interval]

    @property
    def least(self) -> float:
        """The lowest score, at most the mean."""
        return min([0.0, *(score.mean for score in self.scores.values() if score.mean is not None)])


class Overall(NamedTuple):
    """A player's line of the ranking over all games."""

    name: str
    score: Interval
    """The weighted mean over the games, in standard deviations of a deal."""
    games: Mapping[str, Interval]
    """By game, where it plays."""


def overall(games: Sequence[GameScores], names: Iterable[str]) -> list[Overall]:
    """Rank these players, the best first; one without a game counts there as the last of those who play it."""
    lines = [
        Overall(name, _together(games, name), {g.name: g.scores[name] for g in games if name in g.scores})
        for name in names
    ]
    return sorted(lines, key=lambda each: (each.score.mean is None, -(each.score.mean or 0), each.name))


def _together(games: Sequence[GameScores], name: str) -> Interval:
    """Return the weighted mean of a player's scores. The games have nothing in common, so their variances add up."""
    played = [(game.weight, game.scores[name]) for game in games if name in game.scores]
    known = [(weight, score) for weight, score in played if score.mean is not None]
    if not known:
        return Interval(None, None, None, 0)
    missing = [(game.weight, game.least) for game in games if game.scores and name not in game.scores]
    whole = sum(weight for weight, _ in (*known, *missing))
    mean = (sum(weight * (score.mean or 0) for weight, score in known) + sum(w * least for w, least in missing)) / whole
    sets = sum(score.sets for _, score in known)
    if any(score.few for _, score in known):
        return Interval(mean, None, None, sets)
    variances = np.array([(weight / whole * _error(score)) ** 2 for weight, score in known])
    degrees = np.array([max(score.sets - 1, 1) for _, score in known])
    # Satterthwaite's degrees of freedom for a sum of variances
    freedom = variances.sum() ** 2 / max(float((variances**2 / degrees).sum()), np.finfo(float).tiny)
    half = float(t_quantile(np.array(max(freedom, 1.0) + 1))) * float(np.sqrt(variances.sum()))
    return make_interval(float(mean), half, sets)


def _error(score: Interval) -> float:
    """Return the standard error of a score with bounds."""
    return ((score.high or 0) - (score.low or 0)) / 2 / float(t_quantile(np.array(score.sets)))


def in_deviations(players: Iterable[Ranked], deviation: float, *, low_wins: bool) -> dict[str, Interval]:
    """Return the ranking scores of players in standard deviations of a deal from their mean; more is better.

    While tables hardly connect the players, these are the plain means, without bounds.
    """
    found = [player for player in players if player.score.mean is not None and player.ranking.mean is not None]
    if not found:
        return {}
    settled = is_settled([each.ranking.mean or 0 for each in found], [each.score.mean or 0 for each in found])
    scores = {player.name: player.ranking if settled else player.score.without_bounds for player in found}
    center = float(np.mean([score.mean or 0 for score in scores.values()]))
    return {name: _scaled(score, center, -deviation if low_wins else deviation) for name, score in scores.items()}


def is_settled(ranking: Sequence[float], means: Sequence[float]) -> bool:
    """Return whether scores against the field are known well enough to rank over several games.

    After a few rounds, their fit may attribute more to some bots, and less to their opponents, than any game brought.
    """
    return bool(np.std(ranking) <= UNSETTLED * np.std(means))


def _scaled(score: Interval, center: float, unit: float) -> Interval:
    mean, low, high = (None if bound is None else (bound - center) / unit for bound in score[:3])
    return Interval(mean, *((high, low) if unit < 0 else (low, high)), score.sets)


def deviation_of_deal(games: Columns, rules: Rules) -> float:
    """Return the standard deviation of a bot's mean score of one deal, over all bots; 1 if it cannot be told."""
    counted = credit_games(games, rules)
    sums = sum_by_unit(counted.entries.who, counted.entries.deal, *counted.observations())
    mean, number = sums.total / sums.games, np.bincount(sums.owner)
    if not (free := int((number - 1)[number > 0].sum())):
        return 1.0
    center = np.bincount(sums.owner, mean) / np.maximum(number, 1)
    return float(np.sqrt(((mean - center[sums.owner]) ** 2).sum() / free)) or 1.0


def scores_so_far(games: Columns, rules: Rules, *, against_field: bool) -> dict[str, float]:
    """Return what `in_deviations` is given, without intervals: much faster, for a look back at many nights."""
    counted = credit_games(games, rules)
    who, size = counted.entries.who, len(games.names)
    number = np.bincount(who, minlength=size)
    total = np.bincount(who, counted.score, size)
    means = {name: float(total[at] / number[at]) for at, name in enumerate(games.names) if number[at]}
    found = field_means(counted, rules.PARTNERS) if against_field else means
    return found if is_settled([*found.values()], [*means.values()]) else means
