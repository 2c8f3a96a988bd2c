"""Thinking: the searching player with the rules that it searches, seated like any other bundled bot."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from croupier.agents import bundled
from croupier.agents.dominion_engine import Engine, VillageEngine
from croupier.agents.dominion_rival import Rival
from croupier.agents.hearts_playout import HeartsPlayout, moons
from croupier.agents.search import Search, Words
from croupier.agents.search.endgame import solving
from croupier.agents.search.playout import Advice, Caution, Playout
from croupier.server import games
from croupier.server.games.world import NotToldError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from croupier.agents.agent import Agent
    from croupier.agents.search.world import World
    from croupier.protocol.views.view import View
    from croupier.server.games.game import Game

PROGRAM = "--program"
"""The word before the file of a RECYCLE program."""
SENSIBLE = {
    "dominion": "plan",
    "hearts": "duck",
    "skat": "skat-club",
    "doppelkopf": "doko",
    "jass": "jass",
    "sedma": "sedma",
}
"""Each game's own bot, with which it is played out unless `MANNERS` has another way. Other games use chance."""
MANNERS: Mapping[str, Callable[[], Playout]] = {
    "dominion": lambda: Playout(Engine(), 0, Advice((VillageEngine(),), alone=True), Caution(few=3, errors=0), Rival()),
    "hearts": HeartsPlayout,
}
"""How worlds are played out where that differs.

Dominion uses its strongest strategy without random plays, because its shuffles are random enough. Most of a dozen cards
to buy are bad ones, so only the plays of two strategies are compared. Which of them is better depends on the other
players, so the cards that these own decide how they are played. Both are sound, so the one that is ahead is taken.
"""


class Thinker(Search):
    """The searching player that ``search`` and the words after it start."""

    def __init__(self, *words: str) -> None:
        self.words = Words.read(words)
        self._rules: dict[str, type[Game]] = {}
        # loaded before the first question, whose time is limited
        solving()
        moons()
        super().__init__(self.world_of, manner, self.words.budget, self.words.seed)

    def world_of(self, view: View) -> World | None:
        """Return a game that fits a view, None if the view does not contain enough for one."""
        try:
            rules = self.rules(view)
            return rules.WORLD.of_view(rules, view)
        except NotToldError:
            return None

    def rules(self, view: Any) -> type[Game]:
        """Return the rules of a view's game."""
        name = f"{view.game}:{view.program}" if view.game == "recycle" else str(view.game)
        if name not in self._rules:
            self._rules[name] = games.of_view(view, self.words.program)
        return self._rules[name]


def knows(rules: type[Game], words: Sequence[str]) -> bool:
    """Return whether a searching player will find these rules; a program outside the library must be named."""
    program, digest = getattr(rules, "PROGRAM", None), getattr(rules, "PROGRAM_SHA256", None)
    if program is None:
        return True
    try:
        found = games.find(f"recycle:{Words.read(words).program or program}")
    except (games.NoSuchGame, games.BadGame):
        return False
    return getattr(found, "PROGRAM_SHA256", None) == digest


def words_for(game: str, rules: type[Game], words: Sequence[str]) -> tuple[str, ...]:
    """Return the words of a searching player, with the program's file if it would not find it otherwise."""
    file = Path(game.removeprefix("recycle:"))
    found = (*words, PROGRAM, str(file.absolute()))
    return found if file.is_file() and not knows(rules, words) and PROGRAM not in words else tuple(words)


def manner(game: str) -> Playout:
    """Return the way in which a game's worlds are played out."""
    return MANNERS[game]() if game in MANNERS else Playout(sensible(game))


def sensible(game: str) -> Agent | None:
    """Return the game's own bot, None if there is none."""
    return bundled.make(SENSIBLE[game]) if game in SENSIBLE else None
