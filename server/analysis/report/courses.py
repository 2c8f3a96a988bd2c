"""Courses: how options and expected places change from a game's first choice to its last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.server.analysis.basics import leads_course, options_course
from croupier.server.analysis.tables import Table
from croupier.server.pages.charts import area, curve, legend, plot
from croupier.server.pages.drawing import Scale, section, svg, tag, text, words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.server.analysis.side import Side
    from croupier.server.pages.drawing import Section

HEIGHT = 220
COLORS = 6


def options(sides: Sequence[Side]) -> Section:
    """Draw how many options there are over the course of random games."""
    lines = {side.name: options_course(side.games[Table.RANDOM]) for side in sides}
    scale = Scale.around([0.0, *(value for values in lines.values() for value in values)])
    about = "The mean number of options at each part of a random game, from the first choice to the last."
    return section("options", "Options", about, _plot(lines, scale, "Options over a game"))


def leads(sides: Sequence[Side]) -> Section | None:
    """Draw the expected places over the course of thinking games, by the final place."""
    figures = []
    for side in sides:
        games = [game for game in side.games.get(Table.THINKING, []) if game.void is None and game.moments]
        if games:
            lines = {f"place {place}": values for place, values in enumerate(leads_course(games), 1)}
            caption = tag("h3", text(side.name)) if len(sides) > 1 else ""
            figures.append(caption + _plot(lines, Scale(0.0, 1.0), f"{side.name}: expected places over a game"))
    about = (
        "Where thinking players expect everybody to come in, 1 the first place and 0 the last, averaged by the place"
        " that came of it. Lines that part early are games that are decided early."
    )
    return section("leads", "Leads", about, *figures) if figures else None


def _plot(lines: dict[str, list[float]], scale: Scale, label: str) -> str:
    """Draw lines over a whole game, with a legend above and a scale on the left."""
    drawn = [curve(_points(values, scale), f"curve c{place % COLORS}") for place, values in enumerate(lines.values())]
    below = svg(18, words(0, 14, "first choice", "start"), words(100, 14, "last", "end"))
    marks = legend(*((f"stroke c{place % COLORS}", name) for place, name in enumerate(lines)))
    return marks + plot(area(scale, HEIGHT, label, *drawn), scale, HEIGHT, below)


def _points(values: Sequence[float], scale: Scale) -> list[tuple[float, float]]:
    last = max(len(values) - 1, 1)
    return [(round(100 * place / last, 2), scale.at(value)) for place, value in enumerate(values)]
