"""Pictures for the docs, written as SVG: readable on light and dark pages."""

from __future__ import annotations

from html import escape
from math import log10
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 720, 420, 56, 48, 220, 48
WIDE, HIGH, FROM, TO, CEILING, FLOOR = 400, 300, 56, 376, 44, 252
"""A panel's size, and the limits between which its lines are drawn."""
QUARTERS, MANY = 4, 6
"""Steps up a panel; if there are more points across than this, not all are labeled."""
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#56b4e9")


class Line(NamedTuple):
    """A line of a chart; lines of one name share a color, and only the first ``kind`` is drawn continuous.

    The legend has the name, and below all names the kinds.
    """

    name: str
    kind: str
    values: list[float]


def chart(
    title: str, at: Sequence[float], of: str, lines: Sequence[Line], between: tuple[float, float], aim: float
) -> str:
    """Draw lines over a logarithmic axis, its numbers followed by ``of``; values outside are drawn at the edge."""
    names = list(dict.fromkeys(line.name for line in lines))
    kinds = list(dict.fromkeys(line.kind for line in lines))
    body = [_axes(at, of, between, aim)]
    for line in lines:
        colour, dashes = COLOURS[names.index(line.name)], kinds.index(line.kind)
        body.append(_path([_point(x, y, at, between) for x, y in zip(at, line.values, strict=True)], colour, dashes))
    body += [_legend(place, name, COLOURS[place], 0) for place, name in enumerate(names)]
    body += [_legend(len(names) + 1 + place, kind, "currentColor", place) for place, kind in enumerate(kinds)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"'
        ' font-family="sans-serif" font-size="13" color="#777" fill="currentColor">\n'
        f'<text x="{LEFT}" y="24" font-size="15">{escape(title)}</text>\n' + "\n".join(body) + "\n</svg>\n"
    )


def _point(x: float, y: float, at: Sequence[float], between: tuple[float, float]) -> tuple[float, float]:
    across = (log10(x) - log10(at[0])) / (log10(at[-1]) - log10(at[0]))
    up = (min(max(y, between[0]), between[1]) - between[0]) / (between[1] - between[0])
    return LEFT + across * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - up * (HEIGHT - TOP - BOTTOM)


def _axes(at: Sequence[float], of: str, between: tuple[float, float], aim: float) -> str:
    low, high = between
    parts = []
    for tick in range(int(low), int(high) + 1, 5):
        (left, y), (right, _) = (_point(x, tick, at, between) for x in (at[0], at[-1]))
        width = 2 if tick == aim else 0.5
        parts.append(f'<path d="M{left:.0f} {y:.1f}H{right:.0f}" stroke="currentColor" stroke-width="{width}"/>')
        parts.append(f'<text x="{left - 8:.0f}" y="{y + 4:.1f}" text-anchor="end">{tick}</text>')
    for x in at:
        across, down = _point(x, low, at, between)
        parts.append(f'<text x="{across:.0f}" y="{down + 20:.0f}" text-anchor="middle">{x:,}{of}</text>')
    return "\n".join(parts)


def _path(points: Sequence[tuple[float, float]], colour: str, dashes: int) -> str:
    way = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    dash = ' stroke-dasharray="5 5"' if dashes else ""
    return f'<path d="M{way}" fill="none" stroke="{colour}" stroke-width="2.5"{dash}/>'


def _legend(place: int, text: str, colour: str, dashes: int) -> str:
    x, y = WIDTH - RIGHT + 16, TOP + 16 + 22 * place
    return f'{_path([(x, y), (x + 26, y)], colour, dashes)}<text x="{x + 34}" y="{y + 4}">{escape(text)}</text>'


class Panel(NamedTuple):
    """A small chart of points joined by name; x is by ``powers`` of ten or not, y begins at 0."""

    title: str
    across: str
    up: str
    lines: dict[str, list[tuple[float, float]]]
    powers: bool = False

    def ticks(self) -> list[float]:
        """List the x values that have a point."""
        return sorted({x for points in self.lines.values() for x, _ in points})

    def step(self) -> float:
        """Return a quarter of a round number that no point exceeds."""
        most = max(y for points in self.lines.values() for _, y in points)
        unit: float = 10 ** int(log10(most / QUARTERS))
        return next(unit * times for times in (1, 2, 2.5, 5, 10, 20) if unit * times * QUARTERS >= most)

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Return where a point is drawn."""
        ticks = self.ticks()
        low, high, at = (log10(value) if self.powers else value for value in (ticks[0], ticks[-1], x))
        up = y / (QUARTERS * self.step())
        return FROM + (at - low) / (high - low) * (TO - FROM), FLOOR - up * (FLOOR - CEILING)


def panels(found: Sequence[Panel]) -> str:
    """Draw panels, two in a row."""
    drawn = [
        f'<g transform="translate({place % 2 * WIDE} {place // 2 * HIGH})">\n{_panel(panel)}\n</g>'
        for place, panel in enumerate(found)
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * WIDE} {-(-len(found) // 2) * HIGH}"'
        ' font-family="sans-serif" font-size="12" color="#777" fill="currentColor">\n' + "\n".join(drawn) + "\n</svg>\n"
    )


def _panel(panel: Panel) -> str:
    parts = [
        f'<text x="{FROM}" y="18" font-size="14">{escape(panel.title)}</text>',
        f'<text x="{FROM}" y="36">{escape(panel.up)}</text>',
        f'<text x="{(FROM + TO) / 2:.0f}" y="{HIGH - 12}" text-anchor="middle">{escape(panel.across)}</text>',
    ]
    ticks, step = panel.ticks(), panel.step()
    for number in range(QUARTERS + 1):
        x, y = panel.place(ticks[0], number * step)
        parts.append(f'<path d="M{x:.0f} {y:.1f}H{TO}" stroke="currentColor" stroke-width="0.5"/>')
        parts.append(f'<text x="{x - 6:.0f}" y="{y + 4:.1f}" text-anchor="end">{number * step:,.0f}</text>')
    for tick in ticks if len(ticks) <= MANY else (ticks[0], ticks[len(ticks) // 2], ticks[-1]):
        x, y = panel.place(tick, 0)
        parts.append(f'<text x="{x:.0f}" y="{y + 16:.0f}" text-anchor="middle">{tick:,.0f}</text>')
    return "\n".join([*parts, *_named(panel)])


def _named(panel: Panel) -> Iterator[str]:
    """Yield each line, and its name at its end."""
    for colour, (name, points) in zip(COLOURS, panel.lines.items(), strict=False):
        at = [panel.place(x, y) for x, y in points]
        x, y = at[-1]
        yield _path(at, colour, 0)
        yield f'<text x="{x:.0f}" y="{y - 8:.0f}" text-anchor="end" fill="{colour}">{escape(name)}</text>'
