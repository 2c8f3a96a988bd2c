"""Records as files: one game each, or the games of a batch one after another, compressed or not."""

from __future__ import annotations

import gzip
import re
import zlib
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from croupier.server.terminal import command

if TYPE_CHECKING:
    from pathlib import Path
    from typing import BinaryIO

MOST_BYTES = 256 << 20
"""More than the longest batch has: whatever goes on behind it would fill the memory."""
_FIRST = re.compile(r"^[ \t]*\(record[ \t]", re.MULTILINE)


class RecordText(NamedTuple):
    """The record of one game: where its first line stands in its file, and its text."""

    line: int
    text: str


class BadFile(ValueError):
    """A file that is none of records; the message says why."""


def read_records(path: Path) -> list[RecordText]:
    """Read the records of a file, unpacked if its name ends in ``.gz``; raise OSError if it cannot be read at all.

    A file called ``.record`` has one game, and a second ``(record 1)`` is a wrong line in it.
    """
    with path.open("rb") as file:
        content = _unpacked(file) if path.suffix == ".gz" else file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise BadFile(f"it holds more than {MOST_BYTES >> 20} MiB, which no file of records does")
    text = content.decode("latin-1")
    return [RecordText(1, text)] if path.suffix == ".record" else split(text)


def shown_by(path: Path | str, number: int | None = None, program: str | None = None) -> str:
    """Return the command line that shows a record: the one of this number in its file; a game of this RECYCLE file."""
    return _replay(_word(path, number), "--show", program=program)


def page_by(record: str) -> str:
    """Return the command line that writes a record's page."""
    return _replay(record, "--html", "game.html")


def sent_by(path: Path | str, number: int | None, player: str, question: int, program: str | None = None) -> str:
    """Return the command line that prints what a player of a record was sent, up to one of the questions."""
    return _replay(_word(path, number), "--wire", player, f"#{question}", program=program)


def _word(path: Path | str, number: int | None) -> str:
    return str(path) if number is None else f"{path}:{number}"


def _replay(record: str, *how: str, program: str | None = None) -> str:
    plain = f"./{record}" if record.startswith(("-", "#")) else record  # neither an option nor a question's number
    return command("croupier", "replay", plain, *how, *(["--program", program] if program else []))


def _unpacked(file: BinaryIO) -> bytes:
    """Unpack as much as a file of records may hold, and a byte more where there is more."""
    try:
        with gzip.GzipFile(fileobj=file) as unpacked:
            return unpacked.read(MOST_BYTES + 1)
    except (EOFError, OSError, zlib.error) as problem:
        raise BadFile(f"it cannot be unpacked: {problem}") from None


def split(text: str) -> list[RecordText]:
    """Cut a text before each ``(record 1)`` but the first."""
    cuts = [0, *[found.start() for found in _FIRST.finditer(text)][1:], len(text)]
    pieces, line = [], 1
    for start, end in pairwise(cuts):
        pieces.append(RecordText(line, text[start:end]))
        line += text.count("\n", start, end)
    return pieces
