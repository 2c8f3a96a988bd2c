"""``croupier verify``: whether a tournament took place as its folder claims."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.progress import Progress, TextColumn

from croupier.server.commands import json_option, on_terminal, print_json, wrong
from croupier.server.commands.command import command, option
from croupier.server.commands.completion import folders
from croupier.server.console import Console
from croupier.server.games import BadGame, NoSuchGame
from croupier.server.processes.sandbox import Level, NoSuchLevel
from croupier.server.processes.sandbox.settings import AUTO
from croupier.server.terminal import say
from croupier.server.tournaments.keeping.store import Store, StoreError, open_for_reading
from croupier.server.tournaments.proof.audit import Published
from croupier.server.tournaments.proof.verify import Verification
from croupier.server.tournaments.proof.verify import verify as verified

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.server.tournaments.proof.rerun import Rerun

OTHER_LUCK = "whose manifest names another table of what it is worth than this croupier has"
LEVELS = [AUTO, *(level.value for level in Level)]


@command(
    "croupier verify cup",
)
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), metavar="DIR", shell_complete=folders)
@option("--commitment", metavar="SHA256", help="The commitment that was published before the first deal.")
@option("--public", metavar="TEXT", help="The public text that is mixed into every shuffle. As it was published.")
@option(
    "--link",
    "links",
    multiple=True,
    metavar="SHA256",
    help="An audit hash that was published during the run, or after. May be repeated.",
)
@option("--replay-bots", is_flag=True, help="Run the bots again on the recorded games, and compare their plays.")
@option("--games", type=click.IntRange(1), help="How many games. With --replay-bots, drawn at random.  [default: all]")
@option("--sandbox", type=click.Choice(LEVELS), help="How far bots are shut in. With --replay-bots.  [default: bwrap]")
@option("--workers", type=click.IntRange(1), help="How many processes play. With --replay-bots.  [default: one a core]")
@json_option
def verify(
    folder: Path,
    *,
    commitment: str | None,
    public: str | None,
    links: Sequence[str],
    replay_bots: bool,
    games: int | None,
    sandbox: str | None,
    workers: int | None,
    as_json: bool,
) -> int:
    """Verify a tournament: its shuffles, its schedule, each game and each score.

    The schedule and every shuffle are recomputed from the key and the manifest, every game is replayed, every score
    counted again. The key is revealed when the tournament is over; until then the shuffles are taken as recorded.
    --commitment, --public and --link compare the folder with what was published. Without them, someone who can write to
    the folder could have replaced all of it. --replay-bots runs programs that the folder names. The exit status is 0 if
    nothing is wrong.
    """
    try:
        with open_for_reading(folder) as store:
            rerun = _rerun(store, sandbox, games, workers, asked=replay_bots)
            published = Published(commitment and commitment.lower(), public, tuple(link.lower() for link in links))
            verdict = _verify(store, rerun, published, shown=on_terminal() and not as_json)
    except (StoreError, NoSuchGame, BadGame, NoSuchLevel) as problem:
        wrong(str(problem))
    if as_json:
        bots = {} if rerun is None else {"bots": [bot.document() for bot in rerun.bots.values()]}
        print_json(verdict.document() | bots)
    else:
        _print(verdict, rerun)
    return 0 if verdict.valid and (rerun is None or rerun.has_compared) else 1


def _verify(store: Store, rerun: Rerun | None, published: Published, *, shown: bool) -> Verification:
    """Verify a tournament, run its bots again if asked, and show a count of the games."""
    column = TextColumn("{task.completed} {task.description}")
    with Progress(column, console=Console(stderr=True), disable=not shown) as bar:
        task = bar.add_task("games verified")
        verdict = verified(store, published, lambda games: bar.update(task, completed=games))
        if rerun is not None:
            task = bar.add_task("games replayed by their bots")
            rerun.run(lambda games: bar.update(task, completed=games))
            verdict.problems += rerun.problems
    return verdict


def _rerun(store: Store, sandbox: str | None, games: int | None, workers: int | None, *, asked: bool) -> Rerun | None:
    """Return an object that runs the bots again, if that was asked for."""
    if asked:
        from croupier.server.tournaments.proof.rerun import Rerun  # noqa: PLC0415  not needed where no bots are started

        return Rerun(store, sandbox, games, workers)
    given = {"games": games, "sandbox": sandbox, "workers": workers}
    if named := [f"--{name}" for name, value in given.items() if value is not None]:
        wrong(f"{named[0]} goes with --replay-bots")
    return None


def _print(verdict: Verification, rerun: Rerun | None) -> None:
    if verdict.bond.commitment:
        say(f"commitment: {verdict.bond.commitment}")
        say(f"public text: {verdict.public or 'none'}")
        say(f"audit hash: {verdict.link}")
    for line in verdict.bond.lines():
        say(line)
    if verdict.unweighed:
        say(f"not checked: the luck of the shuffles of {verdict.unweighed} games, {OTHER_LUCK}")
    for bot in rerun.bots.values() if rerun is not None else ():
        say(bot.line())
    for problem in verdict.problems:
        say(str(problem))
    if not verdict.valid:
        say(f"{len(verdict.problems)} wrong in {verdict.files} files")
        return
    if not verdict.games:
        say("no game has been played: there is nothing to verify yet")
        return
    shuffles = "every shuffle follows from the key, " if verdict.known else ""
    scheduled = "every set of the schedule is there, " if verdict.bond.commitment and verdict.finished else ""
    say(f"{verdict.games} games in {verdict.files} files: {scheduled}{shuffles}every game replays, every score adds up")
    if not verdict.known:
        say("not checked yet: the shuffles; the key is revealed when the tournament is over")
