"""Complaints: the one form of every error that croupier prints."""

from __future__ import annotations

from contextlib import suppress

import click

from croupier.server.terminal import printable


def complain(why: str, caller: str | None = None) -> None:
    """Print ``croupier COMMAND: WHY`` on standard error.

    ``caller`` is the command as it is called; without it, the one that is running.
    """
    if caller is None:
        context = click.get_current_context(silent=True)
        caller = "croupier" if context is None else context.command_path
    said = printable(why, also="\n")  # names may be a stranger's
    with suppress(OSError):  # nothing more can be said there
        click.echo(f"{caller}: {said}", err=True)
