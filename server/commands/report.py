"""``croupier report``: a tournament as one page."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from croupier.server.commands import json_option, print_json, wrong
from croupier.server.commands.command import command, option
from croupier.server.commands.completion import folders
from croupier.server.games import BadGame, NoSuchGame
from croupier.server.terminal import say
from croupier.server.tournaments.keeping.store import Store, StoreError, open_for_reading
from croupier.server.tournaments.report.findings import gather
from croupier.server.tournaments.report.games import write_pages
from croupier.server.tournaments.report.page import page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.server.tournaments.report.findings import Findings
    from croupier.server.tournaments.report.games import GamePage


@command(
    "croupier report cup",
    "croupier report cup --games 5",
)
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), metavar="DIR", shell_complete=folders)
@option(
    "--for",
    "own",
    metavar="NAME",
    help="Show only what NAME may know. The page is for that bot's author: its own faults and exchanges.",
)
@option(
    "--html",
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write an HTML page into this file.  [default: DIR/report.html]",
)
@option(
    "--games",
    "most",
    type=click.IntRange(1),
    metavar="N",
    help="How many games. A page of each, to step through, is written too: first those with faults, then the closest.",
)
@json_option
def report(folder: Path, *, own: str | None, html: Path | None, most: int | None, as_json: bool) -> int:
    """Write a tournament's report: one HTML page that needs nothing else."""
    path = html or folder / ("report.html" if own is None else f"report-{own}.html")
    try:
        with open_for_reading(folder) as store:
            findings = gather(store, own, path.parent)
            if most is not None:
                findings = replace(findings, games=_pages(store, findings, most, path.parent))
    except (StoreError, NoSuchGame, BadGame) as problem:
        wrong(str(problem))
    try:
        path.write_text(page(findings), encoding="utf-8", errors="surrogateescape")
    except OSError as problem:
        wrong(f"{path}: {problem.strerror}")
    if as_json:
        print_json({"report": str(path)})
    else:
        say(str(path))
    return 0


def _pages(store: Store, findings: Findings, most: int, home: Path) -> Sequence[GamePage]:
    """Write the pages of a tournament's games once none of its deals will be played again."""
    if not findings.standings.finished:
        wrong("--games shows hands, and the tournament is not finished: its deals may be played again")
    try:
        return write_pages(store, most, findings.own, home)
    except OSError as problem:
        wrong(f"{problem.filename}: {problem.strerror}")
