"""Author: the page of one author, with the places, where the bots lose, their faults, and what was sent back."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from croupier.server.pages.drawing import Section, interval, tag, text
from croupier.server.pages.html_page import report_page
from croupier.server.season.pages.history import places
from croupier.server.season.pages.overview import INDEX
from croupier.server.season.pages.rankings import ranking
from croupier.server.season.pages.submissions import submissions
from croupier.server.season.pages.suspicions import soft_play_of
from croupier.server.tournaments.report.bot import rivalry
from croupier.server.tournaments.report.faults import faults
from croupier.server.tournaments.report.hard_games import hard_games
from croupier.server.tournaments.report.verdict import strong

if TYPE_CHECKING:
    from collections.abc import Iterator

    from croupier.server.season.folder import Author
    from croupier.server.season.pages.gathered import GamePart, Season

LOSSES = (rivalry, hard_games)
"""Where a bot loses: to whom, and in which games."""


def author_page(season: Season, author: Author) -> str:
    """Write an author's page."""
    sections = [places(season, author.name), ranking(season, author.name), soft_play_of(season, author.name)]
    for part in season.games:
        sections += _game(season, part, author.name)
    sections.append(submissions(season, author))
    name = season.called(author.name)
    header = tag(
        "header",
        tag("p", tag("a", text(season.title), href=INDEX), class_="facts"),
        tag("h1", text(name)),
        tag("p", _said(season, author.name), class_="verdict"),
        tag("p", text(f"this page was made {season.made}"), class_="facts"),
    )
    footer = tag("footer", tag("p", "The commands are for the folder of this page."))
    return report_page(f"{season.title}: {name}", header, [each for each in sections if each], footer)


def _said(season: Season, name: str) -> str:
    """Write the author's place."""
    at = season.place(name)
    if at is None:
        return f"{strong(season.called(name))} has not played yet."
    line = season.ranking[at - 1]
    missing = [part.title for part in season.games if part.name not in line.games]
    without = f" There is no bot for {text(' and '.join(missing))}." if missing else ""
    ranked = sum(each.score.mean is not None for each in season.ranking)
    score = f"{interval(line.score, 2, '+')} standard deviations of a deal"
    return f"{strong(season.called(name))} is number {at} of {ranked} over all games, with {score}.{without}"


def _game(season: Season, part: GamePart, author: str) -> Iterator[Section]:
    """Yield the sections of one game: where the last version loses, then the faults of all."""
    versions = part.of_author(author)
    for version in versions[:1]:
        found = season.shown(part.gathering.of(version), part).titled()
        for each in filter(None, (draw(found) for draw in LOSSES)):
            yield _named(each._replace(body=each.body + _review(season, part, version, each.name)), part)
    blamed = [season.shown(part.gathering.of(version), part).titled() for version in versions]
    bodies = [faults(found) for found in blamed if found.exchanges or found is blamed[0]]
    if bodies:
        yield _named(bodies[0]._replace(body="".join(each.body for each in bodies)), part)


def _review(season: Season, part: GamePart, version: str, section: str) -> str:
    """Return the command that reviews a version's decisions, below its worst games."""
    if section != "hard":
        return ""
    place = os.path.relpath(season.folder.tournament(part.name), season.folder.pages)
    command = f"croupier review {place} --for {version}"
    return tag("p", f"{tag('code', text(command))} says what each of its decisions cost.", class_="note")


def _named(each: Section, part: GamePart) -> Section:
    """Return a section of a game for a page that has several."""
    return Section(f"{part.name}-{each.name}", f"{part.title}: {each.title[:1].lower()}{each.title[1:]}", each.body)
