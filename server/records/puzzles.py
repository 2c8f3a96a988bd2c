"""Puzzles: positions with right or wrong plays, a JSON document per line of a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import msgspec

from croupier.protocol.sexp import Malformed
from croupier.protocol.sexp import read as read_form
from croupier.server.texts import BadText, read_text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from croupier.server.games.game import Play

FORMAT: Literal[1] = 1
"""The version of the lines."""


class BadPuzzle(ValueError):
    """A file that does not contain puzzles, or a position that is none; the message says where and why."""


class Puzzle(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A position: the record up to it, the seat on turn, and which plays are right or wrong, as records have them."""

    puzzle: Literal[1]
    """The version of this format."""
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
    record: list[str]
    """The lines of a record up to the position."""
    seat: int
    right: list[str] = []
    wrong: list[str] = []

    def plays(self) -> tuple[list[Play], list[Play]]:
        """Return the right and the wrong plays; raise BadPuzzle for one that is none, or if there are none at all."""
        if not self.right and not self.wrong:
            raise BadPuzzle(f"{self.name}: it names no right or wrong plays")
        return [self._play(text) for text in self.right], [self._play(text) for text in self.wrong]

    def _play(self, text: str) -> Play:
        try:
            play = read_form(text.encode())
        except Malformed as problem:
            raise BadPuzzle(f"{self.name}: {text!r:.60} is no play: {problem}") from None
        if not isinstance(play, tuple) or not play:
            raise BadPuzzle(f"{self.name}: {text!r:.60} is no play, such as (play sQ)")
        return play


def read(path: Path) -> Iterator[Puzzle]:
    """Yield the puzzles of a file, compressed or not; raise BadPuzzle, or OSError if it cannot be read."""
    try:
        text = read_text(path)
    except BadText as problem:
        raise BadPuzzle(f"{path}: {problem}") from None
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            yield msgspec.json.decode(line, type=Puzzle)
        except (msgspec.MsgspecError, RecursionError) as problem:
            raise BadPuzzle(f"{path}, line {number}: no puzzle: {problem}") from None


def write(puzzle: Puzzle) -> str:
    """Return a puzzle as a line of a file."""
    return f"{msgspec.json.encode(puzzle).decode()}\n"
