"""Rows: the cells of a table, from CSV and its kin, lines of JSON, or the tags of chess games (PGN)."""

from __future__ import annotations

import csv
import re
from io import StringIO
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from croupier.server.suggestions import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

PLAYER_TAGS = ("White", "Black")
POINT_TAGS = ("WhitePoints", "BlackPoints")
"""Columns beside the tags of a chess game: 1, 0.5 or 0 points by its result, empty if it is not finished."""
POINTS = {"1-0": ("1", "0"), "0-1": ("0", "1"), "1/2-1/2": ("0.5", "0.5"), "*": ("", "")}
_TAG = re.compile(r'\[(\w+)\s+"((?:[^"\\]|\\.)*)"\]\s*')
_TAG_NAME = re.compile(r'^\[(\w+)\s+"', re.MULTILINE)
_SEPARATORS = ",;\t"
_MOST_NAMED = 12


class BadTable(ValueError):
    """A table that cannot be read; the message says where, what is wrong and what to write."""


class Row(NamedTuple):
    """The cells of a row, in the order of the columns that were asked for, and the line where it begins."""

    line: int
    cells: Sequence[str]


def is_pgn(text: str) -> bool:
    """Return whether a text has chess games."""
    return _TAG_NAME.match(text.lstrip()) is not None


def read_rows(text: str, columns: Sequence[str]) -> Iterator[Row]:
    """Yield the rows of a table with the cells of these columns; raise BadTable where it is not one."""
    if is_pgn(text):
        known = [*dict.fromkeys(_TAG_NAME.findall(text)), *POINT_TAGS]
        return _pick(_chess_games(text), known, columns)
    if text.lstrip().startswith("{"):
        _, first = next(_objects(text))
        return _pick(_objects(text), list(first), columns)
    return _separated(text, columns)


def _require(columns: Iterable[str], known: Sequence[str]) -> None:
    """Raise BadTable unless the table has each of the columns, once."""
    for name in columns:
        if name not in known:
            listed = ", ".join(known[:_MOST_NAMED]) + ", ..." * (len(known) > _MOST_NAMED)
            raise BadTable(f"there is no column {name}{did_you_mean(name, known)}; it has {listed}")
        if known.count(name) > 1:
            raise BadTable(f"{known.count(name)} columns are called {name}: give them different names")


def _pick(
    found: Iterator[tuple[int, Mapping[str, str]]], known: Sequence[str], columns: Sequence[str]
) -> Iterator[Row]:
    _require(columns, known)
    for line, cells in found:
        yield Row(line, [cells.get(name, "") for name in columns])


# Values with separators


def _separated(text: str, columns: Sequence[str]) -> Iterator[Row]:
    first = next((line for line in StringIO(text) if line.strip()), "")
    separator = max(_SEPARATORS, key=first.count)
    reader = csv.reader(StringIO(text, newline=""), delimiter=separator, strict=True)
    known: list[str] = []
    places: list[int] = []
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            break
        except csv.Error as problem:
            raise BadTable(f"line {max(line, reader.line_num)}: {problem}; write a quote within quotes twice") from None
        if not cells:
            continue
        if not known:
            known = [name.strip() for name in cells]
            _require(columns, known)
            places = [known.index(name) for name in columns]
        elif len(cells) != len(known):
            raise BadTable(f"line {line} has {len(cells)} cells, not {len(known)}: quote a cell that has a separator")
        else:
            yield Row(line, [cells[place].strip() for place in places])
    if not known:
        raise BadTable("it is empty: write the names of the columns in the first line")


# Lines of JSON


def _objects(text: str) -> Iterator[tuple[int, Mapping[str, str]]]:
    for line, written in enumerate(StringIO(text, newline=None), 1):
        if not written.strip():
            continue
        try:
            found = msgspec.json.decode(written, type=dict[str, msgspec.Raw])
            cells = {name: _cell(bytes(raw)) for name, raw in found.items()}
        except (msgspec.DecodeError, RecursionError) as problem:
            raise BadTable(f"line {line} is not a JSON object: {problem}") from None
        yield line, cells


def _cell(raw: bytes) -> str:
    """Return a JSON value as the text of a cell: a string's own, a number as it is written."""
    text: str = msgspec.json.decode(raw) if raw.startswith(b'"') else raw.decode()
    return "" if text == "null" else text.strip()


# The tags of chess games


def _chess_games(text: str) -> Iterator[tuple[int, Mapping[str, str]]]:
    tags: dict[str, str] = {}
    begin, moves, comment = 0, False, False
    for line, written in enumerate(StringIO(text, newline=None), 1):
        tag = None if comment else _TAG.fullmatch(written)
        if tag is None:
            moves = moves or bool(written.strip())
            comment = _opens_comment(written, comment)
            continue
        name, value = tag[1], re.sub(r"\\(.)", r"\1", tag[2])
        if tags and (moves or name in tags):
            yield begin, _with_points(tags, begin)
            tags, moves = {}, False
        begin = begin if tags else line
        tags[name] = "" if value == "?" else value.strip()
    if tags:
        yield begin, _with_points(tags, begin)


def _opens_comment(written: str, comment: bool) -> bool:  # noqa: FBT001  the state before the line
    """Return whether a comment in braces is open after a line of moves."""
    for mark in re.findall(r"[{};]", written):
        if mark == ";" and not comment:
            break
        comment = mark == "{" or (comment and mark == ";")
    return comment


def _with_points(tags: dict[str, str], line: int) -> dict[str, str]:
    """Return the tags of a game with its players' points."""
    result = tags.get("Result", "")
    if result not in POINTS:
        raise BadTable(f"line {line}: a game's Result is {result or 'missing'}; write {', '.join(POINTS)}")
    return tags | dict(zip(POINT_TAGS, POINTS[result], strict=True))
