"""BotProcess: a bot's pipes, read and written without blocking, its capped standard error, and its end."""

from __future__ import annotations

import fcntl
import os
import select
import signal
import sys
import termios
from contextlib import suppress
from errno import ECHILD, ENOMEM
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

import trio

from croupier.server.processes import control_group, process_table, temporary_folder
from croupier.server.processes.crash_lines import last_words
from croupier.server.processes.host import until_ready
from croupier.server.processes.sandbox import Level

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from croupier.server.entries import Entry
    from croupier.server.processes.host import Host

GRACE = 0.5
_CHUNK = 65_536
_REPLY = 448
"""The bytes of the first read of a reply: as many as Python allocates without malloc (pymalloc)."""
_LOOK_AGAIN = 0.2
_LOOK_AT_DELAYS = 0.02
"""Seconds between two looks at how long a process's threads have waited for a core."""
_LOOK_COST = 0.05
"""The share of a wait that these looks may cost; a bot may have a thousand threads, 20 us each."""
_TO_TELL = 5.0
"""Seconds for the minder to report how a program ended; on a busy machine it may not get a core at once."""
AT_ONCE = 8
"""Milliseconds to block for the answer of a process that recently answered as fast.

This is usually shorter than a tick of the kernel (CONFIG_HZ), so no timer is set, which would be expensive on a virtual
machine.
"""
_TO_START = 5.0
_LAST_WORDS = 1 << 16


class Hangup(Exception):
    """End of file or EPIPE: the process has closed its end of a pipe, or has ended."""


class BotProcess:
    """A running bot. `write` and `read` raise Hangup when the other end is closed."""

    def __init__(self, entry: Entry, folder: Path, errors: Path, host: Host) -> None:
        """Create its pipes and have it forked in ``folder``; whether exec succeeded is known later."""
        self.entry = entry
        self._host = host
        # first, because the last process of this folder could still write into it
        host.block_until_gone()
        temporary_folder.make(folder)
        temporary_folder.wipe(errors)  # must be a fresh file, whatever the last process has made of it
        self._stderr = os.open(errors, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL, 0o600)
        theirs, self._stdin = os.pipe()
        self._stdout, wire = os.pipe()
        self._line, self._group = host.start(entry, folder, theirs, wire, self._stderr)
        for fd in (theirs, wire):
            os.close(fd)
        os.set_blocking(self._stdin, False)
        os.set_blocking(self._stdout, False)
        self._quick = select.poll()
        self._quick.register(self._stdout, select.POLLIN)
        self.prompt = True
        """Whether its last answer came within milliseconds."""
        self._open = True
        self._written = 0
        self._program = 0
        self._delays = process_table.Delays()
        self._pause = _LOOK_AT_DELAYS

    @property
    def pid(self) -> int:
        """The process's id, which is also its group's; 0 if it did not start."""
        if self._line.pid is None:
            self._line.wait(_TO_START, "pid")
        return self._line.pid or 0

    def unheard(self) -> bool:
        """Return whether the keeper was killed before it read the order to start the bot."""
        line = self._line.listen()
        return line.quiet and not line.minder

    def pending(self) -> bytes:
        """Return the bytes that are ready on its stdout, without blocking."""
        return self._there() if self._quick.poll(0) else b""

    def _there(self, size: int = _CHUNK) -> bytes:
        try:
            return os.read(self._stdout, size)
        except OSError:
            return b""

    def at_once(self) -> bytes:
        """Poll the stdout of a prompt process for `AT_ONCE`; return what it wrote, if anything.

        This blocks the referee on purpose: waiting through the scheduler costs more than such an answer takes. A
        table's processes start side by side, so the first has started up when the next ones are asked.
        """
        return self._there(_REPLY) if self.prompt and self._quick.poll(AT_ONCE) else b""

    async def write(self, data: bytearray) -> None:
        """Write all of ``data`` to its stdin, however slowly it reads; written bytes are deleted from ``data``."""
        while data:
            try:
                written = os.write(self._stdin, data)
                self._written += written
                del data[:written]
            except BlockingIOError:
                await self._wait(trio.lowlevel.wait_writable, self._stdin)
            except OSError:
                raise Hangup("it closed its input") from None

    def offer(self, data: bytes) -> bytes:
        """Write what the pipe takes now; return the rest."""
        try:
            written = os.write(self._stdin, data)
        except OSError:
            return data
        self._written += written
        return data[written:] if written < len(data) else b""

    def reads(self) -> bool:
        """Return whether it has begun to read its standard input, so that the pipe contains less than was written."""
        return self.unread() < self._written

    def unread(self) -> int:
        """Return how many bytes are in the pipe to its standard input (FIONREAD)."""
        return int.from_bytes(fcntl.ioctl(self._stdin, termios.FIONREAD, b"\0\0\0\0"), sys.byteorder)

    async def read(self) -> bytes:
        """Return the next bytes; raise Hangup at the end of the stream, or when the process is gone and all is read."""
        while True:
            try:
                data = os.read(self._stdout, _CHUNK)
            except BlockingIOError:
                await self._wait(trio.lowlevel.wait_readable, self._stdout)
                continue
            except OSError:
                raise Hangup("it closed its output") from None
            if not data:
                raise Hangup("it closed its output")
            return data

    async def _wait(self, ready: Callable[[int], Awaitable[None]], fd: int) -> None:
        """Wait for the pipe.

        Check now and then that the process still lives, because its children may keep the pipe open. Look more often at
        how long its threads wait for a core, because the kernel forgets it when a thread ends.
        """
        end = monotonic() + _LOOK_AGAIN
        while (rest := end - monotonic()) > 0:
            with trio.move_on_after(min(rest, self._pause)):
                await until_ready(ready, fd)
                return
            looked = monotonic()
            self.waited()
            self._pause = max(_LOOK_AT_DELAYS, (monotonic() - looked) / _LOOK_COST)
        if (self._line.listen().over or self._mute()) and not self._quick.poll(0):
            raise Hangup("it closed its output")

    def _mute(self) -> bool:
        """Return whether no process of the bot has the pipe open (/proc/PID/fd); bubblewrap itself keeps it open."""
        if self._host.level is not Level.BWRAP or not self.program:
            return False
        wire = f"pipe:[{os.fstat(self._stdout).st_ino}]"
        try:
            for pid in (self.program, *process_table.descendants(self.program)):
                if any(str(Path(fd).readlink()) == wire for fd in process_table.descriptors(pid)):
                    return False
        except OSError:
            return False
        return True

    def waited(self) -> float:
        """Return the seconds for which its threads have waited for a core, together; 0.0 if unknown.

        Of threads that have ended it is what was seen while they lived. The pressure of its control group
        (cpu.pressure) is no substitute: the kernel averages it over the cores, so that a bot waiting at one of them
        seems to wait only part of the time.
        """
        minder = self._line.listen().minder
        members = control_group.members(self._group.folders) or (process_table.descendants(minder) if minder else [])
        return self._delays.add(process_table.delays(members))

    def cpu(self) -> float:
        """Return the seconds of CPU time that the program and its children have used; 0.0 if unknown."""
        counted = control_group.cpu(self._group.folders)
        minder = self._line.listen().minder if counted is None else 0
        return process_table.cpu(minder) if minder else counted or 0.0

    @property
    def program(self) -> int:
        """The process of the program itself, not bubblewrap's; 0 if there is none."""
        if not self._program:
            pid = self.pid
            for _ in range(2 if self._host.level is Level.BWRAP else 0):
                pid = next(iter(process_table.children(pid)), 0)
            self._program = pid
        return self._program

    def stop(self) -> None:
        """Freeze its control group, or send SIGSTOP to all its processes, because it is not its turn."""
        if not control_group.freeze(self._group.folders) and self._line.minder:
            process_table.stop(self._line.minder)

    def go_on(self) -> None:
        """Thaw its control group, or send SIGCONT."""
        if not control_group.thaw(self._group.folders) and self._line.minder:
            process_table.go_on(self._line.minder)

    def stderr_size(self) -> int:
        """Return the size of its standard error in bytes (lseek, which takes a third of fstat's time)."""
        return os.lseek(self._stderr, 0, os.SEEK_END)

    def complaint(self, size: int = 4096) -> str:
        """Return the end of its standard error."""
        return os.pread(self._stderr, size, max(0, self.stderr_size() - size)).decode("utf-8", "replace").strip()

    def errors_at(self, place: int, size: int) -> bytes:
        """Return ``size`` bytes of its standard error from a position, or as many as there are."""
        return os.pread(self._stderr, size, place)

    def last_words(self) -> str:
        """Return the line of its standard error that names why it died."""
        return last_words(self.complaint(_LAST_WORDS), {*map(str, self.entry.files)})

    async def status(self, hangup: Hangup) -> str:
        """Return how the process ended; one that has just closed a pipe gets a moment to do so.

        Raise OSError if this machine could not start it or had no memory for it.
        """
        await self._wait_for_end(_LOOK_AGAIN)
        if not process_table.runs(self.program):
            await self._wait_for_end(_TO_TELL)
        line = self._line
        if line.lack:
            raise OSError(line.lack, f"{os.strerror(line.lack)}: no process can be started")
        if line.refused:
            why = f"{os.strerror(line.refused)}: limits, Landlock or seccomp cannot be set up here"
            raise OSError(line.refused, f"{why}, and under {self._host.level.value} no bot is started without them")
        if line.why:
            return f"it was stopped, because {line.why}"
        if line.held is not None:
            what = f"{self.entry.name}, which held {line.held >> 20} MiB and may use more than twice as much"
            why = f"this machine ran out of memory and ended {what}: let less run on it at once"
            raise control_group.MachineShort(ENOMEM, why)
        if line.error is not None:
            return f"{self.entry.command[0]} cannot be started: {os.strerror(line.error)}"
        if line.exit is None:
            if (
                line.quiet and self._host.level is not Level.NONE
            ):  # without a sandbox, a bot can kill its minder and go unharmed, so that is no excuse
                why = f"the process that minded {self.entry.name} was killed: this machine may lack memory"
                raise control_group.MachineShort(ECHILD, why)
            return "its minder was killed" if line.quiet else str(hangup)
        killed = -line.exit if line.exit < 0 else line.exit - 128 if self._host.level is Level.BWRAP else 0
        with suppress(ValueError):
            if killed > 0:
                return f"it was ended by {signal.Signals(killed).name}"
        return f"it left with exit status {line.exit}"

    def end_input(self) -> None:
        """Close its stdin, so that the process reads end of file."""
        if self._stdin >= 0:
            os.close(self._stdin)
            self._stdin = -1

    async def left(self, patience: float) -> bool:
        """Return whether the process ends by itself within ``patience`` seconds; its output is discarded."""
        await self._wait_for_end(patience)
        return self._line.over

    async def _wait_for_end(self, patience: float) -> None:
        """Wait at most ``patience`` seconds for the process to end; its output is discarded."""
        with trio.move_on_after(patience):
            while not self._line.listen().over:
                self.pending()
                with trio.move_on_after(0.02):
                    await until_ready(trio.lowlevel.wait_readable, self._line)

    def kill(self) -> None:
        """Have the process and its descendants killed (SIGKILL). `Host.wait_until_gone` waits for their end."""
        if not self._open:
            return
        self._open = False
        for fd in (self._stdin, self._stdout):
            if fd >= 0:
                os.close(fd)
        os.close(self._stderr)
        self._host.end(self._line, self._group)
