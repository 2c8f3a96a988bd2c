"""``croupier tournament``: run one, or continue it."""

from __future__ import annotations

import signal
import sys
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from croupier.server import terminal
from croupier.server.commands import (
    game_option,
    json_option,
    on_terminal,
    print_json,
    require_able,
    the_entries,
    the_game,
    with_program,
    wrong,
)
from croupier.server.commands.completion import FORMATS, bots_or_file, folders, format_names, game_names
from croupier.server.commands.standings import FOLDER, print_folder
from croupier.server.entries import BadEntry
from croupier.server.games import BadOption
from croupier.server.processes.sandbox import House, NoSuchLevel, shortfall
from croupier.server.tournaments import config
from croupier.server.tournaments.formats.schedule import ScheduleError
from croupier.server.tournaments.run import Run
from croupier.server.tournaments.store import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from croupier.server.tournaments.config import Settings
    from croupier.server.tournaments.progress import Advance

NAMED = (
    *("deals", "seed", "public", "time", "start", "workers", "cluster"),
    *("until_sure", "margin", "sprt", "sprt_in", "notes"),
)
"""Keys of a tournament's file that have options of their own."""
REFUSALS = (StoreError, ScheduleError, BadOption, BadEntry, NoSuchLevel, ModuleNotFoundError, ConnectionError)


@click.command()
@click.argument("words", nargs=-1, required=True, metavar="FILE.toml | BOT BOT ...", shell_complete=bots_or_file)
@click.option("--game", shell_complete=game_names, help="The game, where BOTs are named on the command line.")
@click.option(
    "--out",
    type=FOLDER,
    shell_complete=folders,
    help="The tournament's folder.  [default: the file's name without .toml]",
)
@click.option("--format", "format_", shell_complete=format_names, help=f"{', '.join(FORMATS)}.")
@click.option("--deals", type=int, help="Deal sets a pairing, or a round.")
@click.option("--seed", help="Any text: the same text, the same deals.  [default: a fresh secret key]")
@click.option("--time", type=int, help="Milliseconds a reply.")
@click.option("--start", type=int, help="Milliseconds a program may take to start.")
@game_option
@click.option("--workers", type=int, help="Worker processes.  [default: one a core]")
@click.option("--cluster", help="The address of a Dask scheduler, such as tcp://host:8786.")
@click.option(
    "--until-sure", is_flag=True, default=None, help="Stop when every difference is known, or is below --margin."
)
@click.option("--margin", type=float, help="The difference in mean score that does not matter.")
@click.option(
    "--sprt",
    nargs=2,
    type=float,
    metavar="A B",
    help="Stop when it is known whether the second bot has A or B more than the first.",
)
@click.option("--sprt-in", type=click.Choice(["points", "strength"]), help="What A and B are in.  [default: points]")
@click.option(
    "--notes", is_flag=True, default=None, help="Keep how long each decision took, beside what was written at it."
)
@click.option("--set", "changes", multiple=True, metavar="KEY=VALUE", help="Any other key: --set bots.0.cores=2.")
@click.option("--public", help="Any text, fixed after the commitment, that is mixed into every shuffle.")
@click.option(
    "--commit", is_flag=True, help="Draw the key, write the manifest, print its SHA-256, and play nothing yet."
)
@click.option("--replace", "drop_old", is_flag=True, help="Retire what an entry's older versions have played.")
@json_option
def tournament(words: Sequence[str], *, commit: bool, drop_old: bool, as_json: bool, **how: Any) -> int:
    """Run a tournament, or continue it: from a file, or between BOTs named here.

    The same command continues where it was stopped. Ctrl-C finishes the games in flight.

    \b
    Example: croupier tournament cup.toml
             croupier tournament --game hearts duck random "python mybot.py" random --out cup --deals 50
    """
    settings, out = _settings(words, how)
    rules = the_game(settings.game)
    settings = with_program(settings, rules)
    require_able(settings.bots, rules)
    tell_shortfall(settings)
    try:
        run = Run(settings, rules, out, drop_old=drop_old, say=_say)
        with closing(run.store):
            if commit:
                return _commit(run, as_json=as_json)
            with progress_bar(run, shown=on_terminal() and not as_json), interruptible(run):
                complete = run.play()
            link = run.store.last_link()
    except REFUSALS as problem:
        wrong(str(problem))
    click.echo(f"the last link, to which all of this is bound: {link}", err=True)
    print_folder(out, as_json=as_json)
    if not complete:
        click.echo(f"stopped; the same command continues: {terminal.command('croupier', *sys.argv[1:])}", err=True)
    return 0 if complete else 1


def tell_shortfall(settings: Settings) -> None:
    """Print one line if bots that are not bundled get less than bubblewrap, though nobody has asked for less."""
    strangers = any(bot.builtin is None for bot in settings.bots)
    if strangers and (less := shortfall(House(settings.sandbox))):
        click.echo(less, err=True)


def _say(lines: Sequence[str]) -> None:
    for line in lines:
        click.echo(line, err=True)


def _commit(run: Run, *, as_json: bool) -> int:
    commitment = run.commit()
    if as_json:
        print_json({"commitment": commitment})
    else:
        click.echo(commitment)
    return 0


def _settings(words: Sequence[str], how: dict[str, Any]) -> tuple[Settings, Path]:
    """Read the file, or make settings of the command line; both are laid under the same options."""
    keys = (
        "deals",
        "seed",
        "public",
        "time",
        "start",
        "workers",
        "cluster",
        "until_sure",
        "margin",
        "sprt",
        "sprt_in",
        "notes",
    )
    named = {name: how[name] for name in keys} | {"format": how["format_"], "options": _options(how)}
    named = {name: value for name, value in named.items() if value is not None}
    try:
        if how["game"] is not None:
            document = {"game": how["game"], "bots": the_bots(words, how["game"])}
            return config.build(document, how["changes"], **named), _out(how["out"])
        path = _file(words)
        return config.read(path, how["changes"], **named), how["out"] or path.with_suffix("")
    except config.BadConfig as problem:
        wrong(str(problem))


def _file(words: Sequence[str]) -> Path:
    if len(words) != 1 or not words[0].endswith(".toml"):
        wrong("name one FILE.toml, or --game GAME and the BOTs")
    return Path(words[0])


def _out(out: Path | None) -> Path:
    if out is None:
        wrong("say where the tournament is kept: --out DIR")
    return out


def _options(how: dict[str, Any]) -> dict[str, str] | None:
    return dict(option.partition("=")[::2] for option in how["options"]) or None


def the_bots(words: Sequence[str], game: str) -> list[dict[str, Any]]:
    """Read BOT words as the bots of a tournament file, or refuse the call."""
    bots = []
    for entry in the_entries(words, game, the_game(game)):
        if entry.human:
            wrong("people do not play in tournaments; `croupier play` seats them")
        program: dict[str, Any] = {"command": list(entry.command)}
        if entry.builtin:
            program = {"builtin": entry.builtin, **({"args": list(entry.args)} if entry.args else {})}
        bots.append({"name": entry.name, **program, "dialect": entry.dialect})
    return bots


@contextmanager
def progress_bar(run: Run, *, shown: bool) -> Iterator[None]:
    """Show a run's progress where a person watches."""
    if not shown:
        yield
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[news]}"),
    )
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("games", total=None, news="")

        def tell(gone: Advance) -> None:
            rate = gone.fresh / max(bar.tasks[0].elapsed or 0, 0.001)
            bar.update(
                task,
                total=gone.planned,
                completed=gone.games,
                news=f"{rate:.0f}/s  {gone.faults} faults  {_leads(gone.leader(low_wins=run.rules.LOW_WINS))}",
            )

        run.tell = tell
        yield


def _leads(name: str) -> str:
    return f"{name} leads" if name else ""


@contextmanager
def interruptible(run: Run) -> Iterator[None]:
    """Let the first interrupt finish the games in flight; a second one is the end, as is what else ends programs."""

    def stop(*_: object) -> None:
        click.echo("\nfinishing the games in flight ...", err=True)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        run.stop()

    others = [each for each in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(each) is not signal.SIG_IGN]
    before = {signal.SIGINT: signal.signal(signal.SIGINT, stop)}
    before |= {each: signal.signal(each, signal.default_int_handler) for each in others}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
