"""A bot's process: its pipes, its standard error in a capped file, and an end that leaves nothing behind."""

from __future__ import annotations

import os
import select
import signal
import subprocess
from contextlib import suppress
from typing import TYPE_CHECKING

import trio

from croupier.server import sandbox

if TYPE_CHECKING:
    from pathlib import Path

    from croupier.server.entries import Entry

STDERR_CAP = 1 << 20
GRACE = 0.5
_CHUNK = 65_536
_LOOK_AGAIN = 0.2
_BRIEFLY = 1


class Hangup(Exception):
    """The process has closed its end of a pipe, or has ended."""


class BotProcess:
    """A running bot. `write` and `read` raise Hangup when there is nobody at the other end."""

    def __init__(self, entry: Entry, folder: Path, errors: Path) -> None:
        """Start the program with ``folder`` as its working folder; raise OSError if it cannot be started."""
        self.errors = errors
        with errors.open("ab") as stderr:
            self._process = subprocess.Popen(  # noqa: S603  to run strangers' programs is what we are for
                entry.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                cwd=folder,
                env=sandbox.environment(entry, folder),
                start_new_session=True,
                bufsize=0,
            )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._stdin = self._process.stdin.fileno()
        self._stdout = self._process.stdout.fileno()
        os.set_blocking(self._stdin, False)
        os.set_blocking(self._stdout, False)
        self._quick = select.poll()
        self._quick.register(self._stdout, select.POLLIN)
        self._prompt = False

    @property
    def pid(self) -> int:
        """The process's id, which is its group's too."""
        return self._process.pid

    def pending(self) -> bytes:
        """Return what the process has written and nobody has read; never wait."""
        try:
            return os.read(self._stdout, _CHUNK)
        except BlockingIOError:
            return b""
        except OSError:
            return b""

    async def write(self, data: bytes) -> None:
        """Write all of it, however slowly the process reads."""
        view = memoryview(data)
        while view:
            try:
                view = view[os.write(self._stdin, view) :]
            except BlockingIOError:
                await self._wait(trio.lowlevel.wait_writable, self._stdin)
            except OSError:
                raise Hangup from None

    def offer(self, data: bytes) -> bytes:
        """Write what the pipe takes now; return the rest."""
        try:
            return data[os.write(self._stdin, data) :]
        except OSError:
            return data

    async def read(self) -> bytes:
        """Return the next bytes; raise Hangup at the end of the stream, or when the process is gone and said no more.

        A process that was prompt last time is waited for right here: who answers in a moment is not worth the scheduler.
        """
        if self._prompt and not self._quick.poll(_BRIEFLY):
            self._prompt = False
        began = trio.current_time()
        while True:
            try:
                data = os.read(self._stdout, _CHUNK)
            except BlockingIOError:
                await self._wait(trio.lowlevel.wait_readable, self._stdout)
                continue
            except OSError:
                raise Hangup from None
            self._prompt = trio.current_time() - began < _BRIEFLY / 1000
            if not data:
                raise Hangup
            return data

    async def _wait(self, ready: object, fd: int) -> None:
        """Wait for the pipe; look now and then whether the process still lives, as its children may hold the pipe."""
        with trio.move_on_after(_LOOK_AGAIN):
            await ready(fd)  # type: ignore[operator]
            return
        self.cap_errors()
        if self._process.poll() is not None and not self._quick.poll(0):
            raise Hangup

    def cap_errors(self) -> None:
        """Cut the standard error file back when it has grown over its cap; keep its beginning."""
        if self.errors.stat().st_size > STDERR_CAP:
            os.truncate(self.errors, STDERR_CAP)

    def last_words(self) -> str:
        """Return the last line of standard error: mostly the reason why a program died."""
        with self.errors.open("rb") as file:
            file.seek(max(0, self.errors.stat().st_size - 4096))
            written = file.read().decode("utf-8", "replace").strip().splitlines()
        return written[-1].strip()[:200] if written else ""

    async def status(self) -> str:
        """Say how the process ended; one that has just closed its output gets a moment to do so."""
        await self._ended(_LOOK_AGAIN)
        code = self._process.poll()
        if code is None:
            return "it closed its output"
        if code < 0:
            return f"it was ended by {signal.Signals(-code).name}"
        return f"it left with exit status {code}"

    async def leave(self) -> None:
        """Ask the process to leave by ending its input, give it a moment, then `kill` what is left."""
        self._close(self._process.stdin)
        await self._ended(GRACE)
        self.kill()

    async def _ended(self, patience: float) -> None:
        """Wait at most so many seconds for the process to end; what it still writes is thrown away."""
        pause = 0.001
        with trio.move_on_after(patience):
            while self._process.poll() is None:
                self.pending()
                await trio.sleep(pause)
                pause = min(pause * 2, 0.02)

    def kill(self) -> None:
        """Kill the process's whole group and reap it."""
        try:
            os.killpg(self.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            self._process.kill()
        self._process.wait()
        self._close(self._process.stdin)
        self._close(self._process.stdout)
        self.cap_errors()

    @staticmethod
    def _close(pipe: object) -> None:
        with suppress(OSError):
            pipe.close()  # type: ignore[attr-defined]
