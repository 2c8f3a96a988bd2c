"""A tournament's folder, which may be a stranger's: nothing in it with a name of ours may be a link (lstat)."""

from __future__ import annotations

import functools
import os
import re
import stat
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

DATABASE = "tournament.db"
RECORDS = "records"
ERRORS = "stderr"
NOTES = "notes"
PAGES = "pages"
_OF_THE_FIRST_HOUR = (DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm", "key", "lock", "manifest.json", RECORDS, ".")
"""The files before the first game, and finally the folder itself."""
_FOLDERS = {RECORDS, ERRORS, NOTES, PAGES, "builds"}
_FILES = re.compile(
    r"tournament\.db(-\w+)?|key(-\d+)?|lock|manifest(-\d+)?\.json|events\.jsonl|failed\.record|report(-.*)?\.html|.*\.part"
)

CURRENT, OUTDATED = '<p class="outdated" hidden="">', '<p class="outdated">'
"""The beginning of a report's notice that it is out of date, hidden until then."""
_OF_PLAY = {".record", ".wire"}
"""The files that `play` writes."""


def strange(folder: Path) -> str:
    """Return what in a folder has the name of one of our files but is not one, such as a link; empty if all is well.

    Writing through a link, or removing what it points to, would change files of the user who unpacked the folder.
    """
    for path in _ours(folder):
        mode = path.lstat().st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            kind = "a link" if stat.S_ISLNK(mode) else "no ordinary file"
            return f"{path} is {kind}: a tournament's folder has files of its own, and only those are read and written"
    return _unreadable(folder)


def is_ours(path: Path, folder: Path) -> bool:
    """Return whether a file in a folder of records, or of a tournament, is one that croupier writes."""
    place, within = path.parent.resolve() / path.name, folder.resolve()
    if not place.is_relative_to(within):
        return False
    top, *below = place.relative_to(within).parts
    return top in _FOLDERS if below else bool(_FILES.fullmatch(top)) or path.suffix in _OF_PLAY


def _unreadable(folder: Path) -> str:
    """Return why SQLite cannot read a database with the -wal file of a killed run: it makes a -shm file beside it."""
    log, index = (folder / f"{DATABASE}-{ending}" for ending in ("wal", "shm"))
    if not log.exists() or not log.stat().st_size or index.exists() or os.access(folder, os.W_OK):
        return ""
    return f"{log} was left by a run that was killed, and cannot be read where nothing can be written: copy the folder"


def _ours(folder: Path) -> Iterator[Path]:
    for path in folder.iterdir():
        if path.name in _FOLDERS:
            yield path
            yield from () if path.is_symlink() else path.rglob("*")
        elif _FILES.fullmatch(path.name):
            yield path


def to_be_made(folder: Path) -> tuple[str, ...]:
    """List what will be added to a folder before the first game; empty if it already has a tournament."""
    if (folder / DATABASE).exists():
        return ()
    return tuple(name for name in _OF_THE_FIRST_HOUR if not os.path.lexists(folder / name))


@contextmanager
def unless_refused(folder: Path, made: Iterable[str]) -> Iterator[None]:
    """Remove what was ``made`` for a tournament that is refused; what existed before, or is in use, stays."""
    try:
        yield
    except BaseException:
        for path in (folder / name for name in made):
            with suppress(OSError):
                if path.is_dir():
                    path.rmdir()
                else:
                    path.unlink()
        raise


def mark_reports(folder: Path) -> None:
    """Mark the reports in a folder as out of date, as far as they can be written."""
    for path in folder.glob("report*.html"):
        with suppress(OSError):
            _mark(path, path.lstat().st_mtime_ns)


@functools.lru_cache(1 << 10)
def _mark(path: Path, _changed: int) -> None:
    """Mark a report, unless it has been looked at since it changed: this is called after each batch."""
    page = path.read_bytes()
    marked = page.replace(CURRENT.encode(), OUTDATED.encode(), 1)
    if marked != page and not path.is_symlink():
        write_durably(path, marked)


def write_durably(path: Path, content: bytes, mode: int = 0o644) -> None:
    """Write a file so that it exists completely or not at all, whatever happens."""
    draft = path.with_name(path.name + ".part")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
