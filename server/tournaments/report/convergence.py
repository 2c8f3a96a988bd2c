"""Convergence: how the means settled as sets were played."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.server.tournaments.report.drawing import Scale, labels, line, number, section, svg, tag, text, words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.server.tournaments.report.findings import Findings
    from croupier.server.tournaments.statistics.intervals import Interval

COLOURED = 6
HEIGHT = 300
APART = 15
NARROWEST = 300
"""Pixels that the plot has on a phone."""


def convergence(findings: Findings) -> str:
    """Draw every player's mean after each set, the first few in colour with their intervals."""
    order = [player.name for player in findings.standings.players if findings.curves.get(player.name)]
    if not order:
        return ""
    coloured = _coloured(order, findings.own)
    settled = [each for name in order for each in findings.curves[name][len(findings.curves[name]) // 8 :]]
    x = Scale(0, max(each.sets for each in settled))
    least = min((score for counted in findings.scores.values() for score in counted), default=0)
    y = Scale.around([_not_below(least, bound) for each in settled for bound in (each.low, each.mean, each.high)], 0.02)
    about = (
        "Each player's mean after so many sets, with its 95 % interval where it is coloured. Bands that no longer"
        " overlap will hardly change places."
    )
    parts = (_scale(y), _area(findings, order, coloured, x, y), _names(findings, coloured, y), _sets(x))
    key = tag("p", *(tag("b", text(name), class_=f"c{place}") for place, name in enumerate(coloured)), class_="key")
    wide = f"--names: {max(map(len, coloured)) + 2}ch"
    return section("convergence", "Convergence", about, tag("div", *parts, class_="plot", style=wide), key)


def _not_below(least: int, bound: float | None) -> float | None:
    """Return a bound as far as scores go: where none is below 0, an early interval may still be."""
    return max(bound, 0.0) if bound is not None and least >= 0 else bound


def _area(findings: Findings, order: Sequence[str], coloured: Sequence[str], x: Scale, y: Scale) -> str:
    curves = findings.curves
    flat = [tag("line", x1=0, x2=100, y1=100 - y.at(tick), y2=100 - y.at(tick), class_="grid") for tick in y.ticks()]
    grey = [_path(curves[name], x, y, "grey") for name in order if name not in coloured]
    bounded = [[each for each in curves[name] if not each.few] for name in coloured]
    bands = [_band(curve, x, y, f"band c{place}") for place, curve in enumerate(bounded) if curve]
    drawn = [_path(curves[name], x, y, f"curve c{place}") for place, name in enumerate(coloured)]
    return tag(
        "svg", *flat, *grey, *bands, *drawn, viewBox="0 0 100 100", preserveAspectRatio="none", class_="area",
        height=HEIGHT, role="img", aria_label="Mean scores after each set",
    )  # fmt: skip


def _coloured(order: Sequence[str], own: str | None) -> list[str]:
    first = list(order[:COLOURED])
    return first if own is None or own in first or own not in order else [*first[:-1], own]


def _points(curve: Sequence[Interval], x: Scale, y: Scale, which: str) -> list[str]:
    found = [(each.sets, getattr(each, which)) for each in curve]
    return [f"{x.at(sets)} {round(100 - min(max(y.at(value), -5), 105), 2)}" for sets, value in found]


def _path(curve: Sequence[Interval], x: Scale, y: Scale, class_: str) -> str:
    return tag("path", d="M" + "L".join(_points(curve, x, y, "mean")), class_=class_)


def _band(curve: Sequence[Interval], x: Scale, y: Scale, class_: str) -> str:
    around = [*_points(curve, x, y, "low"), *reversed(_points(curve, x, y, "high"))]
    return tag("path", d="M" + "L".join(around) + "Z", class_=class_)


def _scale(y: Scale) -> str:
    ticks = y.ticks()
    digits = 0 if all(tick == int(tick) for tick in ticks) else 1
    written = [words(92, _down(y.at(tick)) + 4, number(tick, digits), "end") for tick in ticks]
    return tag("div", svg(HEIGHT, *written, style="overflow:visible"), class_="left")


def _names(findings: Findings, coloured: Sequence[str], y: Scale) -> str:
    """Write each name beside the end of its curve, one below the other where they would meet."""
    ends = [(y.at(findings.curves[name][-1].mean or 0), place) for place, name in enumerate(coloured)]
    written, last = [], -float("inf")
    for at, place in sorted(ends, reverse=True):
        last = max(_down(at) + 4, last + APART)
        written.append(tag("text", text(coloured[place]), x=8, y=round(last, 1), class_=f"c{place}"))
    return tag("div", svg(HEIGHT, *written, style="overflow:visible"), class_="right")


def _sets(x: Scale) -> str:
    ticks = [tick for tick in x.ticks(6) if tick == int(tick)]
    marks = [line(x.at(tick), 0, x.at(tick), 4, "axis") for tick in ticks]
    written = labels(18, [(x.at(tick), number(tick, 0)) for tick in ticks], NARROWEST)
    return tag("div", svg(36, *marks, *written, words(50, 33, "sets"), style="overflow:visible"), class_="below")


def _down(percent: float) -> float:
    return round(HEIGHT * (1 - percent / 100), 1)
