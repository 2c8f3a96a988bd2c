"""A keeper that is given to one host after the other: it stays while all that it started has ended cleanly."""

import contextlib
import errno
import os
import signal
import sys
from pathlib import Path

import needs
import pytest
from tables import children_left, misfit, until

from croupier.server.games.dominion.game import Dominion
from croupier.server.processes import keeper_client, process_table
from croupier.server.processes.control_group import MachineShort
from croupier.server.processes.host import Host
from croupier.server.processes.keeper_client import Keeper
from croupier.server.processes.sandbox import Level, SandboxSettings
from croupier.server.table.referee import Terms
from croupier.server.table.table import Table


@pytest.fixture
def keeper():
    """Have a keeper that is closed in the end."""
    keeper = Keeper()
    yield keeper
    keeper.close()


@pytest.fixture
def patient(monkeypatch):
    """Have minders wait a minute for another bot: a busy machine may take longer to seat it than they wait."""
    program = keeper_client._PROGRAM.replace("keeper.main()", "keeper.IDLE = 60.0; keeper.main()")
    assert program != keeper_client._PROGRAM
    monkeypatch.setattr(keeper_client, "_PROGRAM", program)


async def played(keeper, key, folder, *, level=Level.NONE, spoilt=lambda table: None):
    """Play at a table of a host of its own; return the keeper's process."""
    with Host(SandboxSettings(level.value), keeper) as host:
        async with Table([misfit("fair", name="a"), misfit("fair", name="b")], folder, host=host) as table:
            assert not (await table.play(Dominion, {"turns": 2}, key.deal(1), Terms(time=20))).faults
            spoilt(table)
            return keeper and keeper.pid


async def test_one_keeper_serves_one_host_after_the_other(keeper, key, tmp_path):
    """Nobody whom it started is left between them, and in the end not even itself."""
    first = await played(keeper, key, tmp_path)
    assert until(lambda: process_table.children(first) == [])
    assert await played(keeper, key, tmp_path) == first
    keeper.close()
    assert children_left() == []


async def minders(keeper, key, folder, level=Level.NONE):
    """Play at a table; return whose processes its bots are."""
    found = []

    def note(table):
        assert all(seat._process.pid for seat in table.seats)
        found.extend(seat._process._line.minder for seat in table.seats)

    await played(keeper, key, folder, level=level, spoilt=note)
    return found


@pytest.mark.usefixtures("patient")
async def test_a_minder_minds_one_bot_after_the_other(keeper, key, tmp_path):
    """To fork another would cost as much as the bot."""
    first = await minders(keeper, key, tmp_path)
    assert {*first} == {*await minders(keeper, key, tmp_path)}


@pytest.mark.usefixtures("patient")
@needs.level(Level.LIMITS)
@pytest.mark.parametrize("level", needs.levels(Level.NONE, Level.BWRAP))
async def test_a_minder_of_bots_under_limits_minds_no_others(level, keeper, key, tmp_path):
    """It has dropped for good what those may have."""
    first = await minders(keeper, key, tmp_path, Level.LIMITS)
    assert {*first} == {*await minders(keeper, key, tmp_path, Level.LIMITS)}
    assert not {*first} & {*await minders(keeper, key, tmp_path, level)}


@pytest.mark.parametrize("what", [signal.SIGKILL, signal.SIGSTOP])
async def test_a_minder_that_waits_and_is_put_out_of_the_way_costs_nobody_a_game(what, keeper, key, tmp_path):
    """Another is forked, or it is woken."""
    for minder in await minders(keeper, key, tmp_path):
        os.kill(minder, what)
    await played(keeper, key, tmp_path)


async def test_a_host_ends_whom_nobody_has_ended(keeper, key, tmp_path):
    """Its keeper lives on, so its bots do not go with that."""
    host = Host(SandboxSettings("none"), keeper)
    table = Table([misfit("fair", name="a"), misfit("fair", name="b")], tmp_path, host=host)
    await table.play(Dominion, {"turns": 2}, key.deal(1), Terms(time=20))
    host.close()
    assert until(lambda: process_table.children(keeper.pid) == [])


async def test_a_keeper_goes_with_a_host_whose_minder_was_killed(keeper, key, tmp_path):
    """What the minder left is ended before another host begins, which gets a fresh one."""

    def kill(table):
        os.kill(table.seats[1]._process._line.minder, signal.SIGKILL)
        assert until(lambda: table.seats[1]._process._line.listen().quiet)

    first = await played(keeper, key, tmp_path, spoilt=kill)
    assert children_left() == []
    assert await played(keeper, key, tmp_path) != first


@pytest.mark.usefixtures("patient")
async def test_what_was_started_ahead_is_the_first_hosts_alone(key, tmp_path):
    """Its minders wait for those bots; the next host starts its own."""
    with Keeper.start_ahead(2):
        ahead = Keeper.ahead
        assert until(lambda: len(process_table.children(ahead.pid)) == 2)
        waiting = {*process_table.children(ahead.pid)}
        assert {*await minders(None, key, tmp_path)} == waiting
        assert (Keeper.ahead, ahead.pid) == (None, None)
        assert not {*await minders(None, key, tmp_path)} & waiting
    assert children_left() == []


async def test_what_could_not_be_started_ahead_is_started_with_its_first_bot(key, tmp_path, monkeypatch):
    """A call for help alone does not report that there was no room for a process."""

    def popen(*_, **__):
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))

    monkeypatch.setattr(keeper_client.subprocess, "Popen", popen)
    with Keeper.start_ahead(2):
        assert Keeper.ahead.pid is None
        monkeypatch.undo()
        assert len({*await minders(None, key, tmp_path)}) == 2
    assert children_left() == []


def test_what_was_started_ahead_for_nobody_is_ended():
    """A call was wrong, or only people sit at the table."""
    with Keeper.start_ahead(4):
        assert until(lambda: len(process_table.children(Keeper.ahead.pid)) == 4)
    assert Keeper.ahead is None
    assert children_left() == []


def has_started(minder):
    """Return whether a bot's own program runs: before that, its processes have the command line of what starts it."""
    for pid in process_table.descendants(minder):
        with contextlib.suppress(OSError):
            first, *words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
            if first == os.fsencode(sys.executable) and any(word.endswith(b"misfit.py") for word in words):
                return True
    return False


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGUSR1])
@pytest.mark.parametrize("level", needs.levels(Level.LIMITS, Level.BWRAP))
async def test_a_minder_that_is_killed_is_nobodys_fault(level, how, key, tmp_path):
    """The kernel may end it, or another program: the bot has not crashed, and its batch is played again."""
    bots = [misfit("silent", "request", "1", name="a"), misfit("fair", name="b")]
    async with Table(bots, tmp_path, sandboxing=SandboxSettings(level.value)) as table:
        table.seats[0].ready()
        line = table.seats[0]._process._line
        assert until(lambda: has_started(line.listen().minder))  # or nobody ends it with its minder
        os.kill(line.minder, how)
        with pytest.raises(MachineShort, match="minded a was killed"):
            await table.play(Dominion, {"turns": 2}, key.deal(1), Terms(time=20))
    assert table.record[-1] == "(end void)"
    assert until(lambda: children_left() == [])
