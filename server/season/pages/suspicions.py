"""Suspicions: the section on soft play in all games of a season."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.server.pages.drawing import section, table, tag, text
from croupier.server.season.pages.rankings import linked
from croupier.server.tournaments.report.gifts import ABOUT, HEAD, TITLE, cells, count_in_words

if TYPE_CHECKING:
    from croupier.server.pages.drawing import Section
    from croupier.server.season.pages.gathered import GamePart, Season
    from croupier.server.tournaments.statistics.soft_play import Gift


def soft_play(season: Season) -> Section | None:
    """List the pairs whose results are more than chance explains, game by game."""
    if not season.games:
        return None
    found = [(part, gift) for part in season.games for gift in part.soft.found]
    notes = [tag("p", text(f"{part.title}: {count_in_words(part.soft)}"), class_="note") for part in season.games]
    return section("soft-play", TITLE, ABOUT, _table(season, found) if found else "", *notes)


def soft_play_of(season: Season, author: str) -> Section | None:
    """List those that one author's bot gave or took; None if there are none."""
    found = [(part, gift) for part in season.games for gift in part.soft.of(author)]
    return section("soft-play", TITLE, ABOUT, _table(season, found)) if found else None


def _table(season: Season, found: list[tuple[GamePart, Gift]]) -> str:
    rows = [
        [f"{linked(season, gift.giver)} to {linked(season, gift.taker)}", text(part.title), *cells(gift)]
        for part, gift in found
    ]
    return table(("gave", "game", *HEAD), rows, "doubts cards")
