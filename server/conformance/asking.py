"""Asking: leads a bot through games in one process, and names the step at which a faulty reply fails."""

from __future__ import annotations

import re
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from croupier.protocol.notifications import TABLE, Update
from croupier.server.conformance.examined_seat import ExaminedSeat, Manner
from croupier.server.conformance.steps import NAMED_BY, TO_THE_END, UNCLOSED, Failed, Step, hint_at, hint_when_late
from croupier.server.conformance.walk import Walk, situation
from croupier.server.processes.host import Host
from croupier.server.processes.keeper import STDERR_CAP
from croupier.server.processes.sandbox import SandboxSettings
from croupier.server.table.dialect import DIALECTS
from croupier.server.table.faults import Fault, Kind
from croupier.server.table.meant_play import UNREADABLE, meaning
from croupier.server.terminal import escape

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping
    from pathlib import Path

    from croupier.protocol.sexp import Atom
    from croupier.server.conformance.walk import Route, Situation
    from croupier.server.entries import Entry
    from croupier.server.games.game import Game, Play
    from croupier.server.table.messages import Answer, Question

_JUDGED = {Kind.UNKNOWN, Kind.MALFORMED, Kind.ILLEGAL}
_MORE_OF_IT = 0.05
_A_NOTE_BEFORE = re.compile(rb"\s*[^\s([].*\n\s*[(\[]")
_MANY = 1000
_SHOWN = 60
_SOON = 1.0
"""A bot that has never answered may be this many seconds late before other causes are looked for."""
_AT_THE_END = 2.0
_MORE_THAN_A_BUFFER = 2000
"""This many questions have replies that exceed any program's buffer."""
STRANGE = (
    Update(TABLE, ("weather", ("rain", 3), "tomorrow")),
    Update(TABLE, ("fault", "other-1", "timeout")),
    Update("other-1", ("wave",)),
    Update("nobody", ("sing", "la", ("la", "la"))),
)
"""Words that no game has: news from the table, and plays of others."""


@dataclass(frozen=True)
class Demands:
    """The demands of a check: answers in ``positions`` positions, ``time`` seconds each, ``start`` more for the first.

    Unless the number is set, a slow bot is asked for ``patience`` seconds only.
    """

    positions: int | None = None
    time: float = 10.0
    start: float = 5.0
    sandboxing: SandboxSettings = field(default_factory=SandboxSettings)
    patience: float = 10.0
    late: float = 5.0
    """At least this many seconds are spent waiting for a late reply, or as long as a reply may take."""


class Asking:
    """Questions to the processes of a bot, one after another, and statistics of the answers."""

    def __init__(
        self,
        entry: Entry,
        rules: type[Game],
        options: Mapping[str, Atom],
        demands: Demands,
        folder: Path,
        count: Callable[[int], None] = lambda _: None,
    ) -> None:
        self.entry = entry
        self.dialect = DIALECTS[entry.dialect]
        self.rules = rules
        self.options = options
        self.demands = demands
        self.folder = folder
        self.times: list[float] = []
        self.spent = 0.0
        """The seconds that all answers have taken."""
        self.errors = ""
        """The standard error of the last process that wrote any."""
        self._heard = False
        self._count = count
        self.answered: dict[Situation, int] = {}
        self.complained = 0
        """The most bytes of standard error that a process has written."""

    def of(self, entry: Entry) -> Asking:
        """Return the same questions for another entry."""
        return Asking(entry, self.rules, self.options, self.demands, self.folder)

    @asynccontextmanager
    async def seat(self, manner: Manner = Manner.PLAIN) -> AsyncIterator[ExaminedSeat]:
        """Provide a seat with a fresh process of the bot; the process is removed completely afterwards."""
        home, errors = self.folder / self.entry.name, self.folder / "stderr"
        with Host(self.demands.sandboxing) as host:
            seat = ExaminedSeat(self.entry, home, errors, host, self.demands.start, manner)
            try:
                yield seat
            finally:
                self.complained = max(self.complained, seat.stderr_size())
                self.errors = seat.last_errors(STDERR_CAP) or self.errors
                seat.retire()

    def walk(self, route: Route) -> Walk:
        """Return a game on this route."""
        return Walk(self.rules, self.options, route, self.entry.name, self.demands.time)

    async def lead(
        self,
        seat: ExaminedSeat,
        route: Route,
        more: Callable[[], bool],
        step: Step | None = None,
        strange: tuple[Update, ...] = (),
        wanted: Callable[[Situation], bool] = lambda _: True,
    ) -> None:
        """Lead the bot through a game while ``more`` returns True; the message that ends the game is left unsent.

        A bot that needs a fresh process per game, or may need one, gets it. Where random plays are made for it, only
        ``wanted`` questions are asked.
        """
        questions = 0

        async def answer(walk: Walk, question: Question) -> Play | None:
            nonlocal questions
            if not more():
                return None
            met = situation(walk.game, route.place)
            if not wanted(met):
                return ()
            for note in strange:
                seat.tell(note, {})
            questions += 1
            try:
                play, used = await self.ask(seat, walk, question, Step.DEFENDS if met.attacked else step)
            except Failed as failure:
                failure.place = failure.place or _place(route, questions)
                raise
            self.answered[met] = self.answered.get(met, 0) + 1
            self.times.append(used)
            self.spent += used
            self._count(len(self.times))
            return play

        if self.entry.lifetime != "batch":
            await seat.leave()
        walk = self.walk(route)
        await walk.begin(seat)
        await walk.go(seat, answer)

    async def ask(self, seat: ExaminedSeat, walk: Walk, question: Question, step: Step | None) -> tuple[Play, float]:
        """Ask; return a legal play and the seconds it took.

        Raise Failed for ``step``, or for the step that the fault names.
        """
        answer = await walk.ask(seat, question, self.demands.time)
        fault = answer.outcome
        if not isinstance(fault, Fault):
            self._heard = True
            return fault, answer.used
        named, why, hint = await self._find_step(seat, fault, answer, step)
        unasked, errors = fault.kind is Kind.UNASKED, seat.last_errors()
        if fault.kind in UNREADABLE and not hint:
            hint = meaning(walk.game, walk.route.place, answer.received, self.dialect.spell)
        raise Failed(
            named,
            f"{fault.kind.value}: {why}",
            seat.previous_input if unasked else seat.latest_input or seat.previous_input,
            seat.process.said or answer.received,
            () if unasked else tuple(map(self.dialect.write, islice(walk.game.legal(), _MANY))),
            errors,
            hint or hint_at(fault, named, self.entry, errors),
        )

    async def _find_step(
        self, seat: ExaminedSeat, fault: Fault, answer: Answer, step: Step | None
    ) -> tuple[Step, str, str]:
        """Return the step that a fault belongs to, why, and what to do, after looking for further output."""
        kind, received = fault.kind, answer.received
        named = step or NAMED_BY[kind]
        if kind is Kind.TIMEOUT:
            return await self._late_or_kept_back(seat, fault, answer, named)
        if step is Step.STARTS and kind is not Kind.CRASHED:
            named = NAMED_BY[kind]
        if kind in _JUDGED and (seat.behind() or await seat.listen(_MORE_OF_IT)):
            return Step.QUIET, f"{fault.why}; and more came behind it", ""
        if kind is Kind.MALFORMED and _A_NOTE_BEFORE.match(received):
            return Step.QUIET, f"{fault.why}; the reply came behind it", ""
        if kind is Kind.UNASKED:
            return named, f"{fault.why}: {escape(received.decode('latin-1'), _SHOWN)}", ""
        if kind is Kind.CRASHED and step is None and (since := _since_a_new_game(seat)):
            return Step.GAMES, f"{fault.why}{since}", ""
        return named, fault.why, ""

    async def _late_or_kept_back(
        self, seat: ExaminedSeat, fault: Fault, answer: Answer, named: Step
    ) -> tuple[Step, str, str]:
        """Distinguish a late reply, one that is stuck in a buffer, and one that waits for the end of input.

        A bot that has never answered has probably forgotten to flush, so that is checked early.
        """
        started = seat.process.reads()
        longest = max(self.demands.late, self.demands.time)
        for patience in [longest] if self._heard else [min(_SOON, longest), longest]:
            if await seat.replies(patience):
                why = f"{fault.why}; it replied after {seat.waiting_time:.1f} s, {seat.effort}{_since_a_new_game(seat)}"
                late_at = Step.CLOCK if started else Step.STARTS
                return late_at, why, hint_when_late(seat.effort, started=started)
            if not answer.received and (kept := await self._unread_reply(seat, f"{answer.asked}\n".encode())):
                step, where, hint = kept
                return step or named, f"{fault.why}; {where}", hint
        why = f"{fault.why}; nor after {seat.waiting_time:.1f} s, {seat.effort}"
        if answer.received:
            return Step.WRITES, why, UNCLOSED
        if named is Step.CLOCK and seat.heap > 1 and not seat.heaped:
            return Step.HEAPED, f"{why}; asked by a message that came alone, it had answered", ""
        if named is Step.CLOCK and (since := _since_a_new_game(seat)):
            return Step.GAMES, f"{why}{since}", ""
        return named, why, hint_when_late(seat.effort, started=started) if named is Step.CLOCK else ""

    async def _unread_reply(self, seat: ExaminedSeat, question: bytes) -> tuple[Step | None, str, str] | None:
        """Return where the reply of a silent bot that keeps reading is; None if it stopped reading, or answers now.

        A bot that sleeps or computes does not read, and what it writes later was not stuck in a buffer.
        """
        if await seat.process.insist(question, 1) or not await seat.process.reads_on():
            return None
        said = await seat.process.insist(question, _MORE_THAN_A_BUFFER)
        if said and self.dialect.begins(said):
            return Step.FLUSHES, "replies came when they filled a buffer of the program", ""
        seat.process.end_input()
        if not self.dialect.begins(await seat.listen(_AT_THE_END)):
            return None, f"nor after {seat.waiting_time:.1f} s, nor when its input ended, {seat.effort}", ""
        if said is None:
            return Step.FLUSHES, "the reply came when its input ended: it lay in a buffer of the program", ""
        return None, "the reply came when its input ended: the program waits for that", TO_THE_END

    async def silent(self, seat: ExaminedSeat, seconds: float, why: str) -> None:
        """Listen; raise Failed if anything comes."""
        if said := await seat.listen(seconds):
            raise Failed(Step.QUIET, why, seat.previous_input, seat.process.said or said, errors=seat.last_errors())


def _since_a_new_game(seat: ExaminedSeat) -> str:
    """Return a remark if this was the first question of a later game in the same process, else an empty string."""
    if seat.games < 2 or seat.answers:
        return ""
    return f"; this was the first question of its game number {seat.games}"


def _place(route: Route, question: int) -> str:
    """Return how the bot came to a position, and whether another check would ask there again."""
    where = f"This was question {question} of game {route.number} of the check"
    if not route.free:
        return (
            f"{where}, where chance plays its seat too: each check asks there, but its own plays may never lead there."
        )
    if question == 1:
        return ""
    return (
        f"{where}, to which its own plays led. Deals and the other seats' plays are the same in each check:"
        " a bot that draws by chance needs a fixed seed to come there again."
    )
