"""Classic clients were made for one game per process: which of them may play on in one, and who is left as he was."""

import sys
from math import inf
from pathlib import Path

import pytest
from tables import BOTS

from croupier.server import entries
from croupier.server.games import find
from croupier.server.games.dominion.game import Dominion
from croupier.server.processes.host import Host
from croupier.server.processes.sandbox import SandboxSettings
from croupier.server.table import tried_seat
from croupier.server.table.referee import Terms
from croupier.server.table.table import Table

SHORT = {"rules": "classic", "turns": 3}
PYTHON = (sys.executable, "-S", "-E")
DIES_AT_A_SECOND_GAME = """
import sys
sys.path.insert(0, sys.argv[1])
import classic
answer, far = classic.answer, False
def once(message):
    global far
    begins = len(classic.field("deck", message)) == 5 and not classic.field("discards", message)
    if begins and far:
        raise SystemExit("a second game")
    far = far or not begins
    return answer(message)
classic.answer = once
classic.main()
"""

LISTENS = """
import re, sys
heard = 0
for line in sys.stdin:
    heard = 0 if line.startswith("(update table (start") else heard + line.startswith("(update")
    if line.startswith("(request"):
        plays = re.findall(r"\\(play \\w+\\)", line)
        print(plays[heard % len(plays)], flush=True)
"""
"""A native bot that chooses by how much it has heard in this game."""

BOWS = """
import re, sys
for line in sys.stdin:
    plays = re.findall(r"\\([^()]*\\)", line.rpartition("(legal ")[2])
    if line.startswith(("(request", "(attacked")):
        print(plays[-1 if line.startswith("(attacked") else 0], flush=True)
"""
"""A native bot of Dominion that answers an attack otherwise than a request that shows the same."""


@pytest.fixture(autouse=True)
def never_slow(monkeypatch):
    """Try every seat, however long a busy machine keeps its games waiting."""
    monkeypatch.setattr(tried_seat, "_SLOW", inf)


def client(name="old", program=""):
    """Enter the classic client of tests/bots, or a program that does something about it."""
    how = ["-c", program, str(BOTS)] if program else [str(BOTS / "classic.py")]
    return entries.of_command([*PYTHON, *how], name, "classic")


def remembering(*how):
    """Enter the client that changes in its third game."""
    return entries.of_command([*PYTHON, str(BOTS / "remembering.py"), *how], "old", "classic")


def alive(pid):
    return Path(f"/proc/{pid}").exists()


async def played(table, key, numbers):
    """Play deals; return the pid at the first seat after each, 0 if nobody is left, and who committed faults."""
    pids, faults = [], []
    for number in numbers:
        result = await table.play(Dominion, SHORT, key.deal(number), Terms(time=20))
        faults += result.faults
        process = table.seats[0]._process
        pids.append(process.pid if process else 0)
    return pids, faults


async def test_one_process_plays_on_where_two_games_in_one_are_answered_alike(key, tmp_path):
    """A process each for two games; then the first plays all that follow, as one does at the next table of these."""
    bots = [client(), entries.of_bundled("smithy")]
    with Host(SandboxSettings("none")) as host:
        async with Table(bots, tmp_path / "one", host=host) as table:
            nobody, _ = await played(table, key, [0])
            waiting = table.seats[0]._first._process.pid
            (second, third, fourth), faults = await played(table, key, (1, 2, 3))
        assert not faults
        assert nobody == [0]
        assert waiting == second == third == fourth
        async with Table(bots, tmp_path / "two", host=host) as table:
            (first, second), faults = await played(table, key, (4, 5))
        assert first == second != 0


async def test_who_is_tried_hears_what_was_told_in_the_game(key, tmp_path):
    """All of it is told again: else who answers by what it hears would seem to remember something."""
    listens = entries.of_command([*PYTHON, "-c", LISTENS], "listens", lifetime="auto")
    async with Table(
        [listens, *[entries.of_bundled("duck")] * 3], tmp_path, sandboxing=SandboxSettings("none")
    ) as table:
        for number in range(2):
            result = await table.play(find("hearts"), {"pass": "none"}, key.deal(number), Terms(time=20))
            assert not result.faults
        assert table.host.plays_on == {"listens": True}


async def test_who_is_tried_is_attacked_again(key, tmp_path):
    """An attack comes as an attack the second time too: else who is asked otherwise seems to remember something."""
    bows = entries.of_command([*PYTHON, "-c", BOWS], "bows", lifetime="auto")
    async with Table([bows, entries.of_bundled("siege")], tmp_path, sandboxing=SandboxSettings("none")) as table:
        for number in range(2):
            result = await table.play(Dominion, {"turns": 15}, key.deal(number), Terms(time=20))
            assert not result.faults
            assert any(line.startswith("(attack siege bows") for line in result.record)
        assert table.host.plays_on == {"bows": True}


async def test_who_does_not_bear_a_second_game_gets_a_process_a_game(key, tmp_path):
    """Its trial costs it nothing: no fault, and no game in which it remembered another."""
    bots = [client(program=DIES_AT_A_SECOND_GAME), entries.of_bundled("smithy")]
    async with Table(bots, tmp_path, sandboxing=SandboxSettings("none")) as table:
        assert await played(table, key, range(4)) == ([0] * 4, [])
        assert table.host.plays_on == {"old": False}


async def test_who_plays_otherwise_after_many_games_is_found_out(key, tmp_path):
    """What it remembers shows in no trial of two games, but in the last of many; who forgets misleads nobody."""
    with Host(SandboxSettings("none")) as host:
        async with Table([remembering(), client("other")], tmp_path, host=host) as table:
            pids, faults = await played(table, key, range(5))
        assert not faults
        assert pids[1] == pids[4] != 0
        assert host.misled == {"old"}
        assert host.plays_on == {"old": False, "other": True}


async def test_a_fault_that_no_fresh_process_commits_tells_of_a_memory(key, tmp_path):
    """It is found out as soon as the game is over, and from then on each game has a process."""
    async with Table(
        [remembering("die"), entries.of_bundled("smithy")], tmp_path, sandboxing=SandboxSettings("none")
    ) as table:
        pids, faults = await played(table, key, range(6))
        assert [fault.fault.kind.value for fault in faults] == ["crashed"]
        assert pids[4:] == [0, 0]
        assert table.host.misled == {"old"}


async def test_who_would_fault_in_one_process_does_so(key, tmp_path):
    """The program of the test above does die where its entry says that one process plays all."""
    batch = entries.replace(client(program=DIES_AT_A_SECOND_GAME), lifetime="batch")
    async with Table([batch, entries.of_bundled("smithy")], tmp_path, sandboxing=SandboxSettings("none")) as table:
        _, faults = await played(table, key, range(2))
    assert [fault.fault.kind.value for fault in faults] == ["crashed"]


async def test_who_waits_leaves_with_the_table(key, tmp_path):
    """After one game its process is kept for the trial, and ended with the table if there is no second game."""
    async with Table([client(), entries.of_bundled("smithy")], tmp_path, sandboxing=SandboxSettings("none")) as table:
        await played(table, key, [0])
        pid = table.seats[0]._first._process.pid
        assert alive(pid)
    assert not alive(pid)


async def test_who_thinks_for_long_is_not_tried(key, tmp_path, monkeypatch):
    """A trial takes as long as its games: compared with that, the start of a process is cheap."""
    monkeypatch.setattr(tried_seat, "_SLOW", 0.0)
    async with Table([client(), entries.of_bundled("smithy")], tmp_path, sandboxing=SandboxSettings("none")) as table:
        assert await played(table, key, range(3)) == ([0] * 3, [])


@pytest.mark.parametrize(("dialect", "lifetime"), [("classic", "auto"), ("native", "batch")])
def test_only_classic_clients_are_tried(dialect, lifetime):
    """A native bot is told where a game begins, and one process plays many."""
    assert entries.of_command(PYTHON, "bot", dialect).lifetime == lifetime
