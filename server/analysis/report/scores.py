"""Lengths and scores: how they are spread, as histograms."""

from __future__ import annotations

from collections import Counter
from math import ceil
from typing import TYPE_CHECKING

from croupier.server.analysis.tables import Table
from croupier.server.tournaments.report.drawing import line, number, rect, section, svg, tag, text, words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.server.analysis.side import Side
    from croupier.server.analysis.tables import Played

BARS, HEIGHT, FOOT = 40, 84, 18
KINDS = (Table.RANDOM, Table.SENSIBLE, Table.THINKING)


def lengths(sides: Sequence[Side]) -> str:
    """Draw how many choices the games have."""
    counted = {name: Counter(len(game.options) for game in games) for name, games in _played(sides).items()}
    return _histograms("lengths", "Length", "How many choices the games have, at each table.", counted)


def scores(sides: Sequence[Side]) -> str:
    """Draw the scores of all seats."""
    counted = {
        name: Counter(score for game in games for score in game.scores) for name, games in _played(sides).items()
    }
    return _histograms("scores", "Scores", "How often each score comes, all seats together, at each table.", counted)


def _played(sides: Sequence[Side]) -> dict[str, list[Played]]:
    """Return the games that came to an end where all play alike, by what the table is called."""
    return {
        f"{side.name}, {table}" if len(sides) > 1 else table.value: [game for game in games if game.void is None]
        for side in sides
        for table, games in side.games.items()
        if table in KINDS
    }


def _histograms(name: str, title: str, about: str, counted: dict[str, Counter[int]]) -> str:
    every = [value for counts in counted.values() for value in counts]
    if not every:
        return ""
    low, high = min(every), max(every)
    width = ceil((high - low + 1) / BARS)
    figures = [_figure(which, counts, low, high, width) for which, counts in counted.items() if counts]
    return section(name, title, about, tag("div", *figures, class_="figures"))


def _figure(name: str, counts: Counter[int], low: int, high: int, width: int) -> str:
    total, base = counts.total(), HEIGHT - FOOT
    bins: Counter[int] = Counter()
    for value, count in counts.items():
        bins[(value - low) // width] += count
    step, tallest = 100 / ceil((high - low + 1) / width), max(bins.values())
    shapes = [line(0, base, 100, base, "axis")]
    for place, count in sorted(bins.items()):
        first = low + place * width
        hint = f"{first}{f' to {first + width - 1}' if width > 1 else ''}: {count / total:.1%}"
        height = max(1.0, (base - 6) * count / tallest)
        shapes.append(
            rect(round(place * step + step * 0.08, 2), base - height, round(step * 0.84, 2), height, "bar", hint)
        )
    shapes += [words(0, HEIGHT - 4, number(low, 0), "start"), words(100, HEIGHT - 4, number(high, 0), "end")]
    mean = sum(value * count for value, count in counts.items()) / total
    caption = tag("figcaption", text(name), tag("span", f"mean {number(mean)}"))
    return tag("figure", caption, svg(HEIGHT, *shapes, label=f"{name}: how they are spread"))
