"""Indentation: finds missing and surplus parentheses by the layout of the lines.

A line that is indented no deeper than the line on which a form opens, or level with a form that begins its line, is not
inside that form. A line that is deeper than its neighbors was meant to be inside the form that was closed just before.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable


class Token(NamedTuple):
    """A parenthesis or anything else, with its position."""

    text: str
    line: int
    column: int


class Misplaced(NamedTuple):
    """A missing or surplus parenthesis: where and why."""

    line: int
    column: int
    missing: bool
    message: str


@dataclass
class _Open:
    """A form that is not closed yet: its position, the indentation of its line, and that of its own lines."""

    token: Token
    depth: int
    leads: bool
    """Whether it is the first thing on its line, except for parentheses."""
    inside: int | None = None
    closed: int | None = None
    """The indentation inside a form that began on the same line and has been closed."""


def find_misplaced(tokens: Iterable[Token]) -> Misplaced | None:
    """Return the first place at which parentheses and indentation disagree; None if there is none."""
    stack: list[_Open] = []
    before: Token | None = None
    depth, leads = 0, False
    for token in tokens:
        if before is None or token.line != before.line:
            depth = token.column
            if before is not None and token.text != ")" and (found := _disagrees(stack, token, before)):
                return None if found.missing and stack[0].depth >= token.column else found
        if token.text == "(":
            leads = token.column == depth or (leads and before is not None and before.text == "(")
            stack.append(_Open(token, depth, leads))
        else:
            leads = False
            if token.text == ")" and stack:
                _close(stack)
        before = token
    return None


def _disagrees(stack: list[_Open], token: Token, before: Token) -> Misplaced | None:
    """Compare the indentation of a line with the forms open there; remember it."""
    c = token.column
    unclosed = [form for form in stack if form.depth >= c or (form.leads and form.token.column == c)]
    if unclosed:
        line, column, many = unclosed[0].token.line, unclosed[0].token.column, len(unclosed)
        lacks = "a parenthesis is" if many == 1 else f"{many} parentheses are"
        message = (
            f"{lacks} missing at the end of this line, by the indentation: what opens at line {line}, column {column} "
            f"is still open, and line {token.line} stands outside it"
        )
        return Misplaced(before.line, before.column + len(before.text), missing=True, message=message)
    if stack:
        inner = stack[-1]
        deeper = inner.inside is not None and c > inner.inside
        behind = inner.closed is not None and c >= inner.closed
        if inner.inside is None:
            inner.inside = c
        if not (deeper or behind):
            return None
    if before.text != ")":
        return None
    message = (
        f"a parenthesis too many at the end of this line, by the indentation: line {token.line} stands inside a form "
        "that it closes"
    )
    return Misplaced(before.line, before.column, missing=False, message=message)


def _close(stack: list[_Open]) -> None:
    closed = stack.pop()
    if stack and closed.inside is not None and closed.token.line == stack[-1].token.line:
        stack[-1].closed = closed.inside
