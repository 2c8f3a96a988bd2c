"""The work of a worker: sends recorded games to bots, and asks each decision again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import trio

from croupier.protocol.record import BadRecord, Faulted
from croupier.server.processes.workplace import workplace
from croupier.server.records.answers import answers, decisions
from croupier.server.table.scripted_seat import ScriptedSeat
from croupier.server.table.table import Table
from croupier.server.tournaments.playing.withdrawals import is_withdrawal

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from croupier.server.table.played_game import Names
    from croupier.server.table.scripted_seat import Answered, Mismatch
    from croupier.server.tournaments.playing.batch import Job


class RerunAnswers(NamedTuple):
    """The results of one game, by seat."""

    agreed: tuple[int, ...]
    """How many decisions were answered as recorded."""
    differences: tuple[Mismatch | None, ...]
    in_order: bool
    """Whether the referee, given the recorded answers, plays the same in the same order."""

    def of(self, name: str, seating: Names) -> tuple[int, list[Mismatch]]:
        """Return how many decisions of a bot agreed, in all its seats, and the first ones that did not."""
        both = zip(seating, self.agreed, self.differences, strict=False)
        mine = [(agreed, difference) for other, agreed, difference in both if other == name]
        return sum(agreed for agreed, _ in mine), [other for _, other in mine if other is not None]


UNREAD = RerunAnswers((), (), in_order=True)
"""The result for an invalid record; `verify` reports what is wrong with it."""


@dataclass(frozen=True)
class RerunJob:
    """Recorded games that one process of each bot played one after another; the job's absent are not asked."""

    job: Job
    records: tuple[str, ...]

    def play(self, stopped: Callable[[], bool]) -> list[RerunAnswers]:
        """Play all of them again, unless stopped."""
        return trio.run(self._play, stopped)

    async def _play(self, stopped: Callable[[], bool]) -> list[RerunAnswers]:
        job, found = self.job, list[RerunAnswers]()
        with workplace() as folder:
            async with Table(job.entries_by_seat(job.pairing), folder, job.start, house=job.house) as table:
                for (seating, deal), text in zip(job.games, self.records, strict=True):
                    if stopped():
                        break
                    found.append(await self._play_again(table, seating, deal, text))
        return found

    async def _play_again(self, table: Table, seating: Names, deal: int, text: str) -> RerunAnswers:
        job = self.job
        sitting = job.entries_by_seat(seating)
        job.seat(table, seating)
        try:
            known = answers(text)
            scripts = [known[entry.name] for entry in sitting]
        except (BadRecord, KeyError):
            return UNREAD
        fronts = [
            ScriptedSeat(each, script, asked=not entry.withdrawn and not _had_left(script))
            for each, script, entry in zip(table.seats, scripts, sitting, strict=True)
        ]
        again = await job.play_at(table, seating, deal, fronts=fronts)
        return RerunAnswers(
            tuple(front.agreed for front in fronts),
            tuple(front.difference for front in fronts),
            decisions(text) == decisions(*again.record),
        )


def _had_left(script: Sequence[Answered]) -> bool:
    """Return whether the player had been withdrawn before the game, so that it was not asked."""
    return bool(script) and isinstance(script[0], Faulted) and is_withdrawal(script[0].kind, script[0].why)
