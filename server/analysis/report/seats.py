"""Seats and luck: who wins where, and what the differences between scores come from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.server.analysis.report.numbers import bounds
from croupier.server.pages.charts import axis, depths, heat, legend
from croupier.server.pages.drawing import number, rect, section, svg, table, tag, text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.server.analysis.basics import SeatFigures
    from croupier.server.analysis.side import Side
    from croupier.server.analysis.variance import VarianceShares
    from croupier.server.pages.drawing import Section

BAR = 26
MOST = 5
"""The number of columns that fit on a phone."""


def seats(sides: Sequence[Side]) -> Section:
    """Show each seat's share of the wins at the tables at which all play alike."""
    rows = []
    for side in sides:
        due = 1 / side.facts.seats
        for kind, known in side.figures.basics.items():
            if not kind.alone and known.games:
                named = f"{side.name}, {kind}" if len(sides) > 1 else kind.value
                rows.append([text(named), *(_seat(seat, due) for seat in known.seats)])
    width = max(len(row) for row in rows)
    padded = [[*row, *[""] * (width - len(row))] for row in rows]
    about = (
        "The share of the wins in each seat, from the first, where all play alike; a shared win counts in parts. Deeper"
        " colors are further from what is even; a color is there only if chance does not explain it."
    )
    head = ["table", *(f"seat {n}" for n in range(1, width))]
    marks = legend(*depths("wins more than its share", "wins less than its share"))
    return section("seats", "By seat", about, marks, table(head, padded, f"seats{' cards' if width > MOST else ''}"))


def _seat(seat: SeatFigures, due: float) -> str:
    wins = seat.wins
    if wins.mean is None:
        return number(None)
    said = f"{wins.mean:.0%}"
    hint = f"mean score {number(seat.score.mean)}"
    by_chance = wins.low is None or wins.high is None or wins.low <= due <= wins.high
    return heat(said, hint, None if by_chance else abs(wins.mean - due) / due, better=wins.mean > due)


def luck(sides: Sequence[Side]) -> Section | None:
    """Draw what the variance of the scores comes from."""
    figures = [
        (tag("h3", text(side.name)) if len(sides) > 1 else "") + _shares(side.figures.variance)
        for side in sides
        if side.figures.variance is not None
    ]
    about = (
        "What the scores of one better player among players of chance differ by: the cards of the deal, the seat, being"
        " the better player; and the rest, which is the play of the others and luck within it."
    )
    return section("luck", "Luck's share", about, *figures) if figures else None


def _shares(found: VarianceShares) -> str:
    rows = []
    for source, share in found._asdict().items():
        drawn = svg(
            BAR, rect(0, 4, round(100 * (share.mean or 0), 2), BAR - 8, "bar"), label=f"{source}: {share.mean:.0%}"
        )
        rows.append([source, drawn, bounds(share)])
    return table(["source", axis([(0, "0 %"), (50, "50 %"), (100, "100 %")], 110), "share"], rows, "cards")
