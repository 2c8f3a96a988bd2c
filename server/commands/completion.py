"""Shell completion: functions that return the possible words of an argument; if none fits, the shell lists files."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from click.shell_completion import BashComplete, CompletionItem, add_completion_class, split_arg_string

from croupier.agents import bundled
from croupier.server import games

if TYPE_CHECKING:
    from collections.abc import Iterable

    import click

    from croupier.protocol.sexp import Atom
    from croupier.server.games.game import Option

    Items = list[CompletionItem]

_BEFORE_A_BOT = re.compile(r"([A-Za-z][A-Za-z0-9_-]*=)?(classic:|json:)?([A-Za-z][A-Za-z0-9_-]*=)?")
"""``NAME=`` and ``classic:`` or ``json:`` before a bot's command."""


class Bash(BashComplete):
    """Bash splits words at ``=`` and ``:``, and expects only the part after the last of them."""

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the words before the cursor and the one at it, exactly as typed."""
        here = int(os.environ["COMP_CWORD"])
        pieces = [*split_arg_string(os.environ["COMP_WORDS"]), ""][: here + 1]
        words: list[str] = []
        for piece in pieces:
            if words and (piece[:1] in {"=", ":"} or words[-1][-1:] in {"=", ":"}):
                words[-1] += piece
            else:
                words.append(piece)
        self._before = words[-1].removesuffix(pieces[-1].lstrip("=:"))
        return words[1:-1], words[-1]

    def format_completion(self, item: CompletionItem) -> str:
        """Write an item without the part that Bash already has.

        It is quoted twice, because click's script evaluates it once.
        """
        value = re.sub(r"([^\w./=:@%+,~-])", r"\\\\\1", str(item.value).removeprefix(self._before))
        return f"{item.type},{value}"


def speak_bash() -> None:
    """Let click use `Bash` for completion in Bash."""
    add_completion_class(Bash)


def game_names(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> Items:
    """Complete a game's name, including the library's; else a file."""
    names = dict.fromkeys([*games.names(), *games.library()])
    if incomplete.startswith("rec"):
        names |= dict.fromkeys(f"recycle:{name}" for name in games.library())
    return _among(names, incomplete) or _file(incomplete)


def option_values(ctx: click.Context, _param: click.Parameter, incomplete: str) -> Items:
    """Complete ``OPTION=VALUE`` of the game that was named before."""
    try:
        rules = games.find(_game_of(ctx) or "")
    except (games.NoSuchGame, games.BadGame):
        return []
    known = {**{name: _values(option) for name, option in rules.OPTIONS.items()}, **rules.PRESETS}
    return _among((f"{name}={value}" for name, values in known.items() for value in values), incomplete)


def bot_names(ctx: click.Context, _param: click.Parameter, incomplete: str) -> Items:
    """Complete a bundled bot's name, if the game is known one that plays it; else a file."""
    game = _game_of(ctx)
    names = list(bundled.BUNDLED) if game is None else bundled.names(game)
    before = _BEFORE_A_BOT.match(incomplete)
    prefix = before[0] if before else ""
    rest = incomplete.removeprefix(prefix)
    if ctx.info_name == "play" and ":" not in prefix:
        names.append("human")
    if found := _among((prefix + name for name in names), incomplete):
        return found
    return _among((prefix + path for path in _paths(rest)), incomplete) if prefix else _file(incomplete)


def game_then_bots(ctx: click.Context, param: click.Parameter, incomplete: str) -> Items:
    """Complete a game's name or a tournament's file; once the game is known, a bot's name."""
    if _game_of(ctx) is not None:
        return bot_names(ctx, param, incomplete)
    settings = [path for path in _paths(incomplete) if path.endswith(".toml")]
    return [*_among(dict.fromkeys([*games.names(), *games.library(), *settings]), incomplete)] or _file(incomplete)


def _game_of(ctx: click.Context) -> str | None:
    """Return the game that was named before, by --game or as the first word."""
    words = ctx.params.get("words") or ctx.args  # click reads no argument before an open -o
    for word in (ctx.params.get("game"), *words[:1]):
        with suppress(games.NoSuchGame):
            if word is not None:
                return games.find_name(word)
    return None


def format_names(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> Items:
    """Complete a format's name."""
    from croupier.server.tournaments.formats import FORMATS  # noqa: PLC0415  keeps commands without formats fast

    return _among(FORMATS, incomplete)


def folders(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> Items:
    """Complete a tournament's folder, here or one level below; else any folder."""
    here = [path for path in _paths(incomplete) if path.endswith("/")]
    found = [path for place in here for path in (place, *_paths(place)) if Path(path, "tournament.db").is_file()]
    return [CompletionItem(path.removesuffix("/")) for path in found] or [CompletionItem(incomplete, type="dir")]


def files(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> Items:
    """Complete the name of a file."""
    return _file(incomplete)


def _values(option: Option) -> Iterable[Atom]:
    """Return an option's values; of a range only its default."""
    return (option.default,) if isinstance(option.values, range) else option.values


def _among(words: Iterable[str], incomplete: str) -> Items:
    return [CompletionItem(word) for word in words if word.startswith(incomplete)]


def _file(incomplete: str) -> Items:
    return [CompletionItem(incomplete, type="file")]


def _paths(start: str) -> list[str]:
    """List the files that begin with the word as it was typed; folders end in a slash."""
    folder, slash, name = start.rpartition("/")
    try:
        there = sorted(Path(folder + slash or ".").iterdir())
    except OSError:
        return []
    seen = (path for path in there if path.name.startswith(name or ".") == bool(name))
    return [f"{folder}{slash}{path.name}{'/' if path.is_dir() else ''}" for path in seen]
