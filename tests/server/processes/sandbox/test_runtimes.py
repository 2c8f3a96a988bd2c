"""What runtimes do when they start works at every level, and a network only where it is granted."""

import os
import shutil
import socket
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import needs
import pytest
from tables import run_alone

from croupier.server import entries
from croupier.server.processes import landlock, sandbox
from croupier.server.processes.host import Host
from croupier.server.processes.sandbox import Level, SandboxSettings, seccomp

LEVELS = needs.levels(*Level)
PRINT = {
    "java": ("Bot.java", 'class Bot { public static void main(String[] a) { System.out.print("ready"); } }'),
    "mono": (
        "bot.cs",
        "using System.Threading; class Bot { static void Main() { var other = new Thread(() => {}); "
        "other.Priority = ThreadPriority.Highest; other.Start(); other.Join(); "
        'Thread.CurrentThread.Priority = ThreadPriority.BelowNormal; System.Console.Write("ready"); } }',
    ),
    "node": ("bot.js", "process.stdout.write('ready')"),
    "racket": ("bot.rkt", '#lang racket/base\n(display "ready")'),
    "Rscript": ("bot.R", "cat('ready')"),
    "php": ("bot.php", "<?php echo 'ready';"),
    "ruby": ("bot.rb", "print 'ready'"),
    "perl": ("bot.pl", "print 'ready'"),
    "lua5.4": ("bot.lua", "io.write('ready')"),
    "guile": ("bot.scm", '(display "ready")'),
}
"""A program of each runtime that prints a word."""
COMPILED = {
    "go": ("bot.go", 'package main\nimport "fmt"\nfunc main() { fmt.Print("ready") }', "go build -o bot bot.go"),
    "rustc": ("bot.rs", 'fn main() { print!("ready") }', "rustc -o bot bot.rs"),
    "ghc": ("bot.hs", 'main = putStr "ready"', "ghc -v0 -o bot bot.hs"),
}
OWN = {
    "locks of its own file": "import fcntl\nfile = open('own', 'w')\nfcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)\n"
    "fcntl.lockf(file, fcntl.LOCK_EX)",
    "SQLite's write-ahead log": "import sqlite3\nbase = sqlite3.connect('own.db')\n"
    "base.execute('pragma journal_mode=wal')\nbase.execute('create table t (a)')\nbase.commit()\n"
    "other = sqlite3.connect('own.db')\nother.execute('insert into t values (1)')\nother.commit()\n"
    "assert base.execute('select * from t').fetchall() == [(1,)]",
    "cores by its own number": "import os\nos.sched_setaffinity(os.getpid(), os.sched_getaffinity(0))",
    "priority by its own number": "import os\nos.setpriority(os.PRIO_PROCESS, os.getpid(), 19)",
    "limits by its own number": "import os, resource\nassert resource.prlimit(os.getpid(), resource.RLIMIT_NOFILE)[0]",
    "copies with modes and times": "import os, shutil, tempfile\nos.mkdir('a')\nopen('a/b', 'w').close()\n"
    "shutil.copytree('a', 'c')\nshutil.copy2('a/b', 'd')\nshutil.move('d', 'e')\n"
    "os.utime('e', (1, 2))\nos.chmod('e', 0o600)\n"
    "tempfile.TemporaryDirectory().cleanup()\n"
    "shutil.make_archive('z', 'tar', 'a')\nshutil.unpack_archive('z.tar', 'y')",
    "a pair of sockets": "import asyncio\nasyncio.run(asyncio.sleep(0))",
    "memory that it reserves and does not use": "import mmap\nmmap.mmap(-1, 1 << 40, mmap.MAP_PRIVATE | mmap.MAP_ANON"
    " | getattr(mmap, 'MAP_NORESERVE', 0x4000))",
}
"""What a program may do to itself."""


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("runtime", PRINT)
def test_a_runtime_writes_nothing_of_its_own(runtime, level, tmp_path):
    """A warning on standard output would be a fault: of the JVM about locks, of Mono about priorities."""
    name, source = PRINT[runtime]
    needed = [runtime, "mcs"] if runtime == "mono" else [runtime]
    if missing := [each for each in needed if shutil.which(each) is None]:
        pytest.skip(f"{missing[0]} is not installed")
    program = tmp_path / "bot" / name
    program.parent.mkdir()
    program.write_text(source)
    if runtime == "mono":
        subprocess.run(["mcs", str(program)], check=True, timeout=120)
        program = program.with_suffix(".exe")
    said, errors = run_alone(entries.of_command([runtime, str(program)]), level, tmp_path)
    assert said == "ready", errors


@pytest.mark.parametrize("compiler", COMPILED)
def test_a_compiled_program_starts_at_every_level(compiler, tmp_path):
    """Threads, signals and the collector of its runtime are set up as outside."""
    name, source, build = COMPILED[compiler]
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    bot = tmp_path / "bot"
    bot.mkdir()
    (bot / name).write_text(source)
    done = subprocess.run(build.split(), cwd=bot, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode:
        pytest.skip(f"{compiler} does not work here: {done.stderr[:200]}")
    for level in (level for level in Level if not sandbox.problem(level)):
        (tmp_path / level.value).mkdir()
        assert run_alone(entries.of_command([str(bot / "bot")]), level, tmp_path / level.value) == ("ready", "")


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("what", OWN)
def test_a_program_may_do_this_to_itself(what, level, tmp_path):
    """By its own number, or on files of its own."""
    entry = entries.of_command([sys.executable, "-S", "-c", OWN[what] + "\nprint('ready')"])
    assert run_alone(entry, level, tmp_path) == ("ready\n", "")


LOCKS = """
import fcntl, struct, sys
path, mode = sys.argv[1:]
file = open(path, mode, buffering=0)
kind = fcntl.F_WRLCK if "+" in mode else fcntl.F_RDLCK

def lock(command, kind, byte):
    return struct.unpack("hhqqi4x", fcntl.fcntl(file, command, struct.pack("hhqqi4x", kind, 0, byte, 1, 0)))[0]
"""
TAKE = """
import time
fcntl.flock(file, fcntl.LOCK_EX)
lock(fcntl.F_SETLK, kind, 1)
lock(fcntl.F_OFD_SETLK, kind, 2)
sys.stdout.write("ready\\n")
time.sleep(600)
"""
ASK = """
def flock(): fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
asks = {
    "flock": flock,
    "posix": lambda: lock(fcntl.F_GETLK, fcntl.F_WRLCK, 1) != fcntl.F_UNLCK,
    "open file": lambda: lock(fcntl.F_OFD_GETLK, fcntl.F_WRLCK, 2) != fcntl.F_UNLCK,
}
if "+" in mode:
    asks["posix by trying"] = lambda: lock(fcntl.F_SETLK, kind, 1) and None
    asks["open file by trying"] = lambda: lock(fcntl.F_OFD_SETLK, kind, 2) and None
for name, ask in asks.items():
    try:
        if ask(): print(name)
    except BlockingIOError: print(name)
"""


@pytest.mark.parametrize(("path", "mode"), [("program", "rb"), ("/dev/null", "r+b"), ("/dev/zero", "r+b")])
@pytest.mark.parametrize("level", LEVELS)
def test_a_lock_is_no_note_to_another_sandbox(level, path, mode, tmp_path):
    """Nobody who asks for a lock, or tries to take it, is told that a bot has it; without a sandbox everybody is."""
    (tmp_path / "one" / "own").mkdir(parents=True)
    (tmp_path / "two").mkdir()
    program = sys.executable if os.access(sys.executable, os.R_OK) else os.__file__
    python = [sys.executable, "-S", "-c"]
    words = [program if path == "program" else path, mode]
    null, (read, write) = os.open(os.devnull, os.O_RDWR), os.pipe()
    with Host(SandboxSettings(level.value)) as host:
        host.start(entries.of_command([*python, LOCKS + TAKE, *words]), tmp_path / "one" / "own", null, write, null)
        os.close(write)
        assert os.read(read, 10) == b"ready\n"
        said, errors = run_alone(entries.of_command([*python, LOCKS + ASK, *words]), level, tmp_path / "two")
    for fd in (null, read):
        os.close(fd)
    assert errors == ""
    tried = ["posix by trying", "open file by trying"] if "+" in mode else []
    taken = [] if level is not Level.NONE and seccomp.program() else ["flock", "posix", "open file", *tried]
    assert said.splitlines() == taken


@pytest.mark.parametrize("granted", [True, False])
@pytest.mark.parametrize("level", LEVELS)
def test_the_network_is_there_only_for_a_bot_to_which_it_is_granted(granted, level, tmp_path):
    """TCP to this very machine, and UDP for looking names up; none of this machine's own sockets beside."""
    if level is Level.LIMITS and landlock.version() < landlock.TCP_SINCE:
        pytest.skip("needs a younger Landlock")
    if not seccomp.program():
        pytest.skip("no filter for this architecture")
    script = (
        "import os, socket, sys\n"
        "def tried(name, attempt):\n"
        "    try: attempt(); print(name)\n"
        "    except OSError: pass\n"
        "tried('tcp', lambda: socket.create_connection(('127.0.0.1', int(sys.argv[1])), 5))\n"
        "tried('udp', lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM))\n"
        "tried('raw', lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1))\n"
        "tried('local', lambda: socket.socket(socket.AF_UNIX))\n"
        "tried('names', lambda: os.stat('/etc/resolv.conf'))\n"
    )
    with socket.create_server(("127.0.0.1", 0)) as server:
        words = [sys.executable, "-S", "-c", script, str(server.getsockname()[1])]
        said, errors = run_alone(replace(entries.of_command(words), network=granted), level, tmp_path)
    assert errors == ""
    got = set(said.split())
    names = {"names"} if Path("/etc/resolv.conf").exists() and (granted or level is not Level.BWRAP) else set()
    if level is Level.NONE:
        assert got - {"raw"} == {"tcp", "udp", "local"} | names
    else:
        assert got == ({"tcp", "udp"} if granted else {"local"}) | names
