"""Notes that one sandbox could leave for another: in what all files and processes of this machine have in common."""

import contextlib
import fcntl
import os
import struct
import sys
from contextlib import suppress
from pathlib import Path

import needs
import pytest
from tables import run_alone

from croupier.server import entries
from croupier.server.processes.host import Host
from croupier.server.processes.sandbox import Level, SandboxSettings, proc, seccomp

LEVELS = needs.levels(Level.LIMITS, Level.BWRAP)
DEVICES = [Path("/dev", name) for name in ("null", "zero", "full", "random", "urandom", "tty")]
GET_HINT, SET_HINT = 1035, 1036
COUNTERS = ("locks", "vmstat", "interrupts", "softirqs", "zoneinfo", "key-users", "sys/fs/file-nr", "sys/kernel/pty/nr")
COUNTERS += ("pressure/cpu", "diskstats", "swaps", "timer_list", "slabinfo", "kpagecount", "sys/kernel/random/uuid")
USE = """
import os, sys
assert os.write(os.open("/dev/null", os.O_RDWR), b"x") == 1
assert os.read(os.open("/dev/zero", os.O_RDONLY), 2) == bytes(2)
assert len(os.read(os.open("/dev/urandom", os.O_RDONLY), 9)) == 9
"""
CHANGE = """
for path in sys.argv[1:]:
    change = {
        "mode": lambda: os.chmod(path, 0o1666),
        "owner": lambda: os.chown(path, os.getuid(), 77),
        "times": lambda: os.utime(path, (1, 2)),
        "touch": lambda: os.utime(path),
        "attribute": lambda: os.setxattr(path, "trusted.note", b"x"),
        "mode by descriptor": lambda: os.fchmod(os.open(path, os.O_RDONLY | os.O_NONBLOCK), 0o1666),
    }
    for name in change:
        try: change[name]()
        except OSError: pass
"""


def bot(script, *words):
    """Enter a program of this Python."""
    return entries.of_command([sys.executable, "-S", "-E", "-c", script, *map(str, words)])


def about(path):
    """Return what everybody sees of a file."""
    seen = path.stat()
    return seen.st_mode, seen.st_uid, seen.st_gid, seen.st_mtime_ns


@pytest.fixture
def unchanged():
    """Put back what a test has let a bot change of the devices."""
    before = {path: path.stat() for path in DEVICES}
    yield
    for path, seen in before.items():
        with suppress(OSError):
            path.chmod(seen.st_mode & 0o7777)
            os.chown(path, seen.st_uid, seen.st_gid)
            os.utime(path, ns=(seen.st_atime_ns, seen.st_mtime_ns))


@pytest.mark.usefixtures("unchanged")
@pytest.mark.parametrize("level", LEVELS)
def test_devices_can_be_used_and_nothing_about_them_changed(level, tmp_path):
    """Root owns them, also where it has no capabilities; and anybody may set the times of what he may write to."""
    before = [about(path) for path in DEVICES]
    assert run_alone(bot(USE + CHANGE, *DEVICES), level, tmp_path) == ("", "")
    assert [about(path) for path in DEVICES] == before


@pytest.mark.parametrize("level", LEVELS)
def test_a_file_is_made_and_copied_with_its_times(level, tmp_path):
    """By what sets times first and makes the file if there is none, and by what sets them at the end."""
    script = """
import os, shutil, subprocess
from pathlib import Path
Path("touched").touch()
Path("touched").touch()
Path("written").write_text("x")
shutil.copy2("written", "copied")
subprocess.run(["touch", "made", "written"], check=True)
subprocess.run(["cp", "-p", "written", "kept"], check=True)
os.write(2, " ".join(sorted(os.listdir())).encode())
"""
    _, said = run_alone(bot(script), level, tmp_path)
    assert set(said.split()) >= {"touched", "written", "copied", "made", "kept"}


@pytest.mark.parametrize("level", LEVELS)
def test_no_hint_stays_with_a_file_that_all_can_read(level, tmp_path):
    """F_SET_RW_HINT needs no file that can be written to, and holds for the inode until it leaves the memory."""
    write = (
        "import fcntl, sys\n"
        "try: fcntl.fcntl(open(sys.argv[1]), 1036, (5).to_bytes(8, sys.byteorder))\n"
        "except OSError: pass"
    )
    with Path(os.__file__).open() as file:
        try:
            assert run_alone(bot(write, os.__file__), level, tmp_path) == ("", "")
            assert struct.unpack("Q", fcntl.fcntl(file, GET_HINT, bytes(8)))[0] == 0
        finally:
            with contextlib.suppress(PermissionError):  # newer kernels let the owner alone
                fcntl.fcntl(file, SET_HINT, bytes(8))


FUTEX = """
import ctypes, os, sys, time
libc = ctypes.CDLL(None)
call = ctypes.c_long({"x86_64": 202}.get(os.uname().machine, 98))
libc.mmap.restype = ctypes.c_void_p
shared = libc.mmap(None, ctypes.c_size_t(4096), 1, 1, os.open(sys.argv[2], os.O_RDONLY), ctypes.c_long(0))
word = ctypes.c_uint32.from_address(shared).value
end = time.monotonic() + 60
if sys.argv[1] == "wait":
    sys.stdout.write("ready")
    sys.stdout.flush()
    libc.syscall(call, ctypes.c_void_p(shared), 0, word, (ctypes.c_long * 2)(120, 0))
else:
    while not (woken := libc.syscall(call, ctypes.c_void_p(shared), 1, 1)) and time.monotonic() < end:
        time.sleep(0.01)
    print(woken)
"""


@pytest.mark.skipif(os.uname().machine not in seccomp.AUDIT, reason="futex has another number here")
@pytest.mark.parametrize("level", needs.levels(*Level))
def test_two_bots_that_run_at_the_same_time_can_pass_a_note(level, tmp_path):
    """No level promises more: they map a page of the same library, and one sees that the other waits there."""
    (tmp_path / "waits").mkdir()
    null, (read, write) = os.open(os.devnull, os.O_RDWR), os.pipe()
    with Host(SandboxSettings(level.value)) as host:
        host.start(bot(FUTEX, "wait", os.__file__), tmp_path / "waits", null, write, null)
        assert os.read(read, 5) == b"ready"
        assert run_alone(bot(FUTEX, "wake", os.__file__), level, tmp_path) == ("1\n", "")
    for fd in (null, read, write):
        os.close(fd)


@needs.BUBBLEWRAP
def test_proc_counts_nothing_that_others_do(tmp_path):
    """What is read of it is how it was when the referee first looked."""
    look = (
        "import os, sys\nfor path in sys.argv[1:]:\n"
        "    try: print(path, open('/proc/' + path, 'rb').read().hex())\n    except OSError: pass\n"
        "print('folders', *os.listdir('/proc/fs'), *os.listdir('/proc/sys'))"
    )
    read = {path.removeprefix("/proc/"): content.hex() for path, content in proc.readings().items()}
    said, errors = run_alone(bot(look, *COUNTERS, *read), Level.BWRAP, tmp_path)
    assert errors == ""
    *seen, folders = said.splitlines()
    assert seen == [f"{name} {content}" for name, content in read.items()]
    assert set(folders.split()) == {"folders", "vm"}


@needs.BUBBLEWRAP
def test_nothing_of_proc_is_changed(tmp_path):
    """The mode of a file in it is one for all who mount it; and some take orders of root."""
    change = (
        "import os\n"
        "for attempt in (\n"
        "    lambda: os.chmod('/proc/version', 0o400),\n"
        "    lambda: os.utime('/proc/version', (1, 2)),\n"
        "    lambda: open('/proc/self/oom_score_adj', 'w'),\n"
        "    lambda: open('/proc/sysrq-trigger', 'w'),\n"
        "    lambda: open('/proc/sys/vm/overcommit_memory', 'w'),\n"
        "    lambda: open('/proc/sys/x', 'w'),\n"
        "):\n"
        "    try: print(attempt())\n    except OSError: pass\n"
    )
    mode = Path("/proc/version").stat().st_mode
    try:
        assert run_alone(bot(change), Level.BWRAP, tmp_path)[1] == ""
        said = (tmp_path / "said").read_text()
        assert said == "None\n"  # the times, without effect
        assert Path("/proc/version").stat().st_mode == mode
    finally:
        if os.getuid() == 0:
            Path("/proc/version").chmod(mode & 0o7777)


@needs.BUBBLEWRAP
def test_cores_and_memory_are_seen(tmp_path):
    """Programs choose by them how many threads they start."""
    script = "import os\nprint(os.cpu_count(), open('/proc/meminfo').readline().split()[0], open('/proc/stat').read(4))"
    assert run_alone(bot(script), Level.BWRAP, tmp_path) == (f"{os.cpu_count()} MemTotal: cpu \n", "")
