"""Columns: a table that never cuts a cell: cells break at spaces, and a column without room is left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from croupier.server.console import Console

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_BESIDE = 3
"""Characters that a column takes in addition to its cells: two of padding and a line."""


def print_columns(
    columns: Mapping[str, Sequence[str]],
    title: str,
    caption: str = "",
    spare: Sequence[str] = (),
    left: int = 1,
    console: Console | None = None,
) -> None:
    """Print columns under their heads, the first ``left`` of them aligned to the left.

    In a terminal that is too narrow, columns of ``spare`` are left out, beginning with the first. Output elsewhere has
    its full width.
    """
    console, kept = console or Console(), dict(columns)
    if not console.is_terminal:
        console.width = max(console.width, sum(_widest(head, cells) + _BESIDE for head, cells in kept.items()) + 1)
    room = console.width
    for head in spare:
        if _least_width(kept) > room:
            kept.pop(head, None)
    if len(kept) < len(columns):
        caption += "; a wider window shows more"
    table = Table(title=title, caption=caption)
    free = max(0, room - _least_width(kept))
    for number, (head, cells) in enumerate(kept.items()):
        least = _least(head, cells)
        more = min(free, _widest(head, cells) - least)
        free -= more
        table.add_column(head, justify="left" if number < left else "right", width=least + more)
    for row in zip(*kept.values(), strict=True):
        table.add_row(*row)
    console.print(table)


def _widest(head: str, cells: Sequence[str]) -> int:
    return max(map(cell_len, (head, *cells)))


def _least(head: str, cells: Sequence[str]) -> int:
    return max((cell_len(word) for text in (head, *cells) for word in text.split()), default=0)


def _least_width(columns: Mapping[str, Sequence[str]]) -> int:
    """Return the table's width if every cell breaks wherever it can."""
    return sum(_least(head, cells) + _BESIDE for head, cells in columns.items()) + 1


def games_bar(*, shown: bool) -> Progress:
    """Return a bar that shows how far the games are, if a person watches."""
    columns = (
        TextColumn("games"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.description}", markup=False),
    )
    return Progress(*columns, console=Console(stderr=True), disable=not shown)
