"""``croupier report``: a tournament as one page, or as one page for everybody and one for each bot."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import click

from croupier.server.commands import json_option, print_json, wrong
from croupier.server.commands.command import command, option
from croupier.server.commands.completion import folders
from croupier.server.games import BadGame, NoSuchGame
from croupier.server.terminal import say
from croupier.server.tournaments.keeping.store import Store, StoreError, open_for_reading
from croupier.server.tournaments.report.findings import Gathering
from croupier.server.tournaments.report.games import GamePages
from croupier.server.tournaments.report.page import page

if TYPE_CHECKING:
    from collections.abc import Iterator

    from croupier.server.tournaments.report.findings import Findings


@command(
    "croupier report cup",
    "croupier report cup --games 5",
    "croupier report cup --all",
)
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), metavar="DIR", shell_complete=folders)
@option(
    "--for",
    "own",
    metavar="NAME",
    help="For this player alone. The page is for that bot's author: its own faults and exchanges.",
)
@option("--all", "every", is_flag=True, help="Write the page of each bot too. The report links them all.")
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
    help="How many games. A page of each, to step through, is written too: one of each cause of a fault, then close"
    " games, then lopsided ones.",
)
@json_option
def report(folder: Path, *, own: str | None, every: bool, html: Path | None, most: int | None, as_json: bool) -> int:
    """Write a tournament's report: one HTML page that needs nothing else."""
    if own is not None and every:
        wrong("--all writes the page of every bot, and --for that of one: leave one of them out")
    path = html or folder / _file(own)
    try:
        with open_for_reading(folder) as store:
            written = list(_write(store, path, own, most, every=every))
    except (StoreError, NoSuchGame, BadGame) as problem:
        wrong(str(problem))
    except OSError as problem:
        wrong(f"{problem.filename}: {problem.strerror}")
    if as_json:
        print_json({"report": str(path)} | ({"pages": [str(each) for each in written]} if every else {}))
    else:
        say(str(path))
    return 0


def _file(name: str | None) -> str:
    return "report.html" if name is None else f"report-{name}.html"


def _write(store: Store, path: Path, own: str | None, most: int | None, *, every: bool) -> Iterator[Path]:
    """Write the page for everybody, or of one bot; with ``every`` also those of all bots beside it. Yield each."""
    gathering = Gathering(store, path.parent)
    made = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    findings = replace(gathering.of(own), made=made)
    games = None if most is None else _pages(store, findings, path.parent, most)
    pages = {name: quote(_file(name)) for name in gathering.names} if every else {}
    bots = (replace(gathering.of(name), made=made, index=quote(path.name)) for name in pages)
    for each in (findings, *bots):
        file = path.with_name(_file(each.own)) if every and each.own else path
        shown = replace(each, pages=pages, games=games.write(each.own, each.hard) if games else ())
        file.write_text(page(shown), encoding="utf-8", errors="surrogateescape")
        yield file


def _pages(store: Store, findings: Findings, home: Path, most: int) -> GamePages:
    """Return a writer of pages of games, once none of the tournament's deals will be played again."""
    if not findings.standings.finished:
        wrong("--games shows hands, and the tournament is not finished: its deals may be played again")
    return GamePages(store, home, most)
