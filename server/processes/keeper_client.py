"""The referee's side of the keeper: starts it, and sends it orders and descriptors over a socket (SCM_RIGHTS)."""

from __future__ import annotations

import marshal
import os
import resource
import select
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import croupier
from croupier.server.processes import kernel, process_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any, Self

PATIENCE = 6.0
_PROGRAM = "import sys; sys.path.append(sys.argv[1]); from croupier.server.processes import keeper; keeper.main()"
_PACKAGES = str(Path(croupier.__file__).parents[1])
"""The folder in which the keeper finds its program, because it starts without site-packages."""


class BotLine:
    """The socket of a minder's reports about its bot: pid, errno of a failed fork or exec, exit status."""

    def __init__(self, line: socket.socket) -> None:
        self._line = line
        self._line.setblocking(False)
        self._cut = b""
        self.minder = 0
        self.pid: int | None = None
        self.error: int | None = None
        self.lack: int | None = None
        self.refused: int | None = None
        """The errno with which limits, Landlock or seccomp failed."""
        self.why = ""
        self.held: int | None = None
        """The most bytes that it held, if the kernel killed it because others had used up the memory."""
        self.exit: int | None = None
        self.gone = False
        """Whether everything of the bot has ended, so that the minder can be given another."""
        self.quiet = False
        """Whether the minder has hung up."""

    def fileno(self) -> int:
        """Return the socket's descriptor, for poll."""
        return self._line.fileno()

    def listen(self) -> Self:
        """Read all reports that have arrived, without blocking."""
        while not self.quiet:
            try:
                data = self._line.recv(4096)
            except BlockingIOError:
                break
            except OSError:
                data = b""
            self.quiet = not data
            *lines, self._cut = (self._cut + data).split(b"\n")
            for line in lines:
                self._take(*line.decode().partition(" ")[::2])
        return self

    def _take(self, word: str, text: str) -> None:
        match word:
            case "why":
                self.why = text
            case "gone":
                self.gone = True
            case _:  # a report of a number is named like its attribute
                setattr(self, word, int(text))

    @property
    def over(self) -> bool:
        """Return whether the bot itself has ended, could not start, or was killed."""
        return self.quiet or self.exit is not None or self.error is not None or bool(self.why)

    def wait(self, seconds: float, until: str) -> bool:
        """Poll the socket for at most ``seconds`` until ``what`` is known; return whether it is."""
        poll = select.poll()
        poll.register(self._line, select.POLLIN)
        while not self.quiet and not getattr(self.listen(), until):
            if not poll.poll(seconds * 1000):
                return False
        return bool(getattr(self, until))

    def end(self) -> None:
        """Tell the minder to SIGKILL everything; its reports are still read."""
        with suppress(OSError):
            _send(self._line, {}, [])
        self._wake()

    def another(self, order: Mapping[str, Any], fds: Sequence[int]) -> BotLine | None:
        """Have the minder of a completely ended bot start another; return None if the minder is gone."""
        if self.listen().quiet:
            return None
        self._wake()
        self._line.setblocking(True)
        try:
            _send(self._line, order, fds)
        except OSError:
            return None
        line = BotLine(self._line)
        return line if line.wait(PATIENCE, "minder") else None

    def _wake(self) -> None:
        """Send SIGCONT to the minder, because a bot without a sandbox may have stopped it."""
        if self.minder:
            process_table.signal(self.minder, signal.SIGCONT)

    def close(self) -> None:
        """Close the socket."""
        self._line.close()


def _send(line: socket.socket, order: Mapping[str, Any], fds: Sequence[int]) -> None:
    """Send an order and descriptors (SCM_RIGHTS)."""
    text = marshal.dumps(dict(order))
    message = len(text).to_bytes(4, "big") + text
    sent = socket.send_fds(line, [message], fds)
    line.sendall(message[sent:])


def _raise_descriptor_limit() -> None:
    """Raise RLIMIT_NOFILE to its hard limit, or a bot of the same user could use up all descriptors.

    Descriptors in transit are counted together, against the limit of the next sender.
    """
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


class Keeper:
    """The process that forks and execs bots; started with the first bot, ended by `close`."""

    lasting: ClassVar[Keeper | None] = None
    """The keeper of a process with many hosts, one after another, such as a tournament's worker."""
    ahead: ClassVar[Keeper | None] = None
    """A keeper started while a command's modules were imported; the first host takes it."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._line: socket.socket | None = None
        self._free: list[BotLine] = []
        """The lines of idle minders. They are reused because forking a minder costs as much as a bot."""

    @classmethod
    @contextmanager
    def start_ahead(cls, minders: int) -> Iterator[None]:
        """Start the process and idle minders during imports; end them if no host takes them."""
        cls.ahead = ahead = cls()
        try:
            with suppress(OSError):  # no room now: the first host tries again, and reports why it fails
                for _ in range(minders):
                    ahead._free.append(BotLine(ahead._minder()))
            yield
        finally:
            cls.take().close()

    @classmethod
    def take(cls) -> Keeper:
        """Return the keeper that was started ahead, once; later calls return a new one."""
        keeper, cls.ahead = cls.ahead or cls(), None
        return keeper

    def start(self, order: Mapping[str, Any], stdin: int, stdout: int, stderr: int) -> BotLine:
        """Have a bot forked with these descriptors; its fate is read from the line."""
        fds = [stdin, stdout, stderr]
        while self._free:
            free = self._free.pop()
            if line := free.another(order, fds):
                return line
            free.close()
        ours = self._minder()
        with suppress(OSError):  # if the minder is gone, reading its line will show it
            _send(ours, order, fds)
        return BotLine(ours)

    def _minder(self) -> socket.socket:
        """Have a minder forked; return its line."""
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                self._order([theirs.fileno()])
        except OSError:
            ours.close()
            raise
        return ours

    def release(self, line: BotLine) -> None:
        """Finish with a bot: its minder can be reused if nothing is left of the bot."""
        if line.gone:
            self._free.append(line)
        else:
            line.close()

    def sweep(self) -> None:
        """Have the keeper SIGKILL everything that minders have left."""
        if self._line is not None:
            self._order([])

    def _order(self, fds: Sequence[int]) -> None:
        """Have the keeper fork a minder on a line, or sweep."""
        if self._process is not None:  # a bot without a sandbox may have stopped it
            self._process.send_signal(signal.SIGCONT)
        try:
            _send(self._line or self._begin(), {}, fds)
        except OSError:  # somebody has killed it: start a new one
            self.close()
            _send(self._begin(), {}, fds)

    def _begin(self) -> socket.socket:
        kernel.set_undumpable()
        self._line, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", _PROGRAM, _PACKAGES, str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                cwd="/",
                env={"LD_BIND_NOW": "1"},  # resolve symbols once, not in each child
                start_new_session=True,
            )
        _raise_descriptor_limit()
        return self._line

    @property
    def pid(self) -> int | None:
        """The keeper's process id, if it runs."""
        return None if self._process is None else self._process.pid

    def close(self) -> None:
        """End everything and wait for it."""
        while self._free:
            self._free.pop().close()
        line, process = self._line, self._process
        self._line = self._process = None
        if line is not None:
            line.close()
        if process is None:
            return
        process.send_signal(signal.SIGCONT)
        try:
            process.wait(2 * PATIENCE)
        except subprocess.TimeoutExpired:
            with suppress(OSError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
