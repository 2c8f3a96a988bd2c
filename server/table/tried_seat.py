"""TriedSeat: let a process play on from game to game once it is shown that its program keeps nothing in mind."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from croupier.server.table.faults import Fault
from croupier.server.table.process_seat import ProcessSeat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.protocol.notifications import Notification
    from croupier.server.table.talk import Answer, Question

GAMES = 2
"""Games of a process each, which are then tried in one."""
_SLOW = 5.0
"""Seconds of thinking in these games; beside so many a start costs too little to be worth the trial."""


class Asked(NamedTuple):
    """A question, the time for it, and what came of it."""

    question: Question
    seconds: float
    answer: Answer


class TriedSeat(ProcessSeat):
    """A seat whose program was made for one game a process, and may or may not bear more.

    The first games have a process each. Another process is then sent all of them, one after the other: if each answer
    is the same, one process plays the games from then on; else, as with whoever plays by chance, each has its own.
    Of a process that played on, the last game, and each in which it committed a fault, is sent to a fresh one: if that
    answers otherwise, this one remembered something after all, and the host is told that its games are worth nothing.
    """

    _heard: tuple[tuple[Sequence[str], list[Notification | Asked]], ...] = ()
    _lived = 0
    """Games that the process has begun."""

    @property
    def plays_on(self) -> bool | None:
        """Whether one process plays game after game; None while that is not known."""
        return self.host.plays_on.get(self.entry.name)

    def sit(self, players: Sequence[str]) -> None:
        """Learn the names, and hear another game."""
        super().sit(players)
        before = self._heard if self.plays_on is None else ()
        self._heard = (*before, (players, []))

    def ready(self) -> None:
        """Start the process unless it runs."""
        self._lived = 1 if self._process is None else self._lived + 1
        super().ready()

    def tell(self, note: Notification, texts: dict[str, str]) -> None:
        """Hold the notification back until the next question."""
        super().tell(note, texts)
        self._heard[-1][1].append(note)

    async def ask(self, question: Question, seconds: float) -> Answer:
        """Send what waits and the question, and read the answer."""
        answer = await super().ask(question, seconds)
        self._heard[-1][1].append(Asked(question, seconds, answer))
        return answer

    async def part(self) -> None:
        """Let the process go after a game, unless it is known to bear more."""
        if self._process is None:
            await self.confirm()
        if not self.plays_on:
            await self.leave()
        if self.plays_on is None and len(self._heard) == GAMES:
            self.host.plays_on[self.entry.name] = await self._bears_more()
            self._heard = ()

    async def confirm(self) -> None:
        """Send the last game to a fresh process, if one that has played on played it."""
        if self.plays_on and self._lived > 1 and not await self._answered_alike(self._heard):
            self.host.plays_on[self.entry.name] = False
            self.host.misled.add(self.entry.name)

    async def _bears_more(self) -> bool:
        """Send the games to one process; say whether it answers as before."""
        events = [event for _, game in self._heard for event in game]
        if sum(event.answer.used for event in events if isinstance(event, Asked)) > _SLOW:
            return False
        return await self._answered_alike(self._heard)

    async def _answered_alike(self, games: Sequence[tuple[Sequence[str], list[Notification | Asked]]]) -> bool:
        """Send games to a fresh process, in a folder of its own; say whether it answers as was answered."""
        folder = self.folder.with_name(f"{self.entry.name}.tried")
        seat = ProcessSeat(self.entry, folder, folder.with_suffix(".stderr"), self.host, self.start)
        seat.ready()
        try:
            for players, game in games:
                seat.sit(players)
                for event in game:
                    if not await _answers(seat, event):
                        return False
        finally:
            seat.retire()
        return True


async def _answers(seat: ProcessSeat, event: Notification | Asked) -> bool:
    """Tell it, or ask again and say whether the answer, or the kind of fault instead of one, is the same."""
    if isinstance(event, Asked):
        outcome, before = (await seat.ask(event.question, event.seconds)).outcome, event.answer.outcome
        if isinstance(outcome, Fault) and isinstance(before, Fault):
            return outcome.kind is before.kind
        return outcome == before
    seat.tell(event, {})
    return True
