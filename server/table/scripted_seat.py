"""ScriptedSeat: answers as recorded, and also asks the player behind it, to see whether the answers are the same."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from croupier.protocol.record import Faulted, quote
from croupier.protocol.sexp import write
from croupier.server.table.faults import Fault, Kind
from croupier.server.table.messages import Answer
from croupier.server.table.seat import AbsentSeat, Seat

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from croupier.protocol.notifications import Notification
    from croupier.server.games.game import Game, Play
    from croupier.server.table.messages import Question

    Answered = Play | Faulted

_NO_MORE = Fault(Kind.CRASHED, "nothing more is written for this player")


class Mismatch(NamedTuple):
    """The first decision of a game that was answered differently from the record."""

    number: int
    """The number of the player's decision in this game, from 1."""
    written: str
    found: str
    late: bool
    """Whether one of the two answers was late, which may be the machine's fault."""


class ScriptedSeat(Seat):
    """A seat that answers as recorded, whatever the player behind it says.

    The player is asked until it answers differently; from there on it would play another game.
    """

    def __init__(self, seat: Seat, script: Iterable[Answered], *, asked: bool = True) -> None:
        super().__init__(seat.name)
        self.dialect, self.sight, self.sheet = seat.dialect, seat.sight, seat.sheet
        self.agreed = 0
        """The number of decisions answered as recorded."""
        self.difference: Mismatch | None = None
        self._script = iter(script)
        self._asked = asked
        self._behind: Seat = seat if asked else AbsentSeat(seat.name, "nobody is asked")

    def sit(self, players: Sequence[str]) -> None:
        """Learn the names."""
        self._behind.sit(players)

    def follow(self, game: Game, seat: int) -> None:
        """Show the game to the player behind."""
        self._behind.follow(game, seat)

    def ready(self) -> None:
        """Start the player that answers after the script."""
        self._behind.ready()

    def tell(self, note: Notification, texts: dict[str, str]) -> None:
        """Tell the player behind."""
        self._behind.tell(note, texts)

    async def ask(self, question: Question, seconds: float) -> Answer:
        """Return the recorded answer, and compare it with the player's."""
        written = next(self._script, None)
        if written is None:
            return Answer(_NO_MORE)
        said = _answer(written)
        return await self.compare(written, said, question, seconds) if self._asked else said

    async def compare(self, written: Answered, said: Answer, question: Question, seconds: float) -> Answer:
        """Ask the player behind; return the recorded answer with the player's time."""
        found = await self._behind.ask(question, seconds)
        if _same(written, found):
            self.agreed += 1
            return replace(said, used=found.used)
        late = any(isinstance(one, Fault) and one.kind is Kind.TIMEOUT for one in (said.outcome, found.outcome))
        self.difference = Mismatch(self.agreed + 1, _show(said.outcome), _show(found.outcome), late)
        self.retire()
        return said

    def finish(self) -> None:
        """Deliver what is still held back."""
        self._behind.finish()

    def retire(self) -> None:
        """Retire the player after a fault or a different answer."""
        self._behind.retire()
        self._asked, self._behind = False, AbsentSeat(self.name, "nobody is asked")


def _answer(written: Answered) -> Answer:
    if isinstance(written, Faulted):
        received = written.received.encode("latin-1", "replace")
        return Answer(Fault(Kind(written.kind), written.why), 0.0, written.request, received)
    return Answer(written)


def _same(written: Answered, found: Answer) -> bool:
    """Return whether an answer is the recorded one; a faulty one is compared by its bytes."""
    outcome = found.outcome
    if not isinstance(written, Faulted):
        return outcome == written
    if isinstance(outcome, Fault):
        return outcome.kind.value == written.kind
    refused = written.kind in {Kind.ILLEGAL.value, Kind.UNKNOWN.value}
    return refused and quote(written.received) == quote((found.received or write(outcome).encode()).decode("latin-1"))


def _show(outcome: Play | Fault) -> str:
    return f"the fault {outcome.kind.value}" if isinstance(outcome, Fault) else write(outcome)
