"""Archives: copies a stranger's folder, .zip or .tar.gz into a folder of ours, within bounds and without links.

Nothing is trusted that an archive says of itself. Each file is made new, by its path within the folder, and its bytes
are counted as they come. What is refused raises `Refused` with a reason that its author understands.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import stat
import struct
import tarfile
import zipfile
import zlib
from contextlib import ExitStack
from pathlib import PurePosixPath
from typing import IO, TYPE_CHECKING, NamedTuple, cast

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ZIP, TAR, TAR_GZ = ".zip", ".tar", ".tar.gz"
ENDINGS = {ZIP: ZIP, TAR: TAR, TAR_GZ: TAR_GZ, ".tgz": TAR_GZ}
"""The endings of archives, and the kind that each is read as. Others (xz, zstd) can demand gigabytes to be read."""
MOST_PACKED = 32 << 20
"""The bytes of an archive: the list of a larger .zip would be long, and is in memory as a whole."""
MOST_BYTES = 64 << 20
MOST_FILES = 2000
MOST_DEPTH = 16
"""The parts of a path within a submission."""
MOST_RATIO, FREE = 100, 1 << 20
"""How many times its size an archive may unpack to, from ``FREE`` bytes on; the source of a program gives 3 to 10."""
_LONGEST = 200
"""The bytes of a part of a path; most file systems allow 255."""
_LONGEST_PATH = 500
_CHUNK = 1 << 16
_OF_SYSTEMS = {"__MACOSX", "__pycache__"}
_DAMAGED = (
    *(tarfile.TarError, zipfile.BadZipFile, zlib.error, gzip.BadGzipFile, EOFError, struct.error, ValueError),
    *(LookupError, OverflowError, RecursionError, NotImplementedError, RuntimeError),
)
"""What the standard library raises for archives that somebody has tampered with."""
_PLAIN = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}


class Refused(ValueError):
    """A submission cannot be taken; the message says what is wrong in it, and what to do."""


class Part(NamedTuple):
    """A file of a submission."""

    path: PurePosixPath
    executable: bool
    content: IO[bytes]


def ending(name: str) -> str:
    """Return the ending of an archive's name, in its own spelling; empty for other names."""
    lower = name.lower()
    return next((name[-len(each) :] for each in ENDINGS if lower.endswith(each) and len(name) > len(each)), "")


def digest(path: Path) -> str:
    """Return SHA-256 of a submission as it is now: of an archive's bytes, or of a folder's files; raise Refused."""
    found = hashlib.sha256()
    with ExitStack() as opened:
        if not path.is_dir():
            for chunk in _chunks(opened.enter_context(_open(path))):
                found.update(chunk)
            return found.hexdigest()
        budget = _Budget()
        for part in _of_folder(path):
            found.update(repr((str(part.path), part.executable)).encode())
            content = hashlib.sha256()
            for chunk in budget.spend(part):
                content.update(chunk)
            found.update(content.digest())
    return found.hexdigest()


def take(path: Path, target: Path) -> None:
    """Copy a folder's files, or unpack an archive, into a new folder; raise Refused, which leaves a part of it."""
    budget = _Budget(None if path.is_dir() else path.stat().st_size)
    kind = "" if path.is_dir() else ENDINGS[ending(path.name).lower()]
    parts = {"": _of_folder, ZIP: _of_zip, TAR: _of_tar, TAR_GZ: _of_tar}[kind]
    target.mkdir(parents=True)
    try:
        for part in parts(path):
            place = target / part.path
            place.parent.mkdir(parents=True, exist_ok=True)
            with os.fdopen(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666), "wb") as file:
                for chunk in budget.spend(part):
                    file.write(chunk)
            place.chmod(0o755 if part.executable else 0o644)
    except (FileExistsError, NotADirectoryError, IsADirectoryError):
        raise Refused(f"it holds {part.path} twice: pack it again") from None
    except Refused:
        raise
    except _DAMAGED as problem:
        raise Refused(f"it is damaged, or no {kind} at all ({problem}): pack it again") from None
    if not budget.files:
        raise Refused("there is no file in it")


class _Budget:
    """What a submission has used of what it may: files, bytes, and bytes for each byte of its archive."""

    def __init__(self, packed: int | None = None) -> None:
        self.files = 0
        self._bytes = 0
        self._ratio = MOST_BYTES if packed is None else max(FREE, MOST_RATIO * packed)

    def spend(self, part: Part) -> Iterator[bytes]:
        """Yield the content of a file while there is enough left; raise Refused."""
        self.files += 1
        if self.files > MOST_FILES:
            raise Refused(f"it holds more than {MOST_FILES} files: leave out what the program does not need")
        for chunk in _chunks(part.content):
            self._bytes += len(chunk)
            if self._bytes > MOST_BYTES:
                raise Refused(f"it holds more than {MOST_BYTES >> 20} MiB: leave out what the program does not need")
            if self._bytes > self._ratio:
                raise Refused(
                    f"it unpacks to more than {MOST_RATIO} times its size, as no program does: hand in a folder"
                )
            yield chunk


def _chunks(file: IO[bytes]) -> Iterator[bytes]:
    while chunk := file.read(_CHUNK):
        yield chunk


def _open(path: Path | str, most: int = MOST_PACKED, place: int | None = None) -> IO[bytes]:
    """Open a plain file of at most ``most`` bytes, relative to an open folder; raise Refused."""
    try:
        file = os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW, dir_fd=place), "rb")
    except OSError as problem:
        raise Refused(f"{PurePosixPath(path).name} cannot be read: {problem.strerror}") from None
    found = os.fstat(file.fileno())
    if not stat.S_ISREG(found.st_mode) or found.st_size > most:
        file.close()
        what = "is no plain file" if not stat.S_ISREG(found.st_mode) else f"has more than {most >> 20} MiB"
        raise Refused(f"{PurePosixPath(path).name} {what}: leave out what the program does not need")
    return file


def _of_folder(folder: Path) -> Iterator[Part]:
    """Yield the files below a folder in the order of their paths, without following a link anywhere."""
    for top, folders, files, place in os.fwalk(folder, follow_symlinks=False, onerror=_unreadable):
        within = PurePosixPath(os.path.relpath(top, folder))
        for name in sorted([*folders, *files]):
            path = _checked(str(within / name))
            mode = _mode(name, place)
            if path is not None and not stat.S_ISDIR(mode):
                _require_plain(path, is_plain=stat.S_ISREG(mode))
                with _open(name, MOST_BYTES, place) as file:
                    yield Part(path, bool(mode & stat.S_IXUSR), file)
        folders[:] = sorted(name for name in folders if not _is_left_out(name))


def _mode(name: str, place: int) -> int:
    try:
        return os.stat(name, dir_fd=place, follow_symlinks=False).st_mode
    except OSError as problem:
        raise Refused(f"{name} in it cannot be read: {problem.strerror}") from None


def _unreadable(problem: OSError) -> None:
    raise Refused(f"{PurePosixPath(str(problem.filename)).name} in it cannot be read: {problem.strerror}") from None


def _of_zip(path: Path) -> Iterator[Part]:
    with _open(path) as file, zipfile.ZipFile(file) as archive:
        for member in archive.infolist():
            place, mode = _checked(member.filename), member.external_attr >> 16
            if place is None or member.is_dir():
                continue
            _require_plain(place, is_plain=stat.S_IFMT(mode) in {0, stat.S_IFREG})
            if member.flag_bits & 1:
                raise Refused(f"{place} in it has a password: pack it without")
            if member.compress_type not in _PLAIN:
                raise Refused(f"{place} in it is packed in a way that is not read here: pack it with an ordinary zip")
            with archive.open(member) as content:
                yield Part(place, bool(mode & stat.S_IXUSR), content)


def _of_tar(path: Path) -> Iterator[Part]:
    """Yield the files of a tar as they come, without seeking, so that each byte is read once and counted."""
    with ExitStack() as opened:
        file = opened.enter_context(_open(path))
        if ENDINGS[ending(path.name).lower()] == TAR_GZ:
            file = cast("IO[bytes]", opened.enter_context(gzip.open(file)))
        archive = opened.enter_context(tarfile.open(fileobj=cast("IO[bytes]", _Counted(file)), mode="r|"))
        for member in archive:
            place = _checked(member.name)
            if place is None or member.isdir():
                continue
            _require_plain(place, is_plain=member.isreg() and not member.issparse())
            content = archive.extractfile(member)
            assert content is not None
            yield Part(place, bool(member.mode & stat.S_IXUSR), content)


class _Counted:
    """A tar's bytes, no more than a submission may have with the headers of its files."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._left = MOST_BYTES + MOST_FILES * 4 * tarfile.BLOCKSIZE

    def read(self, size: int) -> bytes:
        """Return the next bytes; raise Refused after too many."""
        data = self._file.read(min(size, self._left + 1))
        self._left -= len(data)
        if self._left < 0:
            raise Refused(f"it holds more than {MOST_BYTES >> 20} MiB: leave out what the program does not need")
        return data


def _require_plain(path: PurePosixPath, *, is_plain: bool) -> None:
    if not is_plain:
        raise Refused(f"{path} in it is a link or no plain file: put the file itself there")


def _checked(name: str) -> PurePosixPath | None:
    """Return a path within a submission; None if it is of no interest. Raise Refused for one that leads elsewhere."""
    parts = name.split("/")
    if name.startswith("/") or "\\" in name or ":" in parts[0]:
        raise Refused(f"{name!r} in it is no path within it: pack the folder itself")
    parts = [part for part in parts if part not in {"", "."}]
    if ".." in parts:
        raise Refused(f"{name!r} in it leads out of it: pack the folder itself")
    fits = all(part.isprintable() and len(part.encode()) <= _LONGEST for part in parts) and len(name) <= _LONGEST_PATH
    if not fits or len(parts) > MOST_DEPTH:
        raise Refused(f"{name!r:.80} in it has a name that is too long, too deep or not printable: rename it")
    return None if not parts or any(map(_is_left_out, parts)) else PurePosixPath(*parts)


def _is_left_out(name: str) -> bool:
    """Return whether a file or folder is no part of a program: a hidden one, or one that a system has made."""
    return name.startswith(".") or name in _OF_SYSTEMS
