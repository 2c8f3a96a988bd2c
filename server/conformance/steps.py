"""The steps of `croupier check`, their findings, and the text for an author when one fails."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from croupier.protocol.notifications import CLASSIC, JSON, NATIVE
from croupier.server.processes.crash_lines import cure
from croupier.server.table.faults import BY_KIND, FLUSH, NO_LOOP, WAITS, Fault, Kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from croupier.server.entries import Entry


_SHOWN_PLAYS = 64
_SHOWN_BYTES = 4096
_WIDE = 300
_OPTIONS = re.compile(r"\(options(?: \([^()]*\))+\)")
_OPTIONS_IN_JSON = re.compile(r'"options": \{[^{}]*\}')


class Step(Enum):
    """A step of the check, in this order."""

    STARTS = "starts in time"
    FLUSHES = "flushes its output"
    QUIET = "says nothing unasked"
    WRITES = "writes well-formed replies"
    PHASES = "answers in each phase"
    LEGAL = "plays legally"
    LIVES = "stays alive"
    CLOCK = "replies within the clock"
    WHITE = "ends its replies"
    DEFENDS = "defends when attacked"
    CUT = "reads messages however they are cut"
    HEAPED = "reads several messages at once"
    STRANGE = "survives what it does not know"
    GAMES = "plays several games in one process"
    PATIENT = "waits for a slow reader"
    RESTS = "rests while others play"
    ERRORS = "keeps its standard error short"
    LEAVES = "leaves at the end of its input"

    @property
    def number(self) -> int:
        """The step's number."""
        return list(Step).index(self) + 1


NAMED_BY = {
    Kind.TIMEOUT: Step.CLOCK,
    Kind.MALFORMED: Step.WRITES,
    Kind.FLOODED: Step.WRITES,
    Kind.UNKNOWN: Step.PHASES,
    Kind.ILLEGAL: Step.LEGAL,
    Kind.UNASKED: Step.QUIET,
    Kind.CRASHED: Step.LIVES,
}
"""The step that each kind of fault belongs to, if an ordinary question caused it."""

HINTS = {
    Step.STARTS: "Run its command line by hand in an empty folder: it must wait for a line, and answer it.",
    Step.FLUSHES: FLUSH,
    Step.QUIET: BY_KIND[Kind.UNASKED],
    Step.WRITES: BY_KIND[Kind.MALFORMED],
    Step.PHASES: BY_KIND[Kind.UNKNOWN],
    Step.LEGAL: BY_KIND[Kind.ILLEGAL],
    Step.LIVES: "Look at its standard error for the reason; answer, then wait for the next message.",
    Step.CLOCK: BY_KIND[Kind.TIMEOUT],
    Step.WHITE: "White space around a reply is skipped.",
    Step.DEFENDS: "`attacked` asks for a defense, such as (discard copper estate) or (moat).",
    Step.CUT: "A message may come in pieces: read until its parentheses balance, or to the end of the line.",
    Step.HEAPED: "Several messages may come in one read: handle each, and keep what is behind the first.",
    Step.STRANGE: "Skip what you do not know: an `update` never needs an answer.",
    Step.GAMES: "Begin again when the table says `start`: one process plays many games.",
    Step.PATIENT: "Your reply may be read late: wait for the next message and write nothing meanwhile.",
    Step.RESTS: "Wait in a blocking read; do not look for input again and again.",
    Step.ERRORS: "Write less to standard error: the referee keeps a mebibyte of it.",
    Step.LEAVES: "When a read finds the end of the input, leave, and take with you what you have started.",
}


@dataclass(frozen=True)
class Finding:
    """The result of a step; ``detail`` is a sentence, and for a failure everything that an author needs.

    ``brief`` is a shorter version for a terminal, where the detail is too long.
    """

    step: Step
    passed: bool
    detail: str
    brief: str = ""

    def json(self) -> dict[str, object]:
        """Return the JSON that scripts rely on."""
        return {"name": self.step.value, "passed": self.passed, "detail": self.detail}


@dataclass
class Failed(Exception):
    """A step failed. It carries the conversation that shows how."""

    step: Step
    why: str
    sent: str = ""
    received: bytes = b""
    legal: tuple[str, ...] = ()
    errors: str = ""
    hint: str = ""
    place: str = ""
    """How the bot came to the position, where that is not obvious."""

    def finding(self) -> Finding:
        """Return the full report as text of several lines, and a shortened one for a terminal."""
        whole, brief = self._report(shortened=False), self._report(shortened=True)
        return Finding(self.step, passed=False, detail=whole, brief=brief if brief != whole else "")

    def _report(self, *, shortened: bool) -> str:
        parts = [self.why, self.place] if self.place else [self.why]
        for title, text, most in self._sections():
            lines = text.rstrip("\n").split("\n")
            parts += [title, *(f"    {line}" for line in (_shorten(lines, most) if shortened else lines))]
        parts.append(f"Hint: {self.hint or HINTS[self.step]}")
        return "\n".join(parts)

    def _sections(self) -> Iterator[tuple[str, str, int]]:
        """Yield the sections of the report: a title, the text, and how many lines of it a terminal shows."""
        if self.sent:
            yield "It was sent:", self.sent, 4
        if self.sent or self.received:
            yield "It answered:", _show(self.received), 3
        if self.legal and (self.received or not self.errors):
            yield "Legal were:", _plays(self.legal), 1
        if self.errors:
            yield "The end of its standard error:", _plain(self.errors), 5


def _show(received: bytes) -> str:
    """Return bytes as text, with unprintable ones escaped."""
    if not received:
        return "nothing"
    text = _plain(received[:_SHOWN_BYTES].decode("ascii", "backslashreplace"))
    return text + (f" ... and {len(received) - _SHOWN_BYTES} bytes more" if len(received) > _SHOWN_BYTES else "")


def _plain(text: str) -> str:
    """Escape the characters that a terminal would act on."""
    return "".join(char if char.isprintable() or char == "\n" else repr(char)[1:-1] for char in text)


def _plays(plays: tuple[str, ...]) -> str:
    more = len(plays) - _SHOWN_PLAYS
    return " ".join(plays[:_SHOWN_PLAYS]) + (f" and {more} more" if more > 0 else "")


def _shorten(lines: Sequence[str], most: int) -> list[str]:
    """Return the first line and the last ones, at most `most` lines, shortened and without a game's options."""
    lines = [_OPTIONS_IN_JSON.sub('"options": {...}', _OPTIONS.sub("(options ...)", line)) for line in lines]
    if len(lines) > most:
        lines = [lines[0], f"... {len(lines) - most + 1} lines ...", *lines[len(lines) - most + 2 :]]
    return [_narrow(line) for line in lines]


def _narrow(line: str) -> str:
    """Shorten a long line in its middle: a request begins with the game and ends with the legal plays."""
    left = len(line) - _WIDE
    return line if left <= 0 else f"{line[: _WIDE // 2]} ... {left} characters ... {line[-(_WIDE // 2) :]}"


# What to do about a failure whose cause is known more closely than by its step

UNCLOSED = (
    "Each ( of a reply needs its ), in JSON each [ its ]: count them where the reply is put together,"
    " and write no more than one list."
)
TO_THE_END = (
    "Read a line, answer it, read the next: input ends only when all games are over. A call that reads everything"
    " (sys.stdin.read(), readlines(), getContents) waits for that."
)
SPEAKS = {
    NATIVE: "It answers s-expressions: enter it as COMMAND alone, in a tournament file without dialect.",
    CLASSIC: "It answers (move STATE), as clients of the class server do, and not (request STATE): enter it as"
    ' classic:COMMAND, in a tournament file with dialect = "classic".',
    JSON: "It answers JSON, and not s-expressions: enter it as json:COMMAND, in a tournament file with"
    ' dialect = "json".',
}
"""How to enter a bot that answered in another dialect."""
_SLOW_START = (
    "It had not begun to read by then: import and load less before the first line is read, or ask for --start."
)
_NO_DRIVE = "{} makes an Agent and ends: its last line must be drive(YourAgent()), with drive from croupier.agents."
_AGENT = re.compile(r"^\s*class \w+\(.*Agent\w*\):|^from croupier\.agents", re.MULTILINE)
_READ_AT_MOST = 1 << 20


def hint_when_late(effort: str, *, started: bool) -> str:
    """Return advice that follows from a late reply's CPU time; an empty string if the step's own hint is enough."""
    if not started:
        return _SLOW_START
    return WAITS if effort.endswith("it waits") else ""


def hint_at(fault: Fault, step: Step, entry: Entry, errors: str = "") -> str:
    """Return advice about a crash with a known reason; an empty string if the step's own hint is enough.

    ``errors`` is the end of the program's standard error.
    """
    if fault.kind is not Kind.CRASHED:
        return ""
    if step in {Step.STARTS, Step.LIVES} and "it left with exit status 0" in fault.why:
        return next((_NO_DRIVE.format(name) for name in _without_drive(entry)), NO_LOOP)
    return cure(f"{errors}\n{fault.why}")


def _without_drive(entry: Entry) -> list[str]:
    """Return the names of an entry's Python files that make an Agent but never drive it."""
    texts = {
        path.name: path.read_bytes()[:_READ_AT_MOST].decode("utf-8", "replace")
        for path in entry.files
        if path.suffix == ".py"
    }
    return [name for name, text in texts.items() if _AGENT.search(text) and "drive(" not in text]
