"""Viewpoint: what one seat, or an observer of everything, sees from moment to moment; each shot is a difference."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.server.games.broadcast import Picture, Said

TABLE = "table"
"""The observer of everything; no player can have this name."""


class Viewpoint:
    """The shots of one viewpoint.

    A shot maps each thing that has changed to its new state, None if it is gone, and ``said`` to the words of that
    moment only. Things are ``place OWNER NAME``, ``beside SEAT``, ``facts``, ``turn``, ``legal`` and the ``order`` of
    the places.
    """

    def __init__(self, players: Sequence[str], seat: int | None) -> None:
        self.seat = seat
        self.name = TABLE if seat is None else players[seat]
        self.shots: list[dict[str, Any]] = []
        self._last: dict[str, Any] = {}

    def take(self, picture: Picture, turn: int | None, legal: list[str] | int | None, said: Sequence[Said]) -> None:
        """Add a picture and the words about it."""
        now = _things(picture)
        now["turn"] = turn
        now["legal"] = legal if self.seat in {None, turn} else None
        last, self._last = self._last, now
        shot = {key: value for key, value in now.items() if key not in last or last[key] != value}
        shot |= dict.fromkeys(last.keys() - now.keys())
        if said:
            shot["said"] = said
        self.shots.append(shot)

    def add(self, thing: str, value: object) -> None:
        """Add data of that moment only to the last shot, if there are any."""
        if value not in ("", None):
            self.shots[-1][thing] = value


def _things(picture: Picture) -> dict[str, Any]:
    """Return the things on a picture by name."""
    places = {f"place {place.owner} {place.name}": place for place in picture.places}
    beside = {f"beside {seat}": words for seat, words in enumerate(picture.beside)}
    return {**places, **beside, "facts": picture.facts, "order": [*places]}
