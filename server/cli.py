"""The command line: one group, whose commands live in `croupier.server.commands`."""

from __future__ import annotations

import codecs
import importlib
import io
import os
import signal
import sys
import unicodedata
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import click
from click.shell_completion import CompletionItem

import croupier
from croupier.server.terminal import printable

COMPLETE = "_CROUPIER_COMPLETE"
"""Set by a shell that asks what can be completed."""
_LOOKS = {"\u00b1": "~", "\u2026": "~", "\u2013": "-", "\u2014": "-", "\u2019": "'", "\u201c": '"', "\u201d": '"'}
"""What stands for a sign that ASCII does not have: plus-minus, an ellipsis, dashes, quotation marks."""


class Known(NamedTuple):
    """A command: the module of `croupier.server.commands` that has it, and what it does."""

    module: str
    summary: str
    bots: int = 0
    """How many bots it starts in this very process, most often: what starts them begins while it is imported."""


COMMANDS = {
    "games": Known("listing", "List the games, their seats and options; with GAME, its plays and STATE fields too."),
    "bots": Known("listing", "List the bots that come with the package; with GAME, those that play it."),
    "play": Known("play", "Play a table: GAME between BOTs, seats as given.", bots=4),
    "tournament": Known("tournament", "Run a tournament, or continue it: from a file, or between BOTs named here."),
    "improve": Known("improve", "Say whether NEW is better than OLD: on the same deals, until that is sure."),
    "standings": Known("standings", "Print a tournament's table as it stands."),
    "report": Known("report", "Write a tournament's report: one HTML page that needs nothing else."),
    "watch": Known("watch", "Serve a page of a tournament, running or finished, to this machine alone, until Ctrl-C."),
    "verify": Known(
        "verify",
        "Recompute schedule and shuffles from the key and the manifest, replay every game, recount every score.",
    ),
    "replay": Known("replay", "Play records again: the same game, or the line at which it is not, and why."),
    "find": Known(
        "find", "List games of many records, in tournaments' folders and in files, by what happened in them."
    ),
    "check": Known("check", "Check that each BOT keeps to the protocol and the rules of a game.", bots=1),
    "new-bot": Known("new_bot", "Write a working bot for GAME into DIR, to be changed."),
    "check-game": Known(
        "programs",
        "Check that a GAME keeps the laws of all games, and that a RECYCLE program in a FILE can be played.",
    ),
    "analyze": Known("analyze", "Say what kind of game GAME is: how long, how fair, how much skill and how much luck."),
    "docs": Known("docs", "List the pages of the manual and where they lie; with PAGE, show that page."),
    "doctor": Known(
        "doctor", "Say which sandbox levels and extras work here, whether bundled bots start, and why not."
    ),
}
"""What there is: started lean, loaded when called."""


def _loaded(module: str) -> Any:
    return importlib.import_module(f"croupier.server.commands.{module}")


class Lazy(click.Group):
    """A group that imports a command's module when the command is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the commands in the order of the manual."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load a command."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(_loaded(COMMANDS[cmd_name].module), cmd_name.replace("-", "_"))
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write each command's summary in full, without loading any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, known.summary) for name, known in COMMANDS.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete a command's name without loading any."""
        found = [
            CompletionItem(name, help=known.summary) for name, known in COMMANDS.items() if name.startswith(incomplete)
        ]
        return [*found, *click.Command.shell_complete(self, ctx, incomplete)]


_MANUAL = f"{croupier.__path__[0]}/docs"


@click.group(
    cls=Lazy,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=f"\b\nThe manual: croupier docs, or the pages in\n{_MANUAL}",
)
@click.version_option(croupier.__version__, prog_name="croupier")
def cli() -> None:
    """Referee card games between programs.

    \b
    croupier play hearts duck duck random "python mybot.py"     a table
    croupier tournament --game skat ./a ./b ./c --out cup       a tournament
    croupier replay cup/records/*.record                        the same games again
    """


def main() -> NoReturn:
    """Run the command line; no traceback reaches a user for what a user or his machine did."""
    _end_well()
    _spell_plainly()
    if COMPLETE in os.environ:
        _loaded("completion").speak_bash()
    try:
        with _keeper():
            code = cli.main(prog_name="croupier", standalone_mode=False)
    except click.ClickException as problem:
        _say(problem)
        sys.exit(problem.exit_code)
    except (click.Abort, KeyboardInterrupt):
        click.echo("croupier: interrupted", err=True)
        sys.exit(130)
    except OSError as problem:
        if sys.stdout is not None:  # nothing more can be said there
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(problem, BrokenPipeError):
            click.echo(f"croupier: {_why(problem)}", err=True)
        sys.exit(1)
    sys.exit(code if isinstance(code, int) else 0)


def _why(problem: OSError) -> str:
    """Return what the machine could not do, and with which file; a relative path fails where the folder is gone."""
    try:
        Path.cwd()
    except FileNotFoundError:
        return "the folder that you are in was removed; go to another one (cd) and call again"
    where = f" ({problem.filename})" if problem.filename else ""
    return f"{problem.strerror or problem}{where}"


def _keeper() -> AbstractContextManager[None]:
    """Start the keeper of a command that starts bots in this process: it is there when the imports are done."""
    known = COMMANDS.get("".join(sys.argv[1:2]))
    if known is None or not known.bots:
        return nullcontext()
    from croupier.server.processes.keeper_client import Keeper  # noqa: PLC0415  who starts no bots needs none

    return Keeper.started_ahead(known.bots)


def _spell_plainly() -> None:
    """Let what an output's encoding does not have, such as PYTHONIOENCODING=ascii, be written in its plainest form."""
    codecs.register_error("plain", _plain)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="plain")


def _plain(problem: UnicodeError) -> tuple[bytes, int]:
    """Return what stands for each character that cannot be encoded."""
    if not isinstance(problem, UnicodeEncodeError):
        raise problem
    return b"".join(map(_plainest, problem.object[problem.start : problem.end])), problem.end


def _plainest(letter: str) -> bytes:
    """Return a letter's base, or what looks like it; of a file's name in no known encoding the very byte."""
    if "\udc80" <= letter <= "\udcff":
        return os.fsencode(letter)
    return unicodedata.normalize("NFKD", _LOOKS.get(letter, letter))[0].encode("ascii", "replace")


def _end_well() -> None:
    """Take the signals that end a program as an interrupt: what is half done is put away. Who ignores one goes on."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # whom a script starts in the background ignores it
    for ending in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(ending) is signal.SIG_DFL:
            signal.signal(ending, lambda *_: signal.raise_signal(signal.SIGINT))


def _say(problem: click.ClickException) -> None:
    """Say what is wrong in one sentence, and where to read on; a call without anything gets the whole help."""
    context = getattr(problem, "ctx", None)
    if context is None or isinstance(problem, click.exceptions.NoArgsIsHelpError):
        problem.show()
        return
    path, why = context.command_path, problem.format_message().rstrip(".")
    said = printable(why, also="\n")  # names may be a stranger's
    click.echo(f"{path}: {said}; see {path} --help", err=True)
