"""``croupier verify``: whether a tournament was what it says it was."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console
from rich.progress import Progress, TextColumn

from croupier.server.commands import json_option, on_terminal, print_json, wrong
from croupier.server.commands.completion import folders
from croupier.server.games import BadGame, NoSuchGame
from croupier.server.tournaments.audit import Published
from croupier.server.tournaments.store import Store, StoreError
from croupier.server.tournaments.verify import Verification
from croupier.server.tournaments.verify import verify as verified


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), metavar="DIR", shell_complete=folders)
@click.option("--commitment", metavar="SHA256", help="The commitment that was published before the first deal.")
@click.option("--public", metavar="TEXT", help="The public text that was mixed into the shuffles.")
@click.option(
    "--link", "links", multiple=True, metavar="SHA256", help="A link that was published during the run, or after."
)
@json_option
def verify(folder: Path, *, commitment: str | None, public: str | None, links: tuple[str, ...], as_json: bool) -> int:
    """Recompute schedule and shuffles from the key and the manifest, replay every game, recount every score.

    The key is revealed when the tournament is over; until then the shuffles are taken as recorded. Who could have
    changed the whole folder is held to what was published: --commitment, --public, --link.

    \b
    Example: croupier verify cup
    """
    published = Published(commitment and commitment.lower(), public, tuple(link.lower() for link in links))
    try:
        store = Store(folder, new=False)
        with Progress(TextColumn("{task.completed} games verified"), console=Console(stderr=True)) as bar:
            bar.disable = not on_terminal() or as_json
            task = bar.add_task("")
            verdict = verified(store, published, lambda games: bar.update(task, completed=games))
    except (StoreError, NoSuchGame, BadGame) as problem:
        wrong(str(problem))
    if as_json:
        print_json(verdict.document())
    else:
        _print(verdict)
    return 0 if verdict.valid else 1


def _print(verdict: Verification) -> None:
    if verdict.bond.commitment:
        click.echo(f"commitment: {verdict.bond.commitment}")
        click.echo(f"public text: {verdict.public or 'none'}")
        click.echo(f"last link: {verdict.link}")
    for line in verdict.bond.lines():
        click.echo(line)
    for problem in verdict.problems:
        click.echo(str(problem))
    if not verdict.valid:
        click.echo(f"{len(verdict.problems)} wrong in {verdict.files} files")
        return
    shuffles = "every shuffle follows from the key, " if verdict.known else ""
    scheduled = "every set of the schedule is there, " if verdict.bond.commitment and verdict.finished else ""
    click.echo(
        f"{verdict.games} games in {verdict.files} files: {scheduled}{shuffles}every game replays, every score adds up"
    )
    if not verdict.known:
        click.echo("not checked yet: the shuffles; the key is revealed when the tournament is over")
