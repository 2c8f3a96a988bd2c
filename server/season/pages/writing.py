"""Writing: all pages of a season, into its folder."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from urllib.parse import quote

from croupier.server.season.pages.author import author_page
from croupier.server.season.pages.gathered import author_file, game_file, gather
from croupier.server.season.pages.overview import INDEX, overview_page
from croupier.server.tournaments.keeping.folder import write_durably
from croupier.server.tournaments.report.page import page

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from croupier.server.season.folder import SeasonFolder
    from croupier.server.season.pages.gathered import GamePart, Season
    from croupier.server.season.settings import SeasonSettings


def write_pages(folder: SeasonFolder, settings: SeasonSettings, *, public: bool = False) -> Season:
    """Write the pages into ``DIR/pages``; return what they show. Raise BadSeason, StoreError or OSError.

    ``public`` leaves out what programs wrote to standard error, in builds, checks and games.
    """
    folder.pages.mkdir(exist_ok=True)
    made = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    with ExitStack() as opened:
        season = gather(folder, settings, made, opened, public=public)
        for path, written in _pages(season):
            write_durably(path, written.encode("utf-8", "surrogateescape"))
        return season


def _pages(season: Season) -> Iterator[tuple[Path, str]]:
    """Yield each page with its path, the one that links to all others last."""
    place = season.folder.pages
    for author in season.ledger.authors:
        yield place / author_file(author.name), author_page(season, author)
    for part in season.games:
        yield place / game_file(part.name), _game_page(season, part)
    yield place / INDEX, overview_page(season)


def _game_page(season: Season, part: GamePart) -> str:
    """Write the report of a game's tournament, with links to the pages of authors and back."""
    entries = {version.name: version.entry for version in part.versions}
    pages = {name: quote(author_file(entries[name])) for name in part.gathering.names if entries[name] in season.titles}
    found = season.shown(part.findings, part)
    return page(replace(found, index=INDEX, index_title=season.title, pages=pages))
