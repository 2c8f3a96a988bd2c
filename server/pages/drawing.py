"""Drawing: the elements, shapes and scales of all pages.

Widths are percentages, so that a chart fills whatever width it is given; heights are pixels.
"""

from __future__ import annotations

from html import escape
from itertools import count
from math import ceil, floor, inf, log10
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    Estimate = tuple[float | None, float | None, float | None, *tuple[Any, ...]]
    """A mean and the bounds of its interval, each None if unknown, then further values."""

LETTER = 7.0
"""The width of the widest letter beside an axis, in pixels."""
FAR_OUT = 3
"""Values this many interquartile ranges from the middle half are off the scale (Tukey's far-out values)."""


class Scale(NamedTuple):
    """Maps numbers from low..high to 0..100 percent."""

    low: float
    high: float

    @classmethod
    def around(cls, values: Iterable[float | None], room: float = 0.06) -> Scale:
        """Return a scale around these values with some room at both ends; it begins below 0 only if a value does."""
        known = [value for value in values if value is not None] or [0.0, 1.0]
        low, high = min(known), max(known)
        spare = (high - low) * room or 1.0
        return cls(low - spare if low < 0 else max(low - spare, 0.0), high + spare)

    @classmethod
    def of_field(cls, values: Iterable[float | None]) -> Scale:
        """Return a scale around all values except far outliers, one of which would hide the field."""
        known = sorted(value for value in values if value is not None)
        if not known:
            return cls.around(known)
        first, third = (known[round((len(known) - 1) * part)] for part in (0.25, 0.75))
        reach = FAR_OUT * (third - first) or inf
        return cls.around(value for value in known if first - reach <= value <= third + reach)

    def has(self, value: float) -> bool:
        """Return whether a value is on the scale."""
        return self.low <= value <= self.high

    def at(self, value: float) -> float:
        """Return the position of a value, in percent."""
        return round(100 * (value - self.low) / (self.high - self.low), 2)

    def within(self, value: float) -> float:
        """Return the position of a value, in percent, limited to the scale."""
        return self.at(min(max(value, self.low), self.high))

    def ticks(self, about: int = 5) -> list[float]:
        """Return round values on the scale."""
        raw = (self.high - self.low) / about
        unit = 10 ** floor(log10(raw))
        step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= raw)
        return [round(step * number, 10) for number in range(ceil(self.low / step), floor(self.high / step) + 1)]

    def marks(self) -> list[tuple[float, str]]:
        """Return the round values: the position of each, in percent, and its text."""
        ticks = self.ticks()
        digits = 0 if all(tick == int(tick) for tick in ticks) else 1
        return [(self.at(tick), number(tick, digits)) for tick in ticks]


def tag(name: str, *children: str, **attributes: object) -> str:
    """Write an element; ``class_`` is ``class``, and an underscore in an attribute is a hyphen."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{written}>{''.join(children)}</{name}>"


def text(said: object) -> str:
    """Write text, escaped."""
    return escape(str(said))


def pc(value: float) -> str:
    """Write a percentage."""
    return f"{value:g}%"


def svg(height: float, *children: str, label: str = "", **attributes: object) -> str:
    """Write a drawing that fills its width; the label describes it for a pointer and a screen reader."""
    about = {"role": "img"} if label else {"aria_hidden": "true"}
    title = tag("title", text(label)) if label else ""
    return tag("svg", title, *children, width="100%", height=height, **about, **attributes)


def line(x1: float, y1: float, x2: float, y2: float, class_: str) -> str:
    """Draw a line; x in percent, y in pixels."""
    return tag("line", x1=pc(x1), y1=y1, x2=pc(x2), y2=y2, class_=class_)


def rect(x: float, y: float, width: float, height: float, class_: str, hint: str = "") -> str:
    """Draw a rectangle; x and width in percent."""
    title = tag("title", text(hint)) if hint else ""
    return tag("rect", title, x=pc(x), y=round(y, 1), width=pc(width), height=round(height, 1), class_=class_)


def dot(x: float, y: float, radius: float, class_: str) -> str:
    """Draw a dot."""
    return tag("circle", cx=pc(x), cy=y, r=radius, class_=class_)


def labels(y: float, marks: Iterable[tuple[float, str]], narrowest: float) -> list[str]:
    """Write the marks along an axis; leave out those that would be cut off or collide at ``narrowest`` pixels."""
    written, free = [], -LETTER
    for x, said in sorted(marks):
        width = len(said) * LETTER
        at = x / 100 * narrowest
        anchor, left = "middle", at - width / 2
        if left < 0:
            anchor, left = "start", at
        elif left + width > narrowest:
            anchor, left = "end", at - width
        if left >= free + LETTER:
            written.append(words(x, y, said, anchor))
            free = left + width
    return written


def words(x: float, y: float, said: object, anchor: str = "middle") -> str:
    """Write text in a drawing."""
    return tag("text", text(said), x=pc(x), y=y, text_anchor=anchor)


def number(value: float | None, digits: int = 2, sign: str = "") -> str:
    """Write a number with a true minus sign."""
    if value is None:
        return "\N{EN DASH}"
    written = f"{round(value, digits) + 0.0:{sign},.{digits}f}"
    return written.replace("-", "\N{MINUS SIGN}")


def interval(score: Estimate, digits: int = 2, sign: str = "") -> str:
    """Write a mean with half its interval."""
    mean, low, high, *_ = score
    if mean is None or low is None or high is None:
        return number(mean, digits, sign)
    return f"{number(mean, digits, sign)} ± {number((high - low) / 2, digits)}"


def sortable_time(value: float | None) -> str:
    """Write a time for a column that can be sorted."""
    return tag("span", microseconds(value), data_sort=value)


def microseconds(value: float | None) -> str:
    """Write a time in a suitable unit."""
    if value is None:
        return "\N{EN DASH}"
    for size, unit in ((1e6, "s"), (1e3, "ms")):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value:.3g} µs"


class Section(NamedTuple):
    """A section of a page: the name of its anchor, its heading, and the content below."""

    name: str
    title: str
    body: str

    def __str__(self) -> str:
        """Write its markup."""
        return tag("section", tag("h2", text(self.title)), self.body, id=self.name)


def section(name: str, title: str, about: str, *body: str) -> Section:
    """Return a section with its explanation below its heading."""
    return Section(name, title, "".join((tag("p", about, class_="about"), *body)))


def table(head: Sequence[str], rows: Iterable[Sequence[str]], class_: str, own: int | None = None) -> str:
    """Write a table of cells in markup; the first column names the row, and the row ``own`` is highlighted.

    On a narrow page, a table of the class ``cards`` has a card for each row, in which each cell follows its column's
    head. A column whose head is a drawing is a chart.
    """
    columns = [_Column(cell, "cards" in class_.split()) for cell in head]
    written = [
        tag("tr", *map(_Column.cell, columns, row, count()), class_="own" if place == own else None)
        for place, row in enumerate(rows)
    ]
    top = tag("tr", *(tag("th", column.head, scope="col", class_=column.class_) for column in columns))
    return tag("table", tag("thead", top), tag("tbody", *written), class_=class_)


class _Column(NamedTuple):
    head: str
    told: bool
    """Whether a cell is preceded by its head on a narrow page."""

    @property
    def class_(self) -> str | None:
        return "chart" if self.head.startswith("<svg") else None

    def cell(self, markup: str, place: int) -> str:
        if place == 0:
            return tag("th", markup, scope="row")
        label = self.head if self.told and not self.class_ else None
        return tag("td", markup, class_=self.class_, data_head=label or None)
