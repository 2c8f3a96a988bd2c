"""A program by itself: it starts bots for a referee, watches what they use up, and ends all that came of them.

    referee --- keeper --- minder --- bot --- whatever the bot starts
                       `- minder --- bot

The keeper is one small process beside the referee; it starts early and is forked once a bot, which is cheap, and safe
because nothing else runs in it. A minder adopts what its bot leaves behind (`PR_SET_CHILD_SUBREAPER`), so that a
process that made a session of its own is found by its ancestors all the same. When the referee hangs up, however it
died, minders and keeper end everything and leave.

The referee speaks to the keeper in orders: four bytes of length, a marshalled dict, and the descriptors of standard
input, output, error and of the minder's line. On its line a minder says its own number in ``minder N``, then ``pid N``
or ``error ERRNO``, ``why TEXT``, ``exit CODE``, and ``gone`` when nothing is left; ``lack ERRNO`` says that there is
no room for another process on this machine. Anything the referee writes there means: end it.

It imports little, to be there soon: `signal` alone, for its enums, would cost it a third of its start.
"""

from __future__ import annotations

import _signal as signal
import errno
import marshal
import os
import select
import sys
import time
from _socket import AF_UNIX, CMSG_SPACE, SOCK_STREAM, socket

from croupier.server.processes import kernel, process_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

LOOK_EVERY = 0.2
GIVE_UP = 5.0
_STDERR_CAP = 1 << 20
_FDS = 4
_PROGRAMS = (b"#!", b"\x7fELF")


def keep(line: socket) -> None:
    """Start a minder for each order until the referee hangs up; then end what its minders could not."""
    kernel.become_subreaper()
    kernel.set_undumpable()
    os.set_inheritable(line.fileno(), False)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    minders: set[int] = set()
    while (received := _order(line)) is not None:
        order, fds = received
        minders = {pid for pid in minders if process_table.alive(pid)}
        if order.get("sweep"):
            _end_children(minders)
            continue
        try:
            minder = os.fork()
        except OSError as lack:
            os.write(fds[-1], f"lack {lack.errno}\n".encode())
        else:
            if minder == 0:
                line.close()
                _mind(order, fds)
            minders.add(minder)
        for fd in fds:
            os.close(fd)
    deadline = time.monotonic() + 2 * GIVE_UP
    while time.monotonic() < deadline and _end_children(minders):
        time.sleep(0.002)


def _order(line: socket) -> tuple[dict[str, Any], list[int]] | None:
    """Read one order; None when there is nobody any more to give one."""
    head, control, _, _ = line.recvmsg(4, CMSG_SPACE(4 * _FDS))
    fds = [
        int.from_bytes(data[place : place + 4], sys.byteorder)
        for _, _, data in control
        for place in range(0, len(data) // 4 * 4, 4)
    ]
    for fd in fds:
        os.set_inheritable(fd, False)
    size = int.from_bytes(head, "big")
    text = b""
    while head and len(text) < size:
        data = line.recv(size - len(text))
        if not data:
            return None
        text += data
    return (marshal.loads(text), fds) if head else None  # noqa: S302  from the referee that started us


def _end_children(spared: set[int]) -> bool:
    """Kill the children that are no minders, with all that came of them; return whether any child is left.

    A minder is woken: a bot may have stopped it.
    """
    left = process_table.children(os.getpid())
    for pid in left:
        if pid in spared:
            process_table.signal(pid, signal.SIGCONT)
        else:
            for victim in [*process_table.descendants(pid), pid]:
                process_table.signal(victim, signal.SIGKILL)
    return bool(left)


def _mind(order: dict[str, Any], fds: list[int]) -> NoReturn:
    try:
        Minder(order, *fds).run()
    finally:
        os._exit(0)


class Minder:
    """Start one bot, watch it, and end it with all that came of it."""

    def __init__(self, order: dict[str, Any], stdin: int, stdout: int, stderr: int, line: int) -> None:
        self.order = order
        self.pipes = (stdin, stdout, stderr)
        self.line = line
        self.bot = 0
        self.over = False

    def run(self) -> None:
        """Live as long as the bot does and the referee wants it."""
        kernel.become_subreaper()
        signal.signal(signal.SIGCHLD, lambda *_: None)
        rang, bell = os.pipe()
        os.set_blocking(rang, False)
        os.set_blocking(bell, False)
        signal.set_wakeup_fd(bell, warn_on_full_buffer=False)
        self._start()
        for fd in self.pipes[:2]:
            os.close(fd)
        poll = select.poll()
        poll.register(self.line, select.POLLIN)
        poll.register(rang, select.POLLIN)
        look = time.monotonic() + LOOK_EVERY
        while not self.over:
            for fd, _ in poll.poll(max(0.0, look - time.monotonic()) * 1000):
                self.over |= fd == self.line
                if fd == rang:
                    os.read(rang, 512)
            self._reap()
            if not self.over and time.monotonic() >= look:  # a child that stops or goes on rings too
                look = time.monotonic() + LOOK_EVERY
                if why := self._excess():
                    self._say(f"why {why}")
                    self.over = True
        if self._end():
            self._say("gone")

    def _start(self) -> None:
        self._say(f"minder {os.getpid()}")
        trouble, told = os.pipe()
        try:
            self.bot = os.fork()
        except OSError as lack:
            self._say(f"lack {lack.errno}")
            raise
        if self.bot == 0:
            self._become(told)
        os.close(told)
        problem = os.read(trouble, 16)
        os.close(trouble)
        self._say(f"error {problem.decode()}" if problem else f"pid {self.bot}")

    def _become(self, told: int) -> NoReturn:
        """Turn into the bot; tell the number of the error if that cannot be."""
        try:
            signal.set_wakeup_fd(-1)
            for each in (signal.SIGCHLD, signal.SIGPIPE, signal.SIGINT, signal.SIGHUP):
                signal.signal(each, signal.SIG_DFL)
            os.setsid()
            os.chdir(self.order["folder"])
            for wanted, fd in enumerate(self.pipes):
                os.dup2(fd, wanted)
            _enter(self.order["pen"])
            kernel.restrict(self.order["limits"], self.order["hidden"])
            argv = self.order["argv"]
            if self.order["program"]:
                _check(self.order["program"])
            os.execve(argv[0], argv, self.order["env"])
        except OSError as problem:
            os.write(told, str(problem.errno).encode())
        finally:
            os._exit(127)

    def _reap(self) -> None:
        try:
            while True:
                pid, status = os.waitpid(-1, os.WNOHANG)
                if pid == 0:
                    return
                if pid == self.bot and not os.WIFSTOPPED(status):  # whom it asked to trace it hears of stops too
                    self._say(f"exit {os.waitstatus_to_exitcode(status)}")
                    self.over = True
        except ChildProcessError:
            self.over = True

    def _excess(self) -> str:
        """Say what the bot uses more of than it may; keep its standard error short."""
        if os.fstat(self.pipes[2]).st_size > 2 * _STDERR_CAP:
            os.truncate(self.pipes[2], _STDERR_CAP)
        if not self.order["watch"]:
            return ""
        pids = self._kin()
        if len(pids) > self.order["processes"]:
            return f"it had {len(pids)} processes, and may have {self.order['processes']}"
        if (threads := sum(map(process_table.threads, pids))) > self.order["threads"]:
            return f"it had {threads} threads, and may have {self.order['threads']}"
        if (memory := process_table.memory(pids, self.order["memory"])) > self.order["memory"]:
            return f"it used {memory >> 20} MiB of memory, and may use {self.order['memory'] >> 20}"
        if (nameless := process_table.nameless(pids)) > self.order["memory"]:
            return f"it held {nameless >> 20} MiB of memory in nameless files, and may use {self.order['memory'] >> 20}"
        if process_table.kept(self.order["folder"], self.order["files"]) > self.order["files"]:
            return f"it filled its folder with more than {self.order['files'] >> 20} MiB"
        return ""

    def _end(self) -> bool:
        """Kill the bot's group, which nobody in it can outrun, and its descendants; return whether none is left."""
        pause = 0.0005
        deadline = time.monotonic() + GIVE_UP
        while time.monotonic() < deadline:
            try:
                os.killpg(self.bot, signal.SIGKILL)
            except OSError:
                pass
            left = self._kin()
            for pid in left:
                process_table.signal(pid, signal.SIGKILL)
            try:
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
            except ChildProcessError:
                if _gone(self.order["pen"]):
                    return True
            if len(left) < 8:
                time.sleep(pause)
                pause = min(2 * pause, 0.01)
        return False

    def _kin(self) -> set[int]:
        """Return the bot's processes, itself among them."""
        return {*process_table.descendants(os.getpid()), *process_table.penned(self.order["pen"])}

    def _say(self, text: str) -> None:
        try:
            os.write(self.line, f"{text}\n".encode())
        except OSError:
            self.over = True


def _enter(pen: str) -> None:
    """Go into the control group, where there is one: all that this process starts is born in it."""
    if pen:
        try:
            with open(f"{pen}/cgroup.procs", "w", encoding="ascii") as file:
                file.write(str(os.getpid()))
        except OSError:
            pass


def _gone(pen: str) -> bool:
    """Take the control group away; return whether nobody is in it any more."""
    try:
        os.rmdir(pen)
    except OSError as problem:
        return problem.errno != errno.EBUSY
    return True


def _check(program: str) -> None:
    """Raise what starting a program would: who starts it inside a sandbox would hide that, or hand it to a shell."""
    if not os.access(program, os.X_OK):
        raise OSError(errno.EACCES if os.path.exists(program) else errno.ENOENT, program)
    fd = os.open(program, os.O_RDONLY | os.O_NONBLOCK)  # it may have become a pipe
    if not os.read(fd, 4).startswith(_PROGRAMS):
        raise OSError(errno.ENOEXEC, program)


def main() -> None:
    """Keep, on the descriptor that the last argument names."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    kernel.lower_open_files()
    keep(socket(AF_UNIX, SOCK_STREAM, 0, int(sys.argv[-1])))
