"""The rules: every game by its name, the bundled ones and those that installed packages bring.

A bundled game is a line of `BUNDLED`: its name, which is its module's or package's too, and its class. A package brings
one by an entry point in the group ``croupier.games``.
"""

from __future__ import annotations

import importlib
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

from croupier.server.games.game import BadOption, Game

if TYPE_CHECKING:
    from collections.abc import Iterable
    from importlib.metadata import EntryPoint
    from pathlib import Path
    from types import ModuleType

BUNDLED = {
    "dominion": "Dominion",
    "hearts": "Hearts",
    "skat": "Skat",
    "doppelkopf": "Doppelkopf",
    "jass": "Jass",
    "sedma": "Sedma",
}


PROGRAM_ENDINGS = (".gdl", ".rcy")
"""How the files of RECYCLE programs end."""

NEEDED = ("SEATS", "PENALTY", "AWARD", "legal", "check", "play", "view", "scores", "determinize")
"""What a game that is brought has to say itself."""


class NoSuchGame(ValueError):
    """No game has this name."""


class BadGame(ValueError):
    """A game from a file or a package that cannot be played, and why."""


def names() -> list[str]:
    """List the games that can be named, bundled ones first."""
    return [*BUNDLED, *(entry.name for entry in entry_points(group="croupier.games") if entry.name not in BUNDLED)]


def find(name: str, near: Iterable[Path] = ()) -> type[Game]:
    """Return the game called ``name``, or the program in ``recycle:FILE``, or in a file by its ending.

    One named by its SHA-256 is looked for in these files and folders too.
    """
    rules: type[Game]
    if name.startswith("recycle:") or name.endswith(PROGRAM_ENDINGS):
        rules = _rules("recycle").load(name.removeprefix("recycle:"), near)
    elif name in BUNDLED:
        rules = getattr(_rules(name), BUNDLED[name])
    elif brought := [*entry_points(group="croupier.games", name=name)]:
        rules = _brought(brought[0])
    else:
        raise NoSuchGame(f"there is no game {name}; the games: {', '.join(names())}, and recycle:FILE")
    return rules


def carried(name: str, data: bytes) -> type[Game]:
    """Return the game of a program whose bytes a record carries."""
    rules: type[Game] = _rules("recycle").of_bytes(name, data)
    return rules


def _rules(name: str) -> ModuleType:
    """Load the module of a game's rules when it is asked for."""
    return importlib.import_module(f"{__name__}.{name}")


def _brought(entry: EntryPoint) -> type[Game]:
    """Load the rules that an installed package brings."""
    try:
        rules = entry.load()
    except Exception as problem:
        raise BadGame(f"{entry.value}, the rules of {entry.name}, does not load: {problem!r}") from problem
    if not (isinstance(rules, type) and issubclass(rules, Game)):
        raise BadGame(f"{entry.value}, the rules of {entry.name}, is no class of Game")
    if (own := getattr(rules, "NAME", "nothing")) != entry.name:
        raise BadGame(f"{entry.value} calls itself {own}, and its entry point {entry.name}: call both the same")
    if lacking := [name for name in NEEDED if getattr(rules, name, None) is getattr(Game, name, None)]:
        raise BadGame(f"{entry.value}, the rules of {entry.name}, does not say {', '.join(lacking)}")
    return rules


__all__ = ["BUNDLED", "BadGame", "BadOption", "Game", "NoSuchGame", "carried", "find", "names"]
