"""The keeper: a small program that forks and execs bots for a referee, and kills all their processes at the end.

    referee --- keeper --- minder --- bot --- whatever the bot starts
                       `- minder --- bot

The keeper is one small process beside the referee. It starts early and is forked for each minder, which is cheap, and
safe because nothing else runs in it. A bot lives in a control group of its own where that is possible: through it the
kernel counts and ends all its processes. A minder becomes the parent of the processes that its bot leaves behind
(`PR_SET_CHILD_SUBREAPER`), so that even a process in a session of its own is found by descent. When nothing of its bot
is left, a minder may be given another bot, because forking a minder costs as much as a bot. It exits if none comes
soon. When the referee hangs up, however it died, minders and keeper end everything and exit.

The referee sends orders: four bytes of length, a marshalled dict, and descriptors. An order to the keeper has the
descriptor of a new minder's line, or none, to end what minders have left. An order to a minder says how to start a bot,
with the descriptors of standard input, output and error, or has none, to end the bot. On its line a minder reports its
own number in ``minder N``, then ``pid N`` or ``error ERRNO``, ``why TEXT``, ``held BYTES``, ``exit CODE``, and ``gone``
when nothing is left. ``lack ERRNO`` means that this machine has no room for another process, ``refused ERRNO`` that
part of the sandbox is not available.

It imports little, to be ready soon: the module `signal`, because of its enums, would add a third to its start.
"""

from __future__ import annotations

import _signal as signal
import errno
import marshal
import os
import select
import sys
import time
from _socket import AF_UNIX, CMSG_SPACE, MSG_WAITALL, SOCK_STREAM, socket

from croupier.server.processes import control_group, kernel, landlock, process_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar, NoReturn

LOOK_EVERY = 0.2
GIVE_UP = 5.0
STDERR_CAP = 1 << 20
ON_THEIR_WAY = 64
"""Descriptors that programs pass to each other are normally received soon.

Files that are open only in transit cannot be measured, so a bot may have this many.
"""
IDLE = 1.0
"""Seconds for which a minder waits for another bot."""
_FDS = 3
_BLOCK, _LEAST = 512, 16 << 10
_PROGRAMS = (b"#!", b"\x7fELF")


def serve(line: socket) -> None:
    """Fork a minder for each line until the referee hangs up; then kill what its minders could not."""
    kernel.become_subreaper()
    kernel.set_undumpable()
    os.set_inheritable(line.fileno(), False)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    landlock.look_around()
    minders: set[int] = set()
    while (received := _receive(line)) is not None:
        minders &= {*process_table.children(os.getpid())}
        _, theirs = received
        if not theirs:
            _end_children(minders)
        for fd in theirs:
            if minder := _fork_minder(line, fd):
                minders.add(minder)
            os.close(fd)
    deadline = time.monotonic() + 2 * GIVE_UP
    # repeated, because a process that is just being forked appears only after its parent was killed
    while time.monotonic() < deadline and _end_children(minders):
        time.sleep(0.002)


def _fork_minder(line: socket, theirs: int) -> int:
    """Fork a minder for another line; return its pid, or 0 if the machine has no room for it."""
    try:
        minder = os.fork()
    except OSError as lack:
        os.write(theirs, f"lack {lack.errno}\n".encode())
        return 0
    if minder == 0:
        line.close()
        _mind(socket(AF_UNIX, SOCK_STREAM, 0, theirs))
    return minder


def _receive(line: socket) -> tuple[dict[str, Any], list[int]] | None:
    """Read one order and its descriptors (SCM_RIGHTS); None when the sender is gone."""
    head, control, _, _ = line.recvmsg(4, CMSG_SPACE(4 * _FDS))
    fds = [fd for _, _, data in control for fd in memoryview(data).cast("i")]
    for fd in fds:
        os.set_inheritable(fd, False)
    size = int.from_bytes(head, "big")
    text = line.recv(size, MSG_WAITALL)
    return (marshal.loads(text), fds) if size and len(text) == size else None  # noqa: S302  our referee's


def _end_children(spared: set[int]) -> bool:
    """Kill the children that are not minders, with their descendants; return whether any child is left.

    Minders are continued, because a bot may have stopped them.
    """
    left = process_table.children(os.getpid())
    for pid in left:
        if pid in spared:
            process_table.signal(pid, signal.SIGCONT)
        else:
            process_table.kill(pid)
            process_table.signal(pid, signal.SIGKILL)
    return bool(left)


def _mind(line: socket) -> NoReturn:
    """Mind one bot after another, until the referee hangs up, no bot comes, or one cannot be ended completely."""
    try:
        kernel.become_subreaper()
        rang = _bell()
        waiting = select.poll()
        waiting.register(line, select.POLLIN)
        while waiting.poll(IDLE * 1000) and (received := _receive(line)) is not None:
            order, pipes = received
            if pipes and (Minder.unfit(order) or not Minder(order, line.fileno(), *pipes).run(rang)):
                break
    finally:
        os._exit(0)


def _bell() -> int:
    """Return a descriptor that becomes readable when a child has ended (set_wakeup_fd).

    Signals that are caught here are reset to their default by exec.
    """
    for each in (signal.SIGCHLD, signal.SIGPIPE, signal.SIGINT, signal.SIGHUP):
        signal.signal(each, lambda *_: None)
    rang, bell = os.pipe()
    os.set_blocking(rang, False)
    os.set_blocking(bell, False)
    signal.set_wakeup_fd(bell, warn_on_full_buffer=False)
    return rang


class Minder:
    """Fork and exec one bot, wait for it (waitpid), and kill it with all its descendants.

    What a bot inherits is prepared before the fork, because each page touched afterwards is copied for it.
    """

    lowered: ClassVar[bool] = False
    """Whether this process has permanently dropped the privileges that none of its bots may have."""

    @classmethod
    def unfit(cls, order: dict[str, Any]) -> bool:
        """Return whether a bot needs privileges that were dropped, as bubblewrap does."""
        return cls.lowered and order["hidden"] is None

    def __init__(self, order: dict[str, Any], line: int, stdin: int, stdout: int, stderr: int) -> None:
        self.order = order
        self.group: dict[str, str] = order["group"]
        self.pipes = (stdin, stdout, stderr)
        self.line = line
        self.ruleset = -1
        self.filter = kernel.Filter()
        self.bot = 0
        self.over = False

    def run(self, rang: int) -> bool:
        """Start the bot, end it when it or the referee is finished; return whether nothing is left of it."""
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
            if not self.over and time.monotonic() >= look:  # a child that is stopped or continued wakes us too
                look = time.monotonic() + LOOK_EVERY
                if why := self._excess():
                    self._say(f"why {why}")
                    self.over = True
        # standard error is closed after this, which still truncates it
        ended = self._end()
        os.close(self.pipes[2])
        if ended:
            self._say("gone")
        return ended

    def _start(self) -> None:
        self._say(f"minder {os.getpid()}")
        self._prepare()
        trouble, told = os.pipe()
        try:
            born = self._fork()
        except OSError as lack:
            self._say(f"lack {lack.errno}")
            raise
        if self.bot == 0:
            self._become(told, born)
        # our copy too, or the read below would never see the end of the pipe
        os.close(told)
        if self.ruleset >= 0:
            os.close(self.ruleset)
        problem = os.read(trouble, 16)
        os.close(trouble)
        self._say(f"error {problem.decode()}" if problem else f"pid {self.bot}")

    def _prepare(self) -> None:
        """Prepare what the bot inherits; report a failure as this machine's fault."""
        kernel.join_new_keyring()
        if self.order["hidden"] is None:
            return
        try:
            if not Minder.lowered:
                kernel.drop_privileges()
                Minder.lowered = True
            ports = landlock.ANY_PORT if self.order["network"] else landlock.NO_PORT
            self.ruleset = landlock.rules(
                self.order["hidden"], self.order["folder"], self.pipes[2], ports, self.order["writes"]
            )
            self.filter = kernel.Filter.of(self.order["filter"])
        except OSError as problem:
            self._say(f"refused {problem.errno}")
            raise

    def _fork(self) -> str:
        """Fork the bot; return its group if it was born in it."""
        born = self.group.get(control_group.CORE, "")
        self.bot = kernel.fork_into(born) if born else -1
        if self.bot >= 0:
            return born
        self.bot = os.fork()
        return ""

    def _become(self, told: int, born: str) -> NoReturn:
        """Become the bot; report the error number if that is impossible."""
        try:
            os.setsid()
            os.chdir(self.order["folder"])
            for wanted, fd in enumerate(self.pipes):
                os.dup2(fd, wanted)
            self._shut_in(born)
            argv = self.order["argv"]
            if self.order["program"]:
                _check(self.order["program"])
            os.execve(argv[0], argv, self.order["env"])
        except OSError as problem:
            os.write(told, str(problem.errno).encode())
        finally:
            os._exit(127)

    def _shut_in(self, born: str) -> None:
        """Enter the control group and apply limits and filter; report a failure as this machine's fault."""
        told = "lack"
        try:
            control_group.enter(self.group, born)
            told = "refused"
            kernel.set_limits(self.order["limits"])
            landlock.restrict(self.ruleset)
            self.filter.install()
            if self.order["program"]:
                kernel.seal_devices()
            for number, content in self.order["left"].items():
                _leave_on(number, content)
        except OSError as problem:
            self._say(f"{told} {problem.errno}")
            raise

    def _reap(self) -> None:
        try:
            while True:
                pid, status = os.waitpid(-1, os.WNOHANG)
                if pid == 0:
                    return
                # a bot that asks to be traced makes us hear of its stops too
                if pid == self.bot and not os.WIFSTOPPED(status):
                    if why := self._bound_hit():
                        self._say(f"why {why}")
                    elif self.order["memory"] and control_group.has_oom_kill(self.group):
                        self._say(f"held {control_group.peak(self.group)}")
                    self._say(f"exit {os.waitstatus_to_exitcode(status)}")
                    self.over = True
        except ChildProcessError:
            self.over = True

    def _excess(self) -> str:
        """Return which limit the bot exceeds, if any; truncate its standard error."""
        if os.fstat(self.pipes[2]).st_size > 2 * STDERR_CAP:
            os.truncate(self.pipes[2], STDERR_CAP)
        files = self.order["files"]
        if why := self._bound_hit() or self._excess_in_proc():
            return why
        if files and self._disk_bytes(files) > files:
            return f"it filled its folder with more than {files >> 20} MiB"
        if files and process_table.on_their_way(os.getpid()) > ON_THEIR_WAY:
            return f"it left more than {ON_THEIR_WAY} descriptors on their way between its processes"
        return ""

    def _disk_bytes(self, enough: int) -> int:
        """Return how many bytes the bot has on disk, listed in its folder or unlinked."""
        folder = self.order["folder"]
        listed = folder_bytes(folder, enough)
        if listed > enough:
            return listed
        return listed + process_table.unlisted_bytes(os.getpid(), folder, enough)

    def _bound_hit(self) -> str:
        """Return which limit the bot's control group hit."""
        return control_group.excess(self.group, self.order["tasks"], self.order["memory"])

    def _excess_in_proc(self) -> str:
        """Return which limit /proc shows to be exceeded, of those that no control group enforces."""
        tasks = 0 if "pids" in self.group else self.order["tasks"]
        memory = 0 if "memory" in self.group else self.order["memory"]
        return process_table.excess(os.getpid(), tasks, memory)

    def _end(self) -> bool:
        """Kill the bot's control group, or its process group and descendants; return whether all are gone."""
        if os.fstat(self.pipes[2]).st_size > STDERR_CAP:
            os.truncate(self.pipes[2], STDERR_CAP)
        pause = 0.0005
        deadline = time.monotonic() + GIVE_UP
        # repeated with growing pauses: killed processes leave the group only when they are reaped, and may fork until
        # then
        while time.monotonic() < deadline:
            control_group.kill(self.group)
            if not self.group:
                process_table.kill(os.getpid())
            try:
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
            except ChildProcessError:
                if control_group.remove(self.group):
                    return True
            time.sleep(pause)
            pause = min(2 * pause, 0.01)
        return False

    def _say(self, text: str) -> None:
        try:
            os.write(self.line, f"{text}\n".encode())
        except OSError:
            self.over = True


def folder_bytes(folder: str, enough: int) -> int:
    """Return the bytes in a folder, at least 16 KiB per file; more than ``enough`` if it cannot be measured."""
    size, ahead = 0, [folder]
    while ahead and size <= enough:
        try:
            found = list(os.scandir(ahead.pop()))
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError:  # its path is too long, or it is locked
            return enough + 1
        for entry in found:
            try:
                size += max(entry.stat(follow_symlinks=False).st_blocks * _BLOCK, _LEAST)
            except OSError:
                continue
            if entry.is_dir(follow_symlinks=False):
                ahead.append(entry.path)
    return size


def _leave_on(number: int, content: bytes) -> None:
    """Make content readable on a descriptor (memfd_create), because it may be larger than a pipe."""
    fd = os.memfd_create("", 0)
    os.write(fd, content)
    os.lseek(fd, 0, os.SEEK_SET)
    os.dup2(fd, number)
    os.close(fd)


def _check(program: str) -> None:
    """Raise the error of starting a program: inside a sandbox it would be hidden, or a shell would run the file."""
    if not os.access(program, os.X_OK):
        raise OSError(errno.EACCES if os.path.exists(program) else errno.ENOENT, program)
    fd = os.open(program, os.O_RDONLY | os.O_NONBLOCK)  # it may have become a pipe
    if not os.read(fd, 4).startswith(_PROGRAMS):
        raise OSError(errno.ENOEXEC, program)


def main() -> None:
    """Serve the referee on the descriptor that the last argument names."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    kernel.lower_open_files()
    serve(socket(AF_UNIX, SOCK_STREAM, 0, int(sys.argv[-1])))
