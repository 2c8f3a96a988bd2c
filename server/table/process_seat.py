"""The seat of a process: the one place where bytes, deadlines and dead processes become a play or a Fault."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

import trio

from croupier.protocol.sexp import MAX_BYTES, Flooded, Framer, Malformed, read, recall
from croupier.server.processes.bot_process import BotProcess, Hangup
from croupier.server.table.faults import Fault, Kind
from croupier.server.table.seat import Seat, Speech

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from typing import TextIO

    from croupier.protocol.notifications import Attacked, Notification, Request
    from croupier.server.entries import Entry
    from croupier.server.games.game import Play
    from croupier.server.processes.host import Host

    Question = Request | Attacked


MUCH_BURNT = 0.25
"""Seconds of CPU time off turn in one game after which a process is stopped off turn."""
_LOOK_EVERY = 0.2
"""Seconds between two looks at a process's CPU time: what is burnt in shorter games counts for a later one."""
_HELD_UP = 0.5
"""Seconds after which the referee is not merely busy but has been stopped, perhaps with all that it runs."""


class ProcessSeat(Seat):
    """A seat whose player is a process at the other end of two pipes.

    Updates wait for the next question, so that a decision costs one write and one read. ``wire``, if given, gets the
    whole conversation: ``> `` what was sent, ``< `` what was answered.
    """

    hires = BotProcess

    def __init__(
        self, entry: Entry, folder: Path, errors: Path, host: Host, start: float = 5.0, wire: TextIO | None = None
    ) -> None:
        super().__init__(entry.name)
        self.entry = entry
        self.host = host
        self.dialect = entry.dialect
        self.folder = folder
        self.errors = errors
        self.start = start
        self.wire = wire
        self._process: BotProcess | None = None
        self._freeze = host.house.freeze
        self._on_turn = 0.0
        self._cpu = 0.0
        self._looked = 0.0
        self._fresh = True
        self._framer = Framer()
        self._mail: list[str] = []
        self._unsent = b""
        self._speech = Speech(entry.dialect, ())

    def sit(self, players: Sequence[str]) -> None:
        """Learn the names."""
        self._speech = Speech(self.dialect, players)
        self.burnt = 0.0

    def ready(self) -> None:
        """Start the process unless it runs."""
        if self._process is not None:
            return
        self._mail.clear()
        self._unsent = b""
        self._framer = Framer()
        self._fresh = True
        self._freeze = self.host.house.freeze
        self._process = self.hires(self.entry, self.folder, self.errors, self.host)

    def tell(self, note: Notification, texts: dict[str, str]) -> None:
        """Hold the notification back until the next question."""
        text = texts.get(self.dialect)
        if text is None:
            text = texts[self.dialect] = self._speech.text(note)
        if text:
            self._mail.append(text)

    async def ask(self, question: Question, seconds: float) -> Play | Fault:
        """Send what waits and the question, and read the answer."""
        self.asked = self._speech.text(question)
        if self._fresh:
            self._see_that_it_was_ordered()
        process = self._process
        assert process is not None
        if unasked := self._drained(process):
            return Fault(Kind.UNASKED, "it wrote something before it was asked", unasked)
        message = self._envelope(self.asked)
        allowance = self.start if self._fresh else 0.0
        began = monotonic()
        if self._freeze:
            process.go_on()
        try:
            answer = self._at_once(process, message)
            if answer is None:
                answer = await self._in_time(process, began, seconds + allowance)
        except Hangup as hangup:
            return await self._crashed(process, hangup)
        if answer is not None:
            self._answered(process, monotonic() - began, seconds, allowance)
            return answer
        self.used = seconds
        rest = self._framer.drain()
        self._log("<", rest.decode("latin-1") + " [no whole answer in time]")
        limit = f"{seconds * 1000:.0f} ms" + (f" and {allowance * 1000:.0f} ms to start" if allowance else "")
        return Fault(Kind.TIMEOUT, f"no whole answer within {limit}", rest)

    def _see_that_it_was_ordered(self) -> None:
        """Start the process again if the keeper was killed before it heard of it."""
        if self._process is not None and self._process.unheard():
            mail = [*self._mail]
            self.retire()
            self.ready()
            self._mail += mail

    def _at_once(self, process: BotProcess, message: bytes) -> Play | Fault | None:
        """Send the message; return the answer of a process that is prompt and says what was said before."""
        self._unsent = process.offer(message)
        data = b"" if self._unsent else process.at_once()
        if not data:
            return None
        reply = data.strip()
        play = recall(reply)
        if not isinstance(play, tuple):
            return self._take(data)
        if self.wire is not None:
            self._log("<", reply.decode("latin-1"))
        return play

    async def _in_time(self, process: BotProcess, began: float, limit: float) -> Play | Fault | None:
        """Return the answer; None if the deadline came first.

        If it was the referee who was stopped meanwhile, the process gets its time once more.
        """
        message, self._unsent = bytearray(self._unsent), b""
        answer = await self._by(process, message, began + limit)
        if answer is None and monotonic() - began - limit > _HELD_UP:
            answer = await self._by(process, message, monotonic() + limit)
        return answer

    async def _by(self, process: BotProcess, message: bytearray, deadline: float) -> Play | Fault | None:
        """Write a message and read the answer, also one that is there by the deadline and found after it."""
        with trio.move_on_after(deadline - monotonic()):
            await process.write(message)
            while (now := monotonic()) < deadline:
                if (answer := self._take(await process.read(now))) is not None:
                    return answer
        return self._take(process.pending())

    def _take(self, data: bytes) -> Play | Fault | None:
        """Take more of the answer in; return it when it is whole or cannot become one."""
        try:
            self._framer.feed(data)
            reply = self._framer.take()
        except Malformed as problem:
            return self._spoilt(Kind.MALFORMED, problem)
        except Flooded as problem:
            return self._spoilt(Kind.FLOODED, problem)
        if reply is None:
            return None
        self._log("<", reply.decode("latin-1"))
        try:
            play = read(reply)
        except Malformed as problem:
            return Fault(Kind.MALFORMED, str(problem), reply)
        return play if isinstance(play, tuple) else Fault(Kind.MALFORMED, "a reply is a list", reply)

    def _answered(self, process: BotProcess, spent: float, seconds: float, allowance: float) -> None:
        """Stop the clock, and the process if it is to stand still off turn."""
        self.used = min(max(0.0, spent - allowance), seconds)
        self._on_turn += spent
        if self._fresh:
            self._fresh = False
            self._look(process)
        if self._freeze:
            process.stop()

    def _drained(self, process: BotProcess) -> bytes:
        rest = self._framer.drain()
        while data := process.pending():
            rest += data
            if len(rest) > MAX_BYTES:
                break
        return rest.strip()

    def _envelope(self, question: str) -> bytes:
        self._mail.append(question)
        text = "\n".join(self._mail) + "\n"
        self._mail.clear()
        self._log(">", text)
        message = self._unsent + text.encode("ascii")
        self._unsent = b""
        return message

    async def _crashed(self, process: BotProcess, hangup: Hangup) -> Fault:
        rest = self._framer.drain()
        why = f"the program ended before it answered: {await process.status(hangup)}"
        if words := process.last_words():
            why += f"; its last words: {words}"
        self._log("<", rest.decode("latin-1") + " [ended]")
        return Fault(Kind.CRASHED, why, rest)

    def _spoilt(self, kind: Kind, problem: Exception) -> Fault:
        received = self._framer.drain()
        self._log("<", received[:MAX_BYTES].decode("latin-1"))
        return Fault(kind, str(problem), received)

    def _log(self, mark: str, text: str) -> None:
        if self.wire is not None:
            for line in text.rstrip("\n").split("\n"):
                self.wire.write(f"{mark} {line}\n")

    def finish(self) -> None:
        """Send what waits if the pipe takes it; the rest goes before the next question."""
        if self._process is None:
            return
        self._reckon(self._process)
        if not self._mail:
            return
        text = "\n".join(self._mail) + "\n"
        self._mail.clear()
        self._log(">", text)
        self._unsent = self._process.offer(self._unsent + text.encode("ascii"))

    def _reckon(self, process: BotProcess) -> None:
        """Find out what was used of CPU time off turn; stop off turn from now on whoever spins there."""
        if self._fresh or monotonic() - self._looked < _LOOK_EVERY:
            return
        self.burnt = max(0.0, self._look(process))
        if self.burnt > MUCH_BURNT and self.entry.cores == 1:
            self._freeze = process.all_kin = True
            process.stop()

    def _look(self, process: BotProcess) -> float:
        """Return the seconds of CPU time used off turn since the last look."""
        cpu = process.cpu()
        burnt = cpu - self._cpu - self._on_turn * self.entry.cores
        self._cpu, self._on_turn, self._looked = cpu, 0.0, monotonic()
        return burnt

    def retire(self) -> None:
        """Kill the process and its group."""
        if self._process is not None:
            self._process.kill()
            self._process = None

    async def leave(self) -> None:
        """End the process's input and let it go; kill it if it stays."""
        if self._process is not None:
            process, self._process = self._process, None
            process.go_on()
            await process.leave()
