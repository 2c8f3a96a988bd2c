"""``croupier new-bot``: a working bot to change."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import click

from croupier.agents import bundled
from croupier.protocol.notifications import JSON, NATIVE
from croupier.server import games, names, terminal
from croupier.server.commands import json_option, print_json, the_game, wrong
from croupier.server.commands.command import command, option
from croupier.server.commands.completion import game_names
from croupier.server.terminal import say

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from croupier.server.games.game import Game


@dataclass(frozen=True)
class Language:
    """A programming language: the name of a bot's file in it, and how to build and run it."""

    file: str
    run: str
    build: str = ""


LANGUAGES = {
    "python": Language("@NAME@.py", "python @NAME@.py"),
    "c": Language("@NAME@.c", "./@NAME@", "cc -O2 -Wall -o @NAME@ @NAME@.c"),
    "cpp": Language("@NAME@.cpp", "./@NAME@", "c++ -std=c++17 -O2 -Wall -o @NAME@ @NAME@.cpp"),
    "go": Language("main.go", "./@NAME@", "go build -o @NAME@ main.go"),
    "java": Language("Bot.java", "java -jar @NAME@.jar", "javac -d out *.java && jar cfe @NAME@.jar Bot -C out ."),
    "javascript": Language("@NAME@.js", "node @NAME@.js"),
    "rust": Language("@NAME@.rs", "./@NAME@", "rustc -O -o @NAME@ @NAME@.rs"),
    "sh": Language("@NAME@.sh", "sh @NAME@.sh"),
}
JSON_LANGUAGES = ("go", "java", "javascript", "python")
"""The languages with templates for the JSON dialect: their libraries have a reader, or it is short (Java)."""
_PLAIN = ("Agent", "from croupier.agents import Agent, drive")
_AGENTS = {
    "dominion": (
        "DominionAgent",
        """from croupier.agents import drive
from croupier.agents.dominion import (
    COPPER, DUCHY, ESTATE, GOLD, PROVINCE, SILVER, SMITHY,
    DominionAgent, always, buy_first, discard, fewer_than, play,
)""",
    ),
    "recycle": (
        "RecycleAgent",
        "from croupier.agents import drive\nfrom croupier.agents.recycle import RecycleAgent",
    ),
}
"""The base class of a Python bot for a game, and its imports."""


@command(
    "croupier new-bot hearts my-bot",
    "croupier new-bot skat my-skat-bot --language c",
    "croupier new-bot jass my-jass-bot --language javascript --dialect json",
    name="new-bot",
)
@click.argument("game", shell_complete=game_names)
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), metavar="DIR")
@option(
    "--language",
    type=click.Choice(list(LANGUAGES)),
    default="python",
    show_default=True,
    help="What the bot is written in.",
)
@option(
    "--dialect",
    type=click.Choice([NATIVE, JSON]),
    default=NATIVE,
    show_default=True,
    metavar="DIALECT",
    help=f"The dialect of the protocol. native or json, which has the languages {', '.join(JSON_LANGUAGES)}.",
)
@option("--name", help="The bot's name.  [default: its folder's]")
@json_option
def new_bot(game: str, folder: Path, language: str, dialect: str, name: str | None, *, as_json: bool) -> None:
    """Write a working bot for GAME into DIR, for you to change.

    It makes the first legal play. The README.txt beside it says how to build, run, check and enter it.
    """
    rules = the_game(game)
    game = games.find_name(game)
    called = name or names.nearest(folder.absolute().name)
    if not names.good_name(called):
        wrong(f"--name {called}: a name begins with a letter and has at most 32 letters, digits, - and _")
    if dialect == JSON and language not in JSON_LANGUAGES:
        wrong(f"--dialect json is written in {', '.join(JSON_LANGUAGES)}, not in {language}")
    if folder.exists() and any(folder.iterdir()):
        wrong(f"{folder} is not empty; name a new folder")
    folder.mkdir(parents=True, exist_ok=True)
    game = _game_from(folder, game)
    program = folder / _fill(LANGUAGES[language].file, {"NAME": called})
    _write(program, source(rules, game, language, called, dialect))
    program.chmod(0o755 if language in {"javascript", "sh"} else 0o644)
    _write(folder / "README.txt", readme(rules, game, language, called, dialect))
    if as_json:
        print_json({"name": called, "game": game, "files": [str(program), str(folder / "README.txt")]})
    else:
        say(f"{program}: now read {folder / 'README.txt'}")


def _write(path: Path, text: str) -> None:
    """Write a file that may contain a game's own file name, with whatever characters that has."""
    path.write_text(text, encoding="utf-8", errors="surrogateescape")


def source(rules: type[Game], game: str, language: str, name: str, dialect: str = NATIVE) -> str:
    """Return the program of a new bot."""
    place = language if dialect == NATIVE else f"{dialect}/{language}"
    own = _template(f"{place}/{rules.NAME}.tmpl")
    rule = (own if own.is_file() else _template(f"{place}/any.tmpl")).read_text(encoding="ascii").rstrip("\n")
    agent, imports = _AGENTS.get(rules.NAME, _PLAIN)
    words = {
        "NAME": name,
        "GAME": game,
        "CLASS": _class(name),
        "AGENT": agent,
        "IMPORTS": imports,
        "HOOKS": rule,
        "UNLISTED": rule,
        "BUILD": _fill(LANGUAGES[language].build, {"NAME": name}),
    }
    return _fill(_template(f"{place}/bot.tmpl").read_text(encoding="ascii"), words)


def readme(rules: type[Game], game: str, language: str, name: str, dialect: str = NATIVE) -> str:
    """Return the README.txt of a new bot."""
    spoken = LANGUAGES[language]
    words = {
        "BUILD": f"\nBuild it:   {spoken.build}" if spoken.build else "",
        "COMMAND": spoken.run if dialect == NATIVE else f"{dialect}:{spoken.run}",
        "FILE": spoken.file,
        "OTHERS": " ".join([_opponent(game)] * (min(rules.SEATS) - 1)),
        "GAME": terminal.word(game),
        "NAME": name,
    }
    return _fill(_template("readme.tmpl").read_text(encoding="ascii"), words)


def _game_from(folder: Path, game: str) -> str:
    """Return the game's name as typed from the bot's folder: for a program's file, the path to it from there."""
    file = Path(game.removeprefix("recycle:"))
    return f"recycle:{os.path.relpath(file, folder)}" if file.is_file() else game


def _opponent(game: str) -> str:
    """Return a bot that is worth playing against: the game's own if the package has one, else ``random``."""
    played = {name: of for name, (of, *_) in bundled.BUNDLED.items() if name in bundled.names(game)}
    return next((name for name, of in played.items() if of != bundled.ANY), "random")


def _class(name: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in re.split("[-_]", name))


def _template(path: str) -> Traversable:
    return files("croupier.server").joinpath("templates").joinpath(*path.split("/"))


def _fill(text: str, words: dict[str, str]) -> str:
    for key, value in words.items():
        text = text.replace(f"@{key}@", value)
    return text
