"""Endgames: the last tricks of a world, in which all cards are known, solved exactly.

Where the seats form two camps, and each wins what the other loses, alpha-beta finds the value. Elsewhere each seat does
what is best for itself (max-n). Positions that were solved are looked up.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from croupier.agents.search.world import worth, worths

if TYPE_CHECKING:
    from collections.abc import Hashable
    from typing import Self

    from croupier.agents.search.world import World
    from croupier.protocol.views.view import Play

IN_CAMPS, EACH_FOR_ITSELF = 10, 8
"""Endgames with at most this many cards left are searched completely: about a millisecond's work."""


class Endgame:
    """The end of one world, for a seat: its value if everybody plays perfectly."""

    def __init__(self, seat: int, camp: frozenset[int] | None) -> None:
        self.seat = seat
        self.camp = camp
        self._bounds: dict[Hashable, tuple[float, float]] = {}
        self._worths: dict[Hashable, tuple[float, ...]] = {}

    @classmethod
    def of(cls, world: World, seat: int) -> Self | None:
        """Return the endgame of a world, None if too many cards are left."""
        left = world.left()
        if left is None or left > IN_CAMPS:
            return None
        camp = camp_of(world, seat)
        return None if camp is None and left > EACH_FOR_ITSELF else cls(seat, camp)

    def solve(self, world: World) -> float:
        """Return the world's value for the seat."""
        return self._value(world, -inf, inf) if self.camp is not None else self._each(world)[self.seat]

    def worths(self, world: World) -> tuple[float, ...]:
        """Return the world's value for each seat.

        In camps, whose members have equal scores, all values follow from the difference of the two scores.
        """
        if self.camp is None:
            return self._each(world)
        difference = self._value(world, -inf, inf) / self._share(world, self.seat)
        seats = range(len(world.game.players))
        return tuple([difference * self._share(world, seat) * (1 if seat in self.camp else -1) for seat in seats])

    def _share(self, world: World, seat: int) -> float:
        """Return which part of a seat's opponents is in the other camp; its worth is that part of the difference."""
        side, camp = world.game.partners(seat), self.camp or frozenset()
        others = [other for other in range(len(world.game.players)) if other not in side]
        return sum((other in camp) != (seat in camp) for other in others) / len(others)

    def _value(self, world: World, low: float, high: float) -> float:
        """Return the exact value if it is between the bounds, else a value beyond the bound it crosses (alpha-beta)."""
        turn = world.game.turn
        if turn is None:
            return worth(world, self.seat)
        key = world.standing()
        least, most = self._bounds.get(key, (-inf, inf))
        if least >= high or least == most:
            return least
        if most <= low:
            return most
        value = self._best(world, turn, max(low, least), min(high, most))
        if value <= low:
            self._bounds[key] = least, min(most, value)
        elif value >= high:
            self._bounds[key] = max(least, value), most
        else:
            self._bounds[key] = value, value
        return value

    def _best(self, world: World, turn: int, low: float, high: float) -> float:
        mine = self.camp is not None and turn in self.camp
        best = -inf if mine else inf
        for play in _cards(world):
            value = self._value(_after(world, turn, play), low, high)
            if mine:
                best, low = max(best, value), max(low, value)
            else:
                best, high = min(best, value), min(high, value)
            if low >= high:
                break
        return best

    def _each(self, world: World) -> tuple[float, ...]:
        """Return a world's value for each seat if each does what is best for itself."""
        turn = world.game.turn
        if turn is None:
            return worths(world)
        key = world.standing()
        known = self._worths.get(key)
        if known is None:
            found = [self._each(_after(world, turn, play)) for play in _cards(world)]
            known = self._worths[key] = max(found, key=lambda each: each[turn])
        return known


def _cards(world: World) -> list[Play]:
    """List the plays of cards that differ in effect; announcements no longer matter at the end."""
    plays = list(world.game.legal())
    return world.distinct([play for play in plays if play[0] == "play"] or plays)


def _after(world: World, turn: int, play: Play) -> World:
    twin = world.copy()
    twin.game.play(turn, play)
    return twin


def camp_of(world: World, seat: int) -> frozenset[int] | None:
    """Return the seats that win whatever this seat wins, None unless all other seats lose it together."""
    mine = frozenset(world.allies(seat))
    theirs = [frozenset(world.allies(other)) for other in range(len(world.game.players)) if other not in mine]
    return mine if theirs and all(camp == theirs[0] for camp in theirs) and mine.isdisjoint(theirs[0]) else None
