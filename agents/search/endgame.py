"""Endgames: the last tricks of a world, in which all cards are known, solved exactly.

The rules state the rest of a hand in numbers (`OpenCards`). The solver finds a line in which everybody plays perfectly;
the game itself plays it, so that the score is that of the rules.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from croupier.agents.search.world import worth, worths

if TYPE_CHECKING:
    from typing import Self

    from croupier.agents.search.world import World
    from croupier.protocol.open_cards import OpenCards
    from croupier.protocol.views.view import Play


class Limits(NamedTuple):
    """The most cards left with which a hand is solved."""

    in_camps: int
    """Where two camps play for a sum."""
    by_worth: int
    """Where they play for a worth that the sum does not order."""
    alone: int
    """Where each plays for itself."""


class Reach(NamedTuple):
    """The limits for one purpose."""

    compiled: Limits
    plain: Limits

    def reaches(self, hand: OpenCards, left: int) -> bool:
        """Return whether a hand with this many cards left is solved."""
        limits = self.compiled if solving().COMPILED else self.plain
        return left <= (limits.alone if hand.camps is None else limits.by_worth if hand.worths else limits.in_camps)


AFTER_PLAYS = Reach(Limits(21, 20, 16), Limits(12, 12, 8))
"""The ends that are solved after each play that is tried: about a millisecond's work."""
IN_PLAYOUTS = Reach(Limits(12, 16, 0), Limits(0, 0, 0))
"""Those with which a playout ends.

From 28 cards on a playout then takes 1.15 times as long at Skat, 0.85 at Doppelkopf and Jass. At Hearts it took 1.5
times as long, without playing better, and without numba the bot's play is much cheaper.
"""


def solving() -> Any:
    """Return the module that solves hands; with numba the first call takes half a second, or three without a cache."""
    return import_module("croupier.agents.search.perfect_lines")


class Endgame:
    """The end of one world: what follows from each play if everybody plays perfectly."""

    def __init__(self, world: World, hand: OpenCards) -> None:
        self._world = world
        self._lines = solving().PerfectLines(hand)

    @classmethod
    def of(cls, world: World, reach: Reach = AFTER_PLAYS) -> Self | None:
        """Return the endgame of a world, None if it cannot be solved or too many cards are left."""
        left = world.left()
        if left is None or left > max(reach.compiled):
            return None
        hand = world.open_cards()
        return None if hand is None or not reach.reaches(hand, left) else cls(world, hand)

    def after(self, play: Play | None = None) -> World:
        """Return the world at its end, after a play if one is given; the endgame's own world stays as it is.

        Announcements that could still be made are not.
        """
        twin = self._world.copy()
        turn = twin.game.turn
        if play is not None and play[0] != "play" and turn is not None:
            twin.game.play(turn, play)
            rest = type(self).of(twin)
            return twin if rest is None else rest.after()
        self._play(twin, None if play is None else str(play[1]))
        return twin

    def finish(self) -> None:
        """Play the endgame's own world to its end."""
        self._play(self._world, None)

    def _play(self, world: World, first: str | None) -> None:
        for card in self._lines.begin_with(first):
            turn = world.game.turn
            if turn is None:
                break
            world.game.play(turn, ("play", card))

    def value(self, play: Play, seat: int) -> float:
        """Return what a play is worth to a seat."""
        return worth(self.after(play), seat)

    def values(self, play: Play) -> tuple[float, ...]:
        """Return what a play is worth to each seat."""
        return worths(self.after(play))
