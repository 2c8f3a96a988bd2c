"""World: the questions of a search to a game in addition to its rules, on an object that has the game."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Iterable
    from random import Random

    from croupier.protocol.open_cards import OpenCards
    from croupier.protocol.sexp import Sexp
    from croupier.protocol.views.view import View
    from croupier.server.games.game import Deal, Game, Play


class NotToldError(ValueError):
    """A view contains too little to retell the game."""


def world_of(game: Game) -> World:
    """Return a game as a search sees it; the world and the game share their state."""
    return game.WORLD(game)


class World(ABC):
    """A game, and its possible hidden states for a seat; a copy of the world copies the game."""

    def __init__(self, game: Any) -> None:
        self.game = game

    @abstractmethod
    def determinize(self, seat: int, rng: Random) -> Self:
        """Return a copy with everything dealt again that ``seat`` cannot see, consistently with all that it knows.

        The copy's later shuffles come from ``rng`` too (`Dice`).
        """

    @classmethod
    def of_view(cls, rules: type[Game], view: View) -> Self:
        """Return a game that fits its viewer's view, with hidden cards anywhere; call `determinize` on it.

        Raise NotToldError if the view says too little. Its later shuffles are arbitrary, so it serves only for
        imagining.
        """
        raise NotToldError(f"{rules.NAME} cannot be told again from what one player sees")

    def copy(self) -> Self:
        """Return an independent copy."""
        return type(self)(self.game.copy())

    def unseen(self) -> Iterable[tuple[Sexp, tuple[Sexp, ...]]]:
        """Return the piles that no player sees, each with its cards from the top."""
        return ()

    def deal_by(self, deal: Deal) -> None:
        """Use another deal for the shuffles that are still to come."""
        self.game.deal = deal

    def glance(self, seat: int) -> View:
        """Return ``seat``'s view for a bot in a playout; it may lack the legal plays."""
        view: View = self.game.view(seat)
        return view

    def routine(self) -> Play | None:
        """Return the play that needs no thought: the only one, or one that loses nothing."""
        plays = self.game.legal()
        return plays[0] if plays.__class__ is tuple and len(plays) == 1 else None

    def advance(self) -> None:
        """Make the plays that need no thought, until there is a choice or the game is over."""
        game = self.game
        while game.turn is not None and (play := self.routine()) is not None:
            game.play(game.turn, play)

    def distinct(self, plays: Iterable[Play]) -> list[Play]:
        """Return these legal plays with only the first of each group whose consequences are the same."""
        return list(dict.fromkeys(plays))

    def left(self) -> int | None:
        """Return how many cards are still to be played until the game is over, None if there is no such number."""
        return None

    def open_cards(self) -> OpenCards | None:
        """Return the rest of a hand of tricks in numbers for the exact solver, None where it cannot be solved."""
        return None

    def earlier(self, seat: int) -> Iterable[tuple[World, int, Play]]:
        """List the others' announcements that ``seat`` knows, each with a world with these cards in which it is made.

        A search asks there how likely each was, to prefer likely worlds.
        """
        return ()
