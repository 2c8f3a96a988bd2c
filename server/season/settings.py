"""A season's settings: ``season.toml``, whose tables of games are tournaments' files with a few keys more."""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from croupier.protocol.notifications import OPEN
from croupier.server import games, names
from croupier.server.suggestions import did_you_mean
from croupier.server.table.ability import inability
from croupier.server.texts import BadText, read_text
from croupier.server.tournaments.config import tournament_file
from croupier.server.tournaments.config.settings import Settings
from croupier.server.tournaments.config.tournament_file import BadConfig
from croupier.server.tournaments.formats import FORMATS

if TYPE_CHECKING:
    from croupier.server.games.game import Game
    from croupier.server.tournaments.config.settings import Bot

FORMAT, ROUNDS = "balanced", 10
"""The format, and the rounds of a night, unless the file says otherwise."""
_ENDING = {"knockout", "paired"}
"""Formats that come to an end, after which nothing could be added the next night."""
_OF_ONE_RUN = ("budget", "until_sure", "margin", "sprt", "sprt_in", "shadow", "goes_on")
"""Keys that decide when a tournament ends; a season is continued every night."""
_OWN = ("name", "weight", "submissions")
"""Keys of a game that a tournament's file does not have."""
_OF_ONE_BOT = ("name", "title", "builtin", "args", "sight")
"""Keys of a bot that are not for an author's, which has a name and a program of its own."""
_STAND_IN = {"name": "nobody", "builtin": "random"}
"""In place of the bots while a file without any is read: the authors' are not known yet."""
ANY_PROGRAM = ({"glob": "{game}"}, {"glob": "{game}.*"}, {"glob": "bot"}, {"glob": "bot.*"})
"""Where an author's program is looked for, unless the file says otherwise."""


class SeasonGame(NamedTuple):
    """A game of the season, with the terms of its tournament."""

    name: str
    """Names its tournament's folder; the game's own name unless the file has another."""
    weight: float
    terms: Settings
    """``deals`` and ``rounds`` are those of one night."""
    bots: tuple[Bot, ...]
    """The bots that are not authors': fixed points from night to night."""
    submissions: tuple[dict[str, Any], ...]
    """Tables of a bot with a ``glob``, relative to an author's folder: the first one that matches is the program."""

    @property
    def rules(self) -> type[Game]:
        """The rules; raise NoSuchGame or BadGame."""
        return games.find(self.terms.game)

    def until_night(self, number: int) -> Settings:
        """Return the terms with all that is to be played until the end of a night, counted from 1."""
        if FORMATS[self.terms.format or FORMAT].same_deals:
            return msgspec.structs.replace(self.terms, deals=self.terms.deals * number)
        return msgspec.structs.replace(self.terms, rounds=(self.terms.rounds or ROUNDS) * number)


class SeasonSettings(NamedTuple):
    """A whole ``season.toml``."""

    title: str
    games: tuple[SeasonGame, ...]


def read(path: Path) -> SeasonSettings:
    """Read a ``season.toml``; raise BadConfig with what is wrong, and where."""
    try:
        document = tomllib.loads(read_text(path, encoding="utf-8"))
    except (OSError, BadText) as problem:
        raise BadConfig(f"{path} cannot be read: {getattr(problem, 'strerror', None) or problem}") from None
    except (ValueError, RecursionError) as problem:
        raise BadConfig(f"{path.name} is not TOML: {problem}") from None
    title = document.pop("title", "Season")
    tables = document.pop("games", None)
    if not isinstance(title, str):
        raise BadConfig(f"{path.name}: title: expected text")
    if not (isinstance(tables, list) and tables and all(isinstance(table, dict) for table in tables)):
        raise BadConfig(f'{path.name}: it needs a table [[games]] for each game, with game = "hearts" or another')
    found = tuple(_game(document, table, f"{path.name}: games[{at}]", path.parent) for at, table in enumerate(tables))
    called = [game.name for game in found]
    if twice := next((name for name in called if called.count(name) > 1), ""):
        raise BadConfig(f"{path.name}: two games are called {twice}: give one of them a name = of its own")
    return SeasonSettings(title, found)


def _game(common: dict[str, Any], own: dict[str, Any], source: str, folder: Path) -> SeasonGame:
    """Read the table of a game, whose keys win over the ``common`` ones above all tables."""
    document = {"format": FORMAT} | common | own | {"bots": _lists(common, own, "bots", source)}
    submissions = document.pop("submissions", None)
    name, weight = document.pop("name", None), document.pop("weight", 1)
    if not isinstance(weight, int | float) or isinstance(weight, bool) or not 0 < weight < float("inf"):
        raise BadConfig(f"{source}: weight: expected a number above 0")
    for key in _OF_ONE_RUN:
        if key in document:
            raise BadConfig(f"{source}: {key}: it decides when a tournament ends, and a season goes on every night")
    if unknown := next((key for key in document if key not in Settings.__struct_fields__), None):
        known = sorted({*Settings.__struct_fields__, *_OWN} - {*_OF_ONE_RUN})
        raise BadConfig(
            f"{source}: there is no key {unknown}{did_you_mean(unknown, known)}; the keys: {', '.join(known)}"
        )
    fixed = document["bots"]
    terms = tournament_file.build({**document, "bots": fixed or [_STAND_IN]}, source=source, folder=folder)
    terms = msgspec.structs.replace(terms, game=_registered(terms.game, folder, source))
    _require_playable(terms, source)
    if terms.format in _ENDING:
        others = ", ".join(sorted({*FORMATS} - _ENDING))
        raise BadConfig(f"{source}: format: {terms.format} comes to an end, and a season goes on: take one of {others}")
    name = names.nearest(terms.game.removeprefix("recycle:").rpartition("/")[2]) if name is None else name
    if not (isinstance(name, str) and names.good_name(name)):
        raise BadConfig(f"{source}: name: {name!r} is no name: a letter, then at most 31 letters, digits, - or _")
    return SeasonGame(
        name, float(weight), terms, terms.bots if fixed else (), _submissions(submissions, name, terms, source)
    )


def _lists(common: dict[str, Any], own: dict[str, Any], key: str, source: str) -> list[Any]:
    """Return the tables of a key that may stand above all games and in one of them."""
    both = [common.get(key, []), own.get(key, [])]
    if not all(isinstance(each, list) for each in both):
        raise BadConfig(f"{source}: {key}: expected tables, each [[{key}]] or [[games.{key}]]")
    return [*both[0], *both[1]]


def _require_playable(terms: Settings, source: str) -> None:
    """Refuse options that the game does not have, and bots that cannot play it or are told all hands."""
    try:
        rules = games.find(terms.game)
        rules.read_options(terms.options)
    except games.BadGame as problem:
        raise BadConfig(f"{source}: game: {problem}") from None
    except games.BadOption as problem:
        raise BadConfig(f"{source}: options: {problem}") from None
    for bot in terms.bots:
        if (why := inability(bot, rules)) is not None:
            raise BadConfig(f"{source}: bots: {why}")
        if bot.sight == OPEN:
            raise BadConfig(f"{source}: bots: {bot.name} would be told all hands, and nobody in a season is")


def _registered(game: str, folder: Path, source: str) -> str:
    """Return a game's registered name; that of a program's file is relative to the season's folder."""
    try:
        if games.is_program(game) and (folder / game).is_file():
            return str((folder / game).absolute())
        return games.find_name(game)
    except games.NoSuchGame as problem:
        raise BadConfig(f"{source}: game: {problem}") from None


def _submissions(tables: Any, game: str, terms: Settings, source: str) -> tuple[dict[str, Any], ...]:
    """Return the tables of a game's ``[[submissions]]``, tried with a program that does not exist."""
    if tables is None:
        tables = [*ANY_PROGRAM]
    if not (isinstance(tables, list) and tables and all(isinstance(table, dict) for table in tables)):
        raise BadConfig(f"{source}: submissions: expected tables, each [[submissions]] with a glob")
    found = []
    for at, table in enumerate(tables):
        place = f"{source}: submissions[{at}]"
        glob = table.get("glob")
        if not (isinstance(glob, str) and _is_pattern(glob)):
            raise BadConfig(f'{place}.glob: expected text such as "{{game}}.py", a path within an author\'s folder')
        if wrong := next((key for key in _OF_ONE_BOT if key in table), None):
            raise BadConfig(f"{place}.{wrong}: it is no key for authors' bots, which this table is about")
        trial = {"command": ["{file}"], **table, "name": "nobody"}
        del trial["glob"]
        try:
            tournament_file.build({"game": terms.game, "bots": [trial]}, source=place)
        except BadConfig as problem:
            raise BadConfig(re.sub(r": bots\[0\]", "", str(problem), count=1)) from None
        found.append({**table, "glob": glob.replace("{game}", game)})
    return tuple(found)


def _is_pattern(glob: str) -> bool:
    """Return whether a text is a pattern of files within a folder."""
    if not glob or glob.startswith("/") or ".." in glob.split("/"):
        return False
    try:
        return not any(Path(os.devnull).glob(glob))
    except (ValueError, NotImplementedError):
        return False
