"""Lines of records that come again."""

from __future__ import annotations

import pytest

from croupier.protocol.record import Faulted, Played, StandIn
from croupier.protocol.record_reader import BadRecord, read


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
