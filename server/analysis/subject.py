"""Subject: a game to be analyzed, with its numbers of deals and its amount of thinking."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import croupier
from croupier.server.analysis.tables import Setting, Table, play
from croupier.server.thinking import SENSIBLE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from croupier.protocol.sexp import Atom
    from croupier.server.analysis.tables import AnalyzedGame
    from croupier.server.games.game import Game

WORLDS = 10
"""The number of worlds in which a thinking player tries each option, as in the published measures."""
PLAYOUTS = 100
"""Playouts per decision of a searching player."""
FEWEST, AFFORDED = 2, 500_000
"""The fewest worlds; and the most plays in all imagined games of one game, so that longer games get fewer worlds."""
TRIED = 5
"""The number of random games played to measure the length of a game."""


class Sizes(NamedTuple):
    """Numbers of deals: without thinking, with thinking, and with the searching player."""

    deals: int
    thinking: int
    searching: int


class Effort(NamedTuple):
    """The amount of thinking, if the user sets it."""

    worlds: int | None = None
    playouts: int | None = None
    ms: int | None = None


class Subject(NamedTuple):
    """A game to be analyzed; ``side`` is its number among those that are compared."""

    side: str
    rules: type[Game]
    setting: Setting
    sizes: Sizes

    def tables(self) -> dict[Table, int]:
        """Return the tables with their numbers of deals."""
        deals, thinking, searching = self.sizes
        sensible = deals if self.rules.NAME in SENSIBLE else 0
        numbers = (deals, sensible, sensible, thinking, thinking, searching)
        return {table: number for table, number in zip(Table, numbers, strict=True) if number}


class Endless(Exception):
    """A game of which no random play ends; the message says why."""


def subject(
    side: str, game: str, rules: type[Game], options: dict[str, Atom], seats: int, seed: str, sizes: Sizes, how: Effort
) -> Subject:
    """Return a game with its settings: as much thinking as can be afforded, unless ``how`` sets it."""
    tried = Setting(game, fingerprint(rules), options, seats, seed, 1, 1, how.ms)
    (seating,) = Table.RANDOM.seatings(seats)
    samples = [play(rules, tried, seating, deal) for deal in range(1, TRIED + 1)]
    if all(each.void for each in samples):
        raise Endless(f"no random game of {game} comes to an end: {samples[0].void}")
    settled = tried._replace(
        worlds=how.worlds or max(FEWEST, min(WORLDS, _affordable(samples, lambda game: sum(game.options)))),
        playouts=how.playouts
        or max(WORLDS, min(PLAYOUTS, _affordable(samples, lambda game: len(game.options) / seats))),
    )
    return Subject(side, rules, settled, sizes)


def fingerprint(rules: type[Game]) -> str:
    """Return what identifies the rules: the SHA-256 of a program, or our version."""
    return getattr(rules, "PROGRAM_SHA256", f"croupier {croupier.__version__}")


def _affordable(samples: Sequence[AnalyzedGame], imagined: Callable[[AnalyzedGame], float]) -> int:
    """Return how many worlds or playouts can be afforded; an imagined game is half as long as a whole one."""
    plays = sum(imagined(each) * len(each.options) / 2 for each in samples) / len(samples)
    return int(AFFORDED / max(plays, 1))
