"""Games: those of a tournament that are worth a look, each as a page of its own: faults first, then the closest."""

from __future__ import annotations

import heapq
from functools import partial
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from croupier.server import games
from croupier.server.pages.drawing import section, table, tag, text
from croupier.server.records.files import BadFile, read_records
from croupier.server.records.replay import Invalid, Replay
from croupier.server.tournaments.entering.founding import titles_of
from croupier.server.tournaments.keeping.folder import PAGES, RECORDS
from croupier.server.tournaments.keeping.store import StoreError
from croupier.server.viewer import page, page_data

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from croupier.server.pages.drawing import Section
    from croupier.server.table.played_game import PlayedGame
    from croupier.server.tournaments.keeping.store import Store, Stored
    from croupier.server.tournaments.report.findings import Findings


class GamePage(NamedTuple):
    """A game with a page of its own."""

    deal: int
    seating: tuple[str, ...]
    why: str
    """What makes it worth a look, without telling who won."""
    file: str
    """Its page, seen from that of the report."""


def write_pages(store: Store, most: int, own: str | None, home: Path) -> list[GamePage]:
    """Write pages of the ``most`` games most worth a look; with ``own`` they show what that entry knew of its games.

    Games in place of a player who had been withdrawn are left out, and so are records that are gone or are no games.
    """
    folder = home / PAGES
    if folder.is_symlink():
        raise StoreError(f"{folder} is a link: pages are written into a folder of their own")
    folder.mkdir(exist_ok=True)
    played = (each for each in store.games() if _was_played(each.game) and (own is None or own in each.game.seating))
    titles = titles_of(store)
    chosen = heapq.nsmallest(most, played, key=lambda each: _interest(each.game))
    return [shown for stored in chosen for shown in _write(store, stored, own, folder, titles)]


def _was_played(game: PlayedGame) -> bool:
    """Return whether a game counts, and everybody in it was asked."""
    return bool(game.scores) and len(game.misdeeds) == len(game.faults)


def _interest(game: PlayedGame) -> tuple[int, int, int]:
    """Return what sorts games: those with the most faults first, then those that were decided by least."""
    return -len(game.offenders), game.margin, game.deal


def _write(
    store: Store, stored: Stored, own: str | None, folder: Path, titles: Mapping[str, str]
) -> Iterator[GamePage]:
    game = stored.game
    path = store.folder / RECORDS / stored.file
    name = f"{stored.file.removesuffix('.records.gz')}-{stored.place + 1}{f'-{own}' if own else ''}.html"
    try:
        text_ = read_records(path)[stored.place].text
        replay = Replay(text_, partial(games.find, near=[path.parent, store.folder]))
        written = page(page_data(replay, f"deal {game.deal} of {store.folder.resolve().name}", _seat(game, own)))
    except (OSError, IndexError, BadFile, Invalid):
        return
    (folder / name).unlink(missing_ok=True)  # it may be a link
    (folder / name).write_text(written, encoding="utf-8")
    yield GamePage(game.deal, *said_of(game, titles), f"{PAGES}/{name}")


def said_of(game: PlayedGame, titles: Mapping[str, str]) -> tuple[tuple[str, ...], str]:
    """Return who sits where, by title, and what makes a game worth a look, without telling who won."""
    seated = tuple(titles.get(name, name) for name in game.seating)
    faults = ", ".join(f"{seated[seat]}: {fault.kind.value}" for seat, fault in game.faults)
    return seated, faults or (f"decided by {game.margin}" if game.scores else game.outcome.value)


def _seat(game: PlayedGame, own: str | None) -> int | None:
    return None if own is None else game.seating.index(own)


def worth_seeing(findings: Findings) -> Section | None:
    """List the games that have a page."""
    if not findings.games:
        return None
    about = (
        "Those with faults first, then those that were decided by least. Each opens in a page to step through, which"
        " tells nothing ahead; the pages lie beside this one."
    )
    rows = [
        [tag("a", f"deal {shown.deal}", href=quote(shown.file)), text(", ".join(shown.seating)), text(shown.why)]
        for shown in findings.games
    ]
    return section("games", "Games worth a look", about, table(["game", "seats", "why"], rows, "games"))
