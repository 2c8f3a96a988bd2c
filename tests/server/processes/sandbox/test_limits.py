"""What a bot under `limits` cannot do to its user: change files, reach ports, meddle with other processes, fork on."""

import json
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from tables import children_left, errors_of, misfit, processes_with

from croupier.server import entries
from croupier.server.games.dominion.game import Dominion
from croupier.server.processes import landlock
from croupier.server.processes.sandbox import House, Level, groups, seccomp
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
    async with Table(bots, tmp_path, 0.1, house=House("limits")) as table:
        result = await table.play(Dominion, {"turns": 2}, key.deal(1), Terms(time=0.2))
        assert [fault.seat for fault in result.faults] == [0]
    assert processes_with(mark) == []
    assert children_left() == []
