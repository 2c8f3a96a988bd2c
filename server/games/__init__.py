"""The rules: every game by name, bundled ones and those from installed packages.

A bundled game is a line of `BUNDLED`: its name, which is also that of its module or package, and its class. A package
adds one by an entry point in the group ``croupier.games``.
"""

from __future__ import annotations

import importlib
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any

from croupier.server.games.game import BadOption, Game
from croupier.server.suggestions import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable
    from importlib.metadata import EntryPoint
    from types import ModuleType

BUNDLED = {
    "dominion": "Dominion",
    "hearts": "Hearts",
    "skat": "Skat",
    "doppelkopf": "Doppelkopf",
    "jass": "Jass",
    "sedma": "Sedma",
}
LIBRARY = Path(__file__).parent / "recycle" / "library"
"""The folder of the RECYCLE programs in the package."""

PROGRAM_ENDINGS = (".gdl", ".rcy")
"""The suffixes of RECYCLE programs."""


class NoSuchGame(ValueError):
    """No game has this name."""


class BadGame(ValueError):
    """A game from a file or a package that cannot be played, and the reason."""


def names() -> list[str]:
    """List the names of all games, bundled ones first, without those of the library."""
    return [*BUNDLED, *(entry.name for entry in entry_points(group="croupier.games") if entry.name not in BUNDLED)]


def library() -> list[str]:
    """List the games of the library by name: RECYCLE programs in the package."""
    return sorted(path.stem for path in LIBRARY.glob("*.gdl"))


def find_name(word: str) -> str:
    """Return a game's registered name, given in any case; raise NoSuchGame.

    It is ``recycle:NAME`` for a game of the library. If a built-in game has the same name, it wins.
    """
    if word in BUNDLED:
        return word
    if is_program(word):
        file = word.removeprefix("recycle:")
        is_kept = file != word and file.lower() in library() and not Path(file).is_file()
        return word.lower() if is_kept else word
    known = {name.lower(): f"recycle:{name}" for name in library()}
    known |= {name.lower(): name for name in names()}
    if word in names():
        return word
    if word.lower() in known:
        return known[word.lower()]
    raise NoSuchGame(
        f"there is no game {word}{did_you_mean(word, known)}; `croupier games` lists them, and FILE.gdl is a game, too"
    )


def is_program(word: str) -> bool:
    """Return whether a word names a RECYCLE program: ``recycle:FILE``, or a file by its suffix."""
    return word.startswith("recycle:") or word.endswith(PROGRAM_ENDINGS)


def find(name: str, near: Iterable[Path] = ()) -> type[Game]:
    """Find the game called ``name``, from the package, its library, or a file.

    A program named by its SHA-256 is also looked for in the given files and folders.
    """
    rules: type[Game]
    name = find_name(name)
    if is_program(name):
        rules = _rules("recycle").load(name.removeprefix("recycle:"), near)
    elif name in BUNDLED:
        rules = getattr(_rules(name), BUNDLED[name])
    else:
        rules = _load_installed(next(iter(entry_points(group="croupier.games", name=name))))
    return rules


def of_view(view: Any, program: str | None = None) -> type[Game]:
    """Return the rules of a view's game; those of a RECYCLE program are read from ``program``, if that is given."""
    is_recycle = view.game == "recycle"
    return find(f"recycle:{program or view.program}" if is_recycle else str(view.game))


def carried_game(name: str, data: bytes) -> type[Game]:
    """Return the game of a program that a record carries as bytes."""
    rules: type[Game] = _rules("recycle").of_bytes(name, data)
    return rules


def _rules(name: str) -> ModuleType:
    """Load the module of a game's rules on demand."""
    return importlib.import_module(f"{__name__}.{name}")


def _load_installed(entry: EntryPoint) -> type[Game]:
    """Load rules from an installed package."""
    try:
        rules = entry.load()
    except Exception as problem:
        raise BadGame(f"{entry.value}, the rules of {entry.name}, does not load: {problem!r}") from problem
    if not (isinstance(rules, type) and issubclass(rules, Game)):
        raise BadGame(f"{entry.value}, the rules of {entry.name}, is no class of Game")
    if (own := getattr(rules, "NAME", "nothing")) != entry.name:
        raise BadGame(f"{entry.value} calls itself {own}, and its entry point {entry.name}: call both the same")
    declared = [name for name in Game.__annotations__ if name.isupper() and not hasattr(rules, name)]
    if lacking := [*declared, *sorted(rules.__abstractmethods__)]:
        raise BadGame(f"{entry.value}, the rules of {entry.name}, does not say {', '.join(lacking)}")
    return rules


__all__ = [
    "BUNDLED",
    "BadGame",
    "BadOption",
    "Game",
    "NoSuchGame",
    "carried_game",
    "find",
    "find_name",
    "is_program",
    "library",
    "names",
    "of_view",
]
