"""JassService: lets programs that speak the player service of jass-kit ask a bot of ours, which is a process."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import trio
from quart import Response, request
from quart_trio import QuartTrio
from werkzeug.exceptions import HTTPException

from croupier.agents.bridges.jass_observation import NAMES, NUMBERS
from croupier.server.processes.temporary_folder import temporary_folder
from croupier.server.table import messages
from croupier.server.table.clock import Clock
from croupier.server.table.faults import Fault
from croupier.server.table.table import Table
from croupier.server.web.jass_position import BadObservation, JassPosition, read_observation
from croupier.server.web.protected_site import MOST_BYTES
from croupier.server.web.serving import IDLE, serve_pages, wait_for_interrupt

if TYPE_CHECKING:
    from collections.abc import Callable

    from croupier.server.entries import Entry
    from croupier.server.games.game import Play
    from croupier.server.processes.sandbox import SandboxSettings
    from croupier.server.table.seat import Seat

ACTIONS = ("action_trump", "action_play_card", "game_info")
_ELSEWHERE = "no player of that name is here"


class JassService:
    """An ASGI application with one player, whose seat answers one question after another within ``seconds`` each.

    Each question tells the seat the whole game again, so that no game needs to be remembered. ``say`` receives a
    line about each fault of the seat, and about each bug of ours.
    """

    def __init__(
        self,
        seat: Seat,
        seconds: float,
        host: str,
        say: Callable[[str], object],
    ) -> None:
        self._seat = seat
        self._name = seat.name
        self._seconds = seconds
        self._host = host
        self._say = say
        self._free = trio.Lock()
        self._app = QuartTrio(__name__, static_folder=None)
        self._app.config["MAX_CONTENT_LENGTH"] = MOST_BYTES
        self._app.config["BODY_TIMEOUT"] = IDLE
        self._app.add_url_rule("/jass/players/<name>", view_func=self._greet, methods=["GET"])
        self._app.add_url_rule("/jass/players/<name>/<action>", view_func=self._act, methods=["POST"])
        self._app.register_error_handler(Exception, self._explain)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request."""
        await self._app(scope, receive, send)

    def open_at(self, port: int) -> str:
        """Return the player's address at this port."""
        return f"http://{self._host}:{port}/jass/players/{self._name}"

    async def _greet(self, name: str) -> Response:
        if name != self._name:
            return _error(_ELSEWHERE, 404)
        return _answer(f"{name} plays here")

    async def _act(self, name: str, action: str) -> Response:
        if name != self._name:
            return _error(_ELSEWHERE, 404)
        if action not in ACTIONS:
            return _error(f"there is no such action: a player knows {', '.join(ACTIONS)}", 404)
        if not request.is_json:
            return _error("an observation is sent as application/json", 415)
        body = await request.get_data()
        if action == "game_info":
            read_observation(body)
            return _answer("")
        position = JassPosition.read(body)
        if position.is_chosen != (action == "action_play_card"):
            raise BadObservation("trump is chosen already" if position.is_chosen else "trump is not chosen yet")
        async with self._free:
            play = await self._decide(position)
        if isinstance(play, Fault):
            self._say(f"{self._name}: {play.kind.value}: {play.description}")
            return _error(f"the player failed: {play.kind.value}: {play.why}", 500)
        return _answer({"card": NAMES[str(play[1])]} if play[0] == "play" else {"trump": NUMBERS[play]})

    async def _decide(self, position: JassPosition) -> Play | Fault:
        """Return the bot's play, or its fault, after which the next question gets a fresh process."""
        game, place, seat = position.opening(), self._seat, position.seat
        place.sit(position.players)
        place.ready()
        sheet, clock = place.sheet(position.players, seat), Clock(round(self._seconds * 1000))
        for opening in messages.start(game, seat, clock, sheet):
            place.tell(opening, {})
        for play in position.plays:
            turn = game.turn or 0
            seen = game.public(turn, play)
            for note, but in messages.after(game, turn, seen, None, game.play(turn, play)):
                if but != seat:
                    place.tell(note, {})
        answered = False
        try:
            answer = await place.ask(messages.question(game, clock, sheet), self._seconds)
            outcome = messages.judge(game, seat, answer).outcome
            answered = not isinstance(outcome, Fault)
        finally:
            if not answered:  # also if the client has left: the reply that is still to come answers nothing else
                place.retire()
        return outcome

    async def _explain(self, problem: Exception) -> Response:
        """Answer with a sentence about what did not work; for a bug of ours, no details."""
        if isinstance(problem, BadObservation):
            return _error(str(problem), 400)
        if isinstance(problem, HTTPException):
            return _error(problem.name, problem.code or 500)
        self._say(f"a question could not be answered, which is our bug: {problem!r}")
        return _error("this did not work, which is a bug in croupier; its terminal says more", 500)


def serve(
    entry: Entry,
    sandboxing: SandboxSettings,
    start: float,
    seconds: float,
    at: tuple[str, int],
    tell: Callable[[str], object],
    say: Callable[[str], object],
) -> None:
    """Serve a bot at a host and port until Ctrl-C; ``tell`` receives its address. Raise OSError if that is taken.

    It may take ``start`` seconds to start and ``seconds`` for an answer.
    """

    async def run() -> None:
        async with Table([entry], folder, start, sandboxing=sandboxing) as table:
            site = JassService(table.seats[0], seconds, at[0], say)
            async with serve_pages(site, at[1], at[0]) as address:
                tell(address)
                await wait_for_interrupt()

    with temporary_folder() as folder:
        trio.run(run)


def _answer(document: object, status: int = 200) -> Response:
    return Response(json.dumps(document), status, content_type="application/json")


def _error(why: str, status: int) -> Response:
    return _answer({"error": why}, status)
