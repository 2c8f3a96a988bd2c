"""Lines of records that come again."""

from __future__ import annotations

import pytest

from croupier.protocol import record as lines
from croupier.protocol.record import BadRecord, Faulted, Played, StandIn, read


def test_a_line_that_comes_again_is_read_the_same_with_its_own_number():
    """Also with a comment, blanks or nothing on it."""
    lines = ["(play ann (play c2))", "", "(play ann (play c2)) ; again", "(play ann (play c2))", "(stand-in ann)"]
    first = Played("ann", ("play", "c2"))
    wanted = [(1, first), (3, first), (4, first), (5, StandIn("ann"))]
    assert [*read("\n".join(lines))] == wanted
    assert [*read("\n".join(lines))] == wanted


def test_a_wrong_line_is_wrong_each_time():
    """At the line where it stands."""
    for number in (1, 3):
        with pytest.raises(BadRecord, match=f"line {number}: .* should look like"):
            [*read("\n" * (number - 1) + "(play ann)")]


def test_strings_of_equal_lines_are_those_of_each():
    """Short lines with strings are told apart by what the strings say."""
    text = '(fault ann crash "a" "" "")\n(fault ann crash "b" "" "")\n(fault ann crash "a" "" "")'
    faults = [line for _, line in read(text)]
    assert [fault.why for fault in faults if isinstance(fault, Faulted)] == ["a", "b", "a"]


@pytest.mark.parametrize("value", [
    lines.GameLine("hearts", (("pass", "none"), ("score-to", 0))),
    lines.GameLine("plain", ()),
    lines.DealLine(17, "0"),
    lines.Program("1" * 64),
    lines.Shuffled(("reshuffle", "ann", 2), ("copper", "estate")),
    lines.Shuffled("deal", ("17", "c2")),
    lines.Defense("bob", ("discard", "copper")),
    lines.Faulted("_0", "crashed", 'a "b"; \\ c', "", "\n\xff"),
    lines.Source("mine", ("; (a", '"')),
    lines.Score((("ann", -3), ("bob", 4))),
    lines.Score(()),
    lines.Time("ann", 5),
])  # fmt: skip
def test_a_line_is_read_as_it_was_written(value):
    """With or without a comment, whatever stands in that."""
    for comment in ("", '  ; "so" (it seems'):
        assert [*read(f"{value}{comment}")] == [(1, value)]


@pytest.mark.parametrize(
    "line", ['(play ann (play "c2"))', '(players "ann")', '(fault ann crashed "a" "b" "c" d)', "(end)"]
)
def test_strings_stand_only_at_the_end_of_a_fault_and_a_source(line):
    """And no line has more or fewer fields than its shape."""
    with pytest.raises(BadRecord, match="should look like"):
        [*read(line)]
