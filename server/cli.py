"""The command line: one group; each command lives in `croupier.server.commands`, and nothing else prints."""

from __future__ import annotations

import importlib
import os
import signal
import sys
from typing import NoReturn

import click

from croupier import __version__

COMMANDS = {
    "games": "listing",
    "bots": "listing",
    "play": "play",
    "tournament": "tournament",
    "standings": "tournament",
    "report": "report",
    "verify": "verify",
    "replay": "replay",
    "check": "check",
    "new-bot": "new_bot",
    "check-game": "programs",
    "doctor": "doctor",
}
"""Each command and the module of `croupier.server.commands` that has it: started lean, loaded when called."""


class Lazy(click.Group):
    """A group that imports a command's module when the command is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the commands in the order of the manual."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load a command."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"croupier.server.commands.{COMMANDS[cmd_name]}")
        command: click.Command = getattr(module, cmd_name.replace("-", "_"))
        return command


@click.group(cls=Lazy, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="croupier")
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
    try:
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
            where = f" ({problem.filename})" if problem.filename else ""
            click.echo(f"croupier: {problem.strerror or problem}{where}", err=True)
        sys.exit(1)
    sys.exit(code if isinstance(code, int) else 0)


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
    path = context.command_path
    click.echo(f"{path}: {problem.format_message().rstrip('.')}; see {path} --help", err=True)
