"""Overview: everybody's page of a season."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.server.pages.drawing import interval, number, tag, text
from croupier.server.pages.html_page import report_page
from croupier.server.season.pages.history import nights
from croupier.server.season.pages.rankings import games, ranking
from croupier.server.season.pages.submissions import sent_back
from croupier.server.season.pages.suspicions import soft_play
from croupier.server.tournaments.report.verdict import strong

if TYPE_CHECKING:
    from croupier.server.season.pages.gathered import Season

INDEX = "index.html"
MANY = 8
"""With more authors than this, the page has a search by name."""


def overview_page(season: Season) -> str:
    """Write the page with the ranking over all games, and links to all others."""
    sections = [ranking(season), games(season), soft_play(season), sent_back(season), nights(season)]
    here = [author for author in season.ledger.authors if not author.gone]
    played = sum(part.findings.standings.games for part in season.games)
    facts = [
        _counted(len(here), "author"),
        _counted(len(season.games), "game"),
        _counted(len(season.ledger.nights), "night"),
        f"{_counted(played, 'game')} played",
        f"this page was made {season.made}",
    ]
    header = tag(
        "header",
        tag("h1", text(season.title)),
        tag("p", _said(season), class_="verdict"),
        tag("p", " · ".join(map(text, facts)), class_="facts"),
    )
    footer = tag(
        "footer", tag("p", "The deals of every night follow from secret keys, and every game can be replayed.")
    )
    names = "name" if len(here) > MANY else ""
    return report_page(season.title, header, [each for each in sections if each], footer, names=names)


def _counted(count: int, what: str) -> str:
    return f"{number(count, 0)} {what}{'' if count == 1 else 's'}"


def _said(season: Season) -> str:
    """Write who is first, and by how much."""
    ranked = [line for line in season.ranking if line.score.mean is not None]
    if not ranked:
        return "No game has been played yet."
    first = f"{strong(season.called(ranked[0].name))} is first, with {interval(ranked[0].score, 2, '+')}"
    if len(ranked) < 2:
        return f"{first}."
    second = f"{strong(season.called(ranked[1].name))} with {interval(ranked[1].score, 2, '+')}"
    return f"{first} standard deviations of a deal, before {second}."
