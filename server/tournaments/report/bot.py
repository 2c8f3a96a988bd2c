"""Bot: a summary for a bot's author, at the top of its page: whom it beats, and who beats it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.server.pages.charts import axis, bars, depths, heat, legend
from croupier.server.pages.drawing import Scale, interval, number, section, table, text
from croupier.server.tournaments.report.verdict import certainly, named, rivals, strong

if TYPE_CHECKING:
    from croupier.server.pages.drawing import Section
    from croupier.server.tournaments.report.findings import Findings
    from croupier.server.tournaments.statistics.standings import Difference

HEIGHT, NARROWEST = 26, 110


def place(findings: Findings) -> str:
    """Write the place of the page's bot, and who is certainly behind and ahead of it."""
    standings, own = findings.standings, findings.own or ""
    players = [player.name for player in standings.players]
    mine = standings.players[players.index(own)]
    said = f"{strong(own)} is number {players.index(own) + 1} of {len(players)}"
    if not mine.games:
        return f"{said}, and has not played yet."
    found = rivals(standings, own, low_wins=findings.low_wins)
    better, worse = ([name for name, each in found.items() if certainly(each) == sign] for sign in (1, -1))
    kinds = [
        f"{word} than {named(names, len(found))}" for word, names in (("better", better), ("worse", worse)) if names
    ]
    known = f"significantly {', and '.join(kinds)}" if kinds else "not yet significantly better or worse than anybody"
    return f"{said}, with {interval(mine.ranking)} points a game. It is {known}."


def rivalry(findings: Findings) -> Section | None:
    """Draw the lead of the page's bot over each other, in the order of the standings."""
    if findings.own is None:
        return None
    found = rivals(findings.standings, findings.own, low_wins=findings.low_wins)
    if not found:
        return None
    scores = [each.score for each in found.values()]
    scale = Scale.of_field([0.0, *(bound for each in scores for bound in each[:3])])
    largest = max((abs(each.score.mean or 0) for each in found.values() if each.sure), default=0) or 1
    rows = [
        [
            text(name),
            bars([each.score], scale, HEIGHT, f"{name}: {interval(each.score, 2, '+')}"),
            _by(each, largest),
            number(each.score.sets, 0),
        ]
        for name, each in found.items()
    ]
    about = (
        "By how many points a game it was better than each that it met, when both sat at the same table. It is colored"
        " where that is significant even though all pairs are compared."
    )
    marks = legend(("dot", "mean"), ("range", "95 % interval"), *depths("better", "worse"))
    head = ["player", axis(scale.marks(), NARROWEST), "better by", "sets"]
    return section("rivals", "Better and worse than", about, marks, table(head, rows, "cards sortable"))


def _by(each: Difference, largest: float) -> str:
    mean = each.score.mean or 0
    hint = {1: "better", 0: "not known yet", -1: "worse"}[certainly(each)]
    return heat(interval(each.score, 2, "+"), hint, abs(mean) / largest if each.sure else None, better=mean > 0)
