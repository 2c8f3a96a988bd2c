"""Indentation: where a parenthesis is missing or too many."""

from collections import Counter

import pytest
from tests.support.recycle import program

from croupier.server.games.recycle import library, load
from croupier.server.games.recycle.check import problems
from croupier.server.games.recycle.reader import BadProgram, layout, read

TEXTS = {name: load(name).TEXT for name in library() if name != "euchre"}
"""Euchre has a line too long for its place."""
WHIST = TEXTS["whist"].splitlines()
MIDDLE = next(number for number, line in enumerate(WHIST) if line.endswith(")))") and number > 20)


def place(text):
    """Return the line of the first place where parentheses and layout do not agree, and what is said of it."""
    ((line, _, message, _),) = layout(text)
    return line, message


def changed(text, change):
    """Yield a program with each line that ends in a parenthesis changed in turn, and the line's number."""
    lines = [line.split(";;")[0].rstrip() for line in text.splitlines()]
    for number, line in enumerate(lines[:-1]):
        if line.endswith(")"):
            yield number + 1, "\n".join([*lines[:number], change(line), *lines[number + 1 :]])


@pytest.mark.parametrize("name", TEXTS)
def test_the_library_s_layout_is_as_its_parentheses(name):
    """Nothing is reported of a program that is laid out as it reads."""
    assert layout(TEXTS[name]) == []


@pytest.mark.parametrize(
    ("change", "said"), [(lambda line: line[:-1], "missing"), (lambda line: line + ")", "too many")]
)
def test_a_parenthesis_taken_or_added_is_found_at_its_line(change, said):
    """Of nine in ten the very line is named, of the others one close by."""
    off = Counter()
    for text in TEXTS.values():
        for number, wrong in changed(text, change):
            line, message = place(wrong)
            assert "too many" in message or "missing" in message
            off["there" if line == number and said in message else "near" if abs(line - number) <= 6 else "far"] += 1
    assert off["there"] > 0.9 * off.total()
    assert off["far"] < 0.03 * off.total()


def test_a_program_that_is_never_closed_says_where():
    """The error is at the line's end, not at the last parenthesis that is open."""
    wrong = "\n".join([*WHIST[:MIDDLE], WHIST[MIDDLE][:-1], *WHIST[MIDDLE + 1 :]])
    with pytest.raises(BadProgram) as refused:
        read(wrong)
    (problem,) = refused.value.problems
    assert (problem.line, problem.column) == (MIDDLE + 1, len(WHIST[MIDDLE]))
    assert "missing at the end of this line" in problem.message


def test_a_program_that_is_closed_too_early_says_where():
    """Beside the error that its scoring is missing."""
    wrong = "\n".join([*WHIST[:MIDDLE], WHIST[MIDDLE] + ")", *WHIST[MIDDLE + 1 :]])
    assert any(
        "too many at the end of this line" in found.message and found.line == MIDDLE + 1
        for found in problems(wrong.encode())
    )


def test_one_here_for_one_there_is_told_with_the_errors():
    """A program whose parentheses balance, with one moved from a line to the end of another."""
    lines = [*WHIST[:MIDDLE], WHIST[MIDDLE][:-1], *WHIST[MIDDLE + 1 :]]
    lines[-1] += ")"
    found = problems("\n".join(lines).encode())
    assert any(each.severity == "error" for each in found)
    assert any(each.line == MIDDLE + 1 and "missing" in each.message for each in found)


def test_without_layout_the_open_parentheses_are_counted():
    """Of a program all on one line, or all at the left, nothing can be told by its indentation."""
    for text in (program()[:-1], "\n".join(line.lstrip() for line in WHIST)[:-1]):
        with pytest.raises(BadProgram, match="never closed"):
            read(text)
