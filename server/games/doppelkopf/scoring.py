"""Scoring: the winner of a game of Doppelkopf, and its value in game points (DDV 7).

Pairs of numbers are Re's and Kontra's, in this order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from croupier.protocol.doppelkopf import CHARLIE, FOX, card_points
from croupier.server.games.doppelkopf.announcements import KONTRA, RE

if TYPE_CHECKING:
    from collections.abc import Sequence

    Pair = Sequence[int]
    Trick = tuple[int, tuple[str, ...], int]  # the leading seat, the cards in order, the winning seat

LIMITS = (90, 60, 30)
"""Points with which a side is no longer under 90, 60, 30."""
AGAINST = (120, 90, 60, 30)
"""The points with which a side earns one for each step that the other announced: no 90, no 60, no 30, black."""
DOPPELKOPF = 40
"""Card points that make a trick worth a special point."""
SOLO_FACTOR = 3


class HandScore(NamedTuple):
    """The side that won, or None; and how much each player of Re receives and each of Kontra pays.

    No side wins if neither reached its aim.
    """

    winner: int | None
    value: int


def denials(steps: Pair) -> tuple[int, int]:
    """Return how many denials each side announced, from the steps of its `Announcements`."""
    return max(steps[RE] - 1, 0), max(steps[KONTRA] - 1, 0)


def reaches(side: int, points: Pair, tricks: Pair, steps: Pair) -> bool:
    """Return whether a side wins: it must meet its own denials, or break the other's, or have more than half."""
    own, other = denials(steps)[side], denials(steps)[1 - side]
    if own == 4:
        return tricks[1 - side] == 0
    if own:
        return points[1 - side] < LIMITS[own - 1]
    if other == 4:
        return tricks[side] > 0
    if other:
        return points[side] >= LIMITS[other - 1]
    only_kontra = steps[KONTRA] > 0 and steps[RE] == 0
    return points[side] >= (120 if (side == RE) == only_kontra else 121)


def result(points: Pair, tricks: Pair, steps: Pair) -> HandScore:
    """Return who won and the value of the game, before special points."""
    winner = next((side for side in (RE, KONTRA) if reaches(side, points, tricks, steps)), None)
    earned = [_beyond(side, points, steps) for side in (RE, KONTRA)]
    if winner is None:
        for side in (RE, KONTRA):
            earned[side] += _under(1 - side, points)
    else:
        loser = 1 - winner
        calls = 2 * sum(step > 0 for step in steps) + sum(denials(steps))
        earned[winner] += 1 + _under(loser, points) + (tricks[loser] == 0) + calls
    return HandScore(winner, earned[RE] - earned[KONTRA])


def _under(side: int, points: Pair) -> int:
    """Count the limits that a side stayed under."""
    return sum(points[side] < limit for limit in LIMITS)


def _beyond(side: int, points: Pair, steps: Pair) -> int:
    """Count the points that a side earns against the other's denials."""
    return sum(points[side] >= aim for aim in AGAINST[: denials(steps)[1 - side]])


def special(tricks: Sequence[Trick], sides: Sequence[int], winner: int | None, high_foxes: int | None) -> int:
    """Return the special points of a game of two against two, Re's minus Kontra's.

    ``high_foxes`` is the seat whose foxes are Schweinchen, which cannot be caught.
    """
    points = -1 if winner == KONTRA else 0  # Kontra won, against the queens of clubs
    for leader, cards, taker in tricks:
        sign = 1 if sides[taker] == RE else -1
        points += sign * (card_points(cards) >= DOPPELKOPF)
        if FOX in cards:
            players = [(leader + place) % 4 for place, card in enumerate(cards) if card == FOX]
            points += sign * sum(sides[seat] != sides[taker] and seat != high_foxes for seat in players)
    leader, cards, taker = tricks[-1]
    if cards[(taker - leader) % 4] == CHARLIE:
        points += 1 if sides[taker] == RE else -1
    return points


def shares(value: int, sides: Sequence[int]) -> tuple[int, ...]:
    """Return each seat's score; a lone player receives or pays the sum of the three others."""
    alone = SOLO_FACTOR if sides.count(RE) == 1 else 1
    return tuple(alone * value if side == RE else -value for side in sides)
