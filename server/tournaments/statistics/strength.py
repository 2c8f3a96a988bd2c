"""Strength: one number a player, fitted to all results at once, with ties, whatever order they came in.

Davidson's model of paired comparisons (1970): i beats j, j beats i, or they tie, with odds
``exp(a) : exp(b) : v exp((a + b) / 2)`` where a and b are their strengths. The likelihood is concave, so Newton's
method finds its one maximum.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from croupier.server.tournaments.statistics.intervals import Interval, percentiles

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Places = NDArray[np.int64]

POINTS = 400 / np.log(10)
"""As chess has it: 400 points more are odds of ten to one."""
DRAWS = 200
STEPS, LONGEST, CLOSE = 100, 2.0, 1e-9
RIDGE = 0.01
"""Keeps who never lost at a finite distance: worth far less than a game."""


class Comparisons(NamedTuple):
    """Who met whom in which set, and with which result as shares of one game; all parallel."""

    one: Places
    other: Places
    unit: Places
    won: Array
    lost: Array
    tied: Array


class Counts(NamedTuple):
    """Pairs of players, each once, and how many games ended in which way between them."""

    one: Places
    other: Places
    won: Array
    lost: Array
    tied: Array


def strengths(comparisons: Comparisons, players: int) -> list[Interval]:
    """Fit all players, their mean being 0, with intervals from a bootstrap over sets."""
    units, unit = np.unique(comparisons.unit, return_inverse=True)
    pair = comparisons.one * players + comparisons.other
    codes, place = np.unique(pair * (len(units) + 1) + unit, return_inverse=True)
    shares = (comparisons.won, comparisons.lost, comparisons.tied)
    results = [np.bincount(place, share, len(codes)) for share in shares]
    unit = codes % (len(units) + 1)
    pairs, place = np.unique(codes // (len(units) + 1), return_inverse=True)

    def counted(weights: Array) -> Counts:
        won, lost, tied = (np.bincount(place, share * weights[unit], len(pairs)).astype(float) for share in results)
        return Counts(pairs // players, pairs % players, won, lost, tied)

    sets = len(units)
    fitted = fit(counted(np.ones(sets)), players)
    dice = np.random.default_rng(0)
    weights: Array = (
        dice.multinomial(sets, np.full(sets, 1 / sets), DRAWS if sets > 1 else 0).astype(float)
        if sets
        else np.empty((0, 0))
    )
    draws = POINTS * np.array([fit(counted(weight), players, fitted) for weight in weights]).reshape(-1, players + 1)
    return [percentiles(float(POINTS * fitted[who]), draws[:, who].tolist(), sets) for who in range(players)]


def fit(counts: Counts, players: int, start: Array | None = None, ridge: float = RIDGE) -> Array:
    """Return the strengths, natural logarithms with mean 0, and last the logarithm of the tie parameter."""
    at = np.zeros(players + 1) if start is None else start.copy()
    one, other, won, lost, tied = counts
    places = (one, other, np.full_like(one, players))
    games = won + lost + tied
    gains = (won + tied / 2, lost + tied / 2, tied)
    width = players + 1
    for _ in range(STEPS):
        wins, ties = _chances(at[one], at[other], at[-1])
        mine = wins + ties / 2
        surplus = (gains[0] - games * mine, gains[1] - games * (1 - mine), gains[2] - games * ties)
        slope = np.bincount(np.concatenate(places), np.concatenate(surplus), width) - ridge * at
        step = np.linalg.solve(_curvature(places, games, mine, ties, width) + ridge * np.eye(width), slope)
        longest = float(np.abs(step).max())
        at += step * min(1.0, LONGEST / max(longest, LONGEST))
        if longest < CLOSE:
            break
    at[:-1] -= at[:-1].mean()
    return at


def _chances(mine: Array, yours: Array, tie: float) -> tuple[Array, Array]:
    """Return the chances that one beats the other, and that they tie."""
    ahead = (mine - yours) / 2
    largest = np.maximum(np.abs(ahead), tie)
    win, loss, level = np.exp(ahead - largest), np.exp(-ahead - largest), np.exp(tie - largest)
    total = win + loss + level
    return win / total, level / total


def _curvature(places: tuple[Places, ...], games: Array, mine: Array, ties: Array, width: int) -> Array:
    """Return the information matrix: for each pair the covariance of (points of one, points of the other, ties)."""
    yours = 1 - mine
    square = ties / 4
    pieces = {
        (0, 0): mine - square - mine**2,
        (1, 1): yours - square - yours**2,
        (2, 2): ties - ties**2,
        (0, 1): square - mine * yours,
        (0, 2): ties / 2 - mine * ties,
        (1, 2): ties / 2 - yours * ties,
    }
    matrix = np.zeros(width * width)
    for (row, column), piece in pieces.items():
        matrix += np.bincount(places[row] * width + places[column], games * piece, width * width)
        if row != column:
            matrix += np.bincount(places[column] * width + places[row], games * piece, width * width)
    return matrix.reshape(width, width)
