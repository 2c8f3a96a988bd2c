"""Start the keeper with Popen, and send it orders and descriptors over a socket (SCM_RIGHTS): the referee's side."""

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
"""Where the keeper finds its program: it starts without the site's packages."""


class BotLine:
    """The socket on which a minder reports its bot: its pid, the errno of a failed fork or exec, its exit status."""

    def __init__(self, line: socket.socket) -> None:
        self._line = line
        self._line.setblocking(False)
        self._cut = b""
        self.minder = 0
        self.pid: int | None = None
        self.error: int | None = None
        self.lack: int | None = None
        self.refused: int | None = None
        """The errno with which limits, Landlock or seccomp were refused to it."""
        self.why = ""
        self.held: int | None = None
        """The bytes that it held at most, if the kernel ended it though others had taken the memory."""
        self.exit: int | None = None
        self.gone = False
        """Whether all that came of the bot has been ended: the minder may be given another."""
        self.quiet = False
        """Whether the minder has hung up."""

    def fileno(self) -> int:
        """Return the socket's descriptor, for poll."""
        return self._line.fileno()

    def listen(self) -> Self:
        """Read what the socket has, without blocking."""
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
            case _:  # a number, by the name of what it is
                setattr(self, word, int(text))

    @property
    def over(self) -> bool:
        """Return whether the bot itself has ended, could not start, or was ended."""
        return self.quiet or self.exit is not None or self.error is not None or bool(self.why)

    def wait(self, seconds: float, until: str) -> bool:
        """Poll the socket at most so many seconds until something is known; return whether it is."""
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
        """Have the minder of a bot of which nothing is left start another; None if it does not hear of it any more."""
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
        """Send SIGCONT to the minder: what has no sandbox may have stopped it."""
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
    """Raise RLIMIT_NOFILE to its hard limit: a bot of the same user can send so many descriptors that none is left.

    They are counted together while they are on the way, against the limit of whoever sends the next.
    """
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


class Keeper:
    """The process that forks and execs bots; started with the first of them, ended by `close`."""

    lasting: ClassVar[Keeper | None] = None
    """What starts the bots of one host after the other, in a process that has many of them: a tournament's worker."""
    ahead: ClassVar[Keeper | None] = None
    """What was started while a command's modules were imported; the first host takes it."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._line: socket.socket | None = None
        self._free: list[BotLine] = []
        """The lines of minders that wait for another bot."""

    @classmethod
    @contextmanager
    def start_ahead(cls, minders: int) -> Iterator[None]:
        """Start the process, and minders that wait for a bot as they do between two; end them if no host takes them."""
        cls.ahead = ahead = cls()
        try:
            with suppress(OSError):  # there is no room for it now: the first host tries again, and says why not
                for _ in range(minders):
                    ahead._free.append(BotLine(ahead._minder()))
            yield
        finally:
            cls.take().close()

    @classmethod
    def take(cls) -> Keeper:
        """Return what was started ahead, once, or one that is started with its first bot."""
        keeper, cls.ahead = cls.ahead or cls(), None
        return keeper

    def start(self, order: Mapping[str, Any], stdin: int, stdout: int, stderr: int) -> BotLine:
        """Have a bot forked on these descriptors; what becomes of it is read from the line."""
        fds = [stdin, stdout, stderr]
        while self._free:
            free = self._free.pop()
            if line := free.another(order, fds):
                return line
            free.close()
        ours = self._minder()
        with suppress(OSError):  # who is not there is missed when the line is read
            _send(ours, order, fds)
        return BotLine(ours)

    def _minder(self) -> socket.socket:
        """Have a minder forked, and return its line."""
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                self._order([theirs.fileno()])
        except OSError:
            ours.close()
            raise
        return ours

    def release(self, line: BotLine) -> None:
        """Be done with a bot: its minder may be given another if nothing is left of it."""
        if line.gone:
            self._free.append(line)
        else:
            line.close()

    def sweep(self) -> None:
        """Have the keeper SIGKILL what a minder left."""
        if self._line is not None:
            self._order([])

    def _order(self, fds: Sequence[int]) -> None:
        """Have the keeper fork a minder on a line, or sweep."""
        if self._process is not None:  # what has no sandbox may have stopped it
            self._process.send_signal(signal.SIGCONT)
        try:
            _send(self._line or self._begin(), {}, fds)
        except OSError:  # somebody has killed it: another takes its place
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
                env={"LD_BIND_NOW": "1"},  # else each child looks up anew what it calls of the system's libraries
                start_new_session=True,
            )
        _raise_descriptor_limit()
        return self._line

    @property
    def pid(self) -> int | None:
        """The keeper's process, if it runs."""
        return None if self._process is None else self._process.pid

    def close(self) -> None:
        """End everything and wait until it has."""
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
