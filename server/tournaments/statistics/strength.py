"""Strength: one number a player, fitted to all results at once, whatever order they came in.

The model of Bradley and Terry (1952), a tie being half a win: between two of strengths a and b the first has
``1 / (1 + exp(b - a))`` of the points on average. So a strength means what `improvement` and chess programmers mean by
one. The likelihood is concave: Newton's method finds its one maximum.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.special import expit

from croupier.server.tournaments.statistics.intervals import carrying, influenced

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from croupier.server.tournaments.statistics.intervals import Interval

    Array = NDArray[np.float64]
    Places = NDArray[np.int64]

POINTS = 400 / np.log(10)
"""As chess has it: 400 points more are ten points for each one of the other."""
STEPS, LONGEST, CLOSE = 100, 2.0, 1e-9
RIDGE = 0.01
"""Keeps those who never lost at a finite distance: worth far less than a game."""


class Comparisons(NamedTuple):
    """Who met whom in which set, and what one had of it: 1 won, 0 lost, a tie 1/2; all parallel."""

    one: Places
    other: Places
    unit: Places
    score: Array


class Counts(NamedTuple):
    """Pairs of players, each once: how many games they met in, and what one had of them."""

    one: Places
    other: Places
    score: Array
    games: Array


def strengths(comparisons: Comparisons, players: int) -> list[Interval]:
    """Fit all players, with intervals over sets; the mean is 0 of those whom wins and losses tie together.

    A player who has never lost, or never won, against these is farther off than any number says and has no bounds.
    """
    units, unit = np.unique(comparisons.unit, return_inverse=True)
    pairs, place = np.unique(comparisons.one * players + comparisons.other, return_inverse=True)
    score = np.bincount(place, comparisons.score, len(pairs)).astype(float)
    counts = Counts(pairs // players, pairs % players, score, np.bincount(place, minlength=len(pairs)).astype(float))
    at = fit(counts, players)
    bound = _bound(counts, players)
    shifted = np.eye(players) - bound / max(bound.sum(), 1)
    lever = POINTS * shifted @ np.linalg.inv(_information(counts, at, RIDGE))
    moved = _slopes(comparisons, unit, len(units), at) @ lever.T
    farthest = _farthest(counts, at, lever)
    degrees = carrying(moved) - 1
    found = influenced(POINTS * shifted @ at, moved, [len(units)] * players, farthest, degrees=degrees)
    return [each if held else each.unbounded for each, held in zip(found, bound, strict=True)]


def _bound(counts: Counts, players: int) -> NDArray[np.bool_]:
    """Return who belongs to the most players of whom each has won, by whatever detour, against each other one."""
    ahead, behind = counts.score > 0, counts.score < counts.games
    winners = np.concatenate([counts.one[ahead], counts.other[behind]])
    losers = np.concatenate([counts.other[ahead], counts.one[behind]])
    beaten = coo_array((np.ones(len(winners)), (winners, losers)), (players, players))
    _, label = connected_components(beaten, connection="strong")
    return np.asarray(label == np.bincount(label).argmax()) if players else np.empty(0, bool)


def _slopes(comparisons: Comparisons, unit: Places, units: int, at: Array) -> Array:
    """Return how much each set pulls at each strength: a row a set."""
    one, other, _, score = comparisons
    more = score - expit(at[one] - at[other])
    rows = np.concatenate([unit * len(at) + one, unit * len(at) + other])
    slopes: Array = np.bincount(rows, np.concatenate([more, -more]), units * len(at)).astype(float)
    return slopes.reshape(units, len(at))


def _farthest(counts: Counts, at: Array, lever: Array) -> Array:
    """Return how far one game more could move each strength, whichever of two who have met wins it."""
    expected = expit(at[counts.one] - at[counts.other])
    surprise = np.maximum(expected, 1 - expected)
    moves = (np.abs(row[counts.one] - row[counts.other]) * surprise for row in lever)  # at once they are gigabytes
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
