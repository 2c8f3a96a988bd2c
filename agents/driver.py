"""The driver: connects an agent to standard input and output."""

from __future__ import annotations

import os
import sys

from croupier.agents.classic import ClassicGames, is_classic
from croupier.protocol import notifications, views
from croupier.protocol.notifications import Attacked, Defended, Open, Request, Update
from croupier.protocol.sexp import Reader, write
from croupier.protocol.views.view import TABLE as SCORES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from croupier.agents.agent import Agent
    from croupier.protocol.notifications import Notification
    from croupier.protocol.views.view import Play, View

_CHUNK = 65_536


def drive(agent: Agent) -> None:
    """Play until standard input ends: read notifications, however they are split, and answer the requests.

    The agent's own prints go to standard error. An exception from the agent ends the process with status 1.
    """
    wire = _own_the_wire()
    told, spell = _hear(os.read(0, _CHUNK))
    for notification in told:
        if (play := respond(agent, notification)) is not None:
            try:
                os.write(wire, f"{spell(play)}\n".encode("ascii"))
            except BrokenPipeError:
                return


def _hear(first: bytes) -> tuple[Iterator[Notification], Callable[[Play], str]]:
    """Return the notifications, in the dialect that the first bytes show, and the function that writes a play in it."""
    if not first.startswith(b"{"):
        return _notifications(first), write
    from croupier.protocol import json_dialect  # noqa: PLC0415  s-expressions do not need it

    return _read_lines(first, json_dialect.read), json_dialect.write_play


def _read_lines(data: bytes, read: Callable[[str], Notification | None]) -> Iterator[Notification]:
    """Yield the lines of standard input."""
    rest = b""
    while data:
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            notification = read(line.decode("ascii"))
            if notification is not None:
                yield notification
        data = os.read(0, _CHUNK)


def _notifications(data: bytes) -> Iterator[Notification]:
    """Yield the notifications on standard input, with the starts and ends that the classic dialect leaves out."""
    reader, games = Reader(), None
    while data:
        for form in reader.feed(data):
            if games is None and is_classic(form):
                games = ClassicGames()
            notification = notifications.read(form)
            if notification is not None:
                yield from games.feed(notification) if games else (notification,)
        data = os.read(0, _CHUNK)
    yield from games.rest() if games else ()


def _own_the_wire() -> int:
    """Reserve standard output for replies; everything else that is printed, even by a child, goes to standard error."""
    wire = os.dup(1)
    os.dup2(2, 1)
    sys.stdout.flush()  # text that was printed before, but not yet written
    sys.stdout = sys.stderr
    return wire


def respond(agent: Agent, notification: Notification) -> Play | None:
    """Tell the agent a notification; return its play if it asks for one."""
    match notification:
        case Request() | Attacked():
            return decide(agent, notification)
        case Update("table", play):
            _tell(agent, play)
        case Update(name, play):
            agent.heard(name, play)
        case Defended(name, defense):
            agent.heardDefense(name, defense)
        case Open(deal):
            agent.opened(deal)
    return None


def decide(agent: Agent, question: Request | Attacked) -> Play:
    """Ask the agent; return its play."""
    if isinstance(question, Attacked):
        view = question.view
        return _play_or_choose(agent, view, agent.tryDefend(question.play, question.name, view))
    return choose(agent, question.view)


def choose(agent: Agent, view: View) -> Play:
    """Ask the agent for a play when it is its turn."""
    return _play_or_choose(agent, view, agent.tryBid(view) if view.phase in view.BIDDING else agent.tryPlay(view))


def _play_or_choose(agent: Agent, view: View, play: Play | None) -> Play:
    if play is None:
        play = agent.choose(view)
    if not isinstance(play, tuple):
        raise TypeError(f"{type(agent).__name__} answered {play!r}; a play is a tuple such as ('play', 'h9')")
    return play


def _tell(agent: Agent, news: Play) -> None:
    match news:
        case ("start", state):
            agent.started(views.read(state))
        case ("end", *scores):
            agent.ended(SCORES.read(tuple(scores)))
        case _:
            agent.heard("table", news)
