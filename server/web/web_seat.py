"""WebSeat: a person in a browser, who sees the viewer's page during play, and clicks what our rules offer."""

from __future__ import annotations

import json
from contextlib import aclosing
from importlib import resources
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar

import trio
from quart import Response, make_response, request

from croupier.protocol.notifications import TABLE, Update
from croupier.server.games.broadcast import Said
from croupier.server.pages.html_page import html_page, links
from croupier.server.table.messages import Answer
from croupier.server.table.seat import Seat
from croupier.server.table.spelling import in_reach, named_cards
from croupier.server.viewer.page import SCRIPTS, frame
from croupier.server.viewer.snapshots import HAND, STEP, Snapshots, head
from croupier.server.web.finished_game import FinishedGame
from croupier.server.web.game_pages import game_response
from croupier.server.web.protected_site import SILENCE, document

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from croupier.protocol.notifications import Notification
    from croupier.server.games.game import Game, News, Play
    from croupier.server.table.messages import Question
    from croupier.server.table.played_game import PlayedGame
    from croupier.server.viewer.snapshots import Heard
    from croupier.server.web.protected_site import ProtectedSite

MANY = 5000
"""At most this many plays are offered; a seat has more only if cards can be combined in many ways."""
PACE = """\
<label>pace <select id="pace"><option value="0">at once</option><option value="350" selected>quick</option>\
<option value="1000">slow</option></select></label>
"""
FAREWELL = 5.0
"""Seconds for the last events to reach the page."""


class WebSeat(Seat):
    """A seat with a site of its own: its page receives events of this game, and sends the number of a play.

    A game begins with ``film``; each moment is a ``shot``, and ``ask`` has the plays and the cards that each names.
    ``end`` says that the game is over, ``review`` that its page can be opened, ``last`` that no other deal was
    requested, ``over`` that nothing is served any more. A page that comes late, or again, is sent the game from its
    beginning, preceded by ``past`` with the number of events to show at once.
    """

    LOOKS: ClassVar[bool] = True

    def __init__(self, name: str, site: ProtectedSite) -> None:
        super().__init__(name)
        self.site = site
        self._events: list[tuple[str, str]] = []
        self._begun = 0
        """The index of this game's first event."""
        self._more = trio.Event()
        self._shown = trio.Event()
        self._watching = 0
        self._asked = 0
        self._plays: Sequence[Play] | None = None
        self._answer: Play | None = None
        self._answered = trio.Event()
        self._heard: Heard = {}
        self._finished: FinishedGame | None = None
        self._wants_another = False
        self._decided = trio.Event()
        site.add("", self._page)
        site.add("events", self._stream)
        site.add("play", self._play, ["POST"])
        site.add("review", self._review)
        site.add("judging", self._judging)
        site.add("another", self._another, ["POST"])
        site.give_out("croupier.server.viewer", "page.css", *SCRIPTS)
        site.give_out(__package__, "person.css", "person.js")

    # Called by the table

    def follow(self, game: Game, seat: int) -> None:
        """Begin a film of this game, as this seat sees it."""
        self._snapshots = Snapshots(game, [seat])
        self._begun = len(self._events)
        name = game.players[seat]
        self._tell("film", head(game) | {"eyes": [name]})
        self._shoot(HAND)

    def before(self, seat: int, play: Play, seen: Play) -> None:
        """Remember a play."""
        self._heard = self._snapshots.before(seat, play, seen)

    def after(self, seat: int, news: Sequence[News]) -> None:
        """Show the result of a play, and separately what replaces it on the table."""
        self._snapshots.after(0, seat, self._heard, news)
        self._tell_shot()
        if self._snapshots.settle():
            self._tell_shot()

    def tell(self, note: Notification, texts: dict[str, str]) -> None:
        """Show what is not a play: a fault, and the end."""
        players = self._snapshots.game.players
        match note:
            case Update(name, ("fault", str(who), kind)) if name == TABLE:
                self._shoot(STEP, [Said(players.index(who), f"fault: {kind}")])
            case Update(name, ("end", *scores)) if name == TABLE:
                by_name: dict[Any, Any] = {each[0]: each[1] for each in scores if isinstance(each, tuple)}
                points = [by_name[player] for player in players] if by_name else []
                said = [Said(seat, str(score)) for seat, score in enumerate(points)]
                end = [Said(None, "finished" if said else "this game counts for nobody"), *said]
                self._snapshots.end({each.seat: end for each in self._snapshots.viewpoints}, points)
                self._tell_shot()
                self._tell("end", {})

    async def ask(self, question: Question, seconds: float) -> Answer:
        """Offer the legal plays, and wait for one of them."""
        view, broadcast = question.view, self._snapshots.broadcast
        self._plays = list(islice(view.legal_plays(), MANY))
        self._asked += 1
        self._answered = trio.Event()
        cards = in_reach(broadcast.picture(self._snapshots.viewpoints[0].seat), self._snapshots.viewpoints[0].seat or 0)
        words = [broadcast.words_for_choice(view, play) for play in self._plays]
        plays = [[said, named_cards(said, cards)] for said in words]
        self._tell("ask", {"number": self._asked, "question": broadcast.question(view), "plays": plays})
        await self._answered.wait()
        play, self._plays, self._answer = self._answer, None, None
        assert play is not None
        return Answer(play)

    def keep(self, game: PlayedGame, rules: type[Game]) -> None:
        """Offer the page of a finished game, with all hands open, and its review."""
        self._finished = FinishedGame(game, rules)
        self._tell("review", {})

    async def decide_on_another(self, *, possible: bool) -> bool:
        """Wait after the last deal until the player has seen enough; return whether another deal is wanted.

        A player whose page has been closed for a while wants none.
        """
        self._decided = trio.Event()
        self._tell("last", {"another": possible})
        absent = 0
        while absent < 2:
            with trio.move_on_after(FAREWELL):
                await self._decided.wait()
                return self._wants_another
            absent = 0 if self._watching else absent + 1
        return False

    async def leave(self) -> None:
        """Tell the page that this was the last game, and wait until it knows."""
        self._tell("over", {})
        with trio.move_on_after(FAREWELL):
            while self._watching:
                await self._shown.wait()

    # Requests of the page

    async def _review(self) -> Response:
        """Serve the page of the game that was finished last."""
        if self._finished is None:
            return _nothing_finished()
        return game_response(await self._finished.page())

    async def _judging(self) -> Response:
        """Judge the decisions of the game that was finished last, for as long as a page listens to how far that is."""
        if self._finished is None:
            return _nothing_finished()
        response = await make_response(_progress(self._finished), {"Content-Type": "text/event-stream"})
        response.timeout = None
        assert isinstance(response, Response)
        return response

    async def _another(self) -> tuple[str, int]:
        """Receive the answer whether another deal is wanted."""
        match await document():
            case {"another": bool(wanted)}:
                self._wants_another = wanted
                self._decided.set()
                return "", 200
        return "another deal is wanted or not\n", 400

    async def _page(self) -> str:
        body = resources.files(__package__).joinpath("person.html").read_text("utf-8").format(frame=frame(PACE))
        head = links("page.css", "person.css", *SCRIPTS, "person.js")
        return html_page(f"croupier: {self.name}", body, head=head, icon="data:,")

    async def _stream(self) -> Response:
        """Send the events of this game as they come, and those that a page has missed."""
        missed = request.headers.get("Last-Event-ID", "")
        at = int(missed) + 1 if missed.isascii() and missed.isdecimal() and len(missed) < 10 else -1
        begin = at if self._begun <= at <= len(self._events) else self._begun
        response = await make_response(self._from(begin), {"Content-Type": "text/event-stream"})
        response.timeout = None
        assert isinstance(response, Response)
        return response

    async def _from(self, at: int) -> AsyncIterator[bytes]:
        self._watching += 1
        yield f"event: past\ndata: {len(self._events) - at}\n\n".encode()
        try:
            while True:
                while at < len(self._events):  # the list grows while an event is sent
                    kind, data = self._events[at]
                    yield f"id: {at}\nevent: {kind}\ndata: {data}\n\n".encode()
                    at += 1
                    if kind == "over":
                        return
                with trio.move_on_after(SILENCE) as waited:
                    await self._more.wait()
                if waited.cancelled_caught:
                    yield b": still here\n\n"
        finally:
            self._watching -= 1
            self._shown.set()
            self._shown = trio.Event()

    async def _play(self) -> tuple[str, int]:
        """Accept the play that was clicked, if it is asked for."""
        match await document():
            case {"ask": int(asked), "play": int(number)} if not {type(asked), type(number)} & {bool}:
                pass
            case _:
                return "a play is its number and that of its question\n", 400
        if asked != self._asked or self._plays is None or self._answered.is_set():
            return "this is not asked any more\n", 409
        if not 0 <= number < len(self._plays):
            return "there is no such play\n", 400
        self._answer = self._plays[number]
        self._answered.set()
        return "", 200

    # Events

    def _shoot(self, level: int, said: Sequence[Said] = ()) -> None:
        self._snapshots.take(level, lines={each.seat: said for each in self._snapshots.viewpoints})
        self._tell_shot()

    def _tell_shot(self) -> None:
        self._tell("shot", {"moment": self._snapshots.moments[-1], "shot": self._snapshots.viewpoints[0].shots[-1]})

    def _tell(self, kind: str, what: Any) -> None:
        """Add an event, and notify the pages."""
        self._events.append((kind, json.dumps(what, separators=(",", ":"))))
        self._more.set()
        self._more = trio.Event()


def _nothing_finished() -> Response:
    return Response("no game is finished yet\n", 404, content_type="text/plain; charset=utf-8")


async def _progress(game: FinishedGame) -> AsyncIterator[bytes]:
    """Yield an event for each decision that is judged, and ``ready`` at the end."""
    async with aclosing(game.judge()) as judging:
        async for progress in judging:
            yield f"event: judged\ndata: {json.dumps(progress._asdict())}\n\n".encode()
    yield b"event: ready\ndata: {}\n\n"
