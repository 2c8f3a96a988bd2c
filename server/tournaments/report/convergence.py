"""Convergence: how the means settled as sets were played."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.server.pages.charts import area, curve, legend, plot
from croupier.server.pages.drawing import Scale, labels, line, number, section, svg, tag, text, words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from croupier.server.pages.drawing import Section
    from croupier.server.tournaments.report.findings import Findings
    from croupier.server.tournaments.statistics.intervals import Interval

COLORED = 6
HEIGHT = 300
APART = 15
NARROWEST = 300
"""Pixels that the plot has on a phone."""


def convergence(findings: Findings) -> Section | None:
    """Draw every player's mean after each set, the first few in color with their intervals."""
    order = [player.name for player in findings.standings.players if findings.curves.get(player.name)]
    if not order:
        return None
    colored = _colored(order, findings.own)
    settled = [each for name in order for each in findings.curves[name][len(findings.curves[name]) // 8 :]]
    x = Scale(0, max(each.sets for each in settled))
    least = min((score for counted in findings.scores.values() for score in counted), default=0)
    y = Scale.of_field(_not_below(least, bound) for each in settled for bound in (each.low, each.mean, each.high))
    about = "Each player's mean as its sets were played. Bands that no longer overlap will hardly change places."
    drawn = _area(findings, order, colored, x, y)
    wide = max(map(len, colored)) + 2
    laid_out = plot(drawn, y, HEIGHT, _sets(x), right=_names(findings, colored, y), names=wide)
    return section("convergence", "Convergence", about, legend(*_marks(findings, order, colored)), laid_out)


def _marks(findings: Findings, order: Sequence[str], colored: Sequence[str]) -> Iterator[tuple[str, str]]:
    for place, name in enumerate(colored):
        yield f"stroke c{place}", name
    if any(not each.few for name in colored for each in findings.curves[name]):
        yield "shade", "95 % interval"
    if len(order) > len(colored):
        yield "stroke many", "each of the others"


def _not_below(least: int, bound: float | None) -> float | None:
    """Return a bound limited to possible scores: if none is negative, the bound of an early interval may still be."""
    return max(bound, 0.0) if bound is not None and least >= 0 else bound


def _area(findings: Findings, order: Sequence[str], colored: Sequence[str], x: Scale, y: Scale) -> str:
    curves = findings.curves
    grey = [curve(_points(curves[name], x, y, "mean"), "grey") for name in order if name not in colored]
    bounded = [[each for each in curves[name] if not each.few] for name in colored]
    bands = [_band(each, x, y, f"band c{place}") for place, each in enumerate(bounded) if each]
    drawn = [curve(_points(curves[name], x, y, "mean"), f"curve c{place}") for place, name in enumerate(colored)]
    return area(y, HEIGHT, "Mean scores after each set", *grey, *bands, *drawn)


def _colored(order: Sequence[str], own: str | None) -> list[str]:
    first = list(order[:COLORED])
    return first if own is None or own in first or own not in order else [*first[:-1], own]


def _points(estimates: Sequence[Interval], x: Scale, y: Scale, which: str) -> list[tuple[float, float]]:
    return [(x.at(each.sets), y.at(getattr(each, which))) for each in estimates]


def _band(estimates: Sequence[Interval], x: Scale, y: Scale, class_: str) -> str:
    around = [*_points(estimates, x, y, "low"), *reversed(_points(estimates, x, y, "high"))]
    return curve(around, class_, closed=True)


def _names(findings: Findings, colored: Sequence[str], y: Scale) -> str:
    """Write each name beside the end of its curve, one below the other where they would meet."""
    ends = [(y.at(findings.curves[name][-1].mean or 0), place) for place, name in enumerate(colored)]
    written, last = [], -float("inf")
    for at, place in sorted(ends, reverse=True):
        last = max(HEIGHT * (1 - at / 100) + 4, last + APART)
        written.append(tag("text", text(colored[place]), x=8, y=round(last, 1), class_=f"c{place}"))
    return svg(HEIGHT, *written, class_="axes")


def _sets(x: Scale) -> str:
    ticks = [tick for tick in x.ticks(6) if tick == int(tick)]
    marks = [line(x.at(tick), 0, x.at(tick), 4, "axis") for tick in ticks]
    written = labels(18, [(x.at(tick), number(tick, 0)) for tick in ticks], NARROWEST)
    return svg(36, *marks, *written, words(50, 33, "sets"), class_="axes")
