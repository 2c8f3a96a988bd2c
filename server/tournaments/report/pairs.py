"""Pairs: who beats whom at the same table, as a heat map; for a game with two sides also wins, losses and Elo."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.server.pages.charts import colored, depths, legend
from croupier.server.pages.drawing import interval, number, section, table, tag, text

if TYPE_CHECKING:
    from croupier.server.pages.drawing import Section
    from croupier.server.tournaments.report.findings import Findings
    from croupier.server.tournaments.statistics.intervals import Interval

FEW, SOME, MANY = 5, 10, 25
"""The most players for which cells have numbers on a phone, on a desk, and for which each column has its number."""


def cross(findings: Findings) -> Section | None:
    """Draw the cross table."""
    known = {(each.one, each.other): (each.score, each.sure) for each in findings.standings.cross}
    known |= {(other, one): (score.opposite, sure) for (one, other), (score, sure) in known.items()}
    if not known:
        return None
    about = (
        "How much more a game brought the row than the column when both sat at the table. A pair has a color where it"
        " differs even though all pairs are compared at once; the deeper, the more."
    )
    names = [player.name for player in findings.standings.players]
    largest = max((abs(score.mean or 0) for score, sure in known.values() if sure), default=1.0) or 1.0
    places = {name: tag("span", str(place), class_="place") for place, name in enumerate(names, 1)}
    dense = len(names) > SOME
    heads = (
        tag("th", places[name], "" if dense else tag("span", text(name)), scope="col", title=name) for name in names
    )
    rows = []
    for one in names:
        cells = [
            tag("td", class_="self") if one == other else _cell(known.get((one, other)), largest, findings, dense=dense)
            for other in names
        ]
        head = tag("th", places[one], tag("span", text(one)), scope="row", title=one)
        rows.append(tag("tr", head, *cells, class_="own" if one == findings.own else None))
    top = tag("thead", tag("tr", tag("td"), *heads))
    grid = tag("table", top, tag("tbody", *rows), class_=_looks(len(names)), style=f"--players:{len(names)}")
    marks = legend(
        *depths("better for the row", "worse for the row"), ("open", "not known yet"), ("never", "never at one table")
    )
    return section("cross", "Against each other", about, marks, grid, tag("p", class_="note pair", role="status"))


def _looks(players: int) -> str:
    if players <= SOME:
        return f"cross roomy{' some' if players > FEW else ''}"
    return f"cross dense{' crowded' if players > MANY else ''}"


def _cell(found: tuple[Interval, bool] | None, largest: float, findings: Findings, *, dense: bool) -> str:
    score, sure = found or (None, False)
    if score is None or score.mean is None:
        return tag("td", class_="never", title="never at the same table")
    hint = f"{interval(score, 2, '+')}, {score.sets} sets"
    said = ""
    if not dense:
        half = None if score.low is None or score.high is None else (score.high - score.low) / 2
        said = tag("span", number(score.mean, 1, "+")) + ("" if half is None else tag("small", f"± {number(half, 1)}"))
    better = (score.mean < 0) == findings.low_wins
    return tag("td", said, class_=colored(abs(score.mean) / largest, better=better) if sure else "open", title=hint)


def wins(findings: Findings) -> Section | None:
    """Show how often each of two won, Elo and LOS, if a game has two sides."""
    told = findings.standings.elo_pairs
    if not told:
        return None
    about = "Elo is the strength between the two, ties as halves; LOS is how likely the first is the stronger."
    rows = [
        (
            text(f"{each.one} - {each.other}"),
            *(number(count, 1 if count % 1 else 0) for count in (each.won, each.tied, each.lost)),
            "" if each.elo is None else interval(each.elo.strength, 0, "+"),
            "" if each.elo is None or each.elo.los is None else f"{each.elo.los:.1%}",
        )
        for each in told
    ]
    return section("wins", "Wins", about, table(("pair", "won", "tied", "lost", "Elo", "LOS"), rows, "wins"))
