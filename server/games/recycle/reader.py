"""Reader: turns the text of a RECYCLE program into a tree of nodes, each with its line and column.

The program ends with the parenthesis that closes ``(game ...``; what follows is reported and ignored, as by the
original engine.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from croupier.server.games import BadGame
from croupier.server.texts import compression_of, wide

if TYPE_CHECKING:
    from collections.abc import Iterator, Sized

MAX_BYTES = 64 * 1024
MAX_LEVELS = 100

_TOKEN = re.compile(
    r"(?P<blank>[ \t\r\n,]+|;;[^\n]*)|(?P<variable>'[ \t]*[A-Z]+)|(?P<name>[A-Z]+)|(?P<word>[a-z]+)|(?P<number>[0-9]+)"
    r"|(?P<sign>[()]|==|!=|<=|>=|//|\.\.|[:<>+*%^-])|(?P<strange>.)",
    re.DOTALL,
)


class Problem(NamedTuple):
    """A problem of a program: where it is, and a sentence that its author can act on."""

    line: int
    column: int
    message: str
    severity: str = "error"

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.message}"


class Wrong(Exception):
    """A form that cannot be compiled; has the Problem."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


class Broken(Exception):
    """The program did something impossible, and the game cannot go on."""

    def __init__(self, message: str, at: Node | None = None) -> None:
        self.message = message
        self.at = at
        where = f"line {at.line}, column {at.column}: " if at is not None else ""
        super().__init__(where + message)


class BadProgram(BadGame):
    """A text that cannot be played as a RECYCLE program; ``problems`` says why, each with its place."""

    def __init__(self, problems: list[Problem], name: str = "") -> None:
        self.problems = problems
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        super().__init__(f"{name + ': ' if name else ''}{problems[0]}{more}")


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Node:
    """A token, or a form with its items; ``kind`` is form, word, name, variable, number or sign."""

    kind: str
    text: str
    line: int
    column: int
    items: tuple[Node, ...] = ()

    __match_args__ = ("head", "items")

    def __str__(self) -> str:
        if self.kind == "form":
            return "(" + " ".join(map(str, self.items)) + ")"
        return f"'{self.text}" if self.kind == "variable" else self.text

    @property
    def head(self) -> str:
        """The word that determines a form: its first, or its second in forms like ``(game sto X)``."""
        return _head(self.items) if self.kind == "form" else ""

    def has(self, kind: str, *texts: str) -> bool:
        """Return whether this is a token with this kind and text."""
        return self.kind == kind and (not texts or self.text in texts)

    def form(self, *items: Node) -> Node:
        """Return a form with these items at this place."""
        return Node("form", "", self.line, self.column, items)

    def token(self, kind: str, text: str) -> Node:
        """Return a token at this place."""
        return Node(kind, text, self.line, self.column)

    def problem(self, message: str, severity: str = "error") -> Problem:
        """Return a problem at this place."""
        return Problem(self.line, self.column, message, severity)

    def wrong(self, message: str) -> Wrong:
        """Return the error that this cannot be compiled."""
        return Wrong(self.problem(message))

    def walk(self) -> Iterator[Node]:
        """Yield this node and all below it, in the order of the text."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.items))


STORES = ("sto", "str", "points")
KINDS = ("vloc", "iloc", "hloc", "oloc", "mem")
POINTING = ("current", "next", "previous", "other")
_OWNED = frozenset((*STORES, *KINDS))


def _head(items: tuple[Node, ...]) -> str:
    if not items:
        return ""
    if len(items) > 1 and items[1].kind == "word":
        second = items[1].text
        if second in _OWNED and (items[0].kind != "word" or items[0].text == "game"):
            return second
        if second in ("player", "team") and items[0].kind != "word":
            return f"nth {second}"
        if second in ("player", "team") and items[0].text in POINTING:
            return f"{items[0].text} {second}"
    first = items[0]
    if first.kind in ("word", "sign"):
        return first.text
    return "names" if first.kind == "name" else "nth"


class _Places:
    """Turns offsets into lines and columns."""

    def __init__(self, text: str) -> None:
        self.starts = [0, *[found.end() for found in re.finditer("\n", text)]]

    def __call__(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1


def decode(data: bytes) -> str:
    """Return the bytes of a program as text, or raise BadProgram."""
    if len(data) > MAX_BYTES:
        raise BadProgram([Problem(1, 1, f"the file is longer than {MAX_BYTES // 1024} KiB: no program is")])
    if how := compression_of(data):
        raise BadProgram([Problem(1, 1, f"the file is compressed ({how}): unpack it first")])
    if wide(data):
        raise BadProgram([Problem(1, 1, "the file is UTF-16 text: save it as UTF-8")])
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        line = data.count(b"\n", 0, wrong.start) + 1
        column = wrong.start - data.rfind(b"\n", 0, wrong.start)
        raise BadProgram([Problem(line, column, f"the byte 0x{data[wrong.start]:02x} is not text")]) from None
    if not text.strip():
        raise BadProgram([Problem(1, 1, "the file is empty; a program begins with (game")])
    return text


def read(text: str) -> tuple[Node, list[Problem]]:
    """Return the tree of ``(game ...)`` and the problems of the text; raise BadProgram if there is no tree."""
    place = _Places(text)
    open_at: list[tuple[int, int]] = []
    stack: list[list[Node]] = [[]]
    for token in _TOKEN.finditer(text):
        kind = token.lastgroup
        if kind == "blank":
            continue
        line, column = place(token.start())
        word = token.group()
        if kind == "strange":
            raise BadProgram([Problem(line, column, _explain_strange(word))])
        if not open_at and word != "(":
            raise BadProgram([Problem(line, column, f"a program begins with (game, not with {word[:20]}")])
        if word == "(":
            if len(open_at) == MAX_LEVELS:
                raise BadProgram([Problem(line, column, f"more than {MAX_LEVELS} levels of parentheses")])
            open_at.append((line, column))
            stack.append([])
        elif word == ")":
            tree = Node("form", "", *open_at.pop(), tuple(stack.pop()))
            if not open_at:
                return tree, _problems_after(text, token.end(), place)
            stack[-1].append(tree)
        else:
            text_of = word.lstrip("' \t") if kind == "variable" else word
            stack[-1].append(Node(str(kind), text_of, line, column))
    if not open_at:
        raise BadProgram([Problem(1, 1, "the file has only comments; a program begins with (game")])
    if found := layout(text):
        raise BadProgram(found)
    line, column = open_at[-1]
    raise BadProgram([Problem(line, column, f"{_parentheses(open_at)} never closed; the last of them opens here")])


def _explain_strange(character: str) -> str:
    if character == ";":
        return "a comment begins with two semicolons, ;;"
    if character == "'":
        return "a variable is a quote and capitals, as in 'CARD"
    shown = character if character.isprintable() and character.isascii() else f"U+{ord(character):04X}"
    return f"the character {shown} is not part of the language"


def layout(text: str, severity: str = "error") -> list[Problem]:
    """Report the first place where the parentheses of a program and its indentation do not agree.

    A line that stands no deeper than the line on which a form opens, or beside a form that leads its line, is not
    inside that form. A line that stands deeper than those beside it was meant to be inside the form that was closed
    just before.
    """
    place = _Places(text)
    stack: list[_Open] = []
    before: Node | None = None
    depth, leads = 0, False
    for found in _TOKEN.finditer(text):
        if found.lastgroup == "blank":
            continue
        token = Node("", found.group(), *place(found.start()))
        if before is None or token.line != before.line:
            depth = token.column
            if before is not None and token.text != ")":
                if stack and stack[0].depth >= depth:
                    return []  # nothing is indented: the lines do not tell
                if wrong := _disagrees(stack, token, before, severity):
                    return [wrong]
        if token.text == "(":
            leads = token.column == depth or (leads and before is not None and before.text == "(")
            stack.append(_Open(token, depth, leads))
        else:
            leads = False
            if token.text == ")" and stack:
                _close(stack)
        before = token
    return []


@dataclass
class _Open:
    """A form that is not closed yet: its position, the indentation of its line, and that of its own lines."""

    token: Node
    depth: int
    leads: bool
    """Whether it is the first thing on its line, except for parentheses."""
    inside: int | None = None
    closed: int | None = None
    """The indentation inside a form that began on the same line and has been closed."""


def _disagrees(stack: list[_Open], token: Node, before: Node, severity: str) -> Problem | None:
    """Compare the indentation of a line with the forms open there; remember it."""
    c = token.column
    if unclosed := [form.token for form in stack if form.depth >= c or (form.leads and form.token.column == c)]:
        return Problem(
            before.line,
            before.column + len(before.text),
            f"{_parentheses(unclosed)} missing at the end of this line, by the indentation: what opens at line "
            f"{unclosed[0].line}, column {unclosed[0].column} is still open, and line {token.line} stands outside it",
            severity,
        )
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
    said = "a parenthesis too many at the end of this line, by the indentation"
    return before.problem(f"{said}: line {token.line} stands inside a form that it closes", severity)


def _close(stack: list[_Open]) -> None:
    closed = stack.pop()
    if stack and closed.inside is not None and closed.token.line == stack[-1].token.line:
        stack[-1].closed = closed.inside


def _parentheses(unclosed: Sized) -> str:
    return "a parenthesis is" if len(unclosed) == 1 else f"{len(unclosed)} parentheses are"


def _problems_after(text: str, end: int, place: _Places) -> list[Problem]:
    """Report text after the program's last parenthesis."""
    token = next((token for token in _TOKEN.finditer(text, end) if token.lastgroup != "blank"), None)
    if token is None:
        return []
    line, column = place(end - 1)
    said = f"this is outside the program, which was closed at line {line}, column {column}"
    if token.group() == ")":
        said = "a parenthesis too many: the program is already closed"
    return layout(text, "warning") or [Problem(*place(token.start()), said, "warning")]
