"""Eyes: what one seat, or whoever sees everything, sees from moment to moment: each shot is what has changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.server.games.broadcast import Picture, Said

TABLE = "table"
"""Who sees everything: no player is called so."""


class Viewpoint:
    """The shots of one viewpoint.

    A shot maps each thing that has changed to how it is now, None if it is gone; and ``said`` to what is said at that
    moment alone. Things are ``place OWNER NAME``, ``beside SEAT``, ``facts``, ``turn``, ``legal`` and the ``order`` of
    the places.
    """

    def __init__(self, players: Sequence[str], seat: int | None) -> None:
        self.seat = seat
        self.name = TABLE if seat is None else players[seat]
        self.shots: list[dict[str, Any]] = []
        self._last: dict[str, Any] = {}

    def take(self, picture: Picture, turn: int | None, legal: list[str] | int | None, said: Sequence[Said]) -> None:
        """Take in a picture and what is said about it."""
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
        """Add to the last shot what is of that moment alone, if it is anything."""
        if value not in ("", None):
            self.shots[-1][thing] = value


def _things(picture: Picture) -> dict[str, Any]:
    """Return what there is on a picture by its name."""
    places = {f"place {place.owner} {place.name}": place for place in picture.places}
    beside = {f"beside {seat}": words for seat, words in enumerate(picture.beside)}
    return {**places, **beside, "facts": picture.facts, "order": [*places]}
