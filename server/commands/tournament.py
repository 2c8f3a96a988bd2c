"""``croupier tournament``: run one, or continue it."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from croupier.protocol.notifications import OWN
from croupier.server import games, terminal
from croupier.server.commands import (
    blind_option,
    game_option,
    json_option,
    named_game_option,
    network_option,
    on_terminal,
    print_json,
    probe_option,
    require_able,
    sandbox_options,
    terms_options,
    the_entries,
    the_game,
    the_game_first,
    the_pairs,
    the_sights,
    time_options,
    with_network,
    workers_option,
    wrong,
)
from croupier.server.commands.command import command, option
from croupier.server.commands.completion import folders, format_names, game_then_bots
from croupier.server.commands.question import question_options
from croupier.server.commands.standings import FOLDER, print_folder
from croupier.server.console import Console
from croupier.server.processes.sandbox import SandboxSettings, shortfall
from croupier.server.terminal import say
from croupier.server.tournaments.config import tournament_file
from croupier.server.tournaments.config.settings import MOST_DEALS
from croupier.server.tournaments.entering.enrolment import with_program
from croupier.server.tournaments.formats import FORMATS
from croupier.server.tournaments.keeping.store import RunFailed
from croupier.server.tournaments.playing.run import REFUSALS, Run

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from croupier.server.games.game import Game
    from croupier.server.tournaments.config.settings import Settings
    from croupier.server.tournaments.keeping.progress import Advance

_MANY = 1000
"""More games than this take a while."""


def budget_option(run: Any) -> Any:
    """Add the budget."""
    return option(
        "--budget",
        help="Begin no set once this much was used: a time such as 10m, tokens such as '1M tokens', or money such as"
        " '5 dollars', in the currency of the bots' prices.",
    )(run)


@command(
    "croupier tournament hearts duck random random random --deals 20 --out cup",
    "croupier report cup",
)
@click.argument("words", nargs=-1, required=True, metavar="GAME BOT BOT ... | FILE.toml", shell_complete=game_then_bots)
@named_game_option
@option(
    "--out",
    type=FOLDER,
    shell_complete=folders,
    help="Keep the results in this folder.  [default: the file's name without .toml]",
)
@option(
    "--format",
    type=click.Choice(list(FORMATS)),
    metavar="FORMAT",
    shell_complete=format_names,
    help=f"Who meets whom: {', '.join(FORMATS)}.",
)
@option(
    "--deals",
    type=click.IntRange(1, MOST_DEALS),
    help="How many deals are played. Each pairing, or round, plays them in all seatings.",
)
@option("--seed", help="Any text. The same text gives the same deals.  [default: a fresh secret key]")
@time_options(0)
@terms_options
@sandbox_options()
@network_option
@game_option
@workers_option
@option("--cluster", metavar="URL", help="Play on the machines of this Dask scheduler, such as tls://host:8786.")
@option(
    "--until-sure", is_flag=True, default=None, help="Stop when every difference is known, or smaller than --margin."
)
@question_options
@budget_option
@option(
    "--notes",
    is_flag=True,
    default=None,
    help="How long each decision took, and what the bot wrote at it. Kept in the folder.",
)
@probe_option()
@blind_option
@option(
    "--set",
    "changes",
    multiple=True,
    metavar="KEY=VALUE",
    help="Set any other key of a tournament's file, such as bots.0.cores=2. May be repeated.",
)
@option(
    "--public",
    metavar="TEXT",
    help="The public text that is mixed into every shuffle. It is drawn after the commitment: numbers, unless"
    " public_form says otherwise.",
)
@option("--commit", is_flag=True, help="Draw the key, write the manifest, print its SHA-256, and play nothing yet.")
@option("--replace", "drop_old", is_flag=True, help="Leave out what older versions of a changed bot have played.")
@json_option
def tournament(
    words: Sequence[str],
    *,
    game: str | None,
    out: Path | None,
    options: Sequence[str],
    network: Sequence[str],
    changes: Sequence[str],
    commit: bool,
    drop_old: bool,
    blind: bool,
    as_json: bool,
    **keys: Any,
) -> int:
    """Run a tournament, or continue it: between BOTs named here, or from a file.

    The same command continues where it was stopped. Ctrl-C finishes the games in flight. In FILE.toml are the game, the
    bots and all other keys; an option given here wins over its key there.
    """
    settings, folder = _settings(words, game, out, network, changes, keys_on_call(keys, options))
    rules = the_game(settings.game)
    settings = with_program(msgspec.structs.replace(settings, game=games.find_name(settings.game)), rules)
    settings = with_sights(settings, blind=blind)
    require_able(settings.bots, rules)
    tell_shortfall(settings)
    try:
        run = Run(settings, rules, folder, drop_old=drop_old, say=_say)
        with closing(run.store):
            if commit:
                return _commit(run, as_json=as_json)
            with progress_bar(run, shown=on_terminal() and not as_json), interruptible(run):
                complete = run.play()
            link = run.store.last_link()
    except RunFailed as problem:
        raise click.ClickException(str(problem)) from None
    except REFUSALS as problem:
        wrong(str(problem))
    print_folder(folder, as_json=as_json)
    print_audit_hash(folder, link)
    if run.used_up:
        say(f"the budget of {settings.budget} is used; the same command with a larger one continues", err=True)
    elif not complete:
        say(f"stopped; the same command continues: {terminal.command('croupier', *sys.argv[1:])}", err=True)
    return 0 if complete or run.used_up else 1


def with_sights(settings: Settings, *, blind: bool) -> Settings:
    """Return the settings, with no bot told all hands if ``blind``; refuse the call as `the_sights` does."""
    sights = the_sights({bot.name: bot.sight for bot in settings.bots}, blind=blind, probe=settings.probe)
    bots = tuple(msgspec.structs.replace(bot, sight=sights[bot.name]) for bot in settings.bots)
    return msgspec.structs.replace(settings, bots=bots)


def tell_shortfall(settings: Settings) -> None:
    """Print one line if bots that are not bundled get less than bubblewrap although nobody chose that."""
    strangers = any(bot.builtin is None for bot in settings.bots)
    if strangers and (less := shortfall(SandboxSettings(settings.sandbox))):
        say(less, err=True)


def print_audit_hash(folder: Path, link: str | None) -> None:
    """Print the hash that binds everything the tournament has played so far, and the command that checks it."""
    if link:
        check = terminal.command("croupier", "verify", folder, "--link", link)
        say(f"audit hash of this tournament: {link}", f"    check it: {check}", err=True)


def _say(lines: Sequence[str]) -> None:
    for line in lines:
        say(line, err=True)


def _commit(run: Run, *, as_json: bool) -> int:
    commitment = run.commit()
    if as_json:
        print_json({"commitment": commitment})
    else:
        say(commitment)
    return 0


def keys_on_call(keys: Mapping[str, Any], options: Sequence[str]) -> dict[str, Any]:
    """Return the keys of a tournament's file that were given on the command line, including the game's options.

    An option has the same name as its key; None means that it was not given.
    """
    named = {**keys, "options": the_pairs(options) or None}
    return {name: value for name, value in named.items() if value is not None}


def _settings(
    words: Sequence[str],
    game: str | None,
    out: Path | None,
    network: Sequence[str],
    changes: Sequence[str],
    keys: Mapping[str, Any],
) -> tuple[Settings, Path]:
    """Read the file, or make settings of the command line; both end up under the same keys."""
    try:
        if game is None and words[0].endswith(".toml"):
            path = _file(words)
            if network:
                wrong(f"--network {network[0]}: in {path} it is network = true in the bot's own table")
            settings = tournament_file.read(path, changes, **keys)
            _say(tournament_file.folders_without_file(path))
            return settings, out or path.with_suffix("")
        kept_as, rules, bots = the_game_first(words, game)
        document = {"game": kept_as, "bots": the_bots(bots, kept_as, rules, network)}
        return tournament_file.build(document, changes, **keys), _out(out)
    except tournament_file.BadConfig as problem:
        wrong(str(problem))


def _file(words: Sequence[str]) -> Path:
    if len(words) > 1:
        wrong(f"{words[0]} names the game and the bots: leave {words[1]} out, or name the game first")
    return Path(words[0])


def _out(out: Path | None) -> Path:
    if out is None:
        wrong("say where the tournament is kept: --out DIR")
    return out


def the_bots(words: Sequence[str], game: str, rules: type[Game], network: Sequence[str]) -> list[dict[str, Any]]:
    """Read BOT words as the bots of a tournament file, those of ``network`` with it, or refuse the call."""
    bots = []
    for entry in with_network(the_entries(words, game, rules), network):
        if entry.human:
            wrong("people do not play in tournaments; `croupier play` seats them")
        program: dict[str, Any] = {"command": list(entry.command)}
        if entry.builtin:
            program = {"builtin": entry.builtin, **({"args": list(entry.args)} if entry.args else {})}
        sight = {"sight": entry.sight} if entry.sight != OWN else {}
        bots.append({"name": entry.name, **program, "dialect": entry.dialect, "network": entry.network, **sight})
    return bots


@contextmanager
def progress_bar(run: Run, *, shown: bool) -> Iterator[None]:
    """Show a run's progress if a person watches."""
    if not shown:
        run.tell = _announce
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


def _announce(gone: Advance) -> None:
    """Print a tournament's length before its first game, if it takes a while and no bar is shown."""
    if not gone.fresh and (gone.planned or 0) - gone.games >= _MANY:
        say(f"{gone.planned:,} games are planned, {gone.games:,} are played", err=True)


def _leads(name: str) -> str:
    return f"{name} leads" if name else ""


@contextmanager
def interruptible(run: Run) -> Iterator[None]:
    """Let the first interrupt finish the games in flight; a second one, like other ending signals, stops at once."""

    def stop(*_: object) -> None:
        os.write(2, b"\nfinishing the games in flight ...\n")  # a buffered stream may be in the middle of a write
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
