"""Course: how options and leads change from the first choice of a game to the last."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.server.analysis.tables import AnalyzedGame

POINTS = 40


def options_course(games: Sequence[AnalyzedGame]) -> list[float]:
    """Return the mean number of options over the course of the games, each stretched to the same length."""
    lines = [stretch(game.options, POINTS) for game in games if game.void is None and game.options]
    return [sum(values) / len(lines) for values in zip(*lines, strict=True)] if lines else [0.0]


def leads_course(games: Sequence[AnalyzedGame], points: int = POINTS) -> list[list[float]]:
    """Return the mean lead at ``points`` points of the games: a list for each final place, the first place first."""
    width = len(games[0].ranks)
    sums = [[0.0] * points for _ in range(width)]
    for game in games:
        order = sorted(range(width), key=game.ranks.__getitem__)
        for place, seat in enumerate(order):
            line = stretch([moment.leads[seat] for moment in game.moments], points)
            sums[place] = [total + value for total, value in zip(sums[place], line, strict=True)]
    return [[total / len(games) for total in line] for line in sums]


def stretch(values: Sequence[float], points: int) -> list[float]:
    """Return ``points`` values from the first value to the last, interpolated linearly."""
    last = len(values) - 1
    line = []
    for point in range(points):
        at = point * last / (points - 1)
        before = min(int(at), last - 1) if last else 0
        share = at - before
        line.append(values[before] * (1 - share) + values[min(before + 1, last)] * share)
    return line
