"""A workplace: a folder for a table, gone afterwards whatever bots have made of it."""

from __future__ import annotations

import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_ours: set[Path] = set()


@contextmanager
def workplace() -> Iterator[Path]:
    """Have an empty folder; it is gone when this ends."""
    folder = Path(tempfile.mkdtemp(prefix="croupier-"))
    _ours.add(folder)
    try:
        yield folder
    finally:
        _remove(folder)
        _ours.discard(folder)


def abandon() -> None:
    """Remove every workplace, when this process must end now."""
    for folder in _ours:
        _remove(folder)


def _remove(folder: Path) -> None:
    with suppress(OSError):
        clear(folder)
        folder.rmdir()


def clear(folder: Path) -> None:
    """Empty a folder.

    However deep its folders are, each is lifted to the top before it is looked into: a path has no more than 4,096
    bytes, and what walks down recursively no more than so many levels.
    """
    ahead = [folder]
    while ahead:
        place = ahead.pop()
        for path in list(place.iterdir()):
            if path.is_symlink() or not path.is_dir():
                path.unlink()
            else:
                path.chmod(0o700)  # whoever moves a folder writes to it
                ahead.append(Path(tempfile.mkdtemp(dir=folder)))
                path.replace(ahead[-1])
        if place != folder:
            place.rmdir()
