"""The page itself: its parts in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.server.analysis.report.courses import leads, options
from croupier.server.analysis.report.numbers import numbers
from croupier.server.analysis.report.scores import lengths, scores
from croupier.server.analysis.report.seats import luck, seats
from croupier.server.pages.drawing import number, tag, text
from croupier.server.pages.html_page import report_page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.server.analysis.side import Side
    from croupier.server.tournaments.statistics.intervals import Interval

PARTS = (numbers, seats, luck, leads, options, lengths, scores)


def page(sides: Sequence[Side]) -> str:
    """Write the whole page."""
    title = " beside ".join(side.name for side in sides)
    parts = [part(sides) for part in PARTS]
    return report_page(f"{title}: analysis", _header(title, sides), [part for part in parts if part], _footer())


def _header(title: str, sides: Sequence[Side]) -> str:
    return tag(
        "header",
        tag("h1", text(title)),
        *(tag("p", _facts(side, named=len(sides) > 1), class_="facts") for side in sides),
        *(tag("p", _verdict(side, named=len(sides) > 1), class_="verdict") for side in sides),
    )


def _facts(side: Side, *, named: bool) -> str:
    """Say what was played."""
    facts = [side.name] if named else []
    return " · ".join(map(text, [*facts, *side.summary, f"seed {side.setting.seed}"]))


def _verdict(side: Side, *, named: bool) -> str:
    """Say in a few sentences what kind of game it is."""
    known = side.figures.numbers
    said = [f"{tag('strong', text(side.name))}: a" if named else "A", " game of "]
    said.append(f"{_plain(known['length'], 0)} choices among {_plain(known['options'], 1)} options.")
    if "order" in known and known["order"].mean is not None:
        due = side.facts.due
        won = due + known["order"].mean * (1 - due)
        said.append(f" Who thinks wins {won:.0%} of the games against chance, where {due:.0%} is even.")
    if (shares := side.figures.variance) is not None:
        said.append(f" The deal explains {_percent(shares.deal)} of how the scores differ,")
        said.append(f" the seat {_percent(shares.seat)}, the better player {_percent(shares.player)}.")
    return "".join(said)


def _plain(value: Interval, digits: int) -> str:
    return number(value.mean, digits)


def _percent(value: Interval) -> str:
    return f"{value.mean or 0:.0%}"


def _footer() -> str:
    how = "All intervals hold the truth in 19 cases of 20. What each number is, and how it is counted: "
    return tag("footer", tag("p", how, tag("code", "croupier docs analyze"), "."))
