"""What a bot under `limits` cannot do to its user: change files, reach ports, meddle with other processes, fork on."""

import json
import os
import pty
import socket
import subprocess
import sys
import termios
from contextlib import suppress
from pathlib import Path

import needs
import pytest
from tables import children_left, errors_of, misfit, processes_with

from croupier.server import entries
from croupier.server.games.dominion.game import Dominion
from croupier.server.processes import landlock
from croupier.server.processes.sandbox import Level, SandboxSettings, groups, seccomp
from croupier.server.table.referee import Terms
from croupier.server.table.table import Table

ATTACKS = """
import json, os, resource, socket, sys
place, shared, port, victim = sys.argv[1:]
ours = os.getcwd()

def shorten():
    os.truncate(f"{place}/record", 1)

def rewrite():
    os.write(os.open(f"{place}/record", os.O_WRONLY), b"forged")

def connect():
    socket.create_connection(("127.0.0.1", int(port)), 1).close()

def slow_down():
    os.setpriority(os.PRIO_PROCESS, int(victim), 19)
    if os.getpriority(os.PRIO_PROCESS, int(victim)) != 19:
        raise PermissionError("it was answered with success, and had no effect")

def bind():
    socket.socket().bind(("127.0.0.1", 0))

attacks = {
    "rename": lambda: os.rename(f"{place}/key", f"{place}/other"),
    "rename its folder": lambda: os.rename(ours, ours + "-moved"),
    "remove": lambda: os.unlink(f"{place}/gone"),
    "plant": lambda: open(f"{place}/planted.py", "x"),
    "truncate": shorten,
    "write": rewrite,
    "link": lambda: os.link(f"{place}/record", "mine"),
    "share": lambda: open(f"{shared}/croupier-{port}", "x"),
    "connect": connect,
    "bind": bind,
    "limit": lambda: resource.prlimit(int(victim), resource.RLIMIT_CPU, (60, 60)),
    "slow down": slow_down,
}
done = []
for name, attack in attacks.items():
    try:
        attack()
        done.append(name)
    except OSError:
        pass
own = [open("own", "w"), os.makedirs("a/b"), os.rename("own", "a/own"), open("/dev/null", "w"), os.unlink("a/own")]
os.write(os.open("/dev/stderr", os.O_WRONLY | os.O_APPEND), json.dumps(done).encode())
"""
FILES = ("rename", "rename its folder", "remove", "plant", "truncate", "write", "link", "share", "connect", "bind")
OTHERS = ("limit", "slow down")
SHARED = "/dev/shm"


@pytest.fixture
def port():
    """Listen on this machine; what was put into shared memory under that number is removed."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        number = server.getsockname()[1]
        yield number
    Path(SHARED, f"croupier-{number}").unlink(missing_ok=True)


@pytest.fixture
def victim():
    """A process of the same user."""
    with subprocess.Popen([sys.executable, "-S", "-c", "input()"], stdin=-1) as process:
        yield process.pid
        process.kill()


@pytest.mark.skipif(landlock.version() < landlock.TCP_SINCE, reason="needs a younger Landlock")
@pytest.mark.skipif(not seccomp.program(), reason="no filter for this architecture")
@pytest.mark.parametrize(("level", "done"), [(Level.NONE, [*FILES, *OTHERS]), (Level.LIMITS, [])])
async def test_a_bot_changes_nothing_outside_its_folder(level, done, port, victim, tmp_path):
    """Neither a tournament's files nor another bot's, nor what all share; without a sandbox it can."""
    place = tmp_path / "place"
    place.mkdir()
    kept = dict.fromkeys(("key", "gone", "record"), "kept")
    for name, text in kept.items():
        (place / name).write_text(text)
    words = [str(place), SHARED, str(port), str(victim)]
    assert json.loads(await errors_of(level, tmp_path / "table", ATTACKS, *words)) == done
    assert ({path.name: path.read_text() for path in place.iterdir()} == kept) == (not done)


METADATA = """
import ctypes, fcntl, os, sys
place = sys.argv[1]
record = f"{place}/record"
libc = ctypes.CDLL(None)

def opened(path):
    return os.open(path, os.O_RDONLY)

attacks = [
    lambda: os.chmod(record, 0o604),
    lambda: os.fchmod(opened(record), 0o604),
    lambda: libc.syscall(452, -100, record.encode(), 0o604, 0),
    lambda: os.chown(record, -1, 77 if os.getuid() == 0 else os.getgid()),
    lambda: os.lchown(f"{place}/link", -1, 77),
    lambda: os.utime(record, (1, 2)),
    lambda: os.utime(opened(record), (1, 2)),
    lambda: os.utime(f"{place}/link", (1, 2), follow_symlinks=False),
    lambda: os.setxattr(record, "user.note", b"known"),
    lambda: os.removexattr(record, "user.kept"),
    lambda: fcntl.ioctl(opened(record), 0x40086602, (0x40).to_bytes(8, "little")),  # FS_IOC_SETFLAGS, "no dump"
    lambda: os.chmod(place, 0o500),
    lambda: os.fchmod(os.open(place, os.O_RDONLY), 0o500),
]
for attack in attacks:
    try: attack()
    except OSError: pass
"""


def metadata(path):
    """Return what can be seen of a file except its content and when it was last read."""
    seen = path.lstat()
    about = [seen.st_mode, seen.st_uid, seen.st_gid, seen.st_mtime_ns, seen.st_ctime_ns]
    if path.is_symlink():
        return about
    names = os.listxattr(path)
    return [*about, *((name, os.getxattr(path, name)) for name in names)]


@pytest.mark.skipif(not seccomp.program(), reason="no filter for this architecture")
@pytest.mark.parametrize("level", [Level.NONE, Level.LIMITS])
async def test_a_bot_changes_nothing_about_files_outside_its_folder(level, tmp_path):
    """Neither modes, owners, times, attributes nor flags: Landlock knows none of them."""
    place = tmp_path / "place"
    place.mkdir()
    (place / "record").write_text("kept")
    (place / "link").symlink_to("record")
    with suppress(OSError):
        os.setxattr(place / "record", "user.kept", b"")
    paths = [place, place / "record", place / "link"]
    before = [metadata(path) for path in paths]
    assert await errors_of(level, tmp_path / "table", METADATA, str(place)) == ""
    after = [metadata(path) for path in paths]
    if level is Level.LIMITS:
        assert after == before
    else:
        assert [one == other for one, other in zip(before, after, strict=True)] == [False] * 3


SOCKETS = """
import socket, sys
port, done = int(sys.argv[1]), []

def fast_open():
    with socket.socket() as out:
        out.sendto(b"the cards", 0x20000000, ("127.0.0.1", port))

def listen():
    with socket.socket() as listener:
        listener.listen()

def listen_by_six():
    with socket.socket(socket.AF_INET6) as listener:
        listener.listen()

for attack in (fast_open, listen, listen_by_six):
    try:
        attack()
        done.append(attack.__name__)
    except OSError: pass
one, other = socket.socketpair()
one.send(b"x")
assert other.recv(1) == b"x"
print(*done, file=sys.stderr)
"""


@pytest.mark.skipif(not seccomp.program(), reason="no filter for this architecture")
@pytest.mark.parametrize("level", [Level.NONE, Level.LIMITS])
async def test_no_socket_of_the_internet_is_made(level, port, tmp_path):
    """Data leave without a connect, and come in without a bind, which is all that Landlock knows."""
    done = (await errors_of(level, tmp_path, SOCKETS, str(port))).split()
    assert done == [] if level is Level.LIMITS else {"fast_open", "listen"} <= set(done)


TERMINAL = """
import os, sys, termios
terminal, done = sys.argv[1], []

def switch_off():
    fd = os.open(terminal, os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK)
    done.append("open")
    modes = termios.tcgetattr(fd)
    modes[3] &= ~termios.ECHO
    termios.tcsetattr(fd, termios.TCSANOW, modes)
    done.append("switched off")
    done.append(os.read(fd, 100).decode())

def own():
    os.open(terminal, os.O_RDWR)
    done.append("own")

def controlling():
    os.open("/dev/tty", os.O_RDONLY | os.O_NONBLOCK)
    done.append("controlling")

for attack in (switch_off, own, controlling):
    try: attack()
    except OSError: pass
os.write(2, " ".join(done).encode())
"""


@pytest.mark.skipif(not landlock.version(), reason="needs Landlock")
@pytest.mark.parametrize("level", needs.levels(Level.NONE, Level.LIMITS, Level.BWRAP))
async def test_the_organizers_terminal_is_neither_read_nor_switched_off(level, tmp_path):
    """Nor does a bot have a terminal of its own."""
    ours, theirs = pty.openpty()
    os.write(ours, b"password\n")
    before = termios.tcgetattr(theirs)
    done = await errors_of(level, tmp_path, TERMINAL, os.ttyname(theirs))
    after = termios.tcgetattr(theirs)
    os.close(ours)
    os.close(theirs)
    if level is not Level.NONE:
        assert (done, after) == ("", before)
    else:
        assert done.startswith("open switched off password")
        assert after != before


FORKER = """
import os, signal, sys, time
tokens, full = os.pipe()
os.write(full, b"x" * 200)
os.write(2, b"forks")
while os.read(tokens, 1):
    if os.fork() == 0:
        signal.alarm(20)
        os.setsid()
"""


async def test_forkers_end_where_no_group_counts_them(key, mark, tmp_path, monkeypatch):
    """Each in a session of its own, and all of them forking on: who is stopped forks no more."""
    monkeypatch.setattr(groups, "parents", dict)
    forker = entries.of_command([sys.executable, "-S", "-c", FORKER], "forker")
    bots = [entries.replace(forker, env={"MARK": mark}), misfit("fair", name="fair")]
    async with Table(bots, tmp_path, 0.1, sandboxing=SandboxSettings("limits")) as table:
        result = await table.play(Dominion, {"turns": 2}, key.deal(1), Terms(time=0.2))
        assert [fault.seat for fault in result.faults] == [0]
    assert processes_with(mark) == []
    assert children_left() == []
