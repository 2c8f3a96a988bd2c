"""Leads: the places that thinking players expected at their choices, and measures made of them.

A lead is an expected place between 0, the last, and 1, the first. The formulas are those published for RECYCLE games;
where several share the first place, each is a winner and they are averaged. Who leads changes by this project's count.
"""

from __future__ import annotations

from math import sqrt
from statistics import fmean
from typing import TYPE_CHECKING

from croupier.server.tournaments.statistics.intervals import FINE

if TYPE_CHECKING:
    from croupier.server.analysis.tables import AnalyzedGame

WON = 0.8
"""A winner with a higher lead is safe."""
CLEARLY = 0.1
"""A lead counts as higher than another only by this much."""


def danger_line(players: int) -> float:
    """Return the lead up to which a winner is in danger: halfway from the first place to the second.

    What lies on the line counts as danger, as in the published values; a hair above it makes up for sums of floats.
    """
    return (1 + (players - 2) / (players - 1)) / 2 + FINE


def drama(game: AnalyzedGame) -> float:
    """Return how far in danger the winner was: the mean root of what was lacking, over the moments of danger."""
    line = danger_line(len(game.ranks))
    return fmean(fmean([sqrt(line - lead) for lead in history if lead < line] or [0.0]) for history in _histories(game))


def security(game: AnalyzedGame) -> float:
    """Return the share of moments at which the winner was not in danger."""
    line = danger_line(len(game.ranks))
    return fmean(fmean(lead >= line for lead in history) for history in _histories(game))


def decisiveness(game: AnalyzedGame) -> float | None:
    """Return how soon a game is over once it is decided: 1 if it is decided by the winner's last choice, or never.

    None if no winner ever chose.
    """
    found = [share for seat in game.winners if (share := _decision(game, seat)) is not None]
    return fmean(found) if found else None


def _decision(game: AnalyzedGame, seat: int) -> float | None:
    """Return the share of a winner's choices up to the first at which it was safe."""
    own = [moment.leads[seat] for moment in game.moments if moment.seat == seat]
    if not own:
        return None
    return next((number for number, lead in enumerate(own, 1) if lead > WON), len(own)) / len(own)


def changes(game: AnalyzedGame) -> int:
    """Count how often another seat took the lead, clearly: leads from a few worlds go up and down by chance alone.

    They are averaged over as many choices as there are players, and nobody leads without being ahead by `CLEARLY`.
    """
    leader, changed = None, 0
    for now in range(len(game.moments)):
        recent = game.moments[max(0, now + 1 - len(game.ranks)) : now + 1]
        level = [fmean(leads) for leads in zip(*(moment.leads for moment in recent), strict=True)]
        second, best = sorted(level)[-2:]
        behind = second if leader is None else level[leader]
        if best - behind > CLEARLY:
            changed += leader is not None
            leader = level.index(best)
    return changed


def _histories(game: AnalyzedGame) -> list[list[float]]:
    """Return each winner's leads at all moments."""
    return [[moment.leads[seat] for moment in game.moments] for seat in game.winners]
