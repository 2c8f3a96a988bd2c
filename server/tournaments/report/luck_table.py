"""Luck: means and differences once more, without the luck of the shuffles, where the game says what that is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.server.pages.drawing import interval, section, table, text

if TYPE_CHECKING:
    from croupier.server.tournaments.report.findings import Findings


def luck(findings: Findings) -> str:
    """Show both, and which part of the variance was luck."""
    told = findings.standings.luck_rows
    if not told:
        return ""
    about = (
        "What each shuffle was worth, by a table of values that was fixed before the first deal, is taken off. On the"
        " whole that changes nothing, whoever plays; it may make the intervals smaller. The plain means rank."
    )
    rows = [
        (
            text(" - ".join(each.names)),
            interval(each.plain, sign=each.sign),
            interval(each.score, sign=each.sign),
            each.share,
        )
        for each in told
    ]
    head = ("", "mean", "without luck", "luck's part of the variance")
    return section("luck", "Without the luck of the shuffles", about, table(head, rows, "numbers"))
