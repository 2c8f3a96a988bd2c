"""Strength: one number per player, fitted to all results at once, in whatever order they came.

The model of Bradley and Terry (1952), with a tie as half a win: between two of strengths a and b the first has ``1 / (1
+ exp(b - a))`` of the points on average. So a strength means the same as with ``--sprt-in strength`` and in chess
programs. The likelihood is concave, so Newton's method finds its only maximum.
"""

from __future__ import annotations

from math import copysign, inf, log10
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.special import expit, stdtr

from croupier.server.tournaments.statistics.intervals import (
    Interval,
    effective_sample_size,
    rounded,
    sandwich_intervals,
    t_quantile,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Places = NDArray[np.int64]

ODDS_OF_TEN = 400
"""As in chess: a player ahead by this much scores ten points for each one of the other."""
POINTS = ODDS_OF_TEN / np.log(10)
MOST_AHEAD = 0.5
"""A bot with all points has this much more than half of them."""
STEPS, LONGEST, CLOSE = 100, 2.0, 1e-9
RIDGE = 0.01
"""Keeps players who never lost at a finite distance; it weighs far less than a game."""


class Comparisons(NamedTuple):
    """The meetings in each set and their scores: 1 for a win, 0 for a loss, 1/2 for a tie; all arrays are parallel."""

    one: Places
    other: Places
    unit: Places
    score: Array


class Counts(NamedTuple):
    """Pairs of players, each once, with the number of their games and the first one's score."""

    one: Places
    other: Places
    score: Array
    games: Array


def strengths(comparisons: Comparisons, players: int) -> list[Interval]:
    """Fit all players, with intervals over sets; the mean is 0 over those connected by wins and losses.

    A player who has never lost, or never won, against these is farther away than any number says, and has no bounds.
    """
    units, unit = np.unique(comparisons.unit, return_inverse=True)
    pairs, place = np.unique(comparisons.one * players + comparisons.other, return_inverse=True)
    score = np.bincount(place, comparisons.score, len(pairs)).astype(float)
    counts = Counts(pairs // players, pairs % players, score, np.bincount(place, minlength=len(pairs)).astype(float))
    at = fit(counts, players)
    bound = _largest_component(counts, players)
    shifted = np.eye(players) - bound / max(bound.sum(), 1)
    lever = POINTS * shifted @ np.linalg.inv(_information(counts, at, RIDGE))
    moved = _slopes(comparisons, unit, len(units), at) @ lever.T
    farthest = _farthest(counts, at, lever)
    degrees = effective_sample_size(moved) - 1
    found = sandwich_intervals(POINTS * shifted @ at, moved, [len(units)] * players, farthest, degrees=degrees)
    return [each if held else each.without_bounds for each, held in zip(found, bound, strict=True)]


def _largest_component(counts: Counts, players: int) -> NDArray[np.bool_]:
    """Return the largest set of players of whom each has won, directly or through others, against each other one."""
    ahead, behind = counts.score > 0, counts.score < counts.games
    winners = np.concatenate([counts.one[ahead], counts.other[behind]])
    losers = np.concatenate([counts.other[ahead], counts.one[behind]])
    beaten = coo_array((np.ones(len(winners)), (winners, losers)), (players, players))
    _, label = connected_components(beaten, connection="strong")
    return np.asarray(label == np.bincount(label).argmax()) if players else np.empty(0, bool)


def _slopes(comparisons: Comparisons, unit: Places, units: int, at: Array) -> Array:
    """Return the gradient of each set with respect to each strength: a row per set."""
    one, other, _, score = comparisons
    more = score - expit(at[one] - at[other])
    rows = np.concatenate([unit * len(at) + one, unit * len(at) + other])
    slopes: Array = np.bincount(rows, np.concatenate([more, -more]), units * len(at)).astype(float)
    return slopes.reshape(units, len(at))


def _farthest(counts: Counts, at: Array, lever: Array) -> Array:
    """Return the largest change of each strength by another game between two who have met."""
    expected = expit(at[counts.one] - at[counts.other])
    surprise = np.maximum(expected, 1 - expected)
    # one by one, because all at once are gigabytes
    moves = (np.abs(row[counts.one] - row[counts.other]) * surprise for row in lever)
    return np.array([each.max(initial=0) for each in moves])


def _information(counts: Counts, at: Array, ridge: float) -> Array:
    """Return the information matrix, with the ridge."""
    players, (one, other) = len(at), (counts.one, counts.other)
    expected = expit(at[one] - at[other])
    weight = counts.games * expected * (1 - expected)
    places = (one * players + other, other * players + one, one * players + one, other * players + other)
    weights = np.concatenate([-weight, -weight, weight, weight])
    matrix = np.bincount(np.concatenate(places), weights, players**2).astype(float).reshape(players, players)
    return np.asarray(matrix + ridge * np.eye(players))


def fit(counts: Counts, players: int, ridge: float = RIDGE) -> Array:
    """Return the strengths, natural logarithms with mean 0."""
    at = np.zeros(players)
    for _ in range(STEPS):
        more = counts.score - counts.games * expit(at[counts.one] - at[counts.other])
        slope = np.bincount(counts.one, more, players) - np.bincount(counts.other, more, players) - ridge * at
        step = np.linalg.solve(_information(counts, at, ridge), slope)
        longest = float(np.abs(step).max(initial=0))
        at += step * min(1.0, LONGEST / max(longest, LONGEST))
        if longest < CLOSE:
            break
    return at - at.mean() if players else at


class Elo(NamedTuple):
    """The strength by which one of two is ahead, and the likelihood that it is ahead at all (LOS)."""

    strength: Interval
    los: float | None

    @property
    def opposite(self) -> Elo:
        """Return the same from the other's side."""
        return Elo(self.strength.opposite, None if self.los is None else 1 - self.los)

    @classmethod
    def of(cls, share: Interval) -> Elo:
        """Return it for a share of the points above one half, with ties as halves."""
        mean, low, high = (None if bound is None or abs(bound) >= MOST_AHEAD else ahead(bound) for bound in share[:3])
        strength = Interval(mean, low, high, share.sets)
        if share.mean is None or share.low is None or share.high is None:
            return cls(strength.without_bounds, None)
        spread = (share.high - share.low) / 2 / float(t_quantile(np.array(share.sets)))
        return cls(strength, float(stdtr(share.sets - 1, share.mean / spread)))

    def document(self) -> dict[str, float | None]:
        """Return it in the form of ``standings --json``."""
        return {**self.strength.document("elo", "elo_low", "elo_high"), "los": rounded(self.los)}


def advantage(strength: float) -> float:
    """Return the share of the points above one half of a bot that is this much stronger."""
    return 1 / (1 + 10 ** (-strength / ODDS_OF_TEN)) - MOST_AHEAD


def ahead(share: float) -> float:
    """Return the strength of a bot with this share of the points above one half; infinite for all of them."""
    won, lost = MOST_AHEAD + share, MOST_AHEAD - share
    return ODDS_OF_TEN * log10(won / lost) if won > 0 and lost > 0 else copysign(inf, share)
