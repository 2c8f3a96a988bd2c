"""Complaints: the one form of every error that croupier prints."""

from __future__ import annotations

from contextlib import suppress

import click

from croupier.server.terminal import say

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
