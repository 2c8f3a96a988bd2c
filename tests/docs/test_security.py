"""The page on what a bot cannot do: each cell of its table is what a test shows, at that level."""

import importlib.util
import re
from functools import cache
from pathlib import Path

import pytest

from croupier.server.processes import sandbox
from croupier.server.processes.sandbox import Level

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests" / "server"
PAGE = (ROOT / "docs" / "security.md").read_text()
NOT_CLAIMED = "not claimed"
SPY = "processes/sandbox/test_secrets.py::test_the_spy_finds_no_more_than_the_page_says"
CHANGES = "processes/sandbox/test_limits.py::test_a_bot_changes_nothing_outside_its_folder"
WRITES = "processes/sandbox/test_bwrap.py::test_a_bot_can_write_to_its_folder_and_little_else"
FILTER = "processes/sandbox/test_seccomp.py::test_a_bot_is_refused_each_call"
STAYS = "processes/test_nothing_left.py::test_a_bot_that_stays_behind_is_ended_with_the_table"
MISDEEDS = "table/test_misdeeds.py::test_no_misdeed_hurts_the_table"
TAKES = "table/test_misdeeds.py::test_no_misdeed_takes_the_machine"
KEY = "processes/sandbox/test_secrets.py::test_a_bot_of_a_tournament_finds_neither_its_key_nor_who_else_plays"
CELLS = {
    "hangs the table": [MISDEEDS, MISDEEDS, MISDEEDS],
    "leaves a process behind": [STAYS, STAYS, STAYS],
    "gets the referee's environment": [SPY, SPY, SPY],
    "starts with files in its folder": [SPY, SPY, SPY],
    "is told of others' answers": [SPY, SPY, SPY],
    "fills memory, disk, process table": [NOT_CLAIMED, TAKES, TAKES],
    "reads another process's memory": [SPY, SPY, SPY],
    "ends or stops another process": [SPY, SPY, SPY],
    "slows another process": [CHANGES, CHANGES, FILTER],
    "sees that other processes exist": [SPY, SPY, SPY],
    "reads a tournament's key": [SPY, KEY, KEY],
    "reads your other files": [SPY, SPY, SPY],
    "writes your files": [CHANGES, CHANGES, WRITES],
    "reaches the network": [SPY, SPY, SPY],
    "knocks at sockets that have a path": [SPY, SPY, SPY],
}
"""How a row begins, and by level the test that shows what its cell says."""
OF_ONE_LEVEL = {"test_bwrap.py": Level.BWRAP}
"""Files whose tests are all at one level, without a parameter."""


def table():
    """Return the table's rows by their first cell, the other cells by level."""
    lines = PAGE.partition("| a bot ... |")[2].partition("\n\n")[0].splitlines()[2:]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {row: dict(zip(Level, cells, strict=True)) for row, *cells in rows}


@cache
def module(file):
    """Import a file of tests without running them."""
    spec = importlib.util.spec_from_file_location(f"shown_by_{Path(file).stem}", TESTS / file)
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def levels_of(test):
    """Return the levels at which a test is run here."""
    file, name = test.split("::")
    function = getattr(module(file), name)
    if of_one := OF_ONE_LEVEL.get(Path(file).name):
        return {of_one}
    given = [
        mark.args[1] for mark in function.pytestmark if mark.name == "parametrize" and "level" in str(mark.args[0])
    ]
    return {value for values in given for case in values for value in _values(case) if isinstance(value, Level)}


def _values(case):
    case = getattr(case, "values", case)
    return case if isinstance(case, tuple | list) else (case,)


def test_the_page_has_these_rows():
    """Who adds a promise adds a test, and who takes a test away takes the promise back."""
    for row, start in zip(table(), CELLS, strict=True):
        assert row.startswith(start)


@pytest.mark.parametrize(
    "level", [level for level in Level if not sandbox.problem(level)], ids=lambda level: level.name
)
@pytest.mark.parametrize("row", CELLS)
def test_each_cell_of_the_levels_table_is_shown_by_a_test_at_its_level(row, level):
    """What no test shows is not claimed, and what is not claimed has no test."""
    said = next(cells[level] for start, cells in table().items() if start.startswith(row))
    test = CELLS[row][list(Level).index(level)]
    assert (said == NOT_CLAIMED) == (test == NOT_CLAIMED)
    assert test == NOT_CLAIMED or level in levels_of(test), test


def test_a_cell_without_a_test_at_its_level_is_found():
    """The test above is none for a level that is not among a test's parameters."""
    assert Level.NONE not in levels_of(TAKES)
    assert Level.LIMITS not in levels_of(WRITES)
    with pytest.raises(AttributeError):
        levels_of(f"{SPY}_or_so")


def test_what_the_page_refers_to_is_there():
    """Its files and tests."""
    for path in re.findall(r"`((?:tests|server)/[\w/.]+\.py)`", PAGE):
        assert (ROOT / path).exists(), path
