"""Imports: finds the files in a program's folder that its code names, without running it."""

from __future__ import annotations

import os
import re
from importlib.machinery import all_suffixes
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from croupier.server.entries import is_file
from croupier.server.texts import open_file

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

SCANNED = 1 << 18
"""The bytes beyond which a file is not searched for imports."""
MOST = 1000
"""The most files of a program, and the most imports of a file, that are examined."""
CHARACTERS = 8 << 20
"""The most characters that are searched in all files of a program together."""
LOOKUPS = 50_000
"""The most paths that a program's files may name, existing or not."""
LONGEST = 255
_PYTHON = {".py", ".pyw"}
_STATEMENT = re.compile(
    r"(?:^|[;:])[ \t]*+"
    r"(?:from[ \t]++(\.*+)([\w.]*+)[ \t]++import[ \t]*+(\([^()]{0,2000}+\)|[^\n#;]*+)|import[ \t]++([^\n#;]++))",
    re.MULTILINE,
)
"""Repetitions are possessive (``*+``), so that a stranger's runs of blanks and dots take no longer than other text."""
_NAME = re.compile(r"[\w.]+")
_IMPORTING = re.compile(r"\b(?:import|require|require_relative|include|use|load|source|dofile|from)\b")
_SHELL = re.compile(r"#!.*sh\b")
_PATH = re.compile(r"[\w./-]+")


class Scan(NamedTuple):
    """The files of a program besides its own, and whether its code names too many to follow."""

    files: list[Path]
    cut_off: bool


class _TooMuch(Exception):
    """A program names more than is followed."""


class _Left:
    """The remaining limits. They count work instead of time, so that each machine finds the same files."""

    def __init__(self) -> None:
        self._characters = CHARACTERS
        self._lookups = LOOKUPS

    def read(self, text: str) -> None:
        """Count a file's text; raise _TooMuch beyond the limit."""
        self._characters -= len(text)
        if self._characters < 0:
            raise _TooMuch

    def look(self, path: str) -> str:
        """Count and return a path to check; raise _TooMuch beyond the limit."""
        self._lookups -= 1
        if self._lookups < 0:
            raise _TooMuch
        return path

    def find(self, files: Collection[Path]) -> None:
        """Raise _TooMuch if a program has more files than allowed."""
        if len(files) > MOST:
            raise _TooMuch


def imported_files(program: Path) -> list[Path]:
    """Return the files beside a script, or in folders below it, that it imports itself or through one of them.

    For Python these are modules. For other languages they are paths in lines that import, with or without a suffix; in
    a shell script any file that it names. Imports that only the running program can determine are not found.
    """
    return scan(program).files


def scan(program: Path) -> Scan:
    """Find the files that a program imports.

    If its code names too many paths to follow, all files in its folder and below with the program's suffix count as its
    own. So a change of its code is still noticed.
    """
    root, left = program.parent, _Left()
    found, waiting = {program: None}, [program]
    try:
        while waiting:
            new = [each for each in _named_files(waiting.pop(), root, left) if each not in found]
            found |= dict.fromkeys(new)
            waiting += new
            left.find(found)
    except _TooMuch:
        return Scan(sorted({*islice(_alike(program), MOST)} - {program}), cut_off=True)
    return Scan(sorted(found.keys() - {program}), cut_off=False)


def _alike(program: Path) -> Iterator[Path]:
    """Yield the files with a program's suffix in its folder and those below."""
    for here, folders, names in os.walk(program.parent):
        folders.sort()
        for path in (Path(here, name) for name in sorted(names)):
            if path.suffix == program.suffix and is_file(str(path)) and os.access(path, os.R_OK):
                yield path


def hidden_import(program: Path, folder: Path) -> Path | None:
    """Return a file that a script imports but cannot once a folder is hidden from it; None if there is none.

    In a hidden folder a bot still sees the files that its command names, and the contents of their own folders.
    """
    real, own = folder.resolve(), program.parent.resolve()
    if own != real and own.is_relative_to(real):
        return None
    return next((path for path in imported_files(program) if path.resolve().is_relative_to(real)), None)


def content(path: Path) -> bytes:
    """Read a file, which may have become a pipe; raise OSError for anything but a file."""
    with open_file(path) as file:
        return file.read()


def _named_files(path: Path, root: Path, left: _Left) -> list[Path]:
    """List the files under the root that a file's code names."""
    try:
        code = content(path) if path.stat().st_size <= SCANNED else b"\0"
    except OSError:
        return []
    if b"\0" in code:
        return []
    left.read(text := code.decode("utf-8", "replace"))
    here, top = str(path.parent), str(root)
    named = _modules(text, here, top) if _is_python(path, text) else _paths(text, path.suffix, here, top)
    return [
        Path(each)
        for each in dict.fromkeys(os.path.normpath(left.look(each)) for each in named)
        if each.startswith(f"{top}/") and is_file(each) and os.access(each, os.R_OK)
    ]


def _is_python(path: Path, text: str) -> bool:
    first = text.partition("\n")[0]
    return path.suffix in _PYTHON or (first.startswith("#!") and "python" in first)


def _modules(text: str, here: str, root: str) -> Iterator[str]:
    """Yield possible locations of the modules that Python code imports."""
    imports = dict.fromkeys(islice(_imports(text, here, root), 10 * MOST))
    for top, name in islice(imports, MOST):
        folder = top
        for part in filter(None, name[:LONGEST].split(".")):
            folder = f"{folder}/{part}"
            yield from (folder + suffix for suffix in all_suffixes())
            yield f"{folder}/__init__.py"


def _imports(text: str, here: str, root: str) -> Iterator[tuple[str, str]]:
    """Yield the modules that Python code imports, each with the folder in which it is searched."""
    for dots, base, names, plain in _STATEMENT.findall(text.replace("\\\n", " ")):
        if plain:
            wanted, top = _first_words(plain), root
        else:
            wanted = [base, *(f"{base[:LONGEST]}.{name[:LONGEST]}" for name in _first_words(names.strip("()")))]
            top = root if not dots else here + "/.." * min(len(dots) - 1, LONGEST)
        yield from ((top, name) for name in wanted)


def _first_words(listed: str) -> list[str]:
    """Return the names in ``a, b.c as d``."""
    return [name for each in listed.split(",") for name in _NAME.findall(each)[:1]]


def _paths(text: str, suffix: str, here: str, root: str) -> Iterator[str]:
    """Yield the possible paths in the words of a line that imports."""
    shell = suffix in {"", ".sh"} or _SHELL.match(text)
    lines = (line for line in text.splitlines() if shell or _IMPORTING.search(line))
    words = dict.fromkeys(word[:LONGEST].lstrip("/") for line in lines for word in _PATH.findall(line))
    for word in islice(words, MOST):
        for folder in (here, root):
            yield f"{folder}/{word}"
            yield f"{folder}/{word}{suffix}"
