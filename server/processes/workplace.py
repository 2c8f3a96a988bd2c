"""Make a temporary folder (mkdtemp) for a table, and remove it without recursion and without following links."""

from __future__ import annotations

import os
import stat
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
_ours: set[Path] = set()


@contextmanager
def workplace() -> Iterator[Path]:
    """Have an empty folder; it is gone when this ends."""
    folder = Path(tempfile.mkdtemp(prefix="croupier-"))
    _ours.add(folder)
    try:
        yield folder
    finally:
        wipe(folder)
        _ours.discard(folder)


def abandon() -> None:
    """Remove every temporary folder of this process, which must end now, whatever its other threads are at."""
    for folder in list(_ours):
        wipe(folder)


def make(folder: Path) -> None:
    """Make a folder with mode 0700; whatever else a bot has put in its place is removed."""
    with suppress(OSError):
        folder.mkdir(0o700)
        return
    if folder.is_symlink() or not folder.is_dir():
        wipe(folder)
        folder.mkdir(parents=True)
    folder.chmod(0o700)


def wipe(path: Path) -> None:
    """Remove a file, or a folder with all that is in it; follow no link. What cannot be removed stays.

    However deep folders lie in one another: nothing here is recursive, and no path gets long.
    """
    with suppress(OSError):
        if not stat.S_ISDIR(path.lstat().st_mode):
            path.unlink()
            return
        path.chmod(0o700)
        _empty(os.open(path, _FOLDER))
        path.rmdir()


def _empty(here: int) -> None:
    """Empty a folder, its descriptor ours to close: down into each folder that is left to see, and up again by `..`."""
    above: list[tuple[os.stat_result, str, list[str]]] = []
    ahead = _without_files(here)
    try:
        while ahead or above:
            if ahead:
                name = ahead.pop()
                with suppress(OSError):
                    inner = os.open(name, _FOLDER, dir_fd=here)
                    above.append((os.fstat(here), name, ahead))
                    here = _instead_of(here, inner)
                    ahead = _without_files(here)
            else:
                here = _instead_of(here, os.open("..", _FOLDER, dir_fd=here))
                known, name, ahead = above.pop()
                if not os.path.samestat(known, os.fstat(here)):  # somebody has moved the folder while we were in it
                    return
                with suppress(OSError):
                    os.rmdir(name, dir_fd=here)
    finally:
        os.close(here)


def _instead_of(left: int, entered: int) -> int:
    os.close(left)
    return entered


def _without_files(folder: int) -> list[str]:
    """Remove what is no folder; return the folders, open to us."""
    left: list[str] = []
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            with suppress(OSError):
                if entry.is_dir(follow_symlinks=False):
                    os.chmod(entry.name, 0o700, dir_fd=folder)
                    left.append(entry.name)
                else:
                    os.unlink(entry.name, dir_fd=folder)
    return left
