"""Gifts: the section on pairs with more between them than chance explains, and never more than that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.server.pages.drawing import interval, number, section, table, tag, text

if TYPE_CHECKING:
    from croupier.server.pages.drawing import Section
    from croupier.server.tournaments.report.findings import Findings
    from croupier.server.tournaments.statistics.soft_play import Gift, SoftPlay

TITLE = "Soft play"
ABOUT = (
    "What one bot gains with another at its table, beyond what the scores of both with all others lead to expect: in"
    " points a game, and in the share of comparisons that it wins. The bounds are wide enough for all pairs of a game"
    " together: chance alone names anybody in at most one of twenty games. More than chance explains is no proof of"
    " intent, because an honest bot may suit another. Look at their games together."
)
HEAD = ("points a game", "wins declined", "deals together", "")


def soft_play(findings: Findings) -> Section | None:
    """List the pairs of a tournament; None if it has no opponents."""
    if not findings.soft.pairs:
        return None
    rows = [[text(f"{gift.giver} to {gift.taker}"), *cells(gift)] for gift in findings.soft.found]
    drawn = table(("gave", *HEAD), rows, "doubts cards") if rows else ""
    return section("soft-play", TITLE, ABOUT, drawn, tag("p", text(count_in_words(findings.soft)), class_="note"))


def cells(gift: Gift) -> list[str]:
    """Write what one bot gave another, for a row of a table whose head ends with `HEAD`."""
    measured = [tag("strong", said) if kind in gift.kinds else said for kind, said in _measures(gift).items()]
    return [*measured, number(gift.deals, 0), "more than chance explains"]


def _measures(gift: Gift) -> dict[str, str]:
    return {"points": interval(gift.points, 2, "+"), "wins": interval(gift.wins, 2, "+")}


def count_in_words(soft: SoftPlay) -> str:
    """Return a sentence on how many pairs could be judged, and how many of them are named."""
    judged = {gift.pair for gift in soft.gifts if gift.points.low is not None or gift.wins.low is not None}
    if not judged:
        return "No pair has met often enough, in varied company, to be judged."
    more, rest = len({gift.pair for gift in soft.found}), soft.pairs - len(judged)
    shown = "none shows" if not more else "one shows" if more == 1 else f"{more} show"
    waiting = f" {rest} have not met often enough, or in too uniform company, to be judged." if rest else ""
    return f"Of {len(judged)} pairs that can be judged, {shown} more than chance explains.{waiting}"
