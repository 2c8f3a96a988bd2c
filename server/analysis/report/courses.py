"""Courses: how options and expected places change from a game's first choice to its last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.server.analysis.course import POINTS, options_course
from croupier.server.analysis.leads import trend
from croupier.server.analysis.tables import Table
from croupier.server.tournaments.report.drawing import Scale, number, section, svg, tag, text, words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.server.analysis.side import Side

HEIGHT = 220
COLOURS = 6


def options(sides: Sequence[Side]) -> str:
    """Draw how many options there are over the course of random games."""
    lines = {side.name: options_course(side.games[Table.RANDOM]) for side in sides}
    scale = Scale.around([0.0, *(value for values in lines.values() for value in values)])
    about = "The mean number of options at each part of a random game, from the first choice to the last."
    return section("options", "Options", about, _plot(lines, scale, "Options over a game"))


def leads(sides: Sequence[Side]) -> str:
    """Draw the expected places over the course of thinking games, by the place that came of it."""
    figures = []
    for side in sides:
        games = [game for game in side.games.get(Table.THINKING, []) if game.void is None and game.moments]
        if games:
            lines = {f"place {place}": values for place, values in enumerate(trend(games, POINTS), 1)}
            caption = tag("h3", text(side.name)) if len(sides) > 1 else ""
            figures.append(caption + _plot(lines, Scale(0.0, 1.0), f"{side.name}: expected places over a game"))
    about = (
        "Where thinking players expect everybody to come in, 1 the first place and 0 the last, averaged by the place"
        " that came of it. Lines that part early are games that are decided early."
    )
    return section("leads", "Leads", about, *figures) if figures else ""


def _plot(lines: dict[str, list[float]], scale: Scale, label: str) -> str:
    """Draw lines over a whole game, with a scale on the left and a key below."""
    across = [
        tag("line", x1=0, x2=100, y1=100 - scale.at(tick), y2=100 - scale.at(tick), class_="grid")
        for tick in scale.ticks()
    ]
    drawn = [_path(values, scale, f"curve c{place % COLOURS}") for place, values in enumerate(lines.values())]
    area = tag(
        "svg", *across, *drawn, viewBox="0 0 100 100", preserveAspectRatio="none", class_="area", height=HEIGHT,
        role="img", aria_label=label,
    )  # fmt: skip
    names = tag(
        "p",
        *(tag("b", text(name), class_=f"c{place % COLOURS}") for place, name in enumerate(lines)),
        class_="legend key",
    )
    below = tag("div", svg(18, words(0, 14, "first choice", "start"), words(100, 14, "last", "end")), class_="below")
    return tag("div", _scale(scale), area, tag("div"), below, class_="plot", style="--names: 0ch") + names


def _path(values: Sequence[float], scale: Scale, class_: str) -> str:
    last = max(len(values) - 1, 1)
    points = [f"{round(100 * place / last, 2)} {round(100 - scale.at(value), 2)}" for place, value in enumerate(values)]
    return tag("path", d="M" + "L".join(points), class_=class_)


def _scale(scale: Scale) -> str:
    ticks = scale.ticks()
    digits = 0 if all(tick == int(tick) for tick in ticks) else 1
    written = [
        words(92, round(HEIGHT * (1 - scale.at(tick) / 100), 1) + 4, number(tick, digits), "end") for tick in ticks
    ]
    return tag("div", svg(HEIGHT, *written, style="overflow:visible"), class_="left")
