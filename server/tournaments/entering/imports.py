"""Imports: the files of a program's own folder that its code names, found without running it."""

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
"""Bytes: in a longer file nobody looks for imports."""
MOST = 1000
"""Files of a program, and imports of a file, that are looked at."""
CHARACTERS = 8 << 20
"""Of all files of a program together: so much text is searched for what it names."""
LOOKUPS = 50_000
"""Paths that a program's files may name, whether anything lies there or not."""
LONGEST = 255
_PYTHON = {".py", ".pyw"}
_STATEMENT = re.compile(
    r"(?:^|[;:])[ \t]*+"
    r"(?:from[ \t]++(\.*+)([\w.]*+)[ \t]++import[ \t]*+(\([^()]{0,2000}+\)|[^\n#;]*+)|import[ \t]++([^\n#;]++))",
    re.MULTILINE,
)
"""No repetition is tried again shorter (``*+``): a stranger's blanks and dots take no longer than other text."""
_NAME = re.compile(r"[\w.]+")
_IMPORTING = re.compile(r"\b(?:import|require|require_relative|include|use|load|source|dofile|from)\b")
_SHELL = re.compile(r"#!.*sh\b")
_PATH = re.compile(r"[\w./-]+")


class Scan(NamedTuple):
    """The files that a program consists of besides its own, and whether its code names too many to look for."""

    files: list[Path]
    cut_off: bool


class _TooMuch(Exception):
    """A program names more than is looked for."""


class _Left:
    """What is left to be looked at. It counts and takes no time, so that each machine finds the same files."""

    def __init__(self) -> None:
        self._characters = CHARACTERS
        self._lookups = LOOKUPS

    def read(self, text: str) -> None:
        """Count a file's text; raise _TooMuch if no more is searched."""
        self._characters -= len(text)
        if self._characters < 0:
            raise _TooMuch

    def look(self, path: str) -> str:
        """Count a path that is looked for, and return it; raise _TooMuch if no more are."""
        self._lookups -= 1
        if self._lookups < 0:
            raise _TooMuch
        return path

    def find(self, files: Collection[Path]) -> None:
        """Raise _TooMuch if more files are found than a program may have."""
        if len(files) > MOST:
            raise _TooMuch


def imported_files(program: Path) -> list[Path]:
    """Return the files beside a script, or in folders below it, that it imports itself or through one of them.

    For Python these are modules; for other languages what stands in a line that imports and is a file's path, its
    suffix written or not; in a shell script any file that it names. What only a running program knows is not found.
    """
    return scan(program).files


def scan(program: Path) -> Scan:
    """Find the files that a program imports.

    Where its code names too many paths to look for, all files of its folder and below with the program's suffix are
    its own, so that a change of its code is still noticed.
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
    """Yield the files of a program's folder, and of those below, that have its suffix."""
    for here, folders, names in os.walk(program.parent):
        folders.sort()
        for path in (Path(here, name) for name in sorted(names)):
            if path.suffix == program.suffix and is_file(str(path)) and os.access(path, os.R_OK):
                yield path


def hidden_import(program: Path, folder: Path) -> Path | None:
    """Return a file that a script imports, and cannot once a folder is hidden from it; None if there is none.

    Of a hidden folder a bot sees the files that its command names, and what folders of their own these have in it.
    """
    real, own = folder.resolve(), program.parent.resolve()
    if own != real and own.is_relative_to(real):
        return None
    return next((path for path in imported_files(program) if path.resolve().is_relative_to(real)), None)


def content(path: Path) -> bytes:
    """Read a file, which may have become a pipe; raise OSError for what is none."""
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
    """Yield where the modules that Python code imports could lie."""
    imports = dict.fromkeys(islice(_imports(text, here, root), 10 * MOST))
    for top, name in islice(imports, MOST):
        folder = top
        for part in filter(None, name[:LONGEST].split(".")):
            folder = f"{folder}/{part}"
            yield from (folder + suffix for suffix in all_suffixes())
            yield f"{folder}/__init__.py"


def _imports(text: str, here: str, root: str) -> Iterator[tuple[str, str]]:
    """Yield the modules that Python code imports, each with the folder that it is looked for in."""
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
    """Yield what the words of a line that imports could mean as paths."""
    shell = suffix in {"", ".sh"} or _SHELL.match(text)
    lines = (line for line in text.splitlines() if shell or _IMPORTING.search(line))
    words = dict.fromkeys(word[:LONGEST].lstrip("/") for line in lines for word in _PATH.findall(line))
    for word in islice(words, MOST):
        for folder in (here, root):
            yield f"{folder}/{word}"
            yield f"{folder}/{word}{suffix}"
