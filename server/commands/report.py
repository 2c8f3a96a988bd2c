"""``croupier report``: a tournament as one page."""

from __future__ import annotations

from pathlib import Path

import click

from croupier.server.commands import json_option, print_json, wrong
from croupier.server.commands.completion import folders
from croupier.server.games import BadGame, NoSuchGame
from croupier.server.tournaments.report import gather, page
from croupier.server.tournaments.store import Store, StoreError


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), metavar="DIR", shell_complete=folders)
@click.option("--for", "own", metavar="NAME", help="For NAME's author: that bot's own faults and exchanges only.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="The page.  [default: DIR/report.html]")
@json_option
def report(folder: Path, *, own: str | None, out: Path | None, as_json: bool) -> int:
    """Write a tournament's report: one HTML page that needs nothing else.

    \b
    Example: croupier report cup
             croupier report cup --for alice --out alice.html
    """
    path = out or folder / ("report.html" if own is None else f"report-{own}.html")
    try:
        findings = gather(Store(folder, new=False), own, path.parent)
    except (StoreError, NoSuchGame, BadGame) as problem:
        wrong(str(problem))
    try:
        path.write_text(page(findings), encoding="utf-8", errors="surrogateescape")
    except OSError as problem:
        wrong(f"{path}: {problem.strerror}")
    if as_json:
        print_json({"report": str(path)})
    else:
        click.echo(str(path))
    return 0
