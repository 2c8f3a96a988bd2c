"""The cross table as a heat map: who beats whom at the same table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.server.tournaments.report.drawing import interval, number, scroll, section, tag, text

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
    known = {(each.one, each.other): each.score for each in findings.standings.cross}
    known |= {(other, one): _turned(score) for (one, other), score in known.items()}
    if not known:
        return ""
    about = (
        "How much more a game brought the row than the column when both sat at the table. Coloured where the 95 %"
        " interval leaves out zero: green is better for the row, red worse; the deeper, the more; grey is open, and"
        " an empty cell is a pair that never met."
    )
    names = [player.name for player in findings.standings.players]
    roomy = len(names) <= ROOMY
    largest = max((abs(score.mean or 0) for score in known.values() if _sure(score)), default=1.0)
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


def _cell(who: str, score: Interval | None, largest: float, findings: Findings, *, roomy: bool) -> str:
    if score is None or score.mean is None:
        return tag("td", class_="never", title=f"{who}: never at the same table")
    hint = f"{who}: {interval(score, 2, '+')} over {score.sets} sets"
    said = ""
    if roomy:
        half = None if score.low is None or score.high is None else (score.high - score.low) / 2
        said = number(score.mean, 1, "+") + ("" if half is None else tag("small", f"± {number(half, 1)}"))
    if not _sure(score):
        return tag("td", said, class_="open", title=hint)
    depth = FAINT + (DEEP - FAINT) * abs(score.mean) / (largest or 1)
    good = (score.mean < 0) == findings.low_wins
    return tag("td", said, class_="better" if good else "worse", style=f"--depth:{depth:.2f}", title=hint)


def _sure(score: Interval) -> bool:
    return score.low is not None and score.high is not None and not score.low <= 0 <= score.high


def _turned(score: Interval) -> Interval:
    mean, low, high = (None if bound is None else -bound for bound in (score.mean, score.high, score.low))
    return score._replace(mean=mean, low=low, high=high)
