"""``croupier verify``: whether a tournament was what it says it was."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console
from rich.progress import Progress, TextColumn

from croupier.server.commands import json_option, on_terminal, print_json, wrong
from croupier.server.commands.completion import folders
from croupier.server.games import BadGame, NoSuchGame
from croupier.server.tournaments.store import Store, StoreError
from croupier.server.tournaments.verify import Verification
from croupier.server.tournaments.verify import verify as verified


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), metavar="DIR", shell_complete=folders)
@json_option
def verify(folder: Path, *, as_json: bool) -> int:
    """Recompute every shuffle from the revealed key, replay every game, recount every score.

    The key is revealed when the tournament is over; until then the shuffles are taken as recorded.

    \b
    Example: croupier verify cup
    """
    try:
        store = Store(folder, new=False)
        with Progress(TextColumn("{task.completed} games verified"), console=Console(stderr=True)) as bar:
            bar.disable = not on_terminal() or as_json
            task = bar.add_task("")
            verdict = verified(store, lambda games: bar.update(task, completed=games))
    except (StoreError, NoSuchGame, BadGame) as problem:
        wrong(str(problem))
    if as_json:
        print_json(verdict.document())
    else:
        _print(verdict)
    return 0 if verdict.valid else 1


def _print(verdict: Verification) -> None:
    for problem in verdict.problems:
        click.echo(str(problem))
    if not verdict.valid:
        click.echo(f"{len(verdict.problems)} wrong in {verdict.files} files")
        return
    shuffles = "every shuffle follows from the key, " if verdict.revealed else ""
    click.echo(f"{verdict.games} games in {verdict.files} files: {shuffles}every game replays, every score adds up")
    if not verdict.revealed:
        click.echo("not checked yet: the shuffles; the key is revealed when the tournament is over")
