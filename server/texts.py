"""Texts: files that people provide, decompressed if necessary, as text without a byte-order mark."""

from __future__ import annotations

import errno
import importlib
import os
import stat
import zlib
from io import BytesIO
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from pathlib import Path

MOST_BYTES = 256 << 20
"""The longest file that is read, compressed or not. An endless one would fill the memory."""
_PACKED = {b"\x1f\x8b": "gzip", b"BZh": "bz2", b"\xfd7zXZ\x00": "xz", b"PK\x03\x04": "zip", b"\x28\xb5\x2f\xfd": "zstd"}
_MODULES = {"gzip": "gzip", "bz2": "bz2", "xz": "lzma"}
"""The module that decompresses each format. A Python may lack bz2 and lzma."""
_MARK = b"\xef\xbb\xbf"
_WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff")


_OWN = ("/dev/stdin", "/dev/fd/")
"""The names under which a shell passes files that it has opened, as in ``croupier replay <(zcat old.gz)``."""


class BadText(ValueError):
    """A file without readable text; the message says why and what to do."""


def open_file(path: Path) -> BinaryIO:
    """Open a file to read its bytes; raise OSError for a pipe, a device or a socket, without waiting for it.

    A pipe in a stranger's folder, named like a record, would otherwise block forever.
    """
    if str(path).startswith(_OWN):
        return path.open("rb")
    _require_file(path.stat(), path)  # opening a device may already have an effect
    file = os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY), "rb")
    _require_file(os.fstat(file.fileno()), path)
    return file


def _require_file(found: os.stat_result, path: Path) -> None:
    if not (stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode)):  # opening a folder raises the right error
        raise OSError(errno.EINVAL, "it is a pipe, a device or a socket, and only files are read", str(path))


def read_text(path: Path, encoding: str = "latin-1") -> str:
    """Return the text of a file; raise BadText if it is not text, OSError if it cannot be read at all."""
    with open_file(path) as file:
        data = file.read(MOST_BYTES + 1)
    return decode(unpack(data), encoding)


def unpack(data: bytes) -> bytes:
    """Return the bytes, decompressed if necessary (gzip, bz2, xz); raise BadText if there are too many."""
    how = compression_of(data)
    if how and len(data) <= MOST_BYTES:
        data = _unpack(data, how)
    if len(data) > MOST_BYTES:
        raise BadText(f"it holds more than {MOST_BYTES >> 20} MiB, which no such file does")
    return data


def compression_of(data: bytes) -> str:
    """Return the name of the compression that bytes begin with, empty if there is none."""
    return next((how for magic, how in _PACKED.items() if data.startswith(magic)), "")


def wide(data: bytes) -> bool:
    """Return whether bytes are text of two or four bytes per character (UTF-16, UTF-32), with or without a mark."""
    return data.startswith(_WIDE_MARKS) or (data[0:4:2] == b"\0\0") != (data[1:4:2] == b"\0\0")


def decode(data: bytes, encoding: str = "latin-1") -> str:
    """Return bytes as text; raise BadText for UTF-16.

    UTF-8's byte-order mark is skipped in any line, because files that each begin with one may have been joined.
    """
    if wide(data):
        raise BadText("it is UTF-16 text: save it as UTF-8")
    plain = data.removeprefix(_MARK).replace(b"\n" + _MARK, b"\n")
    try:
        return plain.decode(encoding)
    except UnicodeDecodeError as problem:
        line = plain.count(b"\n", 0, problem.start) + 1
        raise BadText(f"line {line}: the byte 0x{plain[problem.start]:02x} is not UTF-8 text") from None


def _unpack(data: bytes, how: str) -> bytes:
    """Decompress as much as a file may contain, plus one byte if there is more."""
    if how not in _MODULES:
        raise BadText(f"it is compressed ({how}), which is not read here: unpack it first")
    try:
        module = importlib.import_module(_MODULES[how])
    except ImportError:
        raise BadText(f"it is compressed ({how}), and this Python cannot unpack that: unpack it first") from None
    try:
        with module.open(BytesIO(data)) as file:
            content: bytes = file.read(MOST_BYTES + 1)
    except (EOFError, OSError, zlib.error, getattr(module, "LZMAError", OSError)) as problem:
        raise BadText(f"it is compressed ({how}) and cannot be unpacked: {problem}") from None
    return content
