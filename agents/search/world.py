"""World: the questions that a search asks of a game, answered by any implementation of the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from random import Random
    from typing import Self

    from croupier.protocol.open_cards import OpenCards
    from croupier.protocol.views.view import Play, View


class Rules(Protocol):
    """A game as the rules see it: whose turn it is, the legal plays, and the scores."""

    LOW_WINS: ClassVar[bool]
    players: tuple[str, ...]
    turn: int | None
    attack: Any

    def legal(self) -> Iterable[Play]:
        """List the legal plays."""
        ...

    def play(self, seat: int, play: Play) -> object:
        """Apply a play."""
        ...

    def sample(self, rng: Random) -> Play:
        """Return any legal play."""
        ...

    def scores(self) -> Sequence[int]:
        """Return the score of each seat."""
        ...

    def partners(self, seat: int) -> Sequence[int]:
        """Return the seats that share a score."""
        ...


class World(Protocol):
    """A game that can be copied and dealt again in the way that a seat may imagine it."""

    @property
    def game(self) -> Rules:
        """The game itself."""
        ...

    def distinct(self, plays: Iterable[Play]) -> list[Play]:
        """Return these legal plays with only the first of each group of equivalent ones."""
        ...

    def earlier(self, seat: int) -> Iterable[tuple[World, int, Play]]:
        """List the announcements of others that a seat knows, each with a world in which it was to be made."""
        ...

    def left(self) -> int | None:
        """Return how many cards are still to be played until the game is over, None if there is no such number."""
        ...

    def open_cards(self) -> OpenCards | None:
        """Return the rest of a hand of tricks in numbers, None where it cannot be solved."""
        ...

    def routine(self) -> Play | None:
        """Return the play that needs no thought, None if there is a choice."""
        ...

    def advance(self) -> None:
        """Make the plays that need no thought."""
        ...

    def glance(self, seat: int) -> View:
        """Return a seat's view; the list of its legal plays may be missing."""
        ...

    def deal_by(self, deal: Any) -> None:
        """Use another deal for the shuffles that are still to come."""
        ...

    def copy(self) -> Self:
        """Return an independent copy."""
        ...

    def determinize(self, seat: int, rng: Random) -> Self:
        """Return a copy in which everything that a seat cannot see is dealt again at random."""
        ...


def worth(world: World, seat: int) -> float:
    """Return by how much a seat's score is ahead of its opponents' mean."""
    game = world.game
    scores, side = game.scores(), game.partners(seat)
    others = [score for other, score in enumerate(scores) if other not in side]
    ahead = scores[seat] - sum(others) / len(others) if others else float(scores[seat])
    return -ahead if game.LOW_WINS else ahead


def worths(world: World) -> tuple[float, ...]:
    """Return a world's worth to each seat."""
    return tuple([worth(world, seat) for seat in range(len(world.game.players))])
