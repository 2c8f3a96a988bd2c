"""Course: how options come and go from a game's first choice to its last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.server.analysis.leads import stretched

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.server.analysis.tables import Played

POINTS = 40


def options_course(games: Sequence[Played]) -> list[float]:
    """Return the mean number of options over the course of the games, long and short ones stretched alike."""
    lines = [stretched(game.options, POINTS) for game in games if game.void is None and game.options]
    return [sum(values) / len(lines) for values in zip(*lines, strict=True)] if lines else [0.0]
