"""Files: a table written as Parquet, CSV or JSON lines, row by row, so that its length does not matter."""

from __future__ import annotations

import csv
import os
import tempfile
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from croupier.server.exporting.columns import CannotExport, Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from croupier.server.exporting.columns import Column
    from croupier.server.exporting.tables import Row, Rows

GROUP = 4096
"""The rows of a row group of Parquet, which are in memory together."""
_encode = msgspec.json.Encoder().encode


def write(rows: Rows, path: Path) -> int:
    """Write a table and return the number of its rows. The ending chooses the form; raise OSError, CannotExport.

    The file appears when it is complete. An earlier one is replaced.
    """
    counted = _Counted(rows.each)
    with _replacing(path) as unfinished:
        FORMS[path.suffix](rows.columns, counted, unfinished)
    return counted.number


class _Counted:
    """An iterator that counts its items."""

    def __init__(self, items: Iterator[Row]) -> None:
        self._items = items
        self.number = 0

    def __iter__(self) -> Iterator[Row]:
        for item in self._items:
            self.number += 1
            yield item


@contextmanager
def _replacing(path: Path) -> Iterator[Path]:
    """Give a file beside the path to write into, which replaces it at the end; on an exception it is removed."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    os.close(handle)
    unfinished = Path(name)
    try:
        yield unfinished
        unfinished.chmod(0o666 & ~_umask())
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def _umask() -> int:
    current = os.umask(0o077)
    os.umask(current)
    return current


def _write_lines(columns: Sequence[Column], rows: Iterable[Row], path: Path) -> None:
    """Write a JSON object per line."""
    names = [column.name for column in columns]
    with path.open("wb") as file:
        for row in rows:
            file.write(_encode(dict(zip(names, row, strict=True))) + b"\n")


_AS_TEXT = {Kind.FLAG, Kind.WORDS, Kind.NUMBERS, Kind.REALS, Kind.TRICK, Kind.TRICKS, Kind.JSON}
"""The kinds that are JSON in a cell of CSV."""


def _write_csv(columns: Sequence[Column], rows: Iterable[Row], path: Path) -> None:
    """Write comma-separated values below a line of names."""
    as_text = [column.kind in _AS_TEXT for column in columns]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([column.name for column in columns])
        for row in rows:
            writer.writerow([_json(value) if text else value for text, value in zip(as_text, row, strict=True)])


def _json(value: Any) -> str | None:
    return None if value is None else _encode(value).decode()


def _write_parquet(columns: Sequence[Column], rows: Iterable[Row], path: Path) -> None:
    """Write Parquet, a group of rows at a time."""
    import pyarrow as pa  # noqa: PLC0415  an extra
    from pyarrow import parquet  # noqa: PLC0415  the same

    trick = pa.struct({"leader": pa.string(), "cards": pa.list_(pa.string())})
    types = {
        Kind.WORD: pa.string(),
        Kind.NUMBER: pa.int64(),
        Kind.REAL: pa.float64(),
        Kind.FLAG: pa.bool_(),
        Kind.WORDS: pa.list_(pa.string()),
        Kind.NUMBERS: pa.list_(pa.int64()),
        Kind.REALS: pa.list_(pa.float64()),
        Kind.TRICK: trick,
        Kind.TRICKS: pa.list_(trick),
        Kind.JSON: pa.string(),
    }
    schema = pa.schema([(column.name, types[column.kind]) for column in columns])
    as_text = [column.kind is Kind.JSON for column in columns]
    left = iter(rows)
    with parquet.ParquetWriter(path, schema) as file:
        while group := list(islice(left, GROUP)):
            columnar = zip(*group, strict=True)
            values = [[*map(_json, each)] if text else each for text, each in zip(as_text, columnar, strict=True)]
            try:
                arrays = [pa.array(each, kind) for each, kind in zip(values, schema.types, strict=True)]
            except (ValueError, TypeError, OverflowError) as problem:
                raise CannotExport(
                    f"a value does not have the kind of its column: {problem}; .jsonl takes any"
                ) from None
            file.write_batch(pa.record_batch(arrays, schema))


FORMS: dict[str, Callable[[Sequence[Column], Iterable[Row], Path], None]] = {
    ".parquet": _write_parquet,
    ".csv": _write_csv,
    ".jsonl": _write_lines,
}
"""What writes a table, by the ending of the file."""
