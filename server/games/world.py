"""World: what a search asks of a game beside its rules, on an object that has the game."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence
    from random import Random

    from croupier.protocol.views.view import View
    from croupier.server.games.game import Deal, Game, Play


class NotToldError(ValueError):
    """A view says too little to tell the game again."""


def world_of(game: Game) -> World:
    """Return a game as a search has it; both go on together."""
    return game.WORLD(game)


class World(ABC):
    """A game, and what may be so in it for a seat; a copy has a copy of the game."""

    def __init__(self, game: Any) -> None:
        self.game = game

    @abstractmethod
    def determinize(self, seat: int, rng: Random) -> Self:
        """Return a copy in which all that ``seat`` cannot see is dealt again, consistently with all that it knows.

        The copy's later shuffles come from ``rng`` too (`Dice`).
        """

    @classmethod
    def of_view(cls, rules: type[Game], view: View) -> Self:
        """Return a game that looks like this to its viewer, with hidden cards anywhere; `determinize` it.

        Its later shuffles are nobody's: it is there to be imagined.
        """
        raise NotToldError(f"{rules.NAME} cannot be told again from what one player sees")

    def copy(self) -> Self:
        """Return an independent copy."""
        return type(self)(self.game.copy())

    def deal_by(self, deal: Deal) -> None:
        """Take the shuffles that are still to come from another deal."""
        self.game.deal = deal

    def glance(self, seat: int) -> View:
        """Return what ``seat`` may know, for a bot in a playout: it may lack the legal plays."""
        view: View = self.game.view(seat)
        return view

    def routine(self) -> Play | None:
        """Return the play that nobody has to think about: the only one, or one by which nothing is lost."""
        plays = self.game.legal()
        return plays[0] if plays.__class__ is tuple and len(plays) == 1 else None

    def advance(self) -> None:
        """Make the plays that nobody has to think about, until there is something to choose or the game is over."""
        game = self.game
        while game.turn is not None and (play := self.routine()) is not None:
            game.play(game.turn, play)

    def distinct(self, plays: Iterable[Play]) -> list[Play]:
        """Return these legal plays, the first of those that are equivalent whatever follows."""
        return list(dict.fromkeys(plays))

    def allies(self, seat: int) -> Sequence[int]:
        """Return the seats that win as things stand what ``seat`` wins, itself among them; most often its partners."""
        partners: Sequence[int] = self.game.partners(seat)
        return partners

    def left(self) -> int | None:
        """Return how many cards are still to be played until the game is over, None where there is no such count."""
        return None

    def standing(self) -> Hashable:
        """Return what all that may still come depends on where cards are `left`."""
        return None

    def earlier(self, seat: int) -> Iterable[tuple[World, int, Play]]:
        """List what others said, as far as ``seat`` knows, with a world in which each is to say it, as cards lie here.

        A search asks there how likely it was, to tell likely worlds from others.
        """
        return ()
