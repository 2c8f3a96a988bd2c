"""Doubts: whether the standings are more than luck of the shuffles, and more than remembered deals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.server.pages.drawing import interval, section, table, tag, text

if TYPE_CHECKING:
    from croupier.server.pages.drawing import Section
    from croupier.server.tournaments.report.findings import Findings


def luck(findings: Findings) -> Section | None:
    """Show means and differences corrected for the luck of the shuffles, if the game defines luck."""
    told = findings.standings.luck_rows
    if not told:
        return None
    places = _places(findings)
    about = (
        "What each shuffle was worth, by a table of values that was fixed before the first deal, is taken off. On the"
        " whole that changes nothing, no matter who plays; it may make the intervals smaller. The plain means rank."
    )
    rows = [
        (
            text(" - ".join(each.names)),
            interval(each.plain, sign=each.sign),
            interval(each.score, sign=each.sign),
            text(each.share.replace("-", "\N{MINUS SIGN}")),
        )
        for each in sorted(told, key=lambda each: (len(each.names), [places.get(name, 0) for name in each.names]))
    ]
    head = ("player", "mean", "without luck", "luck's part of the variance")
    return section("luck", "Without the luck of the shuffles", about, table(head, rows, "doubts"))


def later(findings: Findings) -> Section | None:
    """List how much better each did in later seatings of a deal than in the first, which suggests memory."""
    shown = [each for each in findings.standings.later if each.gain.sets]
    if not shown:
        return None
    places = _places(findings)
    about = (
        "How much better each did, a game, in a deal's later seatings than in the first, which the key draws. A bot"
        " that remembers nothing does as well in each. The bounds are wide enough for all players together."
    )
    rows = [
        (text(each.name), interval(each.gain), tag("em", "remembers deals?") if each.remembers else "no sign of it")
        for each in sorted(shown, key=lambda each: places.get(each.name, 0))
    ]
    head = ("player", "better by", "does it remember deals?")
    return section("later", "When a deal comes again", about, table(head, rows, "doubts"))


def _places(findings: Findings) -> dict[str, int]:
    """Return the place of each player in the standings, in whose order the rows are."""
    return {player.name: place for place, player in enumerate(findings.standings.players)}
