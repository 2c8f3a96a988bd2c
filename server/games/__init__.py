"""The rules: every game by its name, the bundled ones and those that installed packages bring."""

from __future__ import annotations

import importlib
from importlib.metadata import entry_points

from croupier.server.games.game import BadOption, Game

BUNDLED = {
    "dominion": "Dominion",
    "hearts": "Hearts",
    "skat": "Skat",
    "doppelkopf": "Doppelkopf",
    "jass": "Jass",
    "sedma": "Sedma",
}


class NoSuchGame(ValueError):
    """No game has this name."""


class BadGame(ValueError):
    """A game from a file or a package that cannot be played, and why."""


def names() -> list[str]:
    """List the games that can be named, bundled ones first."""
    return [*BUNDLED, *(entry.name for entry in entry_points(group="croupier.games") if entry.name not in BUNDLED)]


def find(name: str) -> type[Game]:
    """Return the game called ``name``, or the program in ``recycle:FILE``."""
    if name.startswith("recycle:"):
        from croupier.server.games.recycle import load  # noqa: PLC0415  few tables play from a file

        return load(name.removeprefix("recycle:"))
    if name in BUNDLED:
        return getattr(importlib.import_module(f"{__name__}.{name}"), BUNDLED[name])  # type: ignore[no-any-return]
    for entry in entry_points(group="croupier.games", name=name):
        return entry.load()  # type: ignore[no-any-return]
    raise NoSuchGame(f"there is no game {name}; the games: {', '.join(names())}, and recycle:FILE")


__all__ = ["BUNDLED", "BadGame", "BadOption", "Game", "NoSuchGame", "find", "names"]
