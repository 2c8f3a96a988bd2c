"""Ability: whether an entry can play a game at all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from croupier.agents.bundled import BUNDLED, SEARCH
from croupier.protocol.notifications import CLASSIC
from croupier.server import entries, thinking

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.server.entries import Entry
    from croupier.server.games.game import Game


class Bot(Protocol):
    """An entry of a call or of a tournament's file."""

    @property
    def name(self) -> str: ...  # noqa: D102  as in `Entry`
    @property
    def builtin(self) -> str | None: ...  # noqa: D102  as in `Entry`
    @property
    def args(self) -> Sequence[str]: ...  # noqa: D102  as in `Entry`
    @property
    def dialect(self) -> str: ...  # noqa: D102  as in `Entry`


def inability(bot: Bot, rules: type[Game]) -> str | None:
    """Return why a bot cannot play this game, None if it may be able to."""
    if bot.builtin in BUNDLED and not entries.plays(bot.builtin, rules.NAME):
        return f"{bot.builtin} does not play {rules.NAME}; `croupier bots {rules.NAME}` lists those that do"
    if bot.builtin == SEARCH and not thinking.knows(rules, bot.args):
        return 'search does not find the program of this game: name its file, "search --program FILE"'
    if bot.dialect == CLASSIC and rules.NAME != "dominion":
        return f"{bot.name}: the classic dialect is Dominion's; {rules.NAME} is played without it"
    return None


def with_program(entry: Entry, game: str, rules: type[Game]) -> Entry:
    """Return the entry; a searching player gets an option that names the program's file."""
    if entry.builtin != SEARCH:
        return entry
    words = thinking.words_for(game, rules, entry.args)
    return entries.of_bundled(SEARCH, entry.name, entry.dialect, words)
