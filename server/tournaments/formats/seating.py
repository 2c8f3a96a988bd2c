"""Seating: put many players at tables so that the pairs who sit together cost as little as can be.

Drawn for itself, each round may take what a later one needs: of sixteen at tables of four, three rounds without a
second meeting often leave none for a fourth. So the rounds to come are drawn with it, by simulated annealing, and
thrown away.
"""

from __future__ import annotations

from itertools import combinations, pairwise
from math import exp
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    Tables = list[tuple[int, ...]]


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


TRIES, STEPS_AHEAD = 8, 600
"""The number of searches, and of exchanges tried per member of each round."""
AGAIN = 1_000.0
"""The cost of a second meeting, compared with that of two sitting together in the requested round."""
COOLING = (((0.7 * AGAIN, 0.12 * AGAIN), 0.7), ((0.12 * AGAIN, 0.1), 0.3))
"""Start and end temperatures, with the share of the exchanges for each: slow where second meetings are decided."""


def seat_ahead(
    rounds: Sequence[Sequence[int]],
    size: int,
    cost: Sequence[Sequence[float]],
    met: Sequence[Sequence[int]],
    dice: Random,
) -> Tables | None:
    """Return tables for the first of these rounds, given by their players; None if some must meet again.

    ``cost[i][j]`` is the cost of i and j sitting together in the first, ``met[i][j]`` how often they have met before.
    """
    for _ in range(TRIES):
        drawn = _Drawn([list(members) for members in rounds], size, cost, [list(row) for row in met], dice)
        tables = drawn.anneal(STEPS_AHEAD * sum(map(len, rounds)))
        if not drawn.again:
            return tables
    return None


class _Drawn:
    """The rounds drawn so far; ``met`` includes the meetings in them."""

    def __init__(
        self,
        rounds: list[list[int]],
        size: int,
        cost: Sequence[Sequence[float]],
        met: list[list[int]],
        dice: Random,
    ) -> None:
        self.rounds, self.size, self.cost, self.met, self.dice = rounds, size, cost, met, dice
        self.again = 0
        """How many drawn meetings repeat an earlier one, or one in another of these rounds."""
        for order in rounds:
            dice.shuffle(order)
            for at in range(0, len(order), size):
                for one, other in combinations(order[at : at + size], 2):
                    self._meet(one, other, 1)

    def anneal(self, steps: int) -> Tables:
        """Exchange members of a round, accepting worse results ever more rarely; return the first round."""
        for (hot, cold), share in COOLING:
            some = max(int(share * steps), 1)
            for step in range(some):
                self._step(hot * (cold / hot) ** (step / some))
        first = self.rounds[0]
        return [tuple(first[at : at + self.size]) for at in range(0, len(first), self.size)]

    def _step(self, heat: float) -> None:
        number = int(self.dice.random() * len(self.rounds))
        order = self.rounds[number]
        one, other = int(self.dice.random() * len(order)), int(self.dice.random() * len(order))
        if one // self.size == other // self.size:
            return
        mine, yours = self._beside(order, one), self._beside(order, other)
        left, right = order[one], order[other]
        worse = AGAIN * self._again(left, right, mine, yours)
        if number == 0:
            ours, theirs = self.cost[left], self.cost[right]
            worse += sum(theirs[each] - ours[each] for each in mine) + sum(ours[each] - theirs[each] for each in yours)
        if worse <= 0 or self.dice.random() < exp(-worse / heat):
            order[one], order[other] = right, left
            for each in mine:
                self._meet(left, each, -1)
                self._meet(right, each, 1)
            for each in yours:
                self._meet(right, each, -1)
                self._meet(left, each, 1)

    def _beside(self, order: Sequence[int], place: int) -> list[int]:
        start = place - place % self.size
        return [order[at] for at in range(start, start + self.size) if at != place]

    def _again(self, left: int, right: int, mine: Sequence[int], yours: Sequence[int]) -> int:
        """Return the change in repeated meetings if these two changed places."""
        ours, theirs = self.met[left], self.met[right]
        return sum(theirs[each] - ours[each] + 1 for each in mine) + sum(
            ours[each] - theirs[each] + 1 for each in yours
        )

    def _meet(self, one: int, other: int, by: int) -> None:
        self.again += by * (self.met[one][other] - (by < 0))
        self.met[one][other] += by
        self.met[other][one] += by
