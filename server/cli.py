"""The command line: one group, whose commands live in `croupier.server.commands`."""

from __future__ import annotations

import importlib
import inspect
import os
import signal
import sys
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import click
from click.shell_completion import CompletionItem

import croupier
from croupier.server.errors import complain, reason, require_values
from croupier.server.standard_streams import open_closed, spell_plainly
from croupier.server.suggestions import did_you_mean

COMPLETE = "_CROUPIER_COMPLETE"
"""Set by a shell that asks for completions."""


class Command(NamedTuple):
    """A command: the module of `croupier.server.commands` that contains it, and a summary."""

    module: str
    summary: str
    bots: int = 0
    """How many bots it usually starts in this process; they are prepared while the command is imported."""


GROUPS = {
    "Begin": {
        "games": Command("listing", "List the games; with GAME, its seats, options, plays and STATE fields."),
        "bots": Command("listing", "List the bots that come with the package; with GAME, those that play it."),
        "new-bot": Command("new_bot", "Write a working bot for GAME into DIR, for you to change."),
        "check": Command("check", "Check that each BOT keeps to the protocol and the rules of a game.", bots=1),
        "play": Command("play", "Play GAME at one table between BOTs, in the seats as given.", bots=4),
    },
    "Foreign players": {
        "bridge": Command(
            "bridge", "List the bridges: bots that ask a player of another program or service for each play."
        ),
    },
    "Tournaments": {
        "tournament": Command(
            "tournament", "Run a tournament, or continue it: between BOTs named here, or from a file."
        ),
        "season": Command(
            "season", "Judge what authors have put into DIR/submissions, then play one night of the season.", bots=1
        ),
        "standings": Command("standings", "Print a tournament's current table."),
        "report": Command("report", "Write a tournament's report: one HTML page that needs nothing else."),
        "watch": Command("watch", "Show a tournament, running or finished, on a page for this machine alone."),
        "verify": Command("verify", "Verify a tournament: its shuffles, its schedule, each game and each score."),
    },
    "Comparisons": {
        "improve": Command("improve", "Test whether NEW is better than OLD, on the same deals, until that is sure."),
        "verdict": Command(
            "verdict", "Judge results from elsewhere: who is better, by how much, and how sure that is."
        ),
    },
    "Games that were played": {
        "replay": Command(
            "replay", "Replay records: each is judged by the rules, shown, or made a page to step through."
        ),
        "review": Command(
            "review", "Review recorded games: what every decision was worth, and what each player lost by its own."
        ),
        "imagine": Command(
            "imagine",
            "Write full deals that agree with a STATE: a line each, with what every player sees and what nobody sees.",
        ),
        "find": Command("find", "Find games by what happened in them, in tournaments' folders and files of records."),
        "export": Command("export", "Export games as a table, from tournaments' folders and files of records."),
    },
    "Games of your own": {
        "check-game": Command(
            "programs", "Check that a GAME keeps the laws of all games, or that a RECYCLE FILE can be played."
        ),
        "analyze": Command(
            "analyze", "Measure what kind of game GAME is: how long, how fair, how much skill, how much luck."
        ),
    },
    "Help": {
        "docs": Command("docs", "List the pages of the manual; with PAGE, show that page."),
        "doctor": Command("doctor", "Check what works on this machine: sandbox levels, bundled bots, extras."),
    },
}
"""The commands by group, in the order of the help. Each is loaded only when it is called."""
COMMANDS = {name: command for group in GROUPS.values() for name, command in group.items()}


def _load(module: str) -> Any:
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
        command: click.Command = getattr(_load(COMMANDS[cmd_name].module), cmd_name.replace("-", "_"))
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that is called, or refuse the call and suggest the name that was probably meant."""
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            ctx.fail(f"there is no command {args[0]}{did_you_mean(args[0], COMMANDS)}")
        name, command, words = super().resolve_command(ctx, args)
        if command is not None and not ctx.resilient_parsing:  # a shell asks for the completions of an unfinished call
            require_values(ctx, command, words)
        return name, command, words

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write each command's summary in full, without loading any."""
        for group, commands in GROUPS.items():
            with formatter.section(group):
                formatter.write_dl([(name, command.summary) for name, command in commands.items()])

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the purpose and an example, then the usage, the commands and where to find the manual."""
        formatter.write_text(inspect.cleandoc(self.help or ""))
        formatter.write_paragraph()
        self.format_usage(ctx, formatter)
        self.format_commands(ctx, formatter)
        self.format_epilog(ctx, formatter)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete a command's name without loading any."""
        found = [
            CompletionItem(name, help=command.summary)
            for name, command in COMMANDS.items()
            if name.startswith(incomplete)
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
    Example:
      croupier play hearts duck random random random --show
      croupier COMMAND --help
    """


def main() -> NoReturn:
    """Run the command line. Errors of the user or the machine are reported without a traceback."""
    open_closed()
    _end_well()
    spell_plainly()
    if COMPLETE in os.environ:
        _load("completion").speak_bash()
    try:
        with _keeper():
            code = cli.main(prog_name="croupier", standalone_mode=False)
    except click.ClickException as problem:
        _refuse(problem)
        sys.exit(problem.exit_code)
    except (click.Abort, KeyboardInterrupt):
        complain("interrupted", _caller())
        sys.exit(130)
    except OSError as problem:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left in the buffer cannot be written
        if not isinstance(problem, BrokenPipeError):
            complain(_trouble(problem), _caller())
        sys.exit(1)
    sys.exit(code if isinstance(code, int) else 0)


def _trouble(problem: OSError) -> str:
    """Return the operation that failed and on which file.

    If the current folder was removed, say so: every relative path fails then.
    """
    try:
        Path.cwd()
    except FileNotFoundError:
        return "the folder that you are in was removed; go to another one (cd) and call again"
    where = f" ({problem.filename})" if problem.filename else ""
    return f"{problem.strerror or problem}{where}"


def _caller() -> str:
    """Return the command as it was called, without its arguments."""
    return " ".join(["croupier", *(word for word in sys.argv[1:2] if word in COMMANDS)])


def _keeper() -> AbstractContextManager[None]:
    """Start the keeper of a command that starts bots in this process, so that it is ready when the imports are done."""
    known = COMMANDS.get("".join(sys.argv[1:2]))
    if known is None or not known.bots:
        return nullcontext()
    from croupier.server.processes.keeper_client import Keeper  # noqa: PLC0415  not needed where no bots are started

    return Keeper.start_ahead(known.bots)


def _end_well() -> None:
    """Treat the signals that end a program as an interrupt, so that unfinished work is cleaned up.

    Keep ignored ones.
    """
    # a program that a script starts in the background ignores it
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for ending in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(ending) is signal.SIG_DFL:
            signal.signal(ending, lambda *_: signal.raise_signal(signal.SIGINT))


def _refuse(problem: click.ClickException) -> None:
    """Print what is wrong with a call and where to read more. A call without arguments gets examples to copy."""
    if isinstance(problem, click.exceptions.NoArgsIsHelpError):
        problem.show()
        return
    caller = _caller()
    if isinstance(problem, click.MissingParameter) and "".join(sys.argv[1:]) in COMMANDS:
        command: Any = cli.get_command(click.Context(cli), sys.argv[1])
        complain("\n    ".join(["it needs arguments, as in", *command.examples]), caller)
        return
    hint = f"; see {caller} --help" if isinstance(problem, click.UsageError) else ""
    complain(reason(problem, sys.argv[2:]) + hint, caller)
