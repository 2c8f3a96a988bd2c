"""What a shell completes: the names of games, of formats and of bundled bots; files are the shell's own affair."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.agents import bundled
from croupier.server import games

if TYPE_CHECKING:
    import click

FORMATS = ("round-robin", "balanced", "gauntlet", "one-against-many", "swiss", "knockout", "ladder")


def game_names(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    """Complete a game's name."""
    return [name for name in games.names() if name.startswith(incomplete)]


def bot_names(ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    """Complete a bundled bot's name, of those who play the game if it is known by then."""
    game = ctx.params.get("game")
    return (
        [name for name in bundled.names(game) if name.startswith(incomplete)]
        if game in games.names()
        else [name for name in bundled.BUNDLED if name.startswith(incomplete)]
    )


def format_names(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    """Complete a format's name."""
    return [name for name in FORMATS if name.startswith(incomplete)]
