"""The page itself: its parts in order, the one style sheet and the one script, which sorts tables."""

from __future__ import annotations

import base64
import hashlib
from importlib import resources
from typing import TYPE_CHECKING

from croupier.server.tournaments.report.convergence import convergence
from croupier.server.tournaments.report.cross import cross
from croupier.server.tournaments.report.drawing import number, tag, text
from croupier.server.tournaments.report.faults import faults
from croupier.server.tournaments.report.later import later
from croupier.server.tournaments.report.ranking import ranking, verdict
from croupier.server.tournaments.report.scores import seats, spread
from croupier.server.tournaments.report.thinking import thinking

if TYPE_CHECKING:
    from croupier.server.tournaments.report.findings import Findings

PARTS = (ranking, cross, convergence, spread, seats, later, thinking, faults)
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-{}'"
"""Nothing from anywhere, and no script but the one with this hash."""
ICON = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16'"
    " rx='3' fill='%23146356'/%3E%3Cpath fill='%23fff' d='M8 2c2 2.4 5 4 5 6.500a2.400 2.400 0 0 1-4.300 1.500L9.500"
    " 13h-3l.8-3A2.400 2.400 0 0 1 3 8.500C3 6 6 4.400 8 2z'/%3E%3C/svg%3E"
)


def page(findings: Findings) -> str:
    """Write the whole page, which needs nothing else, and no script to be read."""
    title = f"{findings.title}: {'report' if findings.own is None else f'report for {findings.own}'}"
    script = _file("page.js")
    policy = POLICY.format(base64.b64encode(hashlib.sha256(script.encode()).digest()).decode())
    head = tag(
        "head",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        f'<link rel="icon" href="{ICON}">',
        tag("title", text(title)),
        tag("style", _file("page.css")),
    )
    parts = [part(findings) for part in PARTS]
    body = tag("body", _header(findings), tag("main", *parts), _footer(findings), tag("script", script))
    return f'<!DOCTYPE html>\n<html lang="en">{head}{body}</html>\n'


def _file(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text("utf-8")


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
    facts.append(text(" to ".join(findings.days)))
    options = " ".join(f"{name}={value}" for name, value in findings.options.items())
    whose = tag("p", "for ", tag("strong", text(findings.own)), class_="whose") if findings.own else ""
    return tag(
        "header",
        tag("h1", text(findings.title)),
        whose,
        tag("p", " · ".join(filter(None, facts)), class_="facts"),
        tag("p", "options: ", tag("code", text(options)), class_="facts") if options else "",
        tag("p", verdict(findings), class_="verdict"),
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
