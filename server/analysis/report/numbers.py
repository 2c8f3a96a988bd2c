"""The numbers: each with its interval, drawn where it lies between 0 and 1; of two games how they differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.server.analysis.measures import SAYS
from croupier.server.analysis.side import differences
from croupier.server.pages.charts import axis, bars, legend
from croupier.server.pages.drawing import Scale, number, section, table, tag, text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.server.analysis.side import Side
    from croupier.server.pages.drawing import Section
    from croupier.server.tournaments.statistics.intervals import Interval

HEIGHT, NARROWEST = 22, 110
UNIT = Scale(0.0, 1.0)
LARGE = frozenset({"length", "options", "gain", "sensible-gain", "search-gain", "lead-changes"})
"""Numbers that are no share and lie on no common scale."""


def numbers(sides: Sequence[Side]) -> Section:
    """Write the table of all numbers."""
    known = [side.figures.numbers for side in sides]
    apart = differences(*known) if len(known) == 2 else {}
    names = [name for name in SAYS if any(name in each for each in known)]
    heads = [text(side.name) for side in sides] if len(sides) > 1 else ["value"]
    head = ["number", axis(UNIT.marks(), NARROWEST), *heads, *(["difference"] if apart else []), "what it says"]
    rows = [
        [
            name,
            "" if name in LARGE else bars([each.get(name) for each in known], UNIT, HEIGHT, name),
            *(bounds(each.get(name)) for each in known),
            *([_difference(apart.get(name))] if apart else []),
            tag("span", text(SAYS[name]), class_="note"),
        ]
        for name in names
    ]
    about = "Each number with the bounds that hold the truth in 19 cases of 20; drawn where it lies between 0 and 1."
    drawn = [value.mean for each in known for name, value in each.items() if name not in LARGE]
    beyond = any(mean is not None and not UNIT.has(mean) for mean in drawn)
    more = [("beyond", "beyond 0 and 1")] if beyond else []
    marks = legend(("dot", _order(sides)), ("range", "95 % interval"), *more)
    return section("numbers", "Numbers", about, marks, table(head, rows, "cards says"))


def _order(sides: Sequence[Side]) -> str:
    """Return a legend of the dots."""
    return " above ".join(side.name for side in sides) if len(sides) > 1 else "value"


def bounds(value: Interval | None) -> str:
    """Write a number with its bounds."""
    if value is None or value.mean is None:
        return number(None)
    if value.low is None or value.high is None:
        return number(value.mean)
    return f"{number(value.mean)} {tag('small', f'{number(value.low)} to {number(value.high)}')}"


def _difference(apart: Interval | None) -> str:
    if apart is None or apart.mean is None:
        return number(None)
    said = bounds(apart)
    return tag("strong", said) if apart.sign else said
