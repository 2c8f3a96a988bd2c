"""Social golfer: rounds without repeated meetings, made from one round in which everybody moves on step by step.

Members stand in circles, each with as many members as there are rounds, except for a few who never move. Two who sit
together in the first round represent all pairs that moving on makes of them. So only a good first round has to be
found; designs of this kind ("starters") are known for many numbers. Fifteen at tables of three, and 28 at tables of
four, meet everybody once.
"""

from __future__ import annotations

import functools
from itertools import combinations
from math import exp
from random import Random
from typing import NamedTuple

STEPS = 1_500
"""The number of exchanges that a search tries per member."""
HOT, COLD = 2.0, 0.2

FOUND: dict[int, dict[int, int]] = {
    3: dict.fromkeys((10, 11, 14, 15, 16, 17, 19, 20, 22, 23, 24, 26, 28, 32, 35, 36, 40), 0)
    | {27: 1, 29: 4, 30: 3, 31: 3, 34: 1, 38: 1},
    4: {16: 0, 19: 0, 23: 0, 24: 1, 27: 0, 28: 7, 30: 0},
}
"""By table size and number of tables: the number of the search that succeeds (found by bench/social_golfer.py)."""

Round = tuple[tuple[int, ...], ...]


@functools.cache
def rotate(members: int, size: int) -> tuple[Round, ...]:
    """Return rounds in which no two of the members, from 0, sit together twice; empty if none were found.

    Members at no table of a round sit out, none more than once. The same numbers always give the same rounds.
    """
    attempt = FOUND.get(size, {}).get(members)
    if attempt is None:
        return ()
    return search(members, size, attempt)


def search(members: int, size: int, attempt: int) -> tuple[Round, ...]:
    """Search for such rounds with the search number as seed; return an empty list if it fails."""
    circles = Circles(members, (members - 1) // (size - 1))
    search = _Search(circles, size, Random(f"{members} at tables of {size}: {attempt}"))
    if not search.run():
        return ()
    return tuple(circles.seats_after(search.tables(), turn) for turn in range(circles.turns))


class Circles(NamedTuple):
    """Circles of ``length`` members; those left over stand apart."""

    members: int
    turns: int

    @property
    def apart(self) -> int:
        """The first member who does not move."""
        return self.members - self.members % self.turns

    def seats_after(self, tables: Round, turn: int) -> Round:
        """Return the members in the seats after ``steps`` steps."""
        return tuple(tuple(self._step(member, turn) for member in table) for table in tables)

    def _step(self, member: int, turn: int) -> int:
        if member >= self.apart:
            return member
        circle, place = divmod(member, self.turns)
        return circle * self.turns + (place + turn) % self.turns

    def kind(self, one: int, other: int) -> tuple[int, ...]:
        """Return the class of pairs that moving on makes of this one."""
        low, high = sorted((one, other))
        if low >= self.apart:
            return low, high, 0
        if high >= self.apart:
            return low // self.turns, high, 0
        gap = (high - low) % self.turns
        if low // self.turns == high // self.turns:
            gap = min(gap, self.turns - gap)
        return low // self.turns, high // self.turns, gap

    def repeats(self, one: int, other: int) -> int:
        """Return how often these two would meet if they met in the first round."""
        if min(one, other) >= self.apart:
            return self.turns
        same = one // self.turns == other // self.turns and max(one, other) < self.apart
        return 2 if same and 2 * abs(one - other) == self.turns else 1


class _Search:
    """Simulated annealing over the first round; each class of pairs must occur once."""

    def __init__(self, circles: Circles, size: int, dice: Random) -> None:
        self.circles, self.size, self.dice = circles, size, dice
        idle = [circle * circles.turns for circle in range(circles.members % size)]
        self.order = [member for member in range(circles.members) if member not in idle]
        dice.shuffle(self.order)
        self.playing = len(self.order)
        self.order += idle
        everybody = range(circles.members)
        kinds: dict[tuple[int, ...], int] = {}
        self.kind = [[0] * circles.members for _ in everybody]
        self.cost: list[int] = []
        for one, other in combinations(everybody, 2):
            kind = kinds.setdefault(circles.kind(one, other), len(kinds))
            self.kind[one][other] = self.kind[other][one] = kind
            if kind == len(self.cost):
                self.cost.append(circles.repeats(one, other))
        self.times = [0] * len(kinds)
        self.excess = 0
        for table in self.tables():
            for one, other in combinations(table, 2):
                kind = self.kind[one][other]
                self.excess += self.cost[kind] * (2 * self.times[kind] + 1) - 1
                self.times[kind] += 1

    def tables(self) -> Round:
        """Return who sits together."""
        return tuple(tuple(self.order[at : at + self.size]) for at in range(0, self.playing, self.size))

    def run(self) -> bool:
        """Exchange members until no two would meet twice; return whether that was achieved."""
        steps = STEPS * len(self.order)
        heat, cooler = HOT, (COLD / HOT) ** (1 / steps)
        for _ in range(steps):
            if not self.excess:
                return True
            heat *= cooler
            self._step(heat)
        return False

    def _step(self, heat: float) -> None:
        one, other = int(self.dice.random() * self.playing), int(self.dice.random() * len(self.order))
        if one // self.size == other // self.size or not self._may(one, other):
            return
        before = self.excess
        self._exchange(one, other)
        worse = self.excess - before
        if worse > 0 and self.dice.random() >= exp(-worse / heat):
            self._exchange(one, other)

    def _may(self, one: int, other: int) -> bool:
        """Return whether these places may be exchanged; members who sit out must be from different circles."""
        mine, yours = self.order[one], self.order[other]
        turns = self.circles.turns
        return other < self.playing or (mine < self.circles.apart and mine // turns == yours // turns)

    def _exchange(self, one: int, other: int) -> None:
        self._count(one, -1)
        self._count(other, -1)
        self.order[one], self.order[other] = self.order[other], self.order[one]
        self._count(one, 1)
        self._count(other, 1)

    def _count(self, place: int, by: int) -> None:
        """Add or remove the pairs of a place's member; ``excess`` counts classes that occur too often."""
        if place >= self.playing:
            return
        kinds, start = self.kind[self.order[place]], place - place % self.size
        for at in range(start, start + self.size):
            if at != place:
                kind = kinds[self.order[at]]
                times, cost = self.times[kind], self.cost[kind]
                self.excess += cost * by * (2 * times + by) - by
                self.times[kind] = times + by
