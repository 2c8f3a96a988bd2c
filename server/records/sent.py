"""What one player was sent in a recorded game, byte for byte, to feed to a bot under a debugger."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.protocol.notifications import Attacked, Open, Request
from croupier.server import imagining
from croupier.server.records.replay import ReplayedFault, ReplayedPlay
from croupier.server.table import messages
from croupier.server.table.clock import Clock
from croupier.server.table.faults import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from croupier.protocol.notifications import Notification
    from croupier.server.records.replay import Replay


class Wire:
    """Follow a replay from one seat.

    A record does not contain the clock; ``clock`` (ms) is what each STATE will show.
    """

    def __init__(self, replay: Replay, name: str, dialect: str | None = None, clock: int = 10_000) -> None:
        self.replay = replay
        players = replay.game.players
        self.seat = replay.seat_of(name)
        self.clock = Clock(clock)
        self._deals = imagining.DEALS.get(replay.sight_of(name))
        self._speech = messages.Speech(dialect or replay.dialect_of(name), players)
        self._spoke_unasked = False
        self.asked = 0
        """The number of the player's questions so far."""

    def lines(self, questions: int | None = None) -> Iterator[str]:
        """Yield each line the player was sent, as far as the record goes or up to question ``last``."""
        held: list[str] = []  # updates wait for a question, like at the table
        for note in self._notes():
            if text := self._speech.text(note):
                held.append(text)
            if isinstance(note, Request | Attacked):
                yield from held
                held.clear()
                self.asked += 1
            if questions is not None and self.asked >= questions:
                return
        if not self._spoke_unasked:
            yield from held

    def _notes(self) -> Iterator[Notification]:
        replay, game = self.replay, self.replay.game
        yield from messages.start(game, self.seat, self.clock)
        before: ReplayedPlay | None = None
        for step in replay.steps():
            if before is not None:
                yield from self._after(before)
                before = None
            if isinstance(step, ReplayedFault) and step.seat == self.seat and step.kind == Kind.UNASKED.value:
                self._spoke_unasked = True  # found before the question and the waiting updates were sent
                return
            if step.seat == self.seat == game.turn:  # other servers' records have announcements out of turn
                if self._deals is not None and (deal := self._deals(game, self.seat)) is not None:
                    yield Open(deal)
                yield messages.question(game, self.clock)
            if isinstance(step, ReplayedPlay):
                before = step
            elif step.seat == self.seat:
                return
            else:
                yield messages.fault(game.players[step.seat], step.kind)
        if before is not None:
            yield from self._after(before)
        if replay.scores is not None:
            yield messages.end((name, replay.scores[name]) for name in game.players)

    def _after(self, step: ReplayedPlay) -> Iterator[Notification]:
        for note, but in messages.after(self.replay.game, step.seat, step.seen, step.attack, self.replay.news):
            if but != self.seat:
                yield note
