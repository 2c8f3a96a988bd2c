"""The page itself: its parts in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.server.pages.drawing import number, tag, text
from croupier.server.pages.html_page import report_page
from croupier.server.tournaments.report.convergence import convergence
from croupier.server.tournaments.report.cost import cost
from croupier.server.tournaments.report.cross import cross
from croupier.server.tournaments.report.faults import faults
from croupier.server.tournaments.report.games import worth_seeing
from croupier.server.tournaments.report.later import later
from croupier.server.tournaments.report.luck_table import luck
from croupier.server.tournaments.report.ranking import ranking, verdict
from croupier.server.tournaments.report.scores import seats, spread
from croupier.server.tournaments.report.thinking import thinking
from croupier.server.tournaments.report.wins import wins

if TYPE_CHECKING:
    from croupier.server.tournaments.report.findings import Findings

_NO_GAME = (
    "No game has been played yet, so there is nothing to report: play the tournament with"
    f" {tag('code', 'croupier tournament')}, then write this page again with {tag('code', 'croupier report')}."
)
PARTS = (ranking, cross, wins, luck, convergence, spread, seats, later, thinking, cost, worth_seeing, faults)


def page(findings: Findings) -> str:
    """Write the whole page."""
    findings = findings.titled()
    title = f"{findings.title}: {'report' if findings.own is None else f'report for {findings.own}'}"
    parts = [] if findings.standings.empty else [part(findings) for part in PARTS]
    return report_page(title, _header(findings), tag("main", *parts), _footer(findings))


def _header(findings: Findings) -> str:
    standings = findings.standings
    facts = [
        text(standings.game),
        text(findings.form),
        f"{number(standings.games, 0)} games",
        f"{number(findings.deals, 0)} deals",
        f"{len(standings.players)} players",
    ]
    if not standings.finished:
        facts.append(tag("em", "not finished"))
    days = f"{' to '.join(findings.days)} (dates are not bound)" if findings.days else ""
    facts += map(text, (days, *findings.confinement.lines()))
    options = " ".join(f"{name}={value}" for name, value in findings.options.items())
    said = _NO_GAME if standings.empty else verdict(standings, low_wins=findings.low_wins)
    whose = tag("p", "for ", tag("strong", text(findings.own)), class_="whose") if findings.own else ""
    return tag(
        "header",
        tag("h1", text(findings.title)),
        whose,
        tag("p", " · ".join(filter(None, facts)), class_="facts"),
        tag("p", "options: ", tag("code", text(options)), class_="facts") if options else "",
        tag("p", said, class_="verdict"),
        *(tag("p", text(line), class_="amendment") for line in findings.bond.lines()),
    )


def _footer(findings: Findings) -> str:
    key = f", which is {tag('code', text(findings.revealed))}" if findings.revealed else ""
    bond = (
        f"Its manifest's SHA-256 is {tag('code', text(findings.bond.commitment))}. " if findings.bond.commitment else ""
    )
    said = f"{bond}The deals follow from a secret key{key}."
    how = "recomputes every shuffle, replays every game and recounts every score."
    return tag("footer", tag("p", f"{said}<br>{tag('code', 'croupier verify')} {how}"))
