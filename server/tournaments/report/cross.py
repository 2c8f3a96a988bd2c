"""The cross table as a heat map: who beats whom at the same table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.server.pages.drawing import interval, number, scroll, section, tag, text

if TYPE_CHECKING:
    from croupier.server.tournaments.report.findings import Findings
    from croupier.server.tournaments.statistics.intervals import Interval

ROOMY = 10
"""Up to so many players, numbers are written into the cells."""
CROWDED = 4
"""Beyond so many, a phone shows the colours alone."""
FAINT, DEEP = 0.14, 0.62


def cross(findings: Findings) -> str:
    """Draw the cross table."""
    known = {(each.one, each.other): (each.score, each.sure) for each in findings.standings.cross}
    known |= {(other, one): (score.opposite, sure) for (one, other), (score, sure) in known.items()}
    if not known:
        return ""
    about = (
        "How much more a game brought the row than the column when both sat at the table. Coloured where they differ"
        " also in the eyes of one who looks at all pairs at once: green is better for the row, red worse; the deeper,"
        " the more; grey is open, and an empty cell is a pair that never met."
    )
    names = [player.name for player in findings.standings.players]
    roomy = len(names) <= ROOMY
    largest = max((abs(score.mean or 0) for score, sure in known.values() if sure), default=1.0)
    head = tag("tr", tag("td", ""), *(tag("th", tag("span", text(name)), scope="col") for name in names))
    rows = []
    for one in names:
        cells = [
            _cell(f"{one} against {other}", known.get((one, other)), largest, findings, roomy=roomy) for other in names
        ]
        cells[names.index(one)] = tag("td", class_="self")
        own = "own" if one == findings.own else None
        rows.append(tag("tr", tag("th", text(one), scope="row"), *cells, class_=own))
    grid = tag("table", tag("thead", head), tag("tbody", *rows), class_=_looks(len(names)))
    return section("cross", "Against each other", about, scroll(grid))


def _looks(players: int) -> str:
    return f"cross {'roomy' if players <= ROOMY else 'dense'}{' crowded' if players > CROWDED else ''}"


def _cell(who: str, found: tuple[Interval, bool] | None, largest: float, findings: Findings, *, roomy: bool) -> str:
    score, sure = found or (None, False)
    if score is None or score.mean is None:
        return tag("td", class_="never", title=f"{who}: never at the same table")
    hint = f"{who}: {interval(score, 2, '+')} over {score.sets} sets"
    said = ""
    if roomy:
        half = None if score.low is None or score.high is None else (score.high - score.low) / 2
        said = number(score.mean, 1, "+") + ("" if half is None else tag("small", f"± {number(half, 1)}"))
    if not sure:
        return tag("td", said, class_="open", title=hint)
    depth = FAINT + (DEEP - FAINT) * abs(score.mean) / (largest or 1)
    good = (score.mean < 0) == findings.low_wins
    return tag("td", said, class_="better" if good else "worse", style=f"--depth:{depth:.2f}", title=hint)
