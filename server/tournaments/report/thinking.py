"""Thinking times of decisions, on a logarithmic scale."""

from __future__ import annotations

from math import log2, log10
from typing import TYPE_CHECKING

from croupier.server.pages.charts import axis, columns, legend
from croupier.server.pages.drawing import Scale, line, microseconds, section, sortable_time, svg, table, text
from croupier.server.tournaments.statistics.times import STEPS

if TYPE_CHECKING:
    from collections import Counter

    from croupier.server.pages.drawing import Section
    from croupier.server.tournaments.report.findings import Findings
    from croupier.server.tournaments.statistics.standings import Ranked

HEIGHT = 34
NARROWEST = 120
"""Pixels that a strip has on a phone."""
WIDTH = STEPS // 2
"""Buckets to a bar: two bars to a doubling."""


def thinking(findings: Findings) -> Section | None:
    """Draw the thinking times of each player."""
    players = [player for player in findings.standings.players if findings.times.get(player.name)]
    if not players:
        return None
    places = [place // WIDTH for player in players for place in findings.times[player.name]]
    scale = Scale(min(places), max(places) + 1)
    rows = [
        [
            text(player.name),
            _strip(findings.times[player.name], player, scale),
            sortable_time(player.median),
            sortable_time(player.slowest),
            f"{sum(findings.times[player.name].values()):,}",
            *([_off_turn(findings.burnt.get(player.name))] if findings.burnt else []),
        ]
        for player in players
    ]
    about = (
        "How long decisions took, from the question's being written to the answer's being read, start-up left out. The"
        " scale is logarithmic."
    )
    marks = [(x, microseconds(10**power)) for power, x in _decades(scale)]
    head = ["player", axis(marks, NARROWEST), "median", "99 %", "decisions"]
    if findings.burnt:
        head.append("off turn")
        about += " Off turn: CPU time used while others were on turn, where it was much."
    drawn = legend(("bar", "share of decisions"), ("median", "median"), ("most", "99 % are below"))
    return section("thinking", "Thinking times", about, drawn, table(head, rows, "cards sortable"))


def _off_turn(seconds: float | None) -> str:
    return "" if seconds is None else sortable_time(seconds * 1e6)


def _strip(times: Counter[int], player: Ranked, scale: Scale) -> str:
    bars: dict[int, int] = {}
    for place, count in times.items():
        bars[place // WIDTH] = bars.get(place // WIDTH, 0) + count
    tallest = max(bars.values())
    drawn = columns(
        [(scale.at(place), count / tallest) for place, count in bars.items()], scale.at(scale.low + 1), HEIGHT
    )
    shapes = [line(x, 0, x, HEIGHT, "grid") for _, x in _decades(scale)]
    shapes += [drawn, line(0, HEIGHT - 1, 100, HEIGHT - 1, "axis")]
    for value, top in ((player.median, 0), (player.slowest, HEIGHT // 2)):
        if value is not None:
            at = scale.at(log2(value) * STEPS / WIDTH)
            shapes.append(line(at, top, at, HEIGHT, "mark"))
    return svg(HEIGHT, *shapes, label=f"{player.name}: median {microseconds(player.median)}")


def _decades(scale: Scale) -> list[tuple[int, float]]:
    """Return the powers of ten that lie well inside the scale."""
    powers = range(int(log10(_time(scale.low))), int(log10(_time(scale.high))) + 2)
    placed = [(power, scale.at(log2(10**power) * STEPS / WIDTH)) for power in powers]
    return [(power, x) for power, x in placed if 2 <= x <= 96]


def _time(place: float) -> float:
    return float(2 ** (place * WIDTH / STEPS))
