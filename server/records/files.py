"""Record files: one game each, or the games of a batch one after another, compressed or not."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from croupier.server.terminal import command
from croupier.server.texts import BadText, read_text

if TYPE_CHECKING:
    from pathlib import Path

_FIRST = re.compile(r"^[ \t]*\(record[ \t]|\(record[ \t]+1[ \t]*\)(?=[ \t]*\r?\n\(game[ \t])", re.MULTILINE)
"""A record's first line, even after a record that was cut off.

A string of a record never ends a line, so none matches.
"""
_BLANK = re.compile(r";[^\n]*")


class RecordText(NamedTuple):
    """The record of one game: the number of its first line in its file, and its text."""

    line: int
    text: str


class BadFile(ValueError):
    """A file that contains no records; the message says why."""


def read_records(path: Path) -> list[RecordText]:
    """Read the records of a file, compressed or not; raise OSError if it cannot be read at all.

    A file called ``.record`` has one game, and a second ``(record 1)`` in it is an error.
    """
    try:
        text = read_text(path)
    except BadText as problem:
        raise BadFile(str(problem)) from None
    if not text.strip():
        raise BadFile("no game in the file")
    return [RecordText(1, text)] if path.suffix == ".record" else split(text)


def show_command(path: Path | str, number: int | None = None, program: str | None = None) -> str:
    """Return the command line that shows a record: number ``number`` in its file, with the RECYCLE file of its game."""
    return _replay(_word(path, number), "--show", program=program)


def page_by(record: str) -> str:
    """Return the command line that writes a record's page."""
    return _replay(record, "--html", "game.html")


def sent_command(path: Path | str, number: int | None, player: str, question: int, program: str | None = None) -> str:
    """Return the command line that prints what a player of a record was sent, up to one of the questions."""
    return _replay(_word(path, number), "--sent", player, f"#{question}", program=program)


def _word(path: Path | str, number: int | None) -> str:
    return str(path) if number is None else f"{path}:{number}"


def _replay(record: str, *how: str, program: str | None = None) -> str:
    # it must look neither like an option nor like a question's number
    plain = f"./{record}" if record.startswith(("-", "#")) else record
    return command("croupier", "replay", plain, *how, *(["--program", program] if program else []))


def split(text: str) -> list[RecordText]:
    """Split a text at each ``(record 1)``; text before the first is a record without its beginning."""
    starts = [found.start() for found in _FIRST.finditer(text)]
    if starts and not _BLANK.sub("", text[: starts[0]]).strip():
        starts[0] = 0
    cuts = [0, *[start for start in starts if start], len(text)]
    pieces, line = [], 1
    for start, end in pairwise(cuts):
        pieces.append(RecordText(line, text[start:end]))
        line += text.count("\n", start, end)
    return pieces
