"""The page: its parts in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.server.analysis.report.courses import leads, options
from croupier.server.analysis.report.numbers import numbers
from croupier.server.analysis.report.scores import lengths, scores
from croupier.server.analysis.report.seats import luck, seats
from croupier.server.pages.drawing import tag, text
from croupier.server.pages.html_page import options_in_use, report_page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.server.analysis.side import Side

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
        *(tag("p", text(" ".join(side.character)), class_="verdict") for side in sides),
        *(
            tag("p", _facts(side, named=len(sides) > 1), class_="facts")
            + options_in_use([(given, about, False) for given, about, _ in side.telling_options])
            for side in sides
        ),
    )


def _facts(side: Side, *, named: bool) -> str:
    """Return what was played, in words."""
    facts = [side.name] if named else []
    return " · ".join(map(text, [*facts, *side.summary, f"seed {side.setting.seed}"]))


def _footer() -> str:
    how = "All intervals hold the truth in 19 cases of 20. What each number is, and how it is counted: "
    return tag("footer", tag("p", how, tag("code", "croupier docs analyze"), "."))
