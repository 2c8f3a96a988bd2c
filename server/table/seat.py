"""A seat is told what happens and asked for decisions; here are those in this process, and absent ones."""

from __future__ import annotations

import traceback
from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar

import trio

from croupier.agents.driver import decide, respond
from croupier.protocol.notifications import NATIVE, OWN
from croupier.server.games.sheets import typed_sheet
from croupier.server.table.faults import Fault, Kind
from croupier.server.table.messages import Answer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from croupier.agents.agent import Agent
    from croupier.protocol.notifications import Notification
    from croupier.server.games.game import Game, News, Play
    from croupier.server.games.sheets import Text, Typed
    from croupier.server.table.messages import Question


class Seat:
    """A place at the table that is told what happens and asked for decisions."""

    dialect: str
    LOOKS: ClassVar[bool] = False
    """Whether it looks at the game before and after each play, in order to draw it."""
    letterbox: Callable[[str], None] | None = None
    """Takes a notification's native line in place of `tell`, for seats that do nothing else with it."""
    burnt = 0.0
    """Seconds of CPU time that the player used in the last game while others were on turn, if known."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.dialect = NATIVE
        self.sight = OWN
        """What it is told of the others' cards: `OWN`, `OPEN` or `BLIND`."""
        self.sheet: Callable[[tuple[str, ...], int], Typed | Text] = typed_sheet
        """Returns the sheet on which the game is shown to the seat among these players."""

    def sit(self, players: Sequence[str]) -> None:
        """Learn who plays where; called before each game."""

    def follow(self, game: Game, seat: int) -> None:
        """Take the game, in order to show more of it than STATE; called before each game."""

    def before(self, seat: int, play: Play, seen: Play) -> None:
        """Look at a play that is about to be applied, if this seat `LOOKS`; ``seen`` is what others are told of it."""

    def after(self, seat: int, news: Sequence[News]) -> None:
        """Look at the result of a play, if this seat `LOOKS`."""

    def ready(self) -> None:
        """Begin what takes time before a game, such as starting a process."""

    def tell(self, note: Notification, texts: dict[str, str]) -> None:
        """Take a notification that needs no answer; ``texts`` caches its text by dialect for the next seats."""

    @abstractmethod
    async def ask(self, question: Question, seconds: float) -> Answer:
        """Ask for a decision within ``seconds``; return the answer, whether or not the rules allow the play."""

    def finish(self) -> None:
        """Deliver what is still held back at the end of a game."""

    async def part(self) -> None:
        """Finish a game. A seat whose entry asks for a fresh process per game ends it here."""

    async def confirm(self) -> None:
        """Finish the last game, checking that the player behaves as assumed."""

    def errors(self) -> str:
        """Return the standard error since the last call, if it is kept."""
        return ""

    def retire(self) -> None:
        """Remove the player at once, after a fault."""

    async def leave(self) -> None:
        """Let the player leave in the ordinary way."""


class LocalSeat(Seat):
    """A seat whose player is an Agent in the referee's own process: same hooks, no pipes, no deadline."""

    def __init__(self, name: str, agent: Agent) -> None:
        super().__init__(name)
        self.agent = agent
        self._mail: list[Notification] = []

    def tell(self, note: Notification, texts: dict[str, str]) -> None:
        """Hold the notification back until the next question."""
        self._mail.append(note)

    async def ask(self, question: Question, seconds: float) -> Answer:
        """Ask the agent; an exception in a hook is a crash of the agent."""
        began = trio.current_time()
        try:
            self.finish()
            play = decide(self.agent, question)
        except Exception as problem:  # noqa: BLE001  whatever a strategy raises is its own fault
            why = "".join(traceback.format_exception_only(problem)).strip()
            return Answer(Fault(Kind.CRASHED, why), asked=question.write())
        return Answer(play, trio.current_time() - began)

    def finish(self) -> None:
        """Deliver what is held back."""
        mail, self._mail = self._mail, []
        for note in mail:
            respond(self.agent, note)


class AbsentSeat(Seat):
    """A seat whose player was withdrawn: at its first turn a stand-in takes over, or the game is forfeit."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(name)
        self._why = why

    async def ask(self, question: Question, seconds: float) -> Answer:
        """Return the fault that says why the player is absent."""
        return Answer(Fault(Kind.WITHDRAWN, self._why))
