"""TriedSeat: let a process play on from game to game once it is shown that its program keeps nothing in mind."""

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
"""Games of a process each, until it is known."""
_SLOW = 5.0
"""Seconds of thinking in the second; beside so many a start costs too little to be worth the trial."""


class Asked(NamedTuple):
    """A question, the time for it, and what came of it."""

    question: Question
    seconds: float
    answer: Answer


class TriedSeat(ProcessSeat):
    """A seat whose program was made for one game a process, and may or may not bear more.

    The first two games have a process each. Then the first process is sent the second game too: if each answer is the
    same, it plays the games from then on; else, as with whoever plays by chance, each has its own. Of a process that
    played on, the last game, and each in which it committed a fault, is sent to a fresh one: if that answers otherwise,
    this one remembered something after all, and the host is told that its games are worth nothing.
    """

    _first: ProcessSeat | None = None
    """Where the process of the first game waits while another plays the second."""
    _lived = 0
    """Games that the process has begun, but for the one on trial."""

    @property
    def plays_on(self) -> bool | None:
        """Return whether one process plays game after game; None while that is not known."""
        return self.host.plays_on.get(self.entry.name)

    def sit(self, players: Sequence[str]) -> None:
        """Learn the names, and hear another game."""
        super().sit(players)
        self.letterbox = None  # what it hears it may have to tell again
        self._players = players
        self._heard: list[Notification | Asked] = []

    def ready(self) -> None:
        """Start the process unless it runs."""
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
        """Let the process go after a game, unless it is known to bear more, or to be tried."""
        if self._process is None:  # it committed a fault
            await self.confirm()
            await self.leave()
        elif self.plays_on is None:
            await self._try()
        elif not self.plays_on:
            await self.leave()

    async def _try(self) -> None:
        """Put the first process aside; when another has played the second game, have it play that too."""
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
        """Send the last game to a fresh process, if one that has played on played it."""
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
        """Send the last game to another process; say whether it answers as was answered."""
        seat.sit(self._players)
        for event in self._heard:
            if not await _answers(seat, event):
                return False
        return True

    async def leave(self) -> None:
        """End the process's input and let it go; who waits goes too."""
        await super().leave()
        first, self._first = self._first, None
        if first is not None:
            await first.leave()


async def _answers(seat: ProcessSeat, event: Notification | Asked) -> bool:
    """Tell it, or ask again and say whether the answer, or the kind of fault instead of one, is the same."""
    if isinstance(event, Asked):
        outcome, before = (await seat.ask(event.question, event.seconds)).outcome, event.answer.outcome
        if isinstance(outcome, Fault) and isinstance(before, Fault):
            return outcome.kind is before.kind
        return outcome == before
    seat.tell(event, {})
    return True
