"""TriedSeat: lets a process play game after game once its program has been shown to remember nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from croupier.server.table.faults import Fault
from croupier.server.table.process_seat import ProcessSeat

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from croupier.protocol.notifications import Notification
    from croupier.server.table.messages import Answer, Question

GAMES = 2
"""How many games get their own process before this is decided."""
_SLOW = 5.0
"""Seconds of thinking in the second game; if it took longer, a start costs too little to be worth the trial."""


class Asked(NamedTuple):
    """A question, the time for it, and the answer."""

    question: Question
    seconds: float
    answer: Answer


class TriedSeat(ProcessSeat):
    """A seat whose program was made for one game per process, and may or may not be able to play more.

    The first two games have a process each. Then the first process is sent the second game too. If each answer is the
    same, it plays the later games; otherwise, as with a bot that plays at random, each game has its own process. If a
    process played on, its last game, and each in which it committed a fault, is sent to a fresh process. If that one
    answers differently, the first remembered something after all, and the host is told that its games do not count.
    """

    _first: ProcessSeat | None = None
    """The process of the first game, waiting while another plays the second."""
    _lived = 0
    """How many games the process has begun, not counting the one on trial."""

    @property
    def plays_on(self) -> bool | None:
        """Return whether one process plays game after game; None while that is unknown."""
        return self.host.plays_on.get(self.entry.name)

    def sit(self, players: Sequence[str]) -> None:
        """Learn the names, and start listening to another game."""
        super().sit(players)
        self.letterbox = None  # what it hears it may have to tell again, so it must keep the notifications
        self._players = players
        self._heard: list[Notification | Asked] = []

    def ready(self) -> None:
        """Start the process if it does not run."""
        self._lived = 1 if self._process is None else self._lived + 1
        super().ready()

    def _place(self) -> tuple[Path, Path]:
        """Keep the second game's process apart from the first one."""
        if self._first is None:
            return super()._place()
        folder = self.folder.with_name(f"{self.entry.name}.tried")
        return folder, folder.with_suffix(".stderr")

    def tell(self, note: Notification, texts: dict[str, str]) -> None:
        """Hold the notification back until the next question."""
        super().tell(note, texts)
        self._heard.append(note)

    async def ask(self, question: Question, seconds: float) -> Answer:
        """Send what waits and the question, and read the answer."""
        answer = await super().ask(question, seconds)
        self._heard.append(Asked(question, seconds, answer))
        return answer

    async def part(self) -> None:
        """End the process after a game, unless it can play more, or is to be tried."""
        if self._process is None:  # it committed a fault
            await self.confirm()
            await self.leave()
        elif self.plays_on is None:
            await self._try()
        elif not self.plays_on:
            await self.leave()

    async def _try(self) -> None:
        """Put the first process aside; after another has played the second game, have the first play it too."""
        if self._first is None:
            first = ProcessSeat(self.entry, self.folder, self.stderr, self.host, self.start)
            first.take_over(self)
            self._first = first
            return
        await super().leave()
        first, self._first = self._first, None
        thought = sum(event.answer.used for event in self._heard if isinstance(event, Asked))
        self.host.plays_on[self.entry.name] = thought <= _SLOW and await self._is_repeated_by(first)
        if self.plays_on:
            self.take_over(first)
            self._lived = 1
        else:
            await first.leave()

    async def confirm(self) -> None:
        """Send the last game to a fresh process, if it was played by one that has played on."""
        if not self.plays_on or self._lived == 1:
            return
        folder = self.folder.with_name(f"{self.entry.name}.tried")
        fresh = ProcessSeat(self.entry, folder, folder.with_suffix(".stderr"), self.host, self.start)
        fresh.ready()
        try:
            if not await self._is_repeated_by(fresh):
                self.host.plays_on[self.entry.name] = False
                self.host.misled.add(self.entry.name)
        finally:
            fresh.retire()

    async def _is_repeated_by(self, seat: ProcessSeat) -> bool:
        """Send the last game to another process; return whether it gives the same answers."""
        seat.sit(self._players)
        for event in self._heard:
            if not await _answers(seat, event):
                return False
        return True

    async def leave(self) -> None:
        """End the process's input and let it exit, also the waiting one."""
        await super().leave()
        first, self._first = self._first, None
        if first is not None:
            await first.leave()


async def _answers(seat: ProcessSeat, event: Notification | Asked) -> bool:
    """Send a notification or question again; return whether the answer, or the kind of fault, is the same."""
    if isinstance(event, Asked):
        outcome, before = (await seat.ask(event.question, event.seconds)).outcome, event.answer.outcome
        if isinstance(outcome, Fault) and isinstance(before, Fault):
            return outcome.kind is before.kind
        return outcome == before
    seat.tell(event, {})
    return True
