"""Charts that several pages share: histograms, intervals on a scale, curves on a plot, colored cells, legends."""

from __future__ import annotations

from collections import Counter
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from croupier.server.pages.drawing import Scale, dot, labels, line, number, pc, svg, tag, text, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from croupier.server.pages.drawing import Estimate

BARS, BAR_HEIGHT, FOOT = 40, 84, 18
"""A histogram's maximum number of bars, its height, and the height of the numbers below it, in pixels."""


class Spread(NamedTuple):
    """The counts of each number, and the mean to mark."""

    name: str
    counts: Counter[int]
    mean: float | None

    def shares(self, low: float, width: int) -> list[tuple[int, float]]:
        """Return each bar with its share of all; the bars begin at ``low``, and each covers ``width`` numbers."""
        bars = Counter[int]()
        for value, count in self.counts.items():
            bars[int(value - low) // width] += count
        return [(bar, count / bars.total()) for bar, count in sorted(bars.items())]


def histograms(spreads: Iterable[Spread], own: str | None = None) -> str:
    """Draw a histogram of each spread, all on one scale; the line is the mean."""
    found = [each for each in spreads if each.counts]
    if not found:
        return ""
    every = [value for each in found for value in each.counts]
    low, numbers = min(every), max(every) - min(every) + 1
    width = ceil(numbers / BARS)
    scale = Scale(low, low + ceil(numbers / width) * width)
    tallest = max(share for each in found for _, share in each.shares(low, width))
    figures = [
        tag(
            "figure",
            tag("figcaption", text(each.name), tag("span", f"mean {number(each.mean)}")),
            _histogram(each, scale, width, tallest),
            class_="own" if each.name == own else None,
        )
        for each in found
    ]
    return tag("div", *figures, class_="figures")


def _histogram(spread: Spread, scale: Scale, width: int, tallest: float) -> str:
    base = BAR_HEIGHT - FOOT
    shares = spread.shares(scale.low, width)
    firsts = [round(scale.low) + bar * width for bar, _ in shares]
    spans = [f"{first}{f' to {first + width - 1}' if width > 1 else ''}" for first in firsts]
    told = ", ".join(f"{span}: {share:.1%}" for span, (_, share) in zip(spans, shares, strict=True))
    drawn = [(scale.at(first), share / tallest) for first, (_, share) in zip(firsts, shares, strict=True)]
    shapes = [columns(drawn, scale.at(scale.low + width), base), line(0, base, 100, base, "axis")]
    if spread.mean is not None:
        at = scale.at(spread.mean + 0.5)
        shapes.append(line(at, 2, at, base, "mark"))
    shapes += [
        words(0, BAR_HEIGHT - 4, number(scale.low, 0), "start"),
        words(100, BAR_HEIGHT - 4, number(scale.high - 1, 0), "end"),
    ]
    return svg(BAR_HEIGHT, *shapes, label=f"{spread.name}: {told}")


def columns(bars: Iterable[tuple[float, float]], width: float, height: float) -> str:
    """Draw bars on a line: where each begins and ``width`` in percent, its height as a fraction of ``height``.

    They are one path, because a page with fifty histograms has thousands of them.
    """
    way = "".join(
        f"M{x + width * 0.08:.1f} {height}V{height - max(1.0, (height - 6) * part):.1f}h{width * 0.84:.1f}V{height}"
        for x, part in bars
    )
    drawn = tag("path", d=way, class_="bar")
    return tag("svg", drawn, viewBox=f"0 0 100 {height}", preserveAspectRatio="none", width="100%", height=height)


def bars(values: Sequence[Estimate | None], scale: Scale, height: float, label: str) -> str:
    """Draw estimates with their intervals, one below the other, each ``height`` pixels high.

    An arrow at the edge represents a mean outside the scale.
    """
    whole = height * len(values)
    shapes = [line(scale.at(tick), 0, scale.at(tick), whole, "grid") for tick in scale.ticks()]
    for place, value in enumerate(values):
        y = height * (place + 0.5)
        mean, low, high, *_ = value or (None, None, None)
        if mean is not None and not scale.has(mean):
            shapes.append(_arrow(mean > scale.high, y))
        elif mean is not None:
            if low is not None and high is not None:
                shapes.append(line(scale.within(low), y, scale.within(high), y, "range"))
            shapes.append(dot(scale.at(mean), y, 4.5, "mean"))
    return svg(whole, *shapes, label=label)


def _arrow(right: bool, y: float) -> str:  # noqa: FBT001  one of two directions
    way = "M-9 -5L0 0L-9 5Z" if right else "M9 -5L0 0L9 5Z"
    return tag("svg", tag("path", d=way, class_="mean"), x=pc(100 if right else 0), y=y, overflow="visible")


def axis(marks: Iterable[tuple[float, str]], narrowest: float) -> str:
    """Write the marks of an axis, as many as fit into ``narrowest`` pixels."""
    return svg(16, *labels(12, marks, narrowest), class_="axes")


def plot(area: str, y: Scale, height: float, below: str, *, right: str = "", names: int = 0) -> str:
    """Lay out a plot: the scale on the left, ``below`` it, and names on the ``right`` of at most ``names`` letters."""
    written = [words(92, _down(place, height) + 4, said, "end") for place, said in y.marks()]
    left = tag("div", svg(height, *written, class_="axes"), class_="left")
    parts = (left, area, tag("div", right, class_="right"), tag("div", below, class_="below"))
    return tag("div", *parts, class_="plot", style=f"--names: {names}ch")


def _down(percent: float, height: float) -> float:
    return round(height * (1 - percent / 100), 1)


def area(y: Scale, height: float, label: str, *curves: str) -> str:
    """Draw curves on a grid that fills its width."""
    grid = [tag("line", x1=0, x2=100, y1=100 - y.at(tick), y2=100 - y.at(tick), class_="grid") for tick in y.ticks()]
    return tag(
        "svg", *grid, *curves, viewBox="0 0 100 100", preserveAspectRatio="none", class_="area", height=height,
        role="img", aria_label=label,
    )  # fmt: skip


def curve(points: Iterable[tuple[float, float]], class_: str, *, closed: bool = False) -> str:
    """Draw a line through points in percent, y from the bottom. Parts outside are cut off."""
    way = "L".join(f"{x} {round(100 - min(max(y, -5), 105), 2)}" for x, y in points)
    return tag("path", d=f"M{way}{'Z' if closed else ''}", class_=class_)


def legend(*meanings: tuple[str, str]) -> str:
    """Write a legend of a chart's marks and colors; a mark is the class of its sample."""
    return tag("ul", *(tag("li", tag("i", class_=mark), text(said)) for mark, said in meanings), class_="legend")


def depths(better: str, worse: str) -> list[tuple[str, str]]:
    """Return the meaning of the two colors of cells, for a legend."""
    return [("heat better d3", better), ("heat worse d3", worse)]


def heat(said: str, hint: str, depth: float | None = None, *, better: bool = True) -> str:
    """Write the text of a cell, colored with a depth from 0 to 1, or not at all."""
    return tag("span", said, title=hint, class_="heat" if depth is None else f"heat {colored(depth, better=better)}")


def colored(depth: float, *, better: bool) -> str:
    """Return the classes of a cell's color, in five depths."""
    return f"{'better' if better else 'worse'} d{min(int(5 * depth) + 1, 5)}"
