"""Drawing: the elements, shapes and scales of all pages.

Widths are percentages, so that a chart fills whatever width it is given; heights are pixels.
"""

from __future__ import annotations

from html import escape
from math import ceil, floor, log10
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    Estimate = tuple[float | None, float | None, float | None, *tuple[Any, ...]]
    """A mean and the bounds of its interval, each None if unknown, then further values."""

LETTER = 7.0
"""The width of the widest letter beside an axis, in pixels."""


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
    """Write a drawing that fills its width."""
    about = {"role": "img", "aria_label": label} if label else {"aria_hidden": "true"}
    return tag("svg", *children, width="100%", height=height, **about, **attributes)


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


def section(name: str, title: str, about: str, *body: str) -> str:
    """Write a section of a page with its heading and explanation."""
    return tag("section", tag("h2", text(title)), tag("p", about, class_="about"), *body, id=name)


def scroll(markup: str) -> str:
    """Let markup scroll sideways where it is too wide."""
    return tag("div", markup, class_="scroll", tabindex=0)


def table(head: Sequence[str], rows: Iterable[Sequence[str]], class_: str) -> str:
    """Write a table of cells in markup; the first column names the row."""
    top = tag("tr", *(tag("th", cell, scope="col") for cell in head))
    body = (tag("tr", tag("th", row[0], scope="row"), *(tag("td", cell) for cell in row[1:])) for row in rows)
    return scroll(tag("table", tag("thead", top), tag("tbody", *body), class_=class_))
