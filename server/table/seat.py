"""A seat: told what happens, asked for decisions; how it is spoken to, and the seats without a process."""

from __future__ import annotations

import traceback
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

import trio

from croupier.agents.driver import decide, respond
from croupier.protocol.notifications import CLASSIC, NATIVE, TABLE, Attacked, Defended, Request, Update
from croupier.server.table.faults import Fault, Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from croupier.agents.agent import Agent
    from croupier.protocol.notifications import Notification
    from croupier.protocol.views.view import View
    from croupier.server.games.game import Play

    Question = Request | Attacked


class Seat(ABC):
    """A place at the table: told what happens, asked for decisions.

    ``used`` is how long the last decision took, in seconds, less what of the start-up allowance it needed; ``asked`` is
    the last question as it was sent.
    """

    dialect = NATIVE
    used = 0.0
    burnt = 0.0
    """Seconds of CPU time that the player used in the last game while others were on turn, where that is known."""
    asked = ""

    def __init__(self, name: str) -> None:
        self.name = name

    def sit(self, players: Sequence[str]) -> None:
        """Learn who plays where; called before each game."""

    def ready(self) -> None:
        """Begin what takes time before a game, such as starting a process."""

    def tell(self, note: Notification, texts: dict[str, str]) -> None:
        """Take a notification that needs no answer; ``texts`` keeps its text by dialect for the next seats."""

    @abstractmethod
    async def ask(self, question: Question, seconds: float) -> Play | Fault:
        """Ask for a decision within so many seconds; return the play as answered, whatever the rules say of it."""

    def finish(self) -> None:
        """Deliver what is still held back at the end of a game."""

    def retire(self) -> None:
        """Be done with whoever sits here, at once: after a fault."""

    async def leave(self) -> None:
        """Let whoever sits here go, in peace."""


class Speech:
    """How one seat is spoken to: its dialect, and for a classic client names with their index before them."""

    def __init__(self, dialect: str, players: Sequence[str]) -> None:
        self.dialect = dialect
        self._names = {name: f"{seat}-{name}" if name[0].isalpha() else name for seat, name in enumerate(players)}

    def text(self, note: Notification) -> str:
        """Return the line for a notification; nothing where the dialect has no words for it."""
        if self.dialect == NATIVE:
            return note.write()
        match note:
            case Update(name, _) if name == TABLE:
                return ""
            case Update(name, play):
                note = Update(self._names[name], play)
            case Defended(name, defense):
                note = Defended(self._names[name], defense)
            case Attacked(play, name, view):
                note = Attacked(play, self._names[name], self._renamed(view))
            case Request(view):
                note = Request(self._renamed(view))
        return note.write(CLASSIC)

    def _renamed(self, view: View) -> View:
        view.players = tuple(self._names[name] for name in view.players)
        return view


class LocalSeat(Seat):
    """A seat whose player is an Agent in the referee's own process: same hooks, no pipes, no deadline."""

    def __init__(self, name: str, agent: Agent) -> None:
        super().__init__(name)
        self.agent = agent
        self._mail: list[Notification] = []

    def tell(self, note: Notification, texts: dict[str, str]) -> None:
        """Hold the notification back until the next question."""
        self._mail.append(note)

    async def ask(self, question: Question, seconds: float) -> Play | Fault:
        """Ask the agent; an exception in a hook is the agent's crash."""
        began = trio.current_time()
        self.asked = ""
        try:
            self.finish()
            play = decide(self.agent, question)
        except Exception as problem:  # noqa: BLE001  whatever a strategy raises is its own fault
            self.asked = question.write()
            return Fault(Kind.CRASHED, "".join(traceback.format_exception_only(problem)).strip())
        self.used = trio.current_time() - began
        return play

    def finish(self) -> None:
        """Deliver what is held back."""
        mail, self._mail = self._mail, []
        for note in mail:
            respond(self.agent, note)


class AbsentSeat(Seat):
    """A seat whose player was withdrawn: every game there begins with the fault of not being there."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(name)
        self._why = why

    async def ask(self, question: Question, seconds: float) -> Play | Fault:
        """Say why nobody is here."""
        return Fault(Kind.CRASHED, self._why)


class ReplaySeat(Seat):
    """A seat that plays what it is given, in order: a recorded player."""

    def __init__(self, name: str, plays: Iterable[Play]) -> None:
        super().__init__(name)
        self._plays = iter(plays)

    async def ask(self, question: Question, seconds: float) -> Play | Fault:
        """Return the next play of the list."""
        play = next(self._plays, None)
        return Fault(Kind.CRASHED, "the recorded plays are at an end") if play is None else play
