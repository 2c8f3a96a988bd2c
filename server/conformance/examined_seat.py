"""ExaminedSeat: a ProcessSeat that keeps all bytes read, and can write in pieces or read late."""

from __future__ import annotations

from contextlib import suppress
from enum import Enum
from time import monotonic
from typing import TYPE_CHECKING

import trio

from croupier.protocol.sexp import MAX_BYTES
from croupier.server.processes import process_table
from croupier.server.processes.bot_process import BotProcess, Hangup
from croupier.server.table.dialect import DIALECTS
from croupier.server.table.faults import Fault
from croupier.server.table.process_seat import ProcessSeat

if TYPE_CHECKING:
    from pathlib import Path

    from croupier.server.entries import Entry
    from croupier.server.processes.host import Host
    from croupier.server.table.messages import Answer, Question

_PIECES = 7
_BETWEEN_PIECES = 0.002
_LATE = 0.1
_STUCK = 0.5
_LOOKS = 100
_UNREAD = 2.0
"""A pipe that stays full for this many seconds has no reader; a busy machine may deny a reader a core for one."""


class Manner(Enum):
    """How the seat writes to the bot and reads from it."""

    PLAIN = "plain"
    IN_PIECES = "in pieces"
    LATE = "late"


class ExaminedProcess(BotProcess):
    """A bot's process that keeps everything it has written since the last question, byte for byte."""

    manner = Manner.PLAIN
    said = b""
    told = b""
    """The bytes written to it since its last answer."""

    def _there(self, *size: int) -> bytes:
        """Return and keep the bytes that are ready to be read."""
        return self._keep(super()._there(*size))

    async def read(self) -> bytes:
        """Return and keep the next bytes."""
        return self._keep(await super().read())

    def offer(self, data: bytes) -> bytes:
        """Write what the pipe takes now, unless another manner of writing is set."""
        rest = super().offer(data) if self.manner is Manner.PLAIN else data
        self.told += data[: len(data) - len(rest)]
        return rest

    async def write(self, data: bytearray) -> None:
        """Write all of it, at once or in pieces, and delay reading the answer.

        Written bytes are removed from ``data``.
        """
        before = bytes(data)
        try:
            await (self._in_pieces(data) if self.manner is Manner.IN_PIECES else super().write(data))
        finally:
            self.told += before[: len(before) - len(data)]
        if self.manner is Manner.LATE:
            await trio.sleep(_LATE)

    async def _in_pieces(self, data: bytearray) -> None:
        """Write pieces that end at arbitrary bytes, the newline last."""
        step = max(1, len(data) // _PIECES)
        while data:
            piece = data[: max(1, min(step, len(data) - 1))]
            size = len(piece)
            try:
                await super().write(piece)
            finally:
                del data[: size - len(piece)]
            await trio.sleep(_BETWEEN_PIECES)

    async def insist(self, question: bytes, times: int) -> bytes | None:
        """Ask the same question ``times`` times; return the first bytes that come, None if it stopped reading."""
        with suppress(Hangup):
            for _ in range(times):
                with trio.move_on_after(_UNREAD) as patience:
                    await super().write(bytearray(question))
                if patience.cancelled_caught:
                    return None
                if said := self.pending():
                    return said
            with trio.move_on_after(_STUCK):
                return await self.read()
        return b""

    async def reads_on(self) -> bool:
        """Return whether it reads all that it was sent, so that it neither sleeps nor computes, but waits for more."""
        for _ in range(_LOOKS):
            if not self.unread() or self._quick.poll(0):
                break
            await trio.sleep(_UNREAD / _LOOKS)
        return not self.unread() and not self._quick.poll(
            0
        )  # in this order, because it writes its reply before it reads on

    def open_files(self) -> int:
        """Return how many files the program has open; 0 if that is unknown."""
        return len(process_table.descriptors(self.program))

    def _keep(self, data: bytes) -> bytes:
        if len(self.said) <= MAX_BYTES:
            self.said += data
        return data


class ExaminedSeat(ProcessSeat):
    """A ProcessSeat that can show the last exchange."""

    hires = ExaminedProcess

    def __init__(self, entry: Entry, folder: Path, errors: Path, host: Host, start: float, manner: Manner) -> None:
        super().__init__(entry, folder, errors, host, start)
        self.manner = manner
        self._before = b""
        self.endings: set[bytes] = set()
        self.games = 0
        """How many games this process has been told of; ``answers`` counts the questions answered in the last one."""
        self.answers = 0
        self.heap = 0
        """The number of messages in the last write; ``heaped`` is the largest that was answered."""
        self.heaped = 0

    @property
    def process(self) -> ExaminedProcess:
        """The bot's process."""
        assert isinstance(self._process, ExaminedProcess)
        return self._process

    def ready(self) -> None:
        """Start the process if it does not run."""
        self.games = 1 if self._process is None else self.games + 1
        self.answers = 0
        super().ready()
        self.process.manner = self.manner

    def _envelope(self, question: str) -> bytes:
        said = self.process.said
        if said:
            self.endings.add(said[len(said.rstrip()) :])
        self.process.said = b""
        self.heap = self._channel.waiting + 1
        return super()._envelope(question)

    async def ask(self, question: Question, seconds: float) -> Answer:
        """Ask; an answer begins a new exchange."""
        answer = await super().ask(question, seconds)
        if not isinstance(answer.outcome, Fault):
            self.answers += 1
            self.heaped = max(self.heaped, self.heap)
            self._before, self.process.told = self.process.told, b""
        return answer

    @property
    def latest_input(self) -> str:
        """The bytes written to the bot since its last answer."""
        return self.process.told.decode("ascii")

    @property
    def previous_input(self) -> str:
        """The bytes written to the bot between its last two answers."""
        return self._before.decode("ascii") + self.latest_input

    def behind(self) -> bytes:
        """Return the bytes that came together with the last answer, after it."""
        return self._channel.rest()

    async def listen(self, seconds: float) -> bytes:
        """Return what the bot writes within ``seconds``, without surrounding white space."""
        began = len(self.process.said)
        with trio.move_on_after(seconds), suppress(Hangup):
            while len(self.process.said) < MAX_BYTES:
                await self.process.read()
        return self.process.said[began:].strip()

    async def replies(self, seconds: float) -> bool:
        """Wait for a late reply for at most ``seconds``; return whether it came whole."""
        with trio.move_on_after(seconds), suppress(Hangup):
            while not self._has_replied():
                await self.process.read()
        return self._has_replied()

    def _has_replied(self) -> bool:
        """Return whether the process has written a complete reply, or bytes that can never become one."""
        said, (opening, closing) = self.process.said, DIALECTS[self.dialect].pair.encode("ascii")
        return bool(said.strip()) and said.count(opening) <= said.count(closing)

    @property
    def waiting_time(self) -> float:
        """The seconds since the last question, not counting the start."""
        return monotonic() - self._asked.at

    @property
    def effort(self) -> str:
        """The CPU time used since the last question, and what that suggests."""
        return self._effort(self.process)

    def stderr_size(self) -> int:
        """Return how many bytes are in its standard error."""
        return 0 if self._process is None else self._process.stderr_size()

    def last_errors(self, size: int = 1500) -> str:
        """Return the end of its standard error."""
        return "" if self._process is None else self._process.complaint(size)
