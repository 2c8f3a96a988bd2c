"""World: what a search asks of a game, whoever has the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Protocol

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence
    from random import Random
    from typing import Self

    from croupier.protocol.views.view import Play, View


class Rules(Protocol):
    """A game as the rules have it: who is to play, what may be played, and what it scores."""

    LOW_WINS: ClassVar[bool]
    players: tuple[str, ...]
    turn: int | None
    attack: Any

    def legal(self) -> Iterable[Play]:
        """List the legal plays."""
        ...

    def play(self, seat: int, play: Play) -> object:
        """Play."""
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
    """A game that can be copied, told apart, and dealt again as a seat may imagine it."""

    @property
    def game(self) -> Rules:
        """The game."""
        ...

    def distinct(self, plays: Iterable[Play]) -> list[Play]:
        """Return these legal plays, the first of those that are equivalent."""
        ...

    def allies(self, seat: int) -> Sequence[int]:
        """Return the seats that win as things stand what a seat wins, itself among them."""
        ...

    def earlier(self, seat: int) -> Iterable[tuple[World, int, Play]]:
        """List what others said that a seat knows of, each with a world in which it is to be said."""
        ...

    def left(self) -> int | None:
        """Return how many cards are still to be played until all is over, None where that is no such count."""
        ...

    def standing(self) -> Hashable:
        """Return what all that may still come of a world with cards left depends on."""
        ...

    def routine(self) -> Play | None:
        """Return the play that nobody has to think about, None where there is something to choose."""
        ...

    def advance(self) -> None:
        """Make the plays that nobody has to think about."""
        ...

    def glance(self, seat: int) -> View:
        """Return what a seat sees; the list of its legal plays may be left out."""
        ...

    def deal_by(self, deal: Any) -> None:
        """Take the shuffles that are still to come from another deal."""
        ...

    def copy(self) -> Self:
        """Return an independent copy."""
        ...

    def determinize(self, seat: int, rng: Random) -> Self:
        """Return a copy with all dealt again that a seat cannot see."""
        ...


def worth(world: World, seat: int) -> float:
    """Return by how much a seat is ahead of the mean of its opponents."""
    game = world.game
    scores, side = game.scores(), game.partners(seat)
    others = [score for other, score in enumerate(scores) if other not in side]
    ahead = scores[seat] - sum(others) / len(others) if others else float(scores[seat])
    return -ahead if game.LOW_WINS else ahead
