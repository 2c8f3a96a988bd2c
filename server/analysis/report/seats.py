"""Seats and luck: who wins where, and what the differences between scores come from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.server.analysis.report.numbers import bounds
from croupier.server.pages.charts import heat
from croupier.server.pages.drawing import number, rect, section, svg, table, tag, text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.server.analysis.basics import SeatFigures
    from croupier.server.analysis.side import Side
    from croupier.server.analysis.variance import VarianceShares

BAR = 26


def seats(sides: Sequence[Side]) -> str:
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
        " colours are further from what is even; a colour is there only if chance does not explain it."
    )
    return section("seats", "By seat", about, table(["", *(f"seat {n}" for n in range(1, width))], padded, "seats"))


def _seat(seat: SeatFigures, due: float) -> str:
    wins = seat.wins
    if wins.mean is None:
        return number(None)
    said = f"{wins.mean:.0%}"
    hint = f"mean score {number(seat.score.mean)}"
    by_chance = wins.low is None or wins.high is None or wins.low <= due <= wins.high
    return heat(said, hint, None if by_chance else min(0.6, abs(wins.mean - due) / due), better=wins.mean > due)


def luck(sides: Sequence[Side]) -> str:
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
    return section("luck", "Luck's share", about, *figures) if figures else ""


def _shares(found: VarianceShares) -> str:
    rows = []
    for source, share in found._asdict().items():
        drawn = svg(
            BAR, rect(0, 4, round(100 * (share.mean or 0), 2), BAR - 8, "bar"), label=f"{source}: {share.mean:.0%}"
        )
        rows.append([source, drawn, bounds(share)])
    return table(["", "", "share"], rows, "thinking luck")
