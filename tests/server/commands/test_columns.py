"""Columns: no cell of a table is cut, however narrow the terminal."""

import io

import pytest

from croupier.server.commands.columns import print_columns
from croupier.server.console import Console

COLUMNS = {"": ["1", "2"], "player": ["ann (replaced)", "ben"], "mean": ["26.00 ±1.25", "7.50 ±0.25"], "ms": ["1", "2"]}


def printed(width, *, terminal=True):
    """Return what is printed in a window of this width, or into a file."""
    file = io.StringIO()
    console = Console(file=file, width=width, force_terminal=terminal, color_system=None)
    print_columns(COLUMNS, "Table", spare=("ms", "mean"), left=2, console=console)
    return file.getvalue()


@pytest.mark.parametrize(("width", "heads"), [(80, ["mean", "ms"]), (36, ["mean", "ms"]), (30, ["mean"]), (20, [])])
def test_what_has_no_room_is_left_out_and_said_so(width, heads):
    """Cells break at spaces first; the columns that matter least go."""
    said = printed(width)
    assert "…" not in said
    assert [head for head in ("mean", "ms") if head in said] == heads
    assert ("26.00" in said, "±1.25" in said) == ("mean" in heads,) * 2
    assert ("a wider window" in " ".join(said.split())) == (len(heads) < 2)
    assert max(map(len, said.splitlines())) <= width


def test_a_cell_is_shown_as_it_is_and_as_wide_as_it_is(monkeypatch):
    """A title may look like the markup of what prints it, or have letters that are twice as wide."""
    monkeypatch.setitem(COLUMNS, "player", ["[red]ann[/]", "\u5f20\u4f1f"])
    assert "│ 1 │ [red]ann[/] │ 26.00 ±1.25 │  1 │" in printed(10, terminal=False)
    assert "│ 2 │ \u5f20\u4f1f        │  7.50 ±0.25 │  2 │" in printed(10, terminal=False)


def test_a_file_has_all_of_it():
    """A later reader has another window."""
    assert "│ 1 │ ann (replaced) │ 26.00 ±1.25 │  1 │" in printed(10, terminal=False)
