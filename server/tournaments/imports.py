"""Imports: the files of a program's own folder that its code names, found without running it."""

from __future__ import annotations

import os
import re
from importlib.machinery import all_suffixes
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from croupier.server.entries import is_file
from croupier.server.texts import opened

if TYPE_CHECKING:
    from collections.abc import Iterator

SCANNED = 1 << 18
"""Bytes: in a longer file nobody looks for imports."""
MOST = 1000
"""Files of a program, and imports of a file, that are looked at."""
LONGEST = 255
_PYTHON = {".py", ".pyw"}
_STATEMENT = re.compile(
    r"(?:^|[;:])[ \t]*"
    r"(?:from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]*(\([^)]{0,2000}\)|[^\n#;]*)|import[ \t]+([^\n#;]+))",
    re.MULTILINE,
)
_NAME = re.compile(r"[\w.]+")
_IMPORTING = re.compile(r"\b(?:import|require|require_relative|include|use|load|source|dofile|from)\b")
_SHELL = re.compile(r"#!.*sh\b")
_PATH = re.compile(r"[\w./-]+")


def imported(program: Path) -> list[Path]:
    """Return the files beside a script, or in folders below it, that it imports itself or through one of them.

    For Python these are modules; for other languages what stands in a line that imports and is a file's path, its
    suffix written or not; in a shell script any file that it names. What only a running program knows is not found.
    """
    root, found, waiting = program.parent, {program}, [program]
    while waiting and len(found) < MOST:
        new = set(_named(waiting.pop(), root)) - found
        found |= new
        waiting += new
    return sorted(found - {program})


def hidden_import(program: Path, folder: Path) -> Path | None:
    """Return a file that a script imports, and cannot once a folder is hidden from it; None if there is none.

    Of a hidden folder a bot sees the files that its command names, and what folders of their own these have in it.
    """
    real, own = folder.resolve(), program.parent.resolve()
    if own != real and own.is_relative_to(real):
        return None
    return next((path for path in imported(program) if path.resolve().is_relative_to(real)), None)


def content(path: Path) -> bytes:
    """Read a file, which may have become a pipe; raise OSError for what is none."""
    with opened(path) as file:
        return file.read()


def _named(path: Path, root: Path) -> Iterator[Path]:
    """Yield the files under the root that a file's code names."""
    try:
        code = content(path) if path.stat().st_size <= SCANNED else b"\0"
    except OSError:
        return
    if b"\0" in code:
        return
    text = code.decode("utf-8", "replace")
    named = _modules(text, path.parent, root) if _is_python(path, text) else _paths(text, path, root)
    for each in {Path(os.path.normpath(each)) for each in named}:
        if each.is_relative_to(root) and is_file(str(each)) and os.access(each, os.R_OK):
            yield each


def _is_python(path: Path, text: str) -> bool:
    first = text.partition("\n")[0]
    return path.suffix in _PYTHON or (first.startswith("#!") and "python" in first)


def _modules(text: str, here: Path, root: Path) -> Iterator[Path]:
    """Yield where the modules that Python code imports could lie."""
    imports = dict.fromkeys(_imports(text, here, root))
    for top, name in islice(imports, MOST):
        folder = top
        for part in filter(None, name[:LONGEST].split(".")):
            yield from (folder / f"{part}{suffix}" for suffix in all_suffixes())
            folder /= part
            yield folder / "__init__.py"


def _imports(text: str, here: Path, root: Path) -> Iterator[tuple[Path, str]]:
    """Yield the modules that Python code imports, each with the folder that it is looked for in."""
    for dots, base, names, plain in _STATEMENT.findall(text.replace("\\\n", " ")):
        if plain:
            wanted, top = _first_words(plain), root
        else:
            wanted = [base, *(f"{base}.{name}" for name in _first_words(names.strip("()")))]
            top = root if not dots else here.joinpath(*[".."] * (len(dots) - 1))
        yield from ((top, name) for name in wanted)


def _first_words(listed: str) -> list[str]:
    """Return the names in ``a, b.c as d``."""
    return [name for each in listed.split(",") for name in _NAME.findall(each)[:1]]


def _paths(text: str, path: Path, root: Path) -> Iterator[Path]:
    """Yield what the words of a line that imports could mean as paths."""
    shell = path.suffix in {"", ".sh"} or _SHELL.match(text)
    lines = (line for line in text.splitlines() if shell or _IMPORTING.search(line))
    words = dict.fromkeys(word[:LONGEST].lstrip("/") for line in lines for word in _PATH.findall(line))
    for word in islice(words, MOST):
        for folder in (path.parent, root):
            yield folder / word
            yield folder / (word + path.suffix)
