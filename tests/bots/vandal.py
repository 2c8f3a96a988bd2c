"""A bot of one file that plays the first legal play until its moment, and then lays hands on what it stands on.

    vandal.py KIND request N

That is its pipes, its standard error, its folder, its own processes, and what it may reach of the machine. As those of
`misfit.py` its misdeeds have ends of their own: each process lives for seconds, and what it writes or takes is counted.
"""

import ctypes
import fcntl
import os
import re
import shutil
import signal
import socket
import sys
import threading
import time
from contextlib import suppress

LIFE = 12
LEGAL = re.compile(r"\(legal (\([^()]*(?:\([^()]*\)[^()]*)*\))")
SET_PIPE_SIZE = 1031
TRACE_ME = 0
KEPT = []
LIBC = ctypes.CDLL(None, use_errno=True)


def say(text):
    """Write text as bytes."""
    os.write(1, text.encode("ascii"))


def silent():
    """Say nothing, for longer than anybody waits."""
    time.sleep(LIFE)
    os._exit(0)


def fork():
    """Fork; the child ends by itself before long, whatever becomes of the table."""
    child = os.fork() == 0
    if child:
        signal.alarm(LIFE)
    return child


def stuff_the_input():
    """Fill its own input completely, which may be little, and read no more."""
    back = os.open("/proc/self/fd/0", os.O_WRONLY | os.O_NONBLOCK)
    with suppress(OSError):
        fcntl.fcntl(back, SET_PIPE_SIZE, 4096)
    with suppress(BlockingIOError):
        while True:
            os.write(back, b"x" * 512)


def flood_off_turn():
    """Enlarge the pipe, and write megabytes into it."""
    with suppress(OSError):
        fcntl.fcntl(1, SET_PIPE_SIZE, 1 << 20)
    for _ in range(64):
        say("(pass) " * 10_000)
    silent()


def bend_the_pipes():
    """Change everything possible about its own pipes, and play on."""
    for fd, size in ((0, 4096), (1, 1 << 20)):
        with suppress(OSError):
            fcntl.fcntl(fd, SET_PIPE_SIZE, size)
    for fd in (1, 2):
        fcntl.fcntl(fd, fcntl.F_SETFL, fcntl.fcntl(fd, fcntl.F_GETFL) & ~os.O_APPEND | os.O_NONBLOCK)
    os.set_blocking(0, False)
    os.close(os.open("/proc/self/fd/1", os.O_RDONLY | os.O_NONBLOCK))
    os.set_blocking(0, True)


def swap_errors(put):
    """Put something else where one's standard error lies, or nothing, and fail."""
    with suppress(OSError):
        path = os.readlink("/proc/self/fd/2")
        os.unlink(path)
        put(path)
    sys.exit(5)


def stretch_errors():
    """Make one's standard error a file of a tebibyte, if that may be, and fail."""
    with suppress(OSError):
        os.ftruncate(2, 1 << 40)
    sys.exit(5)


def steer_the_terminal():
    """Fail with words that a terminal would obey."""
    os.write(2, b"\x1b]0;mine\x07\x1b[2J\xe2\x80\xaetfel ot thgir\n")
    sys.exit(5)


def be_traced():
    """Have the process that started this one trace it, and stop."""
    LIBC.ptrace(TRACE_ME, 0, 0, 0)
    os.kill(os.getpid(), signal.SIGUSR1)
    silent()


def wait_for_a_vfork():
    """Wait in the kernel, where hardly a signal is heard, for a child that does not leave."""
    if LIBC.vfork() == 0:
        LIBC.sleep(LIFE)
        LIBC._exit(0)
    silent()


def hear_nothing():
    """Block every signal that can be blocked."""
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    silent()


def signal_the_parent(what):
    """Stop or end the process that started this one, and leave a process behind in a session of its own."""
    if fork():
        os.setsid()
        silent()
    os.kill(os.getppid(), what)
    silent()


def push_ahead():
    """Take the highest priority and every core."""
    with suppress(OSError):
        os.sched_setaffinity(0, range(os.cpu_count()))
    with suppress(OSError):
        os.nice(-20)
    with suppress(OSError):
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))


def litter():
    """Leave in one's folder what is hard to remove, once."""
    if os.listdir("."):
        return
    os.mkfifo("pipe")
    with socket.socket(socket.AF_UNIX) as named:
        named.bind("socket")
    os.symlink("nowhere", "link")
    os.close(os.open("n" * 255, os.O_CREAT))
    os.makedirs("locked/inner")
    for locked in ("locked/inner", "locked", "."):
        os.chmod(locked, 0o500)


def send_descriptors():
    """Have as many descriptors on their way as the system lets one user have."""
    null = os.open(os.devnull, os.O_RDONLY)
    with suppress(OSError):
        for _ in range(100):
            ends = socket.socketpair()
            KEPT.append(ends)
            ends[0].setblocking(False)
            for _ in range(20):
                socket.send_fds(ends[0], [b"x"], [null] * 250)


def take_threads():
    """Have hundreds of threads."""
    threading.stack_size(1 << 16)
    with suppress(RuntimeError):
        for _ in range(700):
            threading.Thread(target=time.sleep, args=(LIFE,), daemon=True).start()


def hog():
    """Take 256 MiB, bit by bit."""
    for _ in range(32):
        KEPT.append(b"x" * (8 << 20))
        time.sleep(0.005)
    silent()


def hog_headless():
    """Take them in a second thread, when the first has ended: of the process itself the system tells nothing more."""
    threading.Thread(target=hog).start()
    LIBC.pthread_exit(None)


def leave_no_folder():
    """Remove its own folder."""
    with suppress(OSError):
        shutil.rmtree(os.getcwd())


def swap_the_folder():
    """Put a pipe in place of the bot's folder, which blocks any process that opens it."""
    home = os.getcwd()
    with suppress(OSError):
        os.rename(home, home + "-moved")
        os.mkfifo(home)


def spin_elsewhere():
    """Have a child spin in a session of its own."""
    if fork():
        os.setsid()
        while True:
            pass


INSTEAD = {
    "no-errors": lambda: swap_errors(lambda path: None),
    "errors-pipe": lambda: swap_errors(os.mkfifo),
    "errors-stretched": stretch_errors,
    "steer": steer_the_terminal,
    "traced": be_traced,
    "vfork": wait_for_a_vfork,
    "masked": hear_nothing,
    "stop-parent": lambda: signal_the_parent(signal.SIGSTOP),
    "kill-parent": lambda: signal_the_parent(signal.SIGKILL),
    "hog-headless": hog_headless,
}
"""What is done instead of answering."""

BEFORE = {
    "bend": bend_the_pipes,
    "push": push_ahead,
    "litter": litter,
    "no-folder": leave_no_folder,
    "swapped-folder": swap_the_folder,
    "spin-elsewhere": spin_elsewhere,
    "close-input": lambda: os.close(0),
    "stuffed": stuff_the_input,
    "in-flight": send_descriptors,
    "in-flight-then-silence": lambda: (send_descriptors(), silent()),
    "threads": take_threads,
}
"""What is done before answering."""

AFTERWARDS = {
    "flood-off-turn": flood_off_turn,
    "close-input": silent,
    "stuffed": silent,
}
"""What is done after answering."""


def messages():
    """Yield each line of standard input."""
    waiting = b""
    while data := os.read(0, 1 << 16):
        *lines, waiting = (waiting + data).split(b"\n")
        yield from lines


def main():
    """Play until the moment comes."""
    signal.alarm(LIFE)
    kind, _, left = sys.argv[1:]
    left = int(left)
    for message in messages():
        signal.alarm(LIFE)
        if not message.startswith((b"(request", b"(attacked")):
            continue
        left -= message.startswith(b"(request")
        ours = kind if left == 0 else ""
        for deeds in (INSTEAD, BEFORE):
            deeds.get(ours, int)()
        found = LEGAL.search(message.decode("ascii"))
        say(found[1] if found else "(clean copper)")
        AFTERWARDS.get(ours, int)()


if __name__ == "__main__":
    main()
