"""Strength: one number a player, fitted to all results at once, with ties, whatever order they came in.

Davidson's model of paired comparisons (1970): i beats j, j beats i, or they tie, with odds
``exp(a) : exp(b) : v exp((a + b) / 2)`` where a and b are their strengths. The likelihood is concave, so Newton's
method finds its one maximum.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from croupier.server.tournaments.statistics.intervals import carrying, influenced

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from croupier.server.tournaments.statistics.intervals import Interval

    Array = NDArray[np.float64]
    Places = NDArray[np.int64]

POINTS = 400 / np.log(10)
"""As chess has it: 400 points more are odds of ten to one."""
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
    """Fit all players, with intervals over sets; the mean is 0 of those whom wins and losses tie together.

    Whoever has never lost, or never won, against these is farther off than any number says and has no bounds.
    """
    units, unit = np.unique(comparisons.unit, return_inverse=True)
    pairs, place = np.unique(comparisons.one * players + comparisons.other, return_inverse=True)
    results = comparisons.won, comparisons.lost, comparisons.tied
    counts = Counts(
        pairs // players, pairs % players, *(np.bincount(place, share, len(pairs)).astype(float) for share in results)
    )
    at = fit(counts, players)
    bound = _bound(counts, players)
    shifted = np.eye(players + 1)[:players] - np.append(bound / max(bound.sum(), 1), 0)
    lever = POINTS * shifted @ np.linalg.inv(_information(counts, at))
    moved = _slopes(comparisons, unit, len(units), at) @ lever.T
    farthest = _farthest(counts, at, lever)
    degrees = carrying(moved) - 1
    found = influenced(POINTS * shifted @ at, moved, [len(units)] * players, farthest, degrees=degrees)
    return [each if held else each._replace(low=None, high=None) for each, held in zip(found, bound, strict=True)]


def _bound(counts: Counts, players: int) -> NDArray[np.bool_]:
    """Say who belongs to the most players of whom each has won, by whatever detour, against each other one."""
    ahead, behind = counts.won + counts.tied > 0, counts.lost + counts.tied > 0
    winners = np.concatenate([counts.one[ahead], counts.other[behind]])
    losers = np.concatenate([counts.other[ahead], counts.one[behind]])
    beaten = coo_array((np.ones(len(winners)), (winners, losers)), (players, players))
    _, label = connected_components(beaten, connection="strong")
    return np.asarray(label == np.bincount(label).argmax()) if players else np.empty(0, bool)


def _slopes(comparisons: Comparisons, unit: Places, units: int, at: Array) -> Array:
    """Return how much each set pulls at each parameter: a row a set."""
    one, other, _, *results = comparisons
    width = len(at)
    places = (one, other, np.full_like(one, width - 1))
    rows = np.concatenate([unit * width + where for where in places])
    pulls = np.concatenate(_surplus(Counts(one, other, *results), at))
    slopes: Array = np.bincount(rows, pulls, units * width).astype(float).reshape(units, width)
    return slopes


def _farthest(counts: Counts, at: Array, lever: Array) -> Array:
    """Return how far one game more could move each strength, however it ends between two who have met."""
    farthest = np.zeros(len(lever))
    for won, lost, tied in np.eye(3):
        each = np.ones(len(counts.one))
        mine, yours, tie = _surplus(Counts(counts.one, counts.other, won * each, lost * each, tied * each), at)
        for player, row in enumerate(lever):  # all at once are gigabytes where a thousand play
            moves = np.abs(row[counts.one] * mine + row[counts.other] * yours + row[-1] * tie)
            farthest[player] = max(farthest[player], moves.max(initial=0))
    return farthest


def _surplus(counts: Counts, at: Array) -> tuple[Array, Array, Array]:
    """Return how much more than expected one got, the other, and how many more games were tied."""
    wins, ties = _chances(at[counts.one], at[counts.other], at[-1])
    mine = wins + ties / 2
    games = counts.won + counts.lost + counts.tied
    gains = (counts.won + counts.tied / 2, counts.lost + counts.tied / 2)
    return gains[0] - games * mine, gains[1] - games * (1 - mine), counts.tied - games * ties


def _information(counts: Counts, at: Array, ridge: float = RIDGE) -> Array:
    """Return the information matrix, with the ridge."""
    wins, ties = _chances(at[counts.one], at[counts.other], at[-1])
    games = counts.won + counts.lost + counts.tied
    places = (counts.one, counts.other, np.full_like(counts.one, len(at) - 1))
    return _curvature(places, games, wins + ties / 2, ties, len(at)) + ridge * np.eye(len(at))


def fit(counts: Counts, players: int, ridge: float = RIDGE) -> Array:
    """Return the strengths, natural logarithms with mean 0, and last the logarithm of the tie parameter."""
    at = np.zeros(players + 1)
    places = np.concatenate([counts.one, counts.other, np.full_like(counts.one, players)])
    for _ in range(STEPS):
        slope = np.bincount(places, np.concatenate(_surplus(counts, at)), players + 1) - ridge * at
        step = np.linalg.solve(_information(counts, at, ridge), slope)
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
