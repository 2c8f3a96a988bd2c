"""The page on what a bot cannot do: each cell of its table is what a test shows, at each level."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests" / "server"
PAGE = (ROOT / "docs" / "security.md").read_text()
SPY = "processes/sandbox/test_secrets.py::test_the_spy_finds_no_more_than_the_page_says"
CHANGES = "processes/sandbox/test_limits.py::test_a_bot_changes_nothing_outside_its_folder"
FILTER = "processes/sandbox/test_seccomp.py::test_a_bot_is_refused_each_call"
ROWS = {
    "hangs the table": ["table/test_misdeeds.py::test_no_misdeed_hurts_the_table"],
    "leaves a process behind": [
        "processes/test_nothing_left.py::test_a_killed_referee_takes_all_with_it",
        "processes/test_nothing_left.py::test_a_bot_that_stays_behind_is_ended_with_the_table",
    ],
    "gets the referee's environment": [SPY],
    "starts with files in its folder": [
        SPY,
        "tournaments/test_run.py::test_a_bot_that_writes_down_every_deal_recognises_none",
    ],
    "is told of others' answers": [SPY],
    "fills memory, disk, process table": [
        "table/test_misdeeds.py::test_no_misdeed_takes_the_machine",
        "processes/sandbox/test_groups.py::test_bytes_are_counted_wherever_they_lie",
        "processes/sandbox/test_groups.py::test_a_group_holds_so_many_and_no_more",
    ],
    "reads another process's memory": [SPY],
    "ends or stops another process": [SPY],
    "slows another process": [
        CHANGES,
        FILTER,
        "table/test_blame.py::test_an_innocent_bot_commits_no_fault_beside_an_attack",
    ],
    "sees that other processes exist": [SPY],
    "reads a tournament's key": [
        SPY,
        "processes/sandbox/test_secrets.py::test_a_bot_of_a_tournament_finds_neither_its_key_nor_who_else_plays",
    ],
    "reads your other files": [
        SPY,
        "processes/sandbox/test_bwrap.py::test_a_bot_sees_its_own_and_nothing_that_is_hidden",
    ],
    "writes your files": [
        CHANGES,
        "processes/sandbox/test_bwrap.py::test_a_bot_can_write_to_its_folder_and_little_else",
    ],
    "reaches the network": [SPY, CHANGES],
}
"""How a row begins, and which tests show its cells; each goes through the levels that it is about."""


def test_each_row_of_the_levels_table_is_shown_by_tests():
    """Who adds a promise adds a test, and who takes a test away takes the promise back."""
    table = PAGE.partition("| a bot ... |")[2].partition("\n\n")[0]
    rows = [line.split(" | ")[0].removeprefix("| ") for line in table.splitlines()[2:]]
    assert len(rows) == len(ROWS)
    for row, (start, tests) in zip(rows, ROWS.items(), strict=True):
        assert row.startswith(start)
        for test in tests:
            file, name = test.split("::")
            assert re.search(rf"^(async )?def {name}\(", (TESTS / file).read_text(), re.MULTILINE), test


def test_what_the_page_refers_to_is_there():
    """Its files and tests."""
    for path in re.findall(r"`((?:tests|server)/[\w/.]+\.py)`", PAGE):
        assert (ROOT / path).exists(), path
