"""ProcessSeat: asks a process over its pipes; bytes, a missed deadline or a dead process become a play or a Fault."""

from __future__ import annotations

import re
from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar

import trio

from croupier.protocol.notifications import CLASSIC, JSON, NATIVE, Open, read
from croupier.protocol.sexp import MAX_BYTES, parse
from croupier.server import imagining
from croupier.server.games import sheets
from croupier.server.processes.bot_process import AT_ONCE, GRACE, BotProcess, Hangup
from croupier.server.table.channel import Channel, Reply
from croupier.server.table.clock import Deadline, OffTurn, Waits, effort
from croupier.server.table.dialect import DIALECTS, ENTER_AS
from croupier.server.table.faults import LAST_WORDS, Fault, Kind
from croupier.server.table.messages import Answer, Speech
from croupier.server.table.seat import Seat
from croupier.server.table.standard_error import StandardError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from typing import TextIO

    from croupier.protocol.notifications import Notification
    from croupier.server.entries import Entry
    from croupier.server.games.game import Game
    from croupier.server.processes.host import Host
    from croupier.server.table.messages import Question

_AT_ONCE = AT_ONCE / 1000
BESIDE_OTHERS = 0.001
"""The same where other tables of this process wait, in seconds; their clocks run while this one blocks."""
_START_UP_LOOK = 0.02
"""Seconds between two checks whether a fresh process has begun to read."""
_CANNOT_READ = re.compile(r"json|pars|match|pattern|expected|request|update|syntax", re.IGNORECASE)
MUCH_BURNT = 0.25
"""After this many seconds of CPU time off turn in one game, a process is stopped off turn."""


class ProcessSeat(Seat):
    """A seat whose player is a process behind two pipes.

    ``wire``, if given, gets the whole conversation; ``errors`` returns standard error if ``keeps``. ``beside_others``
    says that this process has other tables, whose answers wait while this one blocks.
    """

    hires: ClassVar[type[BotProcess]] = BotProcess

    def __init__(
        self,
        entry: Entry,
        folder: Path,
        stderr: Path,
        host: Host,
        start: float = 5.0,
        wire: TextIO | None = None,
        *,
        keeps: bool = False,
        beside_others: bool = False,
    ) -> None:
        super().__init__(entry.name)
        self.entry = entry
        self.host = host
        self.dialect, self.sight = entry.dialect, entry.sight
        self.deals = imagining.DEALS.get(entry.sight)
        """Returns the full deal that is told before each question, if one is."""
        self.folder = folder
        self.stderr = stderr
        self.start = start
        self._channel = Channel(wire, entry.dialect)
        if self.dialect == NATIVE:
            self.letterbox, self.sheet = self._channel.post, sheets.text
        self._cpu = OffTurn(entry.cores)
        self._errors = StandardError() if keeps or wire else None
        self._requests = 0
        self._asked = Waits(0.0, 0.0, 0.0)
        """The moment since which the process has been waited for, if it did not answer at once."""
        self._process: BotProcess | None = None
        self._freeze = host.sandboxing.freeze
        self._prompt = BESIDE_OTHERS if beside_others else _AT_ONCE
        self._fresh = True
        self._speech = Speech(entry.dialect, ())

    def sit(self, players: Sequence[str]) -> None:
        """Learn the names."""
        self._speech = Speech(self.dialect, players)
        self.burnt = 0.0
        self._requests = 0

    def follow(self, game: Game, seat: int) -> None:
        """Take the game, whose full deals may have to be told."""
        self._at = game, seat

    def ready(self) -> None:
        """Start the process if it does not run."""
        if self._process is None:
            self._channel.renew()
            self._hire()

    def _hire(self) -> None:
        if self._errors is not None:
            self._errors.renew()
        self._fresh = True
        self._freeze = self.host.sandboxing.freeze
        self._process = self.hires(self.entry, *self._place(), self.host)

    def _place(self) -> tuple[Path, Path]:
        """Return the process's working folder and its file for standard error."""
        return self.folder, self.stderr

    def take_over(self, other: ProcessSeat) -> None:
        """Take over the process of another seat of the same entry, which then has none."""
        process, unsent = other.give_up()
        self._channel.renew()
        self._channel.unsent = unsent
        self._process, self._fresh, self._freeze = process, False, self.host.sandboxing.freeze
        self._cpu = OffTurn(self.entry.cores)
        self._cpu.look(process.cpu())
        if self._errors is not None:
            self._errors.skip(process)

    def give_up(self) -> tuple[BotProcess, bytes]:
        """Give away the process, and the messages it has yet to be sent; this seat then has none."""
        process, self._process = self._process, None
        assert process is not None
        if self._errors is not None:
            self._look_at_errors(process, self._errors)
        process.go_on()
        return process, self._channel.unsent

    def tell(self, note: Notification, texts: dict[str, str]) -> None:
        """Hold the notification back until the next question."""
        text = texts.get(self.dialect)
        if text is None:
            text = texts[self.dialect] = self._speech.text(note)
        if text:
            self._channel.post(text)

    async def ask(self, question: Question, seconds: float) -> Answer:
        """Send what waits and the question, and read the answer."""
        asked = self._speech.text(question)
        if self.deals is not None and (deal := self.deals(*self._at)) is not None:
            self._channel.post(self._speech.text(Open(deal)))
        if self._fresh:
            self._see_that_it_was_ordered()
        process, channel, errors = self._process, self._channel, self._errors
        assert process is not None
        if errors is not None and process.stderr_size() != errors.seen:
            self._look_at_errors(process, errors)
        self._requests += 1
        early = channel.rest() or process.pending()
        if early and (unasked := self._drain(process, early)):
            return Answer(Fault(Kind.UNASKED, "it wrote something before it was asked"), 0.0, asked, unasked)
        message = self._envelope(asked)
        began = monotonic()
        if self._freeze:
            process.go_on()
        channel.unsent = process.offer(message)
        data = b"" if channel.unsent or seconds < _AT_ONCE else process.at_once()
        reply = (channel.recall(data) or channel.take(data)) if data else None
        if reply is None:
            deadline = Deadline(seconds, self.start if self._fresh else 0.0, began)
            return await self._wait_for(process, deadline, asked)
        used = spent = monotonic() - began
        if self._fresh:
            used = max(0.0, spent - self.start)
        self._stop_clock(process, spent)
        return Answer(reply.outcome, min(seconds, used), asked, reply.received)

    async def _wait_for(self, process: BotProcess, deadline: Deadline, asked: str) -> Answer:
        """Return the answer to a question that was not answered at once."""
        try:
            reply = await self._in_time(process, deadline)
        except Hangup as hangup:
            spent = monotonic() - deadline.began
            outcome, received = await self._crash(process, hangup, asked)
            return Answer(outcome, deadline.seconds_used(spent), asked, received, deadline.again)
        if reply is None:
            rest = self._channel.close("no whole answer in time")
            left_open = f": a {DIALECTS[self.dialect].bracket} is left open" if rest else ""
            why = f"no whole answer within {deadline}{left_open}" + (self._dialect_hint(asked) if not rest else "")
            return Answer(
                Fault(Kind.TIMEOUT, why, self._effort(process)), deadline.seconds, asked, rest, deadline.again
            )
        spent = monotonic() - deadline.began
        self._stop_clock(process, spent)
        return Answer(reply.outcome, deadline.seconds_used(spent), asked, reply.received, deadline.again)

    def _look_at_errors(self, process: BotProcess, errors: StandardError) -> None:
        if written := errors.look(process, self._requests):
            self._channel.log("!", written)

    def _see_that_it_was_ordered(self) -> None:
        """Start the process again if the keeper was killed before it read the order."""
        if self._process is not None and self._process.unheard():
            self.retire()
            self._hire()

    def _drain(self, process: BotProcess, rest: bytes) -> bytes:
        """Return everything that was written before the question, without white space around it."""
        while data := process.pending():
            rest += data
            if len(rest) > MAX_BYTES:
                break
        return rest.strip()

    def _envelope(self, question: str) -> bytes:
        self._channel.post(question)
        return self._channel.flush()

    async def _in_time(self, process: BotProcess, deadline: Deadline) -> Reply | None:
        """Return the answer; None if the deadline came first."""
        message, self._channel.unsent = bytearray(self._channel.unsent), b""
        reply: Reply | None = None
        self._asked = before = _waits(process)
        if deadline.starting:
            reply = await self._wait_for_start(process, message, deadline)
            self._asked = before = before if deadline.starting else _waits(process)
        reply = reply or await self._by(process, message, deadline.end)
        while reply is None:
            now = _waits(process)
            if not deadline.is_missed_by_us(now.withheld_since(before, self.entry.cores)):
                break
            reply, before = await self._by(process, message, deadline.end), now
        return reply

    def _effort(self, process: BotProcess) -> str:
        """Return how much CPU time the process has used since it was asked, not counting its start."""
        return effort(self._asked, _waits(process), self.entry.cores)

    async def _wait_for_start(self, process: BotProcess, message: bytearray, deadline: Deadline) -> Reply | None:
        """Wait until a fresh process begins to read, which ends its start-up allowance, or answers."""
        with trio.move_on_after(max(0.0, deadline.end - monotonic())):
            await process.write(message)
        message.clear()
        while (now := monotonic()) < deadline.end:
            if (reply := await self._by(process, message, min(deadline.end, now + _START_UP_LOOK))) is not None:
                return reply
            if process.reads() or self._channel.has_begun:
                deadline.start()
                break
        return None

    async def _by(self, process: BotProcess, message: bytearray, end: float) -> Reply | None:
        """Write a message and read the answer, including one that arrived by the deadline but is read after it."""
        with trio.move_on_after(max(0.0, end - monotonic())):
            if message:
                await process.write(message)
            while monotonic() < end:
                if (reply := self._channel.take(await process.read())) is not None:
                    return reply
        return self._channel.take(process.pending())

    def _stop_clock(self, process: BotProcess, spent: float) -> None:
        """Stop the clock, and the process too if it must not run off turn."""
        self._cpu.on_turn += spent
        process.prompt = spent < self._prompt
        if self._fresh:
            self._fresh = False
            self._cpu.look(process.cpu())
        if self._freeze:
            process.stop()

    async def _crash(self, process: BotProcess, hangup: Hangup, asked: str) -> Reply:
        why = f"the program ended before it answered: {await process.status(hangup)}"
        words = process.last_words()
        if words:
            why += f"{LAST_WORDS}{words}"
        if not words or _CANNOT_READ.search(words):
            why += self._dialect_hint(asked, words)
        return Reply(Fault(Kind.CRASHED, why), self._channel.close("ended"))

    def _dialect_hint(self, asked: str, words: str = "") -> str:
        """Return a hint for the author of a bot in another dialect, which does not answer its first question."""
        if not self._fresh or self.dialect == CLASSIC or self.entry.builtin is not None:
            return ""
        if self.dialect == JSON:
            return f"; {ENTER_AS[NATIVE]}"
        if "JSON" in words:
            return f"; {ENTER_AS[JSON]}"
        question: Any = read(parse(asked))
        return f"; {ENTER_AS[CLASSIC]}" if question.view.CLASSIC else ""

    def finish(self) -> None:
        """Send what waits if it fits into the pipe; the rest goes before the next question."""
        if self._process is None:
            return
        self._reckon(self._process)
        if self._channel.waiting:
            self._channel.unsent = self._process.offer(self._channel.flush())

    def _reckon(self, process: BotProcess) -> None:
        """Measure the CPU time used off turn; a process that used much of it is stopped off turn from now on."""
        if self._fresh or not self._cpu.due():
            return
        self.burnt = max(0.0, self._cpu.look(process.cpu()))
        if self.burnt > MUCH_BURNT and self.entry.cores == 1:
            self._freeze = True
            process.stop()

    async def part(self) -> None:
        """End the process after a game, if its entry asks for a fresh one per game."""
        if self.entry.lifetime == "game":
            await self.leave()

    def errors(self) -> str:
        """Return the standard error since the last call, if it is kept."""
        if self._errors is None:
            return ""
        if self._process is not None:
            self._look_at_errors(self._process, self._errors)
        return self._errors.take()

    def retire(self) -> None:
        """Kill the process and its group."""
        if self._process is not None:
            if self._errors is not None:
                self._look_at_errors(self._process, self._errors)
            self._process.kill()
            self._process = None

    async def leave(self) -> None:
        """End the process's input and let it exit; kill it if it stays."""
        if self._process is not None:
            self._process.go_on()
            self._process.end_input()
            await self._process.left(GRACE)
            self.retire()


def _waits(process: BotProcess) -> Waits:
    return Waits(monotonic(), process.waited(), process.cpu())
