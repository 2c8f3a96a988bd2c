"""Hints: what to do about a failure whose cause is known more closely than by its step."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from croupier.protocol.notifications import CLASSIC, JSON, NATIVE
from croupier.server.conformance.steps import Step
from croupier.server.processes.sandbox_advice import cure
from croupier.server.table.faults import Fault, Kind
from croupier.server.table.remedies import NO_LOOP, WAITS

if TYPE_CHECKING:
    from croupier.server.entries import Entry

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
"""How to enter a bot that was found to answer in a dialect other than its own."""
_SLOW_START = (
    "It had not begun to read by then: import and load less before the first line is read, or ask for --start."
)
_NO_DRIVE = "{} makes an Agent and ends: its last line must be drive(YourAgent()), with drive from croupier.agents."
_AGENT = re.compile(r"^\s*class \w+\(.*Agent\w*\):|^from croupier\.agents", re.MULTILINE)
_READ_AT_MOST = 1 << 20


def hint_when_late(effort: str, *, started: bool) -> str:
    """Return what to do about a late reply, by the CPU time used; nothing where the step's own hint is all there is."""
    if not started:
        return _SLOW_START
    return WAITS if effort.endswith("it waits") else ""


def hint_at(fault: Fault, step: Step, entry: Entry, errors: str = "") -> str:
    """Return what to do about a crash whose reason is known, nothing where the step's own hint is all there is.

    ``errors`` is the end of the program's standard error.
    """
    if fault.kind is not Kind.CRASHED:
        return ""
    if step in {Step.STARTS, Step.LIVES} and "it left with exit status 0" in fault.why:
        return next((_NO_DRIVE.format(name) for name in _without_drive(entry)), NO_LOOP)
    return cure(f"{errors}\n{fault.why}")


def _without_drive(entry: Entry) -> list[str]:
    """Return the names of an entry's Python files that make an Agent and never drive it."""
    texts = {
        path.name: path.read_bytes()[:_READ_AT_MOST].decode("utf-8", "replace")
        for path in entry.files
        if path.suffix == ".py"
    }
    return [name for name, text in texts.items() if _AGENT.search(text) and "drive(" not in text]
