"""Ending: whether anything is left to find out, by the rule to which a tournament is bound before its first deal."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from croupier.server.tournaments.improvement import Question, judged
from croupier.server.tournaments.statistics import stopping
from croupier.server.tournaments.statistics.likelihood import Bounds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.server.games.game import Game
    from croupier.server.table.played import PlayedGame
    from croupier.server.tournaments.config import Settings


def enough(games: Sequence[PlayedGame], rules: type[Game], settings: Settings) -> str:
    """Say why nothing is left to find out; nothing while something is, or where all is to be played anyway."""
    if not settings.until_sure:
        return ""
    if settings.format == "paired":
        word = judged(games, rules, asked(settings)).word
        return "" if word == "undecided" else f"sure: {settings.bots[1].name} is {word} beside {settings.bots[0].name}"
    names = [bot.name for bot in settings.bots]
    decided = stopping.decisions(games, rules, pairs(names, settings.format), settings.margin)
    return stopping.explained(decided) if stopping.sure(decided) else ""


def asked(settings: Settings) -> Question:
    """Return what is asked about the first two."""
    old, new, *_ = (bot.name for bot in settings.bots)
    return Question(old, new, settings.margin, None if settings.sprt is None else Bounds(*settings.sprt))


def pairs(names: Sequence[str], form: str | None) -> list[tuple[str, str]]:
    """List the pairs whose differences are asked for: all, or at a gauntlet those of the first."""
    if form == "gauntlet":
        return [(min(names[0], other), max(names[0], other)) for other in names[1:]]
    return list(combinations(sorted(names), 2))
