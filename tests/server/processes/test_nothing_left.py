"""After every game, and after the referee itself was killed, no process of a bot is left."""

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import alone
import needs
import pytest
from tables import children_left, groups_of, misfit, processes_with, until

from croupier.server import entries
from croupier.server.games.dominion.game import Dominion
from croupier.server.processes import process_table
from croupier.server.processes.sandbox import Level, SandboxSettings, groups, launch
from croupier.server.table.referee import Terms
from croupier.server.table.table import Table

LEVELS = needs.levels(*Level)
BUSY = [
    ("silent", "request", "2"),
    ("deaf", "request", "2"),
    ("spin", "request", "2"),
    ("stop", "request", "2"),
    ("orphan-then-silence", "request", "2"),
    ("fork-many-sessions", "request", "2"),
]
FORKS = {"fork-many-sessions": 41, "orphan-then-silence": 3, "stop-parent": 2}
"""How many processes some of them are."""
SOON = 60.0


def alive(pids):
    """List those of these processes that live."""
    return [pid for pid in pids if Path(f"/proc/{pid}").exists() and "Z" not in state(pid)]


def minders(table):
    """List the keeper's children."""
    return process_table.children(table.host._keeper.pid)


def state(pid):
    """Return the letter of a process's state."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "Z"


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("misdeed", BUSY, ids=lambda words: words[0])
def test_a_killed_referee_takes_all_with_it(misdeed, level, mark, tmp_path):
    """Keeper, minders, bots, their children and orphans are gone soon after ``kill -9`` of the referee."""
    kill_referee(misdeed, level, mark, tmp_path)


def test_a_killed_referee_takes_a_stopped_minder_with_it(mark, tmp_path):
    """Where no sandbox keeps a bot from stopping its minder."""
    kill_referee(("stop-parent", "request", "2"), Level.NONE, mark, tmp_path)


def kill_referee(misdeed, level, mark, folder):
    """Kill a referee while a misfit is at work, and demand that all of its processes and groups go."""
    forks = FORKS.get(misdeed[0], 1)
    program = [sys.executable, alone.__file__, level.value, mark, *misdeed]
    referee = subprocess.Popen(program, start_new_session=True, env={**os.environ, "TMPDIR": str(folder)})
    try:
        assert until(lambda: len(processes_with(mark)) > forks and len(process_table.descendants(referee.pid)) >= 5)
        came = process_table.descendants(referee.pid)
    finally:
        referee.send_signal(signal.SIGKILL)
        referee.wait()
    assert until(lambda: not alive(came) and not processes_with(mark), SOON), alive(came)
    assert until(lambda: groups_of(referee.pid) == [], SOON)


@pytest.mark.parametrize("level", LEVELS)
async def test_a_bot_that_stays_behind_is_ended_with_the_table(key, level, mark):
    """A bot that ignores the end of its input, and the processes it left behind, are gone when the table is."""
    bots = [misfit("unmoved", name="stays"), misfit("orphans", "request", "2", name="leaves-some")]
    bots = [entries.replace(bot, env={"MARK": mark}) for bot in bots]
    with tempfile.TemporaryDirectory() as folder:
        async with Table(bots, Path(folder), sandboxing=SandboxSettings(level.value)) as table:
            result = await table.play(Dominion, {"turns": 6}, key.deal(1), Terms(time=20))
            assert not result.faults
            assert len(processes_with(mark)) >= 2
    assert processes_with(mark) == []
    assert children_left() == []


@pytest.mark.parametrize("level", LEVELS)
async def test_a_killed_keeper_is_replaced(key, level, tmp_path):
    """A bot that kills the keeper stops one game at most: the next bot is started by another."""
    bots = [entries.replace(misfit("fair", name=name), lifetime="game") for name in ("a", "b")]
    async with Table(bots, tmp_path, sandboxing=SandboxSettings(level.value)) as table:
        await table.play(Dominion, {"turns": 2}, key.deal(1), Terms(time=20))
        keeper = table.host._keeper.pid
        os.kill(keeper, signal.SIGKILL)
        assert until(lambda: not alive([keeper]), SOON)
        result = await table.play(Dominion, {"turns": 2}, key.deal(2), Terms(time=20))
        assert not result.faults
    assert children_left() == []


async def test_a_stopped_keeper_is_woken(key, tmp_path):
    """A bot that stops the keeper stops nobody for long."""
    bots = [misfit("fair", name="fair"), entries.replace(misfit("fair", name="new"), lifetime="game")]
    async with Table(bots, tmp_path, sandboxing=SandboxSettings("none")) as table:
        await table.play(Dominion, {"turns": 2}, key.deal(1), Terms(time=20))
        os.kill(table.host._keeper.pid, signal.SIGSTOP)
        result = await table.play(Dominion, {"turns": 2}, key.deal(2), Terms(time=20))
        assert not result.faults
        assert result.seconds < 40
    assert children_left() == []


async def test_a_keeper_that_dies_with_an_order_unheard_costs_nobody_a_game(key, tmp_path, monkeypatch):
    """The order is given again: a bot that was never started has not crashed."""
    async with Table([misfit("fair", name="a"), misfit("fair", name="b")], tmp_path) as table:
        table.seats[0].ready()
        keeper = table.host._keeper.pid
        assert until(lambda: table.seats[0]._process.pid, SOON)
        os.kill(keeper, signal.SIGSTOP)
        with monkeypatch.context() as patch:
            patch.setattr(table.host._keeper._process, "send_signal", lambda _: None)  # it is not woken in time
            table.seats[1].ready()
        os.kill(keeper, signal.SIGKILL)
        assert until(table.seats[1]._process.unheard, SOON)
        result = await table.play(Dominion, {"turns": 2}, key.deal(1), Terms(time=20))
        assert not result.faults
    assert children_left() == []


@pytest.mark.parametrize("kind", ["kill-parent", "stop-parent"])
async def test_who_puts_its_minder_out_of_the_way_leaves_nobody_behind(key, kind, tmp_path):
    """Neither itself nor an orphan is there when the next game begins, where no sandbox keeps it from that."""
    mark = f"{kind}-{tmp_path.name}"
    rebel = entries.replace(misfit(kind, "request", "2", program="vandal.py"), env={"MARK": mark})
    async with Table([misfit("fair", name="fair"), rebel], tmp_path, sandboxing=SandboxSettings("none")) as table:
        result = await table.play(Dominion, {"turns": 4}, key.deal(1), Terms(time=3))
        assert [fault.seat for fault in result.faults] == [1]
        await table.host.wait_until_gone()  # as before the next game
        assert until(lambda: not processes_with(mark), SOON)
        assert until(lambda: len(minders(table)) == 1, SOON)
    assert children_left() == []


async def test_ending_a_bot_keeps_nobody_waiting(key, mark, tmp_path, monkeypatch):
    """The referee goes on while its minder is at work, and the next game begins when all is gone."""
    monkeypatch.setattr(groups, "parents", dict)
    bots = [misfit("fair", name="fair"), entries.replace(misfit("orphans", "request", "1"), env={"MARK": mark})]
    async with Table(bots, tmp_path, sandboxing=SandboxSettings("limits")) as table:
        await table.play(Dominion, {"turns": 2}, key.deal(1), Terms(time=20))
        minder = table.seats[1]._process._line.minder
        os.kill(minder, signal.SIGSTOP)
        with monkeypatch.context() as patch:
            patch.setattr(process_table, "signal", lambda *_: None)  # it is not woken
            table.seats[1].retire()
        assert len(processes_with(mark)) >= 2, "its children are there still; it may have left by itself"
        os.kill(minder, signal.SIGCONT)
        await table.host.wait_until_gone()
        assert processes_with(mark) == []
        assert not (await table.play(Dominion, {"turns": 2}, key.deal(2), Terms(time=20))).faults
    assert children_left() == []


@pytest.mark.parametrize("kind", ["fork-many", "fork-many-sessions"])
async def test_the_minder_ends_who_forks_too_much_without_a_control_group(key, kind, mark, tmp_path, monkeypatch):
    """Where there is no control group, the count every 0.2 s and the descent find them all."""
    monkeypatch.setattr(groups, "parents", dict)
    monkeypatch.setattr(launch, "TASKS", 16)
    bots = [misfit("fair", name="fair"), entries.replace(misfit(kind), env={"MARK": mark})]
    async with Table(bots, tmp_path, sandboxing=SandboxSettings("limits")) as table:
        result = await table.play(Dominion, {"turns": 6}, key.deal(1), Terms(time=10))
        assert "it had" in result.faults[0].fault.why
        await table.host.wait_until_gone()  # as before the next game
        assert until(lambda: not processes_with(mark), SOON)
    assert children_left() == []
