"""Begun: a game that others have begun, as it stands where somebody plays on."""

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
    """Where both have had their shuffles from."""
    told: Sequence[tuple[Notification, int | None]]
    """What the players were told on the way, each with the seat that was not told."""
    faults: Sequence[PlayerFault]
    stand_ins: frozenset[int]
    """For whom a stand-in plays by then."""
    record: Sequence[str]
    """Its lines, and where it is played on."""

    def go_on(self, deal: Deal) -> Game:
        """Return the game at the moment; what is shuffled from there on is this deal's."""
        self.deal.on = deal
        return self.game
