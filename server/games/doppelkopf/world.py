"""What a search asks of Doppelkopf: who plays together, and a deal that agrees with what is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from croupier.server.games.doppelkopf.retelling import DoppelkopfRetelling
from croupier.server.games.doppelkopf.unseen import dealt_again
from croupier.server.games.tricks_world import TrickWorld

if TYPE_CHECKING:
    from random import Random

    from croupier.server.games.doppelkopf.game import Doppelkopf


class DoppelkopfWorld(TrickWorld):
    """Doppelkopf as a search has it."""

    game: Doppelkopf
    RETELLING = DoppelkopfRetelling

    def allies(self, seat: int) -> tuple[int, ...]:
        """Return the seat's party as it is, shown or not."""
        sides = self.game.parties.sides or range(4)
        return tuple([other for other in range(4) if sides[other] == sides[seat]])

    def determinize(self, seat: int, rng: Random) -> Self:
        """Return a copy in which all that ``seat`` cannot know is different."""
        return type(self)(dealt_again(self.game, seat, self.lacks(), rng))
