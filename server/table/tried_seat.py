"""TriedSeat: let a process play on from game to game once it is shown that its program keeps nothing in mind."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

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
    """

    _heard: tuple[tuple[Sequence[str], list[Notification | Asked]], ...] = ()

    @property
    def plays_on(self) -> bool | None:
        """Whether one process plays game after game; None while that is not known."""
        return self.host.plays_on.get(self.entry.name)

    def sit(self, players: Sequence[str]) -> None:
        """Learn the names, and hear another game."""
        super().sit(players)
        if self.plays_on is None:
            self._heard = (*self._heard, (players, []))

    def tell(self, note: Notification, texts: dict[str, str]) -> None:
        """Hold the notification back until the next question."""
        super().tell(note, texts)
        if self.plays_on is None:
            self._heard[-1][1].append(note)

    async def ask(self, question: Question, seconds: float) -> Answer:
        """Send what waits and the question, and read the answer."""
        answer = await super().ask(question, seconds)
        if self.plays_on is None:
            self._heard[-1][1].append(Asked(question, seconds, answer))
        return answer

    async def part(self) -> None:
        """Let the process go after a game, unless it is known to bear more."""
        if not self.plays_on:
            await self.leave()
        if self.plays_on is None and len(self._heard) == GAMES:
            self.host.plays_on[self.entry.name] = await self._bears_more()
            self._heard = ()

    async def _bears_more(self) -> bool:
        """Send the games to one process, in a folder of its own; say whether it answers as before."""
        events = [event for _, game in self._heard for event in game]
        if sum(event.answer.used for event in events if isinstance(event, Asked)) > _SLOW:
            return False
        folder = self.folder.with_name(f"{self.entry.name}.tried")
        seat = ProcessSeat(self.entry, folder, folder.with_suffix(".stderr"), self.host, self.start)
        seat.ready()
        try:
            for players, game in self._heard:
                seat.sit(players)
                for event in game:
                    if not await _answers(seat, event):
                        return False
        finally:
            seat.retire()
        return True


async def _answers(seat: ProcessSeat, event: Notification | Asked) -> bool:
    """Tell it, or ask again and say whether the answer is the same."""
    if isinstance(event, Asked):
        return (await seat.ask(event.question, event.seconds)).outcome == event.answer.outcome
    seat.tell(event, {})
    return True
