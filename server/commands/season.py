"""``croupier season``: authors' programs in a folder, judged and played night after night."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from croupier.server.commands import json_option, on_terminal, print_json, workers_option, wrong
from croupier.server.commands.command import command, option
from croupier.server.commands.completion import folders
from croupier.server.commands.season_documents import document
from croupier.server.commands.season_table import print_ranking
from croupier.server.commands.tournament import budget_option, interruptible, progress_bar
from croupier.server.errors import TimeOfDay
from croupier.server.games import BadGame, NoSuchGame
from croupier.server.processes.sandbox import SandboxSettings, shortfall
from croupier.server.season.folder import BadSeason, SeasonFolder
from croupier.server.season.nights import SeasonRun
from croupier.server.season.pages.overview import INDEX
from croupier.server.season.pages.writing import write_pages
from croupier.server.season.settings import read
from croupier.server.terminal import say
from croupier.server.tournaments.config.budget import SECONDS, Budget
from croupier.server.tournaments.config.tournament_file import BadConfig
from croupier.server.tournaments.keeping.store import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import time

    from croupier.server.season.folder import Night
    from croupier.server.season.settings import SeasonSettings
    from croupier.server.tournaments.playing.run import Run


@command(
    "croupier season autumn --until 06:00",
    "croupier season autumn --public",
)
@click.argument(
    "place", type=click.Path(exists=True, file_okay=False, path_type=Path), metavar="DIR", shell_complete=folders
)
@option("--until", type=TimeOfDay(), metavar="HH:MM", help="Begin no set after this time of day.")
@budget_option
@option("--last", is_flag=True, help="No night follows: reveal the key of each game once its deals are played.")
@option(
    "--public",
    is_flag=True,
    help="Write pages for everybody: without what programs wrote to standard error, in games, checks and builds.",
)
@workers_option
@json_option
def season(
    place: Path,
    *,
    until: time | None,
    budget: str | None,
    last: bool,
    public: bool,
    workers: int | None,
    as_json: bool,
) -> int:
    """Judge what authors have put into DIR/submissions, then play one night of the season.

    DIR/season.toml names the games, their terms and our own bots. A new or changed submission is unpacked, built and
    checked in the sandbox. It enters, or is sent back with the reason; the author's last good one plays on. Then one
    tournament per game goes on until the night's deals are played or its time is used. A run that was stopped or
    killed is continued by the same command. At the end, DIR/pages has the ranking over all games and a page for each
    game and each author.
    """
    folder = SeasonFolder(place)
    try:
        settings = read(folder.settings)
        _tell_shortfall(settings)
        run = SeasonRun(
            folder,
            settings,
            seconds=_seconds(until, budget),
            workers=workers,
            is_last=last,
            say=lambda line: say(line, err=True),
            watch=partial(_watch, shown=on_terminal() and not as_json),
        )
        night = run.play()
        shown = write_pages(folder, settings, public=public)
    except (BadConfig, BadSeason, StoreError, NoSuchGame, BadGame) as problem:
        wrong(str(problem))
    except OSError as problem:
        wrong(f"{problem.filename}: {problem.strerror}")
    for why in run.problems:
        say(why, err=True)
    page = str(folder.pages / INDEX)
    if as_json:
        print_json(document(shown, night, run.problems, page))
    else:
        print_ranking(shown)
        _print_night(night)
        say(page)
    return 1 if run.stopped or run.problems else 0


@contextmanager
def _watch(run: Run, *, shown: bool) -> Iterator[None]:
    with progress_bar(run, shown=shown), interruptible(run):
        yield


def _tell_shortfall(settings: SeasonSettings) -> None:
    """Print one line if authors' programs get less than bubblewrap although nobody chose that."""
    levels = dict.fromkeys(shortfall(SandboxSettings(game.terms.sandbox)) for game in settings.games)
    say(*filter(None, levels), err=True)


def _seconds(until: time | None, budget: str | None) -> float | None:
    """Return how long the run may take, from now on; None without a limit."""
    if budget is not None:
        if until is not None:
            wrong("--until and --budget both say when to stop: leave one of them out")
        try:
            kind, amount = Budget.parse(budget)
        except ValueError as problem:
            wrong(f"--budget: {problem}")
        if kind != SECONDS:
            wrong(f"--budget {budget}: a season's budget is a time, such as 90m or 2h")
        return amount
    return None if until is None else seconds_until(until, datetime.now().astimezone())


def seconds_until(until: time, now: datetime) -> float:
    """Return the seconds from now to the next time that the clock shows ``until``."""
    then = now.replace(hour=until.hour, minute=until.minute, second=0, microsecond=0)
    return ((then if then > now else then + timedelta(days=1)) - now).total_seconds()


def _print_night(night: Night) -> None:
    games = ", ".join(f"{name} {number:,}" for name, number in night.games.items())
    end = "stopped: the same command continues it" if night.ended is None else "ended"
    rest = f"; not all deals were played of {', '.join(night.unfinished)}" if night.unfinished else ""
    say(f"night {night.number} {end}{rest}; games so far: {games or 'none'}")
