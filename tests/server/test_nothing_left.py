"""After every game, and after the referee itself was killed, no process of a bot is left."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import alone
import pytest
from tables import children_left, misfit, processes_with

from croupier.server import entries, minder, sandbox
from croupier.server.games.dominion import Dominion
from croupier.server.match import Table
from croupier.server.referee import Terms
from croupier.server.sandbox import House, Level, pen

LEVELS = [level for level in Level if not sandbox.problem(level)]
BUSY = [
    ("silent", "request", "2"),
    ("deaf", "request", "2"),
    ("spin", "request", "2"),
    ("stop", "request", "2"),
    ("orphan-then-silence", "request", "2"),
    ("fork-many-sessions", "request", "2"),
]
SOON = 3.0


def until(true, seconds):
    """Wait until it is true; return whether it is."""
    end = time.monotonic() + seconds
    while not true() and time.monotonic() < end:
        time.sleep(0.02)
    return true()


def alive(pids):
    """List those of these processes that live."""
    return [pid for pid in pids if Path(f"/proc/{pid}").exists() and "Z" not in state(pid)]


def state(pid):
    """Return the letter of a process's state."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "Z"


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("misdeed", BUSY, ids=lambda misdeed: misdeed[0])
def test_a_killed_referee_takes_all_with_it(misdeed, level, tmp_path):
    """Keeper, minders, bots, their children and orphans are gone soon after ``kill -9`` of the referee."""
    mark = f"alone-{tmp_path.name}"
    forks = 41 if misdeed[0].startswith("fork") else 3 if misdeed[0].startswith("orphan") else 1
    program = [sys.executable, alone.__file__, level.value, mark, *misdeed]
    referee = subprocess.Popen(program, start_new_session=True, env={**os.environ, "TMPDIR": str(tmp_path)})
    try:
        assert until(lambda: len(processes_with(mark)) > forks, 8)
        came = minder.descendants(referee.pid)
        assert len(came) >= 5
    finally:
        referee.send_signal(signal.SIGKILL)
        referee.wait()
    assert until(lambda: not alive(came) and not processes_with(mark), SOON), alive(came)
    assert not pen.field() or not list(pen.field().glob(f"croupier-{referee.pid}-*"))


@pytest.mark.parametrize("level", LEVELS)
async def test_a_bot_that_stays_behind_is_ended_with_the_table(key, level, tmp_path):
    """Who ignores the end of his input, and whom he left behind, are gone when the table is."""
    bots = [misfit("unmoved", name="stays"), misfit("orphans", "request", "2", name="leaves-some")]
    bots = [entries.replace(bot, env={"MARK": tmp_path.name}) for bot in bots]
    with tempfile.TemporaryDirectory() as folder:
        async with Table(bots, Path(folder), house=House(level.value)) as table:
            result = await table.play(Dominion, {"turns": 6}, key.deal(1), Terms(time=5))
            assert result.faults == []
            assert len(processes_with(tmp_path.name)) >= 2
    assert processes_with(tmp_path.name) == []
    assert children_left() == []


@pytest.mark.parametrize("level", LEVELS)
async def test_a_killed_keeper_is_replaced(key, level, tmp_path):
    """Who kills the keeper stops one game at most: the next bot is started by another."""
    bots = [misfit("fair", name="a"), misfit("fair", name="b")]
    async with Table(bots, tmp_path, house=House(level.value)) as table:
        await table.play(Dominion, {"turns": 2}, key.deal(1), Terms(time=5))
        os.kill(table.host._keeper.pid, signal.SIGKILL)
        await table.renew()
        result = await table.play(Dominion, {"turns": 2}, key.deal(2), Terms(time=5))
        assert result.faults == []
    assert children_left() == []
