"""Glance: a view for who plays on in thought: what bots look at is there, all else is built when they ask for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.protocol.views.view import View

if TYPE_CHECKING:
    from croupier.server.games.tricks import TrickTaking


class Glance(View):
    """A view of the play of a card of which only ``sight`` is there as yet: all else is built when it is asked for.

    That has to be while nothing moves. It stands before a game's page among the bases of its glance.
    """

    def __init__(self, game: TrickTaking, seat: int, sight: object) -> None:
        self.__dict__ = {"sight": sight, "phase": "play", "_game": game, "_seat": seat}

    def __getattr__(self, name: str) -> Any:
        """Build the view for its first field that is asked for."""
        self._build()
        return super().__getattr__(name) if name not in self.__dict__ else self.__dict__[name]

    def __str__(self) -> str:
        """Write STATE, once it is built."""
        self._build()
        return super().__str__()

    def _build(self) -> None:
        own = self.__dict__
        if "_game" in own:
            own.update(own.pop("_game").view(own.pop("_seat")).__dict__)
