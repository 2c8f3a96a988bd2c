"""The page: its parts in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.server.names import game_title
from croupier.server.pages.drawing import number, tag, text
from croupier.server.pages.html_page import options_in_use, report_page
from croupier.server.tournaments.keeping.folder import CURRENT
from croupier.server.tournaments.report.bot import place, rivalry
from croupier.server.tournaments.report.convergence import convergence
from croupier.server.tournaments.report.cost import cost
from croupier.server.tournaments.report.doubts import later, luck
from croupier.server.tournaments.report.faults import faults
from croupier.server.tournaments.report.games import worth_seeing
from croupier.server.tournaments.report.gifts import soft_play
from croupier.server.tournaments.report.hard_games import hard_games
from croupier.server.tournaments.report.pairs import cross, wins
from croupier.server.tournaments.report.probe import probe
from croupier.server.tournaments.report.ranking import ranking
from croupier.server.tournaments.report.scores import seats, spread
from croupier.server.tournaments.report.thinking import thinking
from croupier.server.tournaments.report.verdict import verdict

if TYPE_CHECKING:
    from croupier.server.tournaments.report.findings import Findings

_NO_GAME = (
    "No game has been played yet, so there is nothing to report: play the tournament with"
    f" {tag('code', 'croupier tournament')}, then write this page again with {tag('code', 'croupier report')}."
)
MANY = 8
"""With more players than this, the page has a search by name."""
_OUTDATED = (
    f"{CURRENT}Out of date: the tournament has gone on since this page was made. Write it again with"
    f" {tag('code', 'croupier report')}.</p>"
)
FIELD = (ranking, cross, wins, luck, convergence, spread, seats, later, soft_play, probe, thinking, cost)
PARTS = (*FIELD, worth_seeing, faults)
OWN = (rivalry, faults, hard_games, worth_seeing, *FIELD)
"""The order on the page for a bot's author: that bot first, then the field."""


def page(findings: Findings) -> str:
    """Write the whole page."""
    findings = findings.titled()
    title = f"{findings.title}: {'report' if findings.own is None else f'report for {findings.own}'}"
    parts = [] if findings.standings.empty else [part(findings) for part in (PARTS if findings.own is None else OWN)]
    names = "player" if len(findings.standings.players) > MANY else ""
    return report_page(title, _header(findings), [part for part in parts if part], _footer(findings), names=names)


def _header(findings: Findings) -> str:
    standings = findings.standings
    facts = [
        text(game_title(standings.game)),
        text(findings.form),
        f"{number(standings.games, 0)} games",
        f"{number(findings.deals, 0)} deals",
        f"{len(standings.players)} players",
    ]
    if not standings.finished:
        facts.append(tag("em", "not finished: more games may have been played since"))
    days = f"played {' to '.join(findings.days)} (dates are not bound)" if findings.days else ""
    made = f"this page was made {findings.made}" if findings.made else ""
    facts += map(text, (days, *findings.confinement.lines(), made))
    return tag(
        "header",
        tag("p", tag("a", text(findings.index_title), href=findings.index), class_="facts") if findings.index else "",
        tag("h1", text(findings.title if findings.own is None else f"{findings.own} in {findings.title}")),
        tag("p", _NO_GAME if standings.empty else _said(findings), class_="verdict"),
        _OUTDATED,
        tag("p", " · ".join(filter(None, facts)), class_="facts"),
        options_in_use(findings.options),
        tag("p", text(standings.trial), class_="facts") if standings.trial else "",
        *(tag("p", text(line), class_="amendment") for line in findings.bond.lines()),
    )


def _said(findings: Findings) -> str:
    return verdict(findings.standings, low_wins=findings.low_wins) if findings.own is None else place(findings)


def _footer(findings: Findings) -> str:
    key = f", which is {tag('code', text(findings.revealed))}" if findings.revealed else ""
    bond = (
        f"Its manifest's SHA-256 is {tag('code', text(findings.bond.commitment))}. " if findings.bond.commitment else ""
    )
    said = f"{bond}The deals follow from a secret key{key}."
    how = "recomputes every shuffle, replays every game and recounts every score."
    return tag("footer", tag("p", f"{said}<br>{tag('code', 'croupier verify')} {how}"))
