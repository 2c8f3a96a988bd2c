"""Lengths and scores, as histograms."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from croupier.server.analysis.tables import Table
from croupier.server.pages.charts import Spread, histograms, legend
from croupier.server.pages.drawing import section

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.server.analysis.side import Side
    from croupier.server.analysis.tables import AnalyzedGame
    from croupier.server.pages.drawing import Section

KINDS = (Table.RANDOM, Table.SENSIBLE, Table.THINKING)


def lengths(sides: Sequence[Side]) -> Section | None:
    """Draw the numbers of choices of the games."""
    counted = {name: Counter(len(game.options) for game in games) for name, games in _games_by_table(sides).items()}
    return _section("lengths", "Length", "How many choices the games have, at each table.", counted)


def scores(sides: Sequence[Side]) -> Section | None:
    """Draw the scores of all seats."""
    counted = {
        name: Counter(score for game in games for score in game.scores)
        for name, games in _games_by_table(sides).items()
    }
    return _section("scores", "Scores", "How often each score comes, all seats together, at each table.", counted)


def _games_by_table(sides: Sequence[Side]) -> dict[str, list[AnalyzedGame]]:
    """Return the finished games of tables whose players are alike, by the table's name."""
    return {
        f"{side.name}, {table}" if len(sides) > 1 else table.value: [game for game in games if game.void is None]
        for side in sides
        for table, games in side.games.items()
        if table in KINDS
    }


def _spread(name: str, counts: Counter[int]) -> Spread:
    return Spread(name, counts, sum(value * count for value, count in counts.items()) / max(counts.total(), 1))


def _section(name: str, title: str, about: str, counted: dict[str, Counter[int]]) -> Section | None:
    drawn = histograms(_spread(*each) for each in counted.items())
    marks = legend(("bar", "share of games"), ("median", "mean"))
    return section(name, title, about, marks, drawn) if drawn else None
