"""Watching: a tournament's standings and latest games, read again whenever its folder has changed.

Nothing is written, and the run is not delayed: the database is opened read-only for each look, and the pause between
looks grows with the cost of one.
"""

from __future__ import annotations

from collections import deque
from datetime import UTC, datetime
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

import trio
from quart import Response

from croupier.server import games, viewer
from croupier.server.names import game_title
from croupier.server.pages.drawing import number, section, table, tag, text
from croupier.server.pages.html_page import ICON, html_page, links
from croupier.server.records.files import BadFile, read_records
from croupier.server.records.replay import Invalid, Replay
from croupier.server.tournaments.entering import founding
from croupier.server.tournaments.keeping.folder import DATABASE, RECORDS
from croupier.server.tournaments.keeping.store import StoreError, open_for_reading
from croupier.server.tournaments.report.games import said_of
from croupier.server.tournaments.report.ranking import ranked
from croupier.server.tournaments.report.standing import standing
from croupier.server.tournaments.report.verdict import verdict
from croupier.server.web.game_pages import game_response
from croupier.server.web.protected_site import SILENCE

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping
    from pathlib import Path

    from croupier.server.pages.drawing import Section
    from croupier.server.tournaments.keeping.store import Stored
    from croupier.server.web.protected_site import ProtectedSite

LAST = 30
"""The number of latest games that are listed."""
A_MOMENT = 1.0
"""Seconds between two checks for a change."""
SHARE = 20
"""After a look, nothing is read for this many times its duration, because the games need the processor more."""


class Snapshot(NamedTuple):
    """The result of one look: its number, from 1, and its page."""

    number: int
    markup: str


def look(folder: Path, before: int = 0) -> Snapshot:
    """Read a tournament's folder; raise StoreError if that is impossible."""
    with open_for_reading(folder) as store:
        rules = founding.rules_of(store, founding.settings_of(store))
        standings = standing(store)
        newest = deque(store.games("WHERE batch > (SELECT max(number) - 3 FROM batches) "), maxlen=LAST)
    titles, standings = standings.titles, standings.with_titles()
    facts = [text(game_title(standings.game)), f"{number(standings.games, 0)} games"]
    facts.append("finished" if standings.finished else tag("em", "not finished"))
    facts.append(f"as of {datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC")
    said = tag("p", verdict(standings, low_wins=rules.LOW_WINS), class_="verdict")
    title = tag("h1", text(folder.resolve().name))
    header = tag("header", title, tag("p", " · ".join(facts), class_="facts"), said)
    parts = (ranked(standings, low_wins=rules.LOW_WINS), _latest_games(newest, titles, finished=standings.finished))
    return Snapshot(before + 1, header + tag("main", *map(str, parts), data_number=before + 1))


def _latest_games(newest: deque[Stored], titles: Mapping[str, str], *, finished: bool) -> Section | str:
    """List the games of the last batches, the newest first, each identified by its deal and seating."""
    again = "" if finished else " Their deals may be played again in other seats."
    about = f"Each opens in a page to step through, with all hands open.{again}"
    rows = [
        [
            tag("a", f"deal {each.game.deal}", href=f"games/{quote(each.file)}/{each.place + 1}"),
            text(", ".join(said[0])),
            text(said[1]),
        ]
        for each, said in [(each, said_of(each.game, titles)) for each in reversed(newest)]
    ]
    return section("games", "Just played", about, table(["game", "seats", "what"], rows, "games")) if rows else ""


def game_page(folder: Path, file: str, place: int) -> str | None:
    """Return the page of one game, if its batch is kept; None if there is no such game."""
    path = folder / RECORDS / file
    try:
        with open_for_reading(folder) as store:
            kept = file in {name for name, _ in store.batches()}
        if not kept or place < 1:
            return None
        replay = Replay(read_records(path)[place - 1].text, partial(games.find, near=[path.parent, folder]))
        return viewer.page(viewer.page_data(replay))
    except (StoreError, OSError, IndexError, BadFile, Invalid):
        return None


class Watching:
    """Show a tournament on a protected site, and tell its readers about changes."""

    def __init__(self, folder: Path, site: ProtectedSite) -> None:
        self.folder = folder
        self.now = look(folder)
        self._seen = self._marks()
        self._changed = trio.Event()
        self._one_at_a_time = trio.CapacityLimiter(1)
        site.add("", self.page)
        site.add("now", self.standing)
        site.add("events", self.events)
        site.add("games/<file>/<int:place>", self.game)
        site.give_out("croupier.server.web", "watch.js", "watch.css")
        site.give_out("croupier.server.pages", "report.css")

    async def follow(self) -> None:
        """Look again whenever something has changed, forever."""
        spent = 0.0
        while True:
            await trio.sleep(max(A_MOMENT, SHARE * spent))
            began = perf_counter()
            await self.refresh()
            spent = perf_counter() - began

    async def refresh(self) -> None:
        """Look again if something has changed; if that fails just now, keep the last look."""
        marks = self._marks()
        if marks == self._seen:
            return
        try:
            self.now = await trio.to_thread.run_sync(look, self.folder, self.now.number, abandon_on_cancel=True)
        except (StoreError, games.NoSuchGame, games.BadGame):
            return
        self._seen = marks
        self._changed.set()
        self._changed = trio.Event()

    async def page(self) -> str:
        """Show the current state, also without a script."""
        body = tag("div", self.now.markup, id="now") + tag("p", id="line", role="status")
        head = links("report.css", "watch.css", "watch.js")
        return html_page(f"{self.folder.resolve().name}: croupier watch", body, head=head, icon=ICON)

    async def standing(self) -> str:
        """Return the part of the page that changes."""
        return self.now.markup

    async def events(self) -> Response:
        """Send the number of each look as it comes (server-sent events)."""
        response = Response(self._numbers(), content_type="text/event-stream")
        response.timeout = None  # it ends when the reader leaves
        return response

    async def _numbers(self) -> AsyncIterator[str]:
        while True:
            changed = self._changed
            yield f"data: {self.now.number}\n\n"
            while not changed.is_set():
                with trio.move_on_after(SILENCE):
                    await changed.wait()
                if not changed.is_set():
                    yield ": nothing new\n\n"

    async def game(self, file: str, place: int) -> Response:
        """Show a finished game."""
        wanted = partial(game_page, self.folder, file, place)
        written = await trio.to_thread.run_sync(wanted, limiter=self._one_at_a_time, abandon_on_cancel=True)
        if written is None:
            return Response("there is no such game\n", 404, content_type="text/plain; charset=utf-8")
        return game_response(written)

    def _marks(self) -> list[tuple[int, int]]:
        """Return file marks that change whenever the database is written."""
        files = (self.folder / DATABASE, self.folder / f"{DATABASE}-wal")
        known = [file.stat() for file in files if file.exists()]
        return [(each.st_mtime_ns, each.st_size) for each in known]
