"""``croupier watch``: a tournament as a live page on this machine's loopback."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import trio

from croupier.server import extras
from croupier.server.commands import json_option, port_option, print_json, wrong
from croupier.server.commands.command import command
from croupier.server.commands.completion import folders
from croupier.server.errors import complain
from croupier.server.games import BadGame, NoSuchGame
from croupier.server.terminal import say
from croupier.server.tournaments.keeping.store import StoreError

if TYPE_CHECKING:
    from types import ModuleType


@command("croupier watch cup")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), metavar="DIR", shell_complete=folders)
@port_option
@json_option
def watch(folder: Path, *, port: int, as_json: bool) -> int:
    """Show a tournament, running or finished, on a page for this machine alone.

    Open the address that is printed. It has a token in it: anyone who knows the address sees all hands of the games
    that are over. Nothing in the folder is written, and the run is not disturbed. Ctrl-C ends it.
    """
    if how := extras.missing("web"):
        wrong(f"watch needs libraries that are not installed here: {how}")
    modules = ("protected_site", "serving", "watching")
    protected_site, serving, watching = (import_module(f"croupier.server.web.{name}") for name in modules)
    site = protected_site.ProtectedSite(_say_failure)
    try:
        watched = watching.Watching(folder, site)
    except (StoreError, NoSuchGame, BadGame) as problem:
        wrong(str(problem))
    trio.run(partial(_serve, serving, site, watched, port, as_json=as_json))
    return 0


async def _serve(serving: ModuleType, site: Any, watched: Any, port: int, *, as_json: bool) -> None:
    async with serving.serve_pages(site, port) as address, trio.open_nursery() as nursery:
        if as_json:
            print_json({"address": address})
        else:
            say(address, "That address is for you alone. Ctrl-C ends it.")
        nursery.start_soon(watched.follow)
        await serving.wait_for_interrupt()
        nursery.cancel_scope.cancel()


def _say_failure(problem: Exception) -> None:
    complain(f"a page could not be shown, which is our bug: {problem!r}", "croupier watch")
