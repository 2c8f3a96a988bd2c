"""Last words: the lines at the end of standard error (stderr) that say why a program died, in any language.

Many runtimes end with the place of the error or their own version: GHC with a CallStack, Racket with its context, Node
with its version, Go with its goroutines, Rust with a note. The cause comes before that.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from croupier.server.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Collection

MOST = 5
"""At most this many lines are shown."""
WIDTH = 200
_TRACEBACK = "Traceback (most recent call last):"
_FRAME = re.compile(r' +File "(?P<path>(?P<folder>[^"]*)/(?P<name>[^"/]*))", line (?P<line>\d+)')
_POSITION = re.compile(
    r"CallStack |(context|location)\.\.\.:|at .*:\d+|at \S+\(|from .*:\d+:in |Node\.js v\d|goroutine \d+ |created by "
    r"|exit status \d+$|note: |stack backtrace:|Raised (at|by) |Called from |Re-raised at |[\w./*()]+\([^()]*\)$"
    r"|\S+:\d+(:\d+)?:?$|body of |(\.\.\. )?\d+ more$|error, called at |[~^]+$",
)
_NAMES = re.compile(
    r"\w*(Error|Exception)\b|\b(error|exception|panic(ked)?|fatal|violation|assertion|aborted|undefined|unbound"
    r"|cannot|can.t|no such|failed|failure)\b",
    re.IGNORECASE,
)


def last_words(text: str, own: Collection[str] = ()) -> str:
    """Return the cause of a program's end as one printable line, empty if it printed none.

    ``own`` are the program's files: a Python error is reported with the innermost line of its traceback in one of them,
    or in a file beside one.
    """
    lines = [line.rstrip() for line in text.splitlines() if line.strip()]
    cause = _of_python(lines) or _of_others(lines)
    if cause and (place := _place(lines, own)):
        cause = [f"{place}: {cause[0]}", *cause[1:]]
    return "; ".join(printable(line.strip()[:WIDTH]) for line in cause[:MOST])


def _place(lines: list[str], own: Collection[str]) -> str:
    """Return the innermost line of the last traceback in or beside one of these files, as in "bot.py, line 4"."""
    frames = [found for line in _last_traceback(lines) if (found := _FRAME.match(line))]
    beside = {path.rpartition("/")[0] for path in own}
    mine = [frame for frame in frames if frame["path"] in own]
    mine = mine or [frame for frame in frames if frame["folder"] in beside]
    return f"{mine[-1]['name']}, line {mine[-1]['line']}" if mine else ""


def _of_python(lines: list[str]) -> list[str]:
    """Return what follows the frames of the last traceback."""
    behind = _last_traceback(lines)
    first = next((place for place, line in enumerate(behind) if not line.startswith(" ")), len(behind))
    return behind[first:]


def _last_traceback(lines: list[str]) -> list[str]:
    """Return what follows the heading of the last traceback."""
    return lines[len(lines) - lines[::-1].index(_TRACEBACK) :] if _TRACEBACK in lines else []


def _of_others(lines: list[str]) -> list[str]:
    """Return the last line that is not a position; if it names no error, begin at one shortly before that does."""
    causes = [place for place, line in enumerate(lines) if not line[0].isspace() and not _POSITION.match(line)]
    if not causes:
        return lines[-1:]
    *before, last = causes[-MOST:]
    first = last
    if not _NAMES.search(lines[last]):
        first = next((place for place in reversed(before) if _NAMES.search(lines[place])), last)
    end = last + 1
    while end < len(lines) and lines[end][0].isspace() and not _POSITION.match(lines[end].lstrip()):
        end += 1  # details, such as the expected and the actual value
    return [line for place, line in enumerate(lines[first:end], first) if place > last or place in causes]
