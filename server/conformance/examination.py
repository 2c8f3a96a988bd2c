"""Examination: a bot put through all steps of the check, and what its author is told in files."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import trio

from croupier.server.conformance.asking import Asking
from croupier.server.conformance.examiner import Examiner
from croupier.server.conformance.steps import Finding, Step
from croupier.server.processes.temporary_folder import temporary_folder
from croupier.server.table.standard_error import as_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from croupier.protocol.sexp import Atom
    from croupier.server.conformance.asking import Demands
    from croupier.server.entries import Entry
    from croupier.server.games.game import Game


class Result(NamedTuple):
    """The findings of each step, the words that start the bot, and the end of its standard error."""

    found: list[Finding]
    command: str = ""
    errors: str = ""

    @property
    def failed(self) -> Finding | None:
        """The step that failed, None if all have passed."""
        return next((finding for finding in self.found if not finding.passed), None)

    def write(self, out: Path, name: str, title: str) -> None:
        """Write the findings of a bot into a folder, and its standard error beside them."""
        out.mkdir(parents=True, exist_ok=True)
        verdict = f"{title}: {'failed' if self.failed else 'passed'}"
        text = "\n".join([verdict, self.command, "", *(line(finding, finding.detail) for finding in self.found)])
        (out / f"{name}.txt").write_text(text + "\n", encoding="utf-8", errors="surrogateescape")
        if self.errors:
            (out / f"{name}.stderr").write_text(as_text(self.errors.encode()) + "\n", encoding="utf-8")


def unable(why: str) -> Result:
    """Return the result of a bot that cannot be started: it has failed the first step."""
    return Result([Finding(Step.STARTS, passed=False, detail=why)])


def examine(
    entry: Entry,
    rules: type[Game],
    options: Mapping[str, Atom],
    demands: Demands,
    tell: Callable[[Finding], None] = lambda _: None,
    count: Callable[[int], None] = lambda _: None,
) -> Result:
    """Put a bot through all steps, up to the first that fails.

    ``tell`` hears each finding, ``count`` how many questions have been answered.
    """
    with temporary_folder() as folder:
        asking = Asking(entry, rules, options, demands, folder, count)
        found = trio.run(Examiner(asking, tell).run)
    return Result(found, " ".join(entry.command), asking.errors)


def line(finding: Finding, detail: str) -> str:
    """Return a finding as a line with its number, and more lines if the detail has more."""
    mark = "ok    " if finding.passed else "FAILED"
    return f"{finding.step.number:>2}. {mark}  {finding.step.value}: {detail}"
