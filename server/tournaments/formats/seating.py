"""Seating: assigns players to tables so that the pairs who sit together cost as little as possible."""

from __future__ import annotations

from itertools import pairwise
from math import exp
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

STEPS = 700
"""The number of exchanges tried per player."""


def seat(members: Sequence[int], size: int, cost: Sequence[Sequence[float]], dice: Random) -> list[tuple[int, ...]]:
    """Divide the members into tables of ``size`` by simulated annealing over exchanges of two of them.

    ``cost[i][j]`` is the cost of i and j sitting together. Exact optima are hard problems (the social golfers'), so
    this takes the best of a fixed number of steps.
    """
    order = list(members)
    dice.shuffle(order)
    now = best = _total(order, size, cost)
    kept = order[:]
    heat = _typical(cost)
    steps = STEPS * len(order)
    for step in range(steps):
        if best == 0:
            break
        one, other = int(dice.random() * len(order)), int(dice.random() * len(order))
        change = _exchange(order, one, other, size, cost)
        if change <= 0 or dice.random() < exp(-change / (heat * (1 - step / steps))):
            order[one], order[other] = order[other], order[one]
            now += change
            if now < best:
                best, kept = now, order[:]
    return [tuple(kept[start : start + size]) for start in range(0, len(kept), size)]


def _total(order: Sequence[int], size: int, cost: Sequence[Sequence[float]]) -> float:
    return sum(
        cost[order[one]][order[other]]
        for start in range(0, len(order), size)
        for one in range(start, start + size)
        for other in range(one + 1, start + size)
    )


def _typical(cost: Sequence[Sequence[float]]) -> float:
    """Return the smallest non-zero difference between costs: the temperature at which annealing begins."""
    values = sorted({value for row in cost for value in row})
    return min((high - low for low, high in pairwise(values)), default=1) or 1


def _exchange(order: Sequence[int], one: int, other: int, size: int, cost: Sequence[Sequence[float]]) -> float:
    """Return the change of cost if two players changed places."""
    if one // size == other // size:
        return 0
    mine, yours = cost[order[one]], cost[order[other]]
    change = 0.0
    start = one - one % size
    for place in range(start, start + size):
        if place != one:
            change += yours[order[place]] - mine[order[place]]
    start = other - other % size
    for place in range(start, start + size):
        if place != other:
            change += mine[order[place]] - yours[order[place]]
    return change
