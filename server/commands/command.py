"""The common form of all commands: an example in the help, grouped options, one name shown for each."""

from __future__ import annotations

import copy
import inspect
from typing import TYPE_CHECKING, Any

import click

from croupier.server.errors import Amount, Milliseconds, require_values
from croupier.server.suggestions import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from click.shell_completion import CompletionItem

    Added = Callable[[Any], Any]
    """A decorator that adds an option to a command."""

GROUPS = {
    "The game and its deals": (
        *("--deals", "--seed", "-o", "--game", "--players", "--format", "--against", "--beside", "--positions"),
        *("--deals-of", "--play-on", "--shadow"),
    ),
    "Which games": ("--where", "--games", "--all", "--number", "--from", "--contract", "--program", "--count"),
    "The table of results": (
        *("--player", "--score", "--low-wins", "--deal", "--seat", "--game-id", "--side", "--counts"),
        *("--old", "--new"),
    ),
    "The bot": ("--language", "--name"),
    "The foreign player": (
        "--algorithm",
        "--simulations",
        "--model",
        "--url",
        "--key-file",
        "--retries",
        "--body",
        "--price-in",
        "--price-out",
    ),
    "What it is told": ("--rules", "--legal", "--skin"),
    "What you see and keep": (
        *("--show", "--html", "--out", "--record", "--notes", "--for", "--web", "--csv", "--neighbors"),
        *(
            "--sent",
            "--dialect",
            "--clock",
            "--wire",
            "--with-program",
            "--to",
            "--table",
            "--puzzles",
            "--wrong",
            "--junit",
        ),
    ),
    "When to stop": ("--until-sure", "--margin", "--sprt", "--sprt-in", "--until", "--budget", "--minutes"),
    "How players think": ("--thinking", "--worlds", "--searching", "--playouts", "--ms"),
    "Time and faults": ("--time", "--start", "--bank", "--total", "--on-fault"),
    "What bots may touch and use": ("--sandbox", "--memory", "--network", "--freeze"),
    "Proof": ("--probe", "--blind", "--commit", "--commitment", "--last", "--public", "--link", "--replay-bots"),
    "The machine": ("--workers", "--cluster", "--port", "--host"),
    "The settings": ("--set", "--replace"),
    "General": ("--json", "-h"),
}
"""The options by group, in the order of every help. An option is in the same group in all commands that have it."""

_METAVARS = (
    (Milliseconds, "MS"),
    (click.IntRange, "N"),
    (click.FloatRange, "NUMBER"),
    (Amount, "SIZE"),
)


class CommandOption(click.Option):
    """An option whose help shows only its first name. The others are its former names."""

    def shown(self) -> click.Option:
        """Return a copy that has only its first name."""
        alone = copy.copy(self)
        alone.opts = self.opts[:1]
        return alone

    def make_metavar(self, ctx: click.Context) -> str:
        """Return the placeholder of the value."""
        if self.metavar is None and isinstance(self.type, click.Path):
            return "FILE" if self.type.file_okay else "DIR"
        usual = next((word for kind, word in _METAVARS if isinstance(self.type, kind)), None)
        return self.metavar or usual or super().make_metavar(ctx)

    def get_help_extra(self, ctx: click.Context) -> Any:
        """Return the text after the help: the default, but not the range, which is told when a value is refused."""
        extra = super().get_help_extra(ctx)
        extra.pop("range", None)
        return extra


class CommandWithHelp(click.Command):
    """A command whose help opens with its purpose and an example, and groups its options."""

    def __init__(self, *words: Any, examples: Sequence[str] = (), **rest: Any) -> None:
        super().__init__(*words, **rest)
        self.examples = examples

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the purpose, the example, the usage, the details and the options."""
        purpose, _, details = inspect.cleandoc(self.help or "").partition("\n\n")
        formatter.write_text(purpose)
        with formatter.section("Example"):
            for line in self.examples:
                formatter.write(f"{'':{formatter.current_indent}}{line}\n")  # a command line may not be wrapped
        formatter.write_paragraph()
        self.format_usage(ctx, formatter)
        if details:
            formatter.write_paragraph()
            with formatter.indentation():
                formatter.write_text(details)
        self.format_options(ctx, formatter)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options group by group."""
        options = {each.opts[0]: each for each in self.get_params(ctx) if isinstance(each, click.Option)}
        for group, names in GROUPS.items():
            shown = (_shown(options[name]).get_help_record(ctx) for name in names if name in options)
            if records := [record for record in shown if record]:
                with formatter.section(group):
                    formatter.write_dl(records)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete a word, without former names of options."""
        old = {name for each in self.params if isinstance(each, CommandOption) for name in each.opts[1:]}
        return [item for item in super().shell_complete(ctx, incomplete) if item.value not in old]


class CommandGroup(CommandWithHelp, click.Group):
    """A command with commands of its own, each with a help of this form."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands, then the options group by group."""
        self.format_commands(ctx, formatter)
        super().format_options(ctx, formatter)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that is called, or refuse the call with the name that may have been meant."""
        if args[0] not in self.commands:
            ctx.fail(f"there is no {ctx.info_name} {args[0]}{did_you_mean(args[0], self.commands)}")
        name, command, words = super().resolve_command(ctx, args)
        if command is not None and not ctx.resilient_parsing:
            require_values(ctx, command, words)
        return name, command, words


def _shown(option: click.Option) -> click.Option:
    return option.shown() if isinstance(option, CommandOption) else option


def command(*examples: str, name: str | None = None) -> Added:
    """Make a command of a function whose docstring says what it is for. ``examples`` are lines to copy."""
    return click.command(name, cls=CommandWithHelp, examples=examples)


def option(*names: str, **rest: Any) -> Added:
    """Add an option to a command, with its former names if it has any."""
    return click.option(*names, cls=CommandOption, **rest)
