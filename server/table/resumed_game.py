"""ResumedGame: a game that others have begun, at the moment where it is continued."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.protocol.notifications import Notification
    from croupier.server.deals import Continued
    from croupier.server.games.game import Deal, Game
    from croupier.server.table.faults import PlayerFault


class ResumedGame(NamedTuple):
    """A game up to a moment."""

    opening: Game
    """Before the first play."""
    game: Game
    """At the moment."""
    deal: Continued
    """The deal from which both were shuffled."""
    told: Sequence[tuple[Notification, int | None]]
    """What the players were told so far, each with the seat that was not told."""
    faults: Sequence[PlayerFault]
    stand_ins: frozenset[int]
    """The seats already played by a stand-in."""
    record: Sequence[str]
    """The lines of its record so far, and where it is continued."""

    def go_on(self, deal: Deal) -> Game:
        """Return the game at the moment; later shuffles come from this deal."""
        self.deal.on = deal
        return self.game
