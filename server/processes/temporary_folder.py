"""Temporary folders (mkdtemp) for tables, removed without recursion and without following links.

Each is locked (flock) by its process. A folder left by a killed process is not locked, and the next process removes it.
"""

from __future__ import annotations

import fcntl
import functools
import os
import stat
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
_PREFIX = "croupier-work-"
_ours: set[Path] = set()


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """Provide an empty folder until the context ends."""
    _clear(tempfile.gettempdir())
    folder, lock = _make_locked()
    _ours.add(folder)
    try:
        yield folder
    finally:
        wipe(folder)
        _ours.discard(folder)
        os.close(lock)


def _make_locked() -> tuple[Path, int]:
    """Make a folder and lock it; make another if somebody took it for an abandoned one."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
        lock = _lock(folder)
        if lock is not None and folder.exists():
            return folder, lock
        if lock is not None:
            os.close(lock)


def _lock(folder: Path) -> int | None:
    """Return a descriptor that holds the lock of a folder; None if that is gone or locked by another process."""
    try:
        lock = os.open(folder, _FOLDER)
    except OSError:
        return None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        return None
    return lock


@functools.cache
def _clear(place: str) -> None:
    """Remove what killed processes of this user have left. Cached, because once per process is enough."""
    for folder in Path(place).glob(f"{_PREFIX}*"):
        with suppress(OSError):
            if folder.lstat().st_uid == os.getuid() and (lock := _lock(folder)) is not None:
                wipe(folder)
                os.close(lock)


def abandon() -> None:
    """Remove every temporary folder of this process, which must end now, whatever its other threads are doing."""
    for folder in list(_ours):
        wipe(folder)


def make(folder: Path) -> None:
    """Make a folder with mode 0700, removing whatever a bot has put in its place."""
    with suppress(OSError):
        folder.mkdir(0o700)
        return
    if folder.is_symlink() or not folder.is_dir():
        wipe(folder)
        folder.mkdir(parents=True)
    folder.chmod(0o700)


def wipe(path: Path) -> None:
    """Remove a file, or a folder with its contents, without following links; what cannot be removed stays.

    Folders may be nested to any depth, so this neither recurses nor uses long paths.
    """
    with suppress(OSError):
        if not stat.S_ISDIR(path.lstat().st_mode):
            path.unlink()
            return
        path.chmod(0o700)
        _empty(os.open(path, _FOLDER))
        path.rmdir()


def _empty(here: int) -> None:
    """Empty a folder through its descriptor, which is closed: down into each folder, and up again by `..`."""
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
    """Remove everything that is not a folder; return the folders, opened for us."""
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
