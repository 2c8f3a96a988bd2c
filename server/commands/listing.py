"""``croupier games`` and ``croupier bots``: the games to play, and the bots in the package."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.table import Table

from croupier.agents import bundled
from croupier.protocol import views
from croupier.server import games as all_games
from croupier.server.commands import json_option, print_json, the_game, wrong
from croupier.server.commands.command import command
from croupier.server.commands.completion import game_names
from croupier.server.console import Console
from croupier.server.terminal import say

if TYPE_CHECKING:
    from croupier.protocol.views.view import View
    from croupier.server.games.game import Game, Option


@command(
    "croupier games hearts",
    name="games",
)
@click.argument("game", required=False, shell_complete=game_names)
@json_option
def games(game: str | None, *, as_json: bool) -> None:
    """List the games; with GAME, its seats, options, plays and STATE fields.

    GAME may be a RECYCLE program: its file, or its name in the library. Names may be in any case. A name wins over a
    file that is called so: write ./NAME for the file.
    """
    if game is None:
        _print_games(as_json=as_json)
        return
    name = game_name(game)
    if all_games.is_program(name):
        _describe(name.removeprefix("recycle:"), as_json=as_json)
    elif as_json:
        print_json(_description(the_game(name)) | _wire(the_game(name)))
    else:
        _print_game(the_game(name))


def game_name(word: str) -> str:
    """Return a game's registered name. A file is a program, whatever its suffix, unless a game has that name."""
    try:
        return all_games.find_name(word)
    except all_games.NoSuchGame as problem:
        if Path(word).is_file():
            return f"recycle:{word}"
        wrong(str(problem))


def _describe(file: str, *, as_json: bool) -> None:
    from croupier.server.commands import programs  # noqa: PLC0415  reads and plays a program

    known = programs.describe_program(file)
    if as_json:
        print_json(known)
    else:
        programs.print_description(known)


def _values(option: Option) -> str:
    if isinstance(option.values, range):
        return f"{option.values[0]} to {option.values[-1]}"
    return "|".join(map(str, option.values))


def _description(rules: type[Game]) -> dict[str, object]:
    return {
        "game": rules.NAME,
        "seats": list(rules.SEATS),
        "wins": "low" if rules.LOW_WINS else "high",
        "partners": [list(pair) for pair in rules.PARTNERS],
        "options": {
            name: {"default": option.default, "values": _values(option), "about": option.about}
            for name, option in rules.OPTIONS.items()
        },
        "presets": {name: list(values) for name, values in rules.PRESETS.items()},
    }


def _wire(rules: type[Game]) -> dict[str, object]:
    return {"plays": dict(rules.PLAYS), "state": list(_page(rules).keys()), "bidding": list(_page(rules).BIDDING)}


def _page(rules: type[Game]) -> type[View]:
    try:
        return views.page(rules.NAME)
    except views.BadPage as problem:
        wrong(str(problem))


def _print_games(*, as_json: bool) -> None:
    listed = [the_game(name) for name in all_games.names()]
    programs = [_program(name) for name in all_games.library()]
    if as_json:
        print_json({"games": [*map(_description, listed), *programs]})
        return
    table = Table("game", "seats", "wins", "options (default first)")
    for rules in listed:
        options = " ".join(f"{name}={option.default}" for name, option in rules.OPTIONS.items())
        table.add_row(rules.NAME, " ".join(map(str, rules.SEATS)), "low" if rules.LOW_WINS else "high", options)
    Console().print(table)
    table = Table("game", "seats", "wins", "about", title="The library: games written in RECYCLE")
    for known in programs:
        table.add_row(known["game"], " ".join(map(str, known["seats"])), known["wins"], known["about"])
    Console().print(table)
    say("FILE.gdl plays a game of yours written in RECYCLE. `croupier games GAME` says more of one.")


def _program(name: str) -> dict[str, Any]:
    """Return the list's entry for a game of the library; a built-in game may already have its short name."""
    from croupier.server.games.recycle.describe import about  # noqa: PLC0415  other calls need no RECYCLE

    rules: Any = the_game(f"recycle:{name}")
    return {
        "game": f"recycle:{name}" if name in all_games.names() else name,
        "seats": list(rules.SEATS),
        "wins": "low" if rules.LOW_WINS else "high",
        "partners": [list(pair) for pair in rules.PARTNERS],
        "about": re.split(r"[;.]", about(rules.TEXT).partition(": ")[2])[0],
    }


def _print_game(rules: type[Game]) -> None:
    about = (rules.__doc__ or "").strip().splitlines()
    say(f"{rules.NAME}: {about[0] if about else ''}")
    say(f"Seats: {' or '.join(map(str, rules.SEATS))}. {'Low' if rules.LOW_WINS else 'High'} scores win.")
    console = Console()
    options = Table("option", "default", "values", "decides", title="Options (-o option=value)")
    for name, option in rules.OPTIONS.items():
        options.add_row(name, str(option.default), _values(option), option.about)
    for name, values in rules.PRESETS.items():
        options.add_row(name, "", "|".join(values), "stands for several of the others")
    console.print(options)
    plays = Table("play", "means", title="Plays")
    for form, meaning in rules.PLAYS.items():
        plays.add_row(form, meaning)
    console.print(plays)
    say(f"STATE fields, in order: {' '.join(_page(rules).keys())}")
    if bidding := _page(rules).BIDDING:
        say(f"Phases before the cards, in which an agent's tryBid is asked: {' '.join(bidding)}")


@command(
    "croupier bots hearts",
)
@click.argument("game", required=False, shell_complete=game_names)
@json_option
def bots(game: str | None, *, as_json: bool) -> None:
    """List the bots that come with the package; with GAME, those that play it."""
    names = list(bundled.BUNDLED) if game is None else bundled.names(the_game(game).NAME)
    if as_json:
        about = {name: bundled.BUNDLED[name] for name in names}
        print_json({"bots": [{"name": name, "game": each[0], "about": each[3]} for name, each in about.items()]})
        return
    table = Table("bot", "plays", "does")
    for name in names:
        table.add_row(name, bundled.BUNDLED[name][0], bundled.BUNDLED[name][3])
    Console().print(table)
