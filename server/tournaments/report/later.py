"""Later seatings: who does better when a deal comes again, as somebody who remembered it would."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.server.pages.drawing import interval, section, table, tag, text

if TYPE_CHECKING:
    from croupier.server.tournaments.report.findings import Findings


def later(findings: Findings) -> str:
    """List how much better each did in a deal's later seatings than in its first."""
    shown = [each for each in findings.standings.later if each.gain.sets]
    if not shown:
        return ""
    about = (
        "How much better each did, a game, in a deal's later seatings than in the first, which the key draws: whoever"
        " remembers nothing does as well in each. The bounds are wide enough for all players together."
    )
    rows = [
        (text(each.name), interval(each.gain), tag("em", "remembers deals?") if each.remembers else "")
        for each in shown
    ]
    return section("later", "When a deal comes again", about, table(("player", "better by", ""), rows, "later"))
