"""Control groups of bots: what they bound, count, freeze and kill; made while other commands do the same."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tables import until

from croupier.server.processes import control_group, process_table
from croupier.server.processes.sandbox import groups

MAKE_ONE = "from croupier.server.processes.sandbox.groups import ControlGroup; ControlGroup(8, 1 << 27).close()"
GAME = ["-m", "croupier", "play", "hearts", *["random"] * 4, "--deals", "1"]
needs_control_groups = pytest.mark.skipif(
    not {"pids", "memory"} <= {*groups.parents()}, reason="no control group may be made here"
)


@pytest.fixture
def nobody():
    """Return the number of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-S", "-c", ""])
    process.wait()
    return process.pid


def test_only_what_ended_processes_left_behind_is_cleared_away(tmp_path, nobody):
    """A group belongs to the process that it is named after, for as long as that lives."""
    mine, gone = tmp_path / f"croupier-{os.getpid()}-7", tmp_path / f"croupier-{nobody}-7"
    for group in (mine, gone):
        group.mkdir()
    groups._clear(tmp_path)
    assert list(tmp_path.iterdir()) == [mine]


def test_nobody_clears_away_the_probe_of_a_process_that_lives(tmp_path, monkeypatch):
    """Another command's clean-up may fall between any two steps of trying whether groups can be made."""
    mkdir, probes = Path.mkdir, []

    def mkdir_and_be_disturbed(path, *args, **kwargs):
        mkdir(path, *args, **kwargs)
        groups._clear(tmp_path)
        probes.append(path.exists())

    monkeypatch.setattr(Path, "mkdir", mkdir_and_be_disturbed)
    groups._works(str(tmp_path), "pids.max")
    assert probes == [True]


def test_a_probe_that_is_taken_away_is_no_crash(tmp_path, monkeypatch):
    """Other processes that can write there can remove a group: then none can be had here, and that is all."""
    monkeypatch.setattr(Path, "exists", lambda path: bool(path.rmdir()))
    assert groups._works(str(tmp_path), "pids.max") is False


def test_a_probe_left_by_a_killed_process_is_used_again(tmp_path):
    """A process may get the number of one that was killed while it tried."""
    (tmp_path / groups._name(groups._PROBE)).mkdir()
    groups._works(str(tmp_path), "pids.max")
    assert not list(tmp_path.iterdir())


def failed(commands):
    """Start commands at once; return what those say that fail."""
    running = [
        subprocess.Popen(each, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) for each in commands
    ]
    said = [process.communicate()[1] for process in running]
    return [text for process, text in zip(running, said, strict=True) if process.returncode]


@pytest.fixture(params=["as it is", "without cgroup v2"])
def group(request, monkeypatch):
    """A control group for 6 tasks and 64 MiB; also where cgroup v1 must freeze, kill and count by itself."""
    if request.param != "as it is":
        own = [line for line in Path("/proc/self/cgroup").read_text().splitlines() if not line.startswith("0::")]
        monkeypatch.setattr(groups, "read", lambda _: "\n".join(own).encode())
        groups.parents.cache_clear()
    if not {"pids", "memory"} <= {*groups.parents()}:
        pytest.skip("no control group may be made here")
    made = groups.ControlGroup(6, 64 << 20)
    yield made
    made.close()
    groups.parents.cache_clear()


STARTED = []


def start(group, script):
    """Start a Python program in a control group."""
    folders = sorted(set(group.folders.values()))
    enter = f"import os, time\nfor each in {folders}: open(each + '/cgroup.procs', 'w').write('0')\n"
    process = subprocess.Popen([sys.executable, "-S", "-c", enter + script], stderr=subprocess.DEVNULL)
    STARTED.append(process)
    return process


@pytest.fixture(autouse=True)
def _reap():
    """End what a test has started, whatever becomes of the test: others look for children that are left."""
    yield
    while STARTED:
        process = STARTED.pop()
        process.kill()
        process.wait()


def test_a_group_holds_so_many_and_no_more(group):
    """The kernel refuses the process that is one too many, and tells; closing the group ends all who are in it."""
    forks = "for _ in range(9):\n    if os.fork() == 0: os.setsid(); time.sleep(9); os._exit(0)"
    process = start(group, forks + "\n")
    assert process.wait() == 1
    assert len(control_group.members(group.folders)) == 5
    assert control_group.excess(group.folders, 6, 0) == "it had more than the 6 processes and threads that it may have"
    group.close()
    assert not any(Path(folder).exists() for folder in group.folders.values())


HOARDS = {
    "mapped": "held = b'x' * (96 << 20)",
    "a memfd mapped and closed": (
        "import mmap; fd = os.memfd_create('a'); os.ftruncate(fd, 96 << 20)\n"
        "held = mmap.mmap(fd, 96 << 20); os.close(fd)\n"
        "for at in range(0, 96 << 20, 4096): held[at] = 1"
    ),
    "memfds in flight": (
        "import socket; a, b = socket.socketpair(); fd = os.memfd_create('a')\n"
        "socket.send_fds(a, [b'x'], [fd]); os.write(fd, b'x' * (32 << 20)); os.write(fd, b'x' * (64 << 20))"
    ),
    "System V shared memory": (
        "import ctypes; libc = ctypes.CDLL(None); libc.shmat.restype = ctypes.c_void_p\n"
        "at = libc.shmget(0, 96 << 20, 0o1600); where = libc.shmat(at, None, 0)\n"
        "libc.shmctl(at, 0, None); ctypes.memset(where, 1, 96 << 20)"
    ),
    "socket buffers": (
        "import socket; held = []\n"
        "for _ in range(800):\n"
        "    held += socket.socketpair(); held[-1].setblocking(False)\n"
        "    try:\n        while held[-1].send(b'x' * 65536): pass\n    except BlockingIOError: pass"
    ),
    "page tables": (
        "import mmap; held = mmap.mmap(-1, 1 << 36, flags=0x4022, prot=mmap.PROT_READ)\n"
        "for at in range(0, 1 << 36, 2 << 20): held[at]"
    ),
    "unlinked inodes of a tmpfs": (
        "import socket; null = []\n"
        "for n in range(200):\n"
        "    a, b = socket.socketpair(); null += [a, b]; b.setblocking(False)\n"
        "    for _ in range(3): fds = [os.memfd_create('n') for _ in range(250)]; socket.send_fds(a, [b'x'], fds); "
        "[os.close(fd) for fd in fds]"
    ),
}
"""Where a program has put bytes that no look at /proc finds, more than the 64 MiB that it may use."""


@pytest.mark.parametrize("hoard", HOARDS.values(), ids=HOARDS)
def test_bytes_are_counted_wherever_they_lie(group, hoard):
    """The kernel ends who takes more than its group may, and tells that it was memory."""
    assert start(group, hoard + "\nprint('kept', flush=True); time.sleep(9)\n").wait() == -9
    assert control_group.excess(group.folders, 6, 64 << 20) == "it used more than the 64 MiB of memory that it may use"


def test_a_frozen_group_stands_still_and_can_be_killed(group):
    """Children in sessions of their own too; their CPU time counts when they are gone."""
    process = start(group, "if os.fork() == 0: os.setsid()\nwhile True: pass\n")
    assert until(lambda: len(control_group.members(group.folders)) == 2)
    assert until(lambda: control_group.cpu(group.folders) > 0.1)
    assert control_group.freeze(group.folders)
    assert until(lambda: control_group.cpu(group.folders) == control_group.cpu(group.folders))
    control_group.thaw(group.folders)
    before = control_group.cpu(group.folders)
    assert until(lambda: control_group.cpu(group.folders) > before)
    control_group.freeze(group.folders)
    control_group.kill(group.folders)
    assert process.wait() == -9
    assert until(lambda: control_group.remove(group.folders))


@needs_control_groups
@pytest.mark.skipif("cpu" not in groups.parents(), reason="no group shares the CPU time here")
def test_who_has_twenty_processes_takes_no_time_from_who_has_one():
    """On one core, whatever sessions they make: each group gets as much as the other."""
    one_core = f"os.sched_setaffinity(0, [{min(os.sched_getaffinity(0))}])\n"
    many = "for _ in range(19):\n    if os.fork() == 0: os.setsid(); break\n"
    innocent, greedy = groups.ControlGroup(40), groups.ControlGroup(40)
    running = [
        start(innocent, one_core + "while True: pass\n"),
        start(greedy, one_core + many + "while True: pass\n"),
    ]
    assert until(lambda: len(control_group.members(greedy.folders)) == 20)
    before = [control_group.cpu(group.folders) for group in (innocent, greedy)]
    assert until(lambda: control_group.cpu(greedy.folders) > before[1] + 0.4)
    took = control_group.cpu(innocent.folders) - before[0]
    waited = sum(process_table.delays(control_group.members(innocent.folders)).values())
    for group in (innocent, greedy):
        group.close()
    for process in running:
        process.wait()
    assert took > 0.2
    assert waited or not Path("/proc/self/schedstat").exists()


@needs_control_groups
def test_processes_started_together_all_get_their_groups():
    """Many find out at once whether groups can be made, make one, and clear away what is left of others."""
    assert not failed([[sys.executable, "-c", MAKE_ONE]] * 12)


@pytest.mark.soak
def test_fifty_commands_at_once_a_hundred_times():
    """No command takes anything away that another one needs."""
    for _ in range(100):
        assert not failed([[sys.executable, *GAME]] * 50)
