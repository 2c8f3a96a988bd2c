"""A build command is a stranger's too: it makes the bot's program, and nothing else."""

import concurrent.futures
import contextlib
import os
import shlex
import socket
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import needs
import pytest
from tables import until

from croupier.agents import bundled
from croupier.server.processes import landlock, process_table
from croupier.server.processes.sandbox import Level, SandboxSettings, build_launch, launch
from croupier.server.tournaments.config.settings import Bot
from croupier.server.tournaments.entering import building
from croupier.server.tournaments.entering.building import run_build
from croupier.server.tournaments.keeping.store import StoreError

CONNECT = f"{shlex.quote(sys.executable)} -c 'import socket; socket.create_connection((\"127.0.0.1\", {{}}), 2)'"


@pytest.fixture
def desk(tmp_path):
    """Where a tournament is run: two bots' folders, and its own with a key."""
    for folder in ("bots/ann", "bots/ben", "cup"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "bots" / "ben" / "rival").write_text("")
    (tmp_path / "cup" / "key").write_text("secret")
    with contextlib.chdir(tmp_path):
        yield tmp_path


def built(desk, line, level=Level.BWRAP, memory="512M", **more):
    """Build ann's bot with a command line; return what it printed."""
    bot = Bot(name="ann", command=("bots/ann/run",), build=line, **more)
    run_build(bot, desk / "log", SandboxSettings(level.value, memory=memory, vault=desk / "cup"))
    return (desk / "log").read_text()


@needs.BUBBLEWRAP
def test_a_build_makes_a_program_in_the_bots_folder(desk):
    """From where the tournament is run, as its command names it."""
    assert built(desk, "pwd; cd bots/ann && echo '#!/bin/sh' > run && chmod +x run") == f"{desk}\n"
    assert (desk / "bots" / "ann" / "run").stat().st_mode & 0o100


@needs.BUBBLEWRAP
@pytest.mark.parametrize("line", ["echo mine > bots/ben/run", "echo mine > notes", "cat cup/key", "ls bots/ben"])
def test_a_build_finds_and_changes_nothing_else(desk, line):
    """Neither another bot's folder nor the tournament's."""
    with contextlib.suppress(StoreError):
        built(desk, line)
    assert "secret" not in (desk / "log").read_text()
    assert "rival" not in (desk / "log").read_text()
    assert sorted(path.name for path in desk.rglob("*")) == ["ann", "ben", "bots", "cup", "key", "log", "rival"]


@needs.BUBBLEWRAP
def test_a_build_reaches_the_network_only_where_that_is_asked_for(desk):
    """With ``build_network``, as what fetches its parts needs it."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        line = CONNECT.format(server.getsockname()[1])
        with pytest.raises(StoreError):
            built(desk, line)
        assert built(desk, line, build_network=True) == ""


@needs.BUBBLEWRAP
def test_a_build_hides_a_tournament_that_lies_in_the_bots_folder(desk):
    """A program in the very folder of the tournament file, as a beginner has it."""
    bot = Bot(name="ann", command=("./run",), build="ls cup; echo > run")
    run_build(bot, desk / "log", SandboxSettings("bwrap", vault=desk / "cup"))
    assert (desk / "log").read_text() == ""
    assert (desk / "run").exists()


@needs.BUBBLEWRAP
def test_a_build_does_not_get_a_home_to_write_to(tmp_path):
    """Where its program would lie among everything else, that is said."""
    bot = Bot(name="ann", command=(str(Path.home() / "run"),), build="true")
    with pytest.raises(StoreError, match="use another folder"):
        run_build(bot, tmp_path / "log", SandboxSettings("bwrap"))


def test_without_a_sandbox_a_build_runs_as_whoever_runs_it(desk):
    """Which is asked for."""
    built(desk, "echo mine > notes", Level.NONE)
    assert (desk / "notes").exists()


BOUNDED = needs.levels(Level.LIMITS, Level.BWRAP)
LANDLOCK = pytest.mark.skipif(landlock.version() < landlock.WRITES_SINCE, reason="needs Landlock of Linux 6.2")


def python(code):
    """Return a command line that runs Python code."""
    return f"{shlex.quote(sys.executable)} -S -E -c {shlex.quote(code)}"


@pytest.mark.parametrize("level", needs.levels(*Level))
def test_a_build_has_neither_a_terminal_nor_our_session(desk, level):
    """What shares the operator's session may type into its terminal (TIOCSTI).

    Seen from outside: in its PID namespace, a build under bwrap has other numbers for them.
    """
    code = """
import os, time
from pathlib import Path
Path("bots/ann/started").touch()
while not Path("bots/ann/seen").exists():
    time.sleep(0.02)
print(os.path.realpath("/proc/self/fd/0"), end=" ")
try:
    os.open("/dev/tty", os.O_RDWR)
except OSError as problem:
    print(problem.errno in {2, 6, 13})
"""
    mark, sessions = f"mark{os.getpid()}", set()

    def look():
        if until((desk / "bots" / "ann" / "started").exists):
            sessions.update(os.getsid(int(path.parent.name)) for path in running(mark))
        (desk / "bots" / "ann" / "seen").touch()

    with concurrent.futures.ThreadPoolExecutor() as threads:
        looked = threads.submit(look)
        said = built(desk, f"cat; {python(code)} {mark}", level)
        looked.result()
    assert sessions
    assert os.getsid(0) not in sessions
    assert said == "/dev/null True\n"


def test_a_build_in_a_terminal_cannot_reach_it(desk):
    """Where the command line was called in one, as an operator does: nothing is typed into it."""
    code = """
import contextlib, sys
from pathlib import Path
sys.path[:0] = sys.argv[3:]
from croupier.server.processes.sandbox.settings import SandboxSettings
from croupier.server.tournaments.entering.building import run_build
from croupier.server.tournaments.config.settings import Bot
run_build(Bot(name="ann", command=("bots/ann/run",), build=sys.argv[1]), Path("log"), SandboxSettings(sys.argv[2]))
"""
    types = python("import fcntl; fcntl.ioctl(open('/dev/tty'), 0x5412, b'x')") + " || true"
    operator, terminal = os.openpty()
    try:
        words = [sys.executable, "-c", f"import fcntl; fcntl.ioctl(0, 0x540e, 0)\n{code}", types, "limits", *sys.path]
        subprocess.run(words, stdin=terminal, stdout=terminal, stderr=terminal, start_new_session=True, check=True)
        os.set_blocking(operator, False)
        with pytest.raises(BlockingIOError):
            os.read(operator, 100)
    finally:
        os.close(operator)
        os.close(terminal)
    assert "Traceback" in (desk / "log").read_text()


@pytest.mark.parametrize("level", needs.levels(*Level))
def test_a_build_that_takes_too_long_is_ended(desk, level, monkeypatch):
    """With all that it has started, in whatever session."""
    monkeypatch.setattr(building, "DEADLINE", 1)
    mark = f"7654.{os.getpid()}"
    with pytest.raises(StoreError, match="took more than"):
        built(desk, f"setsid sleep {mark} & sleep {mark}", level)
    assert not running(mark)


@pytest.mark.parametrize("level", needs.levels(*Level))
def test_a_build_leaves_no_process(desk, level):
    """However it hides it."""
    mark = f"7653.{os.getpid()}"
    built(desk, f"nohup setsid sleep {mark} > /dev/null 2>&1 &", level)
    assert not running(mark)


def running(mark):
    """List the processes with a word in their command lines."""
    found = [path for path in Path("/proc").glob("[0-9]*/cmdline") if mark.encode() in read(path)]
    return [path for path in found if process_table.runs(int(path.parent.name))]


def read(path):
    """Return the content of a file, empty if it is gone."""
    with contextlib.suppress(OSError):
        return path.read_bytes()
    return b""


@pytest.mark.parametrize("level", BOUNDED)
def test_a_build_is_bounded_in_memory(desk, level, monkeypatch):
    """By what its bot may use, or by what compilers need."""
    monkeypatch.setattr(build_launch, "MEMORY", "64M")
    with pytest.raises(StoreError, match="64 MiB of memory"):
        built(desk, python("import time; held = b'x' * (256 << 20); time.sleep(60)"), level, memory="64M")
    assert built(desk, python("held = b'x' * (96 << 20)"), level, memory="512M") == ""


@pytest.mark.parametrize("level", BOUNDED)
def test_a_build_is_bounded_in_processes(desk, level, monkeypatch):
    """A fork bomb is ended."""
    monkeypatch.setattr(launch, "TASKS", 24)
    with pytest.raises(StoreError, match=r"processes|Resource|exit status"):
        built(desk, "for each in $(seq 60); do sleep 60 & done; wait", level)


@pytest.mark.parametrize("level", BOUNDED)
def test_a_build_is_bounded_in_what_it_writes(desk, level, monkeypatch):
    """Of a file, and of what it prints."""
    monkeypatch.setattr(build_launch, "FILE_BYTES", 1 << 20)
    with pytest.raises(StoreError):
        built(desk, "head -c 3000000 /dev/zero > bots/ann/big", level)
    assert (desk / "bots" / "ann" / "big").stat().st_size <= 1 << 20
    built(desk, "head -c 900000 /dev/zero", level)
    with pytest.raises(StoreError):
        built(desk, "head -c 9000000 /dev/zero", level)
    assert (desk / "log").stat().st_size <= 1 << 20


@LANDLOCK
@needs.level(Level.LIMITS)
@pytest.mark.parametrize(
    "line", ["echo mine > bots/ben/run", "echo mine > notes", "cat cup/key", "echo mine > cup/key", "rm bots/ben/rival"]
)
def test_under_limits_a_build_changes_nothing_else(desk, line):
    """And does not read the tournament's key."""
    with pytest.raises(StoreError, match="ermission denied"):
        built(desk, line, Level.LIMITS)
    assert "secret" not in (desk / "log").read_text()
    assert sorted(path.name for path in desk.rglob("*")) == ["ann", "ben", "bots", "cup", "key", "log", "rival"]
    assert (desk / "cup" / "key").read_text() == "secret"


@LANDLOCK
@pytest.mark.parametrize("level", BOUNDED)
@pytest.mark.parametrize("interpreter", [sys.executable, "bots/venv/bin/python"])
def test_a_build_does_not_change_the_python_that_runs_its_bot(desk, level, interpreter):
    """Others run by it too, croupier itself among them. What lies beside the bot's own file it may change."""
    (desk / "bots" / "venv" / "bin").mkdir(parents=True)
    (desk / "bots" / "venv" / "pyvenv.cfg").write_text("")
    (desk / "bots" / "venv" / "bin" / "python").symlink_to(sys.executable)
    planted = desk / interpreter
    planted = planted.parent / f"planted-{os.getpid()}"
    line = f"echo x > {shlex.quote(str(planted))}; echo y > bots/ann/made"
    bot = Bot(name="ann", command=(interpreter, "bots/ann/run.py"), build=line)
    try:
        run_build(bot, desk / "log", SandboxSettings(level.value, vault=desk / "cup"))
        assert not planted.exists()
    finally:
        planted.unlink(missing_ok=True)
    assert (desk / "bots" / "ann" / "made").exists()


@pytest.mark.parametrize("level", needs.levels(*Level))
def test_a_build_makes_a_program_at_every_level(desk, level):
    """In the bot's folder, with what it needs in a temporary one."""
    line = 'echo "echo x" > "$TMPDIR/part" && cp "$HOME/part" bots/ann/run && chmod 755 bots/ann/run && bots/ann/run'
    assert built(desk, line, level) == "x\n"
    assert (desk / "bots" / "ann" / "run").stat().st_mode & 0o777 == 0o755


@pytest.mark.parametrize("level", BOUNDED)
def test_a_build_has_the_bots_filter(desk, level):
    """Calls with which a bot would leave notes or look at others are refused to what builds it."""
    assert "Seccomp:\t2" in built(desk, "cat /proc/self/status", level)


def test_what_a_build_said_last_is_told(desk):
    """So that nobody has to look for the log."""
    with pytest.raises(StoreError, match=r"exit status 3; its output is in .*log: error: no such card"):
        built(desk, "echo 'error: no such card'; exit 3", Level.NONE)


@pytest.mark.parametrize(("builtin", "calls"), [("search", 1), ("duck", 0)])
def test_search_is_compiled_once_before_the_first_game(builtin, calls, monkeypatch):
    """Outside the sandbox, where the result can be kept; and only where numba is there to compile."""
    started = []
    monkeypatch.setattr(building.subprocess, "run", lambda command, **_: started.append(command))
    bots = tuple(Bot(name=name, builtin=builtin) for name in ("ann", "ben"))
    for numba in (None, object()):
        monkeypatch.setattr(building, "find_spec", lambda _, numba=numba: numba)
        building.build(SimpleNamespace(fact=lambda _: []), SimpleNamespace(bots=bots), SandboxSettings("none"))
    assert started == [bundled.command("search")] * calls
