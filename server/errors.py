"""Errors: the one form of all that croupier prints, and what is wrong with a call: ``OPTION VALUE: what to write``."""

from __future__ import annotations

import math
import re
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from croupier.server import terminal
from croupier.server.suggestions import did_you_mean
from croupier.server.terminal import say

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


_UNITS = {"ms": 1, "s": 1000, "sec": 1000, "m": 60_000, "min": 60_000, "h": 3_600_000}
_WITH_UNIT = re.compile(rf"([0-9]+(?:\.[0-9]+)?) *({'|'.join(_UNITS)})")


class Milliseconds(click.IntRange):
    """A time in whole milliseconds."""


class Finite(click.FloatRange):
    """A finite number."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number, or refuse the call."""
        number = super().convert(value, param, ctx)
        return number if math.isfinite(number) else self.fail("", param, ctx)


class Amount(click.ParamType):  # type: ignore[type-arg]  # click before 8.5 has no arguments for it
    """An amount of memory: 512M."""

    name = "amount"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the amount as it was written, or refuse the call."""
        return value if re.fullmatch("[1-9][0-9]*[KMG]", value) else self.fail("", param, ctx)


class TimeOfDay(click.ParamType):  # type: ignore[type-arg]  # as above
    """A time of day: 06:00."""

    name = "time of day"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the time, or refuse the call."""
        try:
            return datetime.strptime(value, "%H:%M").time()  # noqa: DTZ007  a time of day has no zone
        except ValueError:
            return self.fail("", param, ctx)


def reason(problem: click.ClickException, words: Sequence[str]) -> str:
    """Return what is wrong with a command that was called with these words after its name.

    The messages of click begin with a capital and end in a full stop; ours do not.
    """
    context = getattr(problem, "ctx", None)
    if isinstance(problem, click.NoSuchOption) and context is not None:
        return f"there is no option {problem.option_name}{did_you_mean(problem.option_name, _options(context.command))}"
    param = getattr(problem, "param", None)
    if isinstance(problem, click.MissingParameter) and param is not None and context is not None:
        usage = " ".join([context.command_path, *context.command.collect_usage_pieces(context)])
        name = f"{param.opts[0]} " if isinstance(param, click.Option) else ""
        return f"{name}{param.make_metavar(context)} is missing: write {usage}"
    if type(problem) is click.BadParameter and param is not None and context is not None:
        for value in _given_values(context, param, words):
            try:
                param.type.convert(value, param, context)
            except click.BadParameter:
                return f"{_name(param, value)}: {_wanted_form(param.type, value)}"
    why = problem.format_message().rstrip(".")
    return why if type(problem) in {click.UsageError, click.ClickException} else why[:1].lower() + why[1:]


def require_values(context: click.Context, command: click.Command, words: Sequence[str]) -> None:
    """Refuse the call if an option has no value, or an empty one; click would take the next option for its value."""
    options = _options(command)
    rest = iter([*words, ""])
    for word in rest:
        name, equals, value = word.partition("=") if word.startswith("--") else (word, "", "")
        if name == "--":
            return
        param = options.get(name)
        if param is None:
            continue
        if param.is_flag:
            if equals:
                raise click.UsageError(f"{word}: it takes no value: write {name}")
            continue
        for given in [value] if equals else [next(rest, "") for _ in range(param.nargs)]:
            if not given or given.partition("=")[0] in options:
                wanted = _wanted_form(param.type, "") or f"write {name} {param.make_metavar(context)}"
                raise click.UsageError(f"{name}: its value is missing: {wanted}")


def _options(command: click.Command) -> dict[str, click.Option]:
    """Return the options of a command by each of their names."""
    return {name: each for each in command.params if isinstance(each, click.Option) for name in each.opts}


def _given_values(context: click.Context, param: click.Parameter, words: Sequence[str]) -> Iterator[str]:
    """Yield the values that were given to one parameter, exactly as typed."""
    given: Any = context.command.make_parser(context).parse_args([*words])[0].get(param.name or "")
    for value in given if isinstance(given, list | tuple) else [given]:
        yield from value if isinstance(value, tuple) else [value]


def _name(param: click.Parameter, value: str) -> str:
    name = max(param.opts[:1], key=len) if isinstance(param, click.Option) else ""
    return f"{name} {terminal.word(value)}".lstrip()


def _wanted_form(kind: Any, value: str) -> str:
    """Return what to write in place of a value; empty if any text is valid."""
    match kind:
        case Amount():
            return "write an amount such as 512M or 2G"
        case TimeOfDay():
            return "write a time of day such as 06:00"
        case Milliseconds():
            return f"write milliseconds, a whole number{_bounds(kind)}{_in_milliseconds(value)}"
        case click.IntRange():
            return f"write a whole number{_bounds(kind)}"
        case click.FloatRange():
            return f"write a number{_bounds(kind)}"
        case click.Choice():
            choices = [*map(str, kind.choices)]
            return f"write one of {', '.join(choices)}{did_you_mean(value, choices)}"
        case click.Path() if value:
            return _wanted_path(value)
    return ""


def _bounds(kind: click.IntRange | click.FloatRange) -> str:
    if kind.min is None:
        return ""
    if kind.max is not None:
        return f" from {kind.min} to {kind.max}"
    return f" above {kind.min}" if kind.min_open else f", {kind.min} or more"


def _in_milliseconds(value: str) -> str:
    """Return a time with a unit as plain milliseconds, in a hint."""
    found = _WITH_UNIT.fullmatch(value)
    return f"; {value} is {float(found[1]) * _UNITS[found[2]]:.0f}" if found else ""


def _wanted_path(value: str) -> str:
    if Path(value).is_dir():
        return "that is a folder; name a file"
    return "that is a file; name a folder" if Path(value).exists() else "there is no such file or folder"


_INDENT = "    "
"""Precedes each further line, so that no line from a stranger looks like one of ours."""


def complain(why: str, caller: str | None = None) -> None:
    """Print ``croupier COMMAND: WHY`` on standard error.

    ``caller`` is the command as it was called, by default the one that is running.
    """
    if caller is None:
        context = click.get_current_context(silent=True)
        caller = "croupier" if context is None else context.command_path
    first, *more = why.split("\n")
    with suppress(OSError):  # standard error is gone, so there is nowhere left to complain
        say(f"{caller}: {first}", *(_INDENT + line.removeprefix(_INDENT) for line in more), err=True)
