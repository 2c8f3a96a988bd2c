"""Globs: a table of a tournament's file can enter a bot for each file that matches ``glob = "bots/*/bot.py"``."""

from __future__ import annotations

import shlex
from collections import Counter
from fnmatch import fnmatch
from itertools import islice
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, NamedTuple

from croupier.server import names
from croupier.server.entries import distinct_names, run_by

if TYPE_CHECKING:
    from collections.abc import Iterator

GLOB = "glob"
MOST = 1000
"""The most files that may match; a pattern with more was probably a mistake."""
_OF_ONE = ("name", "title", "builtin", "args")
"""Keys that make sense for one bot only."""
_WILD = frozenset("*?[")


class BadGlob(ValueError):
    """A table whose bots cannot be found; ``key`` is its faulty key."""

    def __init__(self, table: int, key: str, why: str) -> None:
        super().__init__(why)
        self.table = table
        self.key = key


class _Found(NamedTuple):
    """A matching file, the table with its glob, and the text from which its name is made."""

    table: int
    path: Path
    called: str


def expand(tables: list[Any], folder: Path | None) -> tuple[list[Any], list[int]]:
    """Replace each table with a glob by one for each file; return all, and the place of each in the file.

    Patterns are relative to ``folder``; without one they are refused. Raise BadGlob.
    """
    found = [each for number, table in enumerate(tables) if _is_glob(table) for each in _find(number, table, folder)]
    taken = [table["name"] for table in tables if _has_name(table)]
    called = _names(found, taken)
    titles = _titles(found, called, taken)
    made: list[Any] = []
    places: list[int] = []
    for number, table in enumerate(tables):
        mine = [bot_table(table, found[at].path, called[at], titles[at]) for at in _of_table(number, found)]
        made += mine if _is_glob(table) else [table]
        places += [number] * (len(made) - len(places))
    return made, places


def _is_glob(table: Any) -> bool:
    return isinstance(table, dict) and GLOB in table


def _has_name(table: Any) -> bool:
    return isinstance(table, dict) and isinstance(table.get("name"), str)


def _find(number: int, table: dict[str, Any], folder: Path | None) -> list[_Found]:
    """List the files of a table in the order of their paths, with the text for each one's name."""
    pattern = table[GLOB]
    if not isinstance(pattern, str):
        raise BadGlob(number, GLOB, 'expected text, such as "bots/*/bot.py"')
    if folder is None:
        raise BadGlob(number, GLOB, "a glob is relative to the tournament's file, and there is none")
    for key in _OF_ONE:
        if key in table:
            raise BadGlob(number, key, "a glob enters many bots, each called after its folder or its file")
    paths = _matches(number, pattern, folder.absolute())
    if (above := _open_folder(pattern)) is not None:
        return [_Found(number, path, path.parents[above].name) for path in paths]
    stems = Counter(path.stem for path in paths)
    own = [stems[path.stem] == 1 and not names.says_nothing(path.stem) for path in paths]
    return [
        _Found(number, path, path.stem if tells else names.of_folder(path))
        for path, tells in zip(paths, own, strict=True)
    ]


def _matches(number: int, pattern: str, folder: Path) -> list[Path]:
    """List the files that match a pattern, sorted; names that begin with a dot do not match."""
    try:
        found = (path for path in folder.glob(pattern) if path.is_file() and not _is_hidden(path, folder))
        paths = sorted(islice(found, MOST + 1))
    except NotImplementedError:
        raise BadGlob(number, GLOB, f"{pattern} is not relative to {folder}, the folder of the file") from None
    except (ValueError, OSError, RecursionError) as problem:
        raise BadGlob(number, GLOB, f"{pattern!r} cannot be looked for in {folder}: {problem}") from None
    if not paths:
        raise BadGlob(number, GLOB, f"no file in {folder} matches {pattern}")
    if len(paths) > MOST:
        raise BadGlob(number, GLOB, f"more than {MOST} files in {folder} match {pattern}")
    return paths


def folders_without_file(pattern: str, folder: Path) -> Iterator[str]:
    """Yield a warning for each folder that a pattern leaves open but in which it finds no file."""
    *folders, name = PurePath(pattern).parts
    if _WILD.isdisjoint("".join(folders)):
        return
    for place in sorted(islice(folder.glob("/".join(folders)), MOST)):
        if place.is_dir() and not _is_hidden(place, folder) and not any(place.glob(name)):
            like = [each.name for each in place.iterdir() if fnmatch(each.name.lower(), name.lower())]
            but = f", but {like[0]} is there" if like else ""
            yield f"{place.relative_to(folder)}: no file is called {name}{but}"


def _is_hidden(path: Path, folder: Path) -> bool:
    return any(part.startswith(".") and part != ".." for part in path.parts[len(folder.parts) :])


def _open_folder(pattern: str) -> int | None:
    """Return how far above files of one name the folder is that distinguishes them; None if the pattern has none.

    It is the last one that the pattern does not spell out.
    """
    *folders, name = map(_WILD.isdisjoint, PurePath(pattern).parts)
    return folders[::-1].index(False) if name and not all(folders) else None


def _names(found: list[_Found], taken: list[str]) -> list[str]:
    """Return a different valid name for each; texts that are already valid names take precedence."""
    order = sorted(range(len(found)), key=lambda at: not names.good_name(found[at].called))
    given = distinct_names((*taken, *[names.nearest(found[at].called) for at in order]))
    called = dict(zip(order, given[len(taken) :], strict=True))
    return [called[at] for at in range(len(found))]


def _of_table(number: int, found: list[_Found]) -> list[int]:
    return [at for at, each in enumerate(found) if each.table == number]


def _titles(found: list[_Found], called: list[str], taken: list[str]) -> list[str | None]:
    """Return the original text of each name as a title, where they differ and it resembles no other bot's name."""
    alike = Counter(names.looks(each.called) for each in found)
    others = Counter(map(names.looks, (*called, *taken)))
    titles: list[str | None] = []
    for each, name in zip(found, called, strict=True):
        looks = names.looks(each.called)
        own = alike[looks] == 1 and others[looks] == (looks == names.looks(name))
        titles.append(each.called if each.called != name and own and not names.title_defect(each.called) else None)
    return titles


def bot_table(table: dict[str, Any], path: Path, name: str, title: str | None) -> dict[str, Any]:
    """Return the table of a bot that is one file, with ``{file}`` and ``{folder}`` in its commands replaced.

    Without a command it is run directly, or by the interpreter of its kind.
    """
    own = {key: value for key, value in table.items() if key != GLOB} | {"name": name}
    if title is not None:
        own["title"] = title
    own["command"] = _command_for(own["command"], path) if "command" in own else run_by(path)
    if isinstance(own.get("build"), str):
        own["build"] = _fill_in(own["build"], shlex.quote(str(path)), shlex.quote(str(path.parent)))
    return own


def _command_for(command: Any, path: Path) -> Any:
    if not isinstance(command, list):
        return command
    return [_fill_in(word, str(path), str(path.parent)) if isinstance(word, str) else word for word in command]


def _fill_in(text: str, file: str, folder: str) -> str:
    """Insert the file and its folder at the same time, because their own names may contain braces."""
    parts = [part.replace("{folder}", folder) for part in text.split("{file}")]
    return file.join(parts)
