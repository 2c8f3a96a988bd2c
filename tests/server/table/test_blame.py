"""Blame goes to who did it: whatever a bot does to the machine, the one beside it does not pay for it."""

import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import needs
import pytest
from tables import until

from croupier.server import entries
from croupier.server.games.dominion.game import Dominion
from croupier.server.processes import control_group
from croupier.server.processes.control_group import CORE, MachineShort
from croupier.server.processes.sandbox import Level, SandboxSettings, groups
from croupier.server.table.referee import Terms
from croupier.server.table.table import Table

PLAYS = r"""
import ctypes, os, re, socket, sys, time
def attack():
    ATTACK
def think():
    began = time.process_time()
    while time.process_time() - began < THINKS: pass
for number, line in enumerate(sys.stdin):
    if line.startswith(("(request", "(attacked")):
        attack()
        think()
        print(re.search(r"\(legal (\([^()]*(?:\([^()]*\)[^()]*)*\))", line)[1], flush=True)
"""
SPINNERS = """
    global attack
    attack = lambda: None
    for _ in range(20):
        if os.fork() == 0:
            os.setsid()
            while True:
                if os.fork() == 0:
                    end = time.time() + 0.03
                    while time.time() < end: pass
                    os._exit(0)
                os.wait()
"""
HOARDERS = """
    held = []
    for _ in range(21):
        a, b = socket.socketpair()
        fd = os.memfd_create("unseen")
        socket.send_fds(a, [b"x"], [fd])
        os.write(fd, bytes(32 << 20))
        os.close(fd)
        held += [a, b]
"""
GROWS = """
    global held
    held = bytearray(160 << 20)
"""
MACHINE = 128 << 20
"""Bytes of a machine that has less than its bots may use."""
TABLES, GAMES = 5, 20
BARE = [sys.executable, "-S", "-E", "-c"]


def entry(name, attack="pass", thinks=0.0):
    """Enter a program that plays the first legal play."""
    program = PLAYS.replace("ATTACK", attack.strip()).replace("THINKS", str(thinks))
    return entries.of_command([*BARE, program], name)


@pytest.mark.soak
@pytest.mark.skipif(any(groups.problems().values()), reason="no control groups can be made here")
@pytest.mark.parametrize("attack", [SPINNERS, HOARDERS], ids=["twenty sessions of spinners", "unseen memory"])
@pytest.mark.parametrize("level", needs.levels(Level.LIMITS, Level.BWRAP))
async def test_an_innocent_bot_commits_no_fault_beside_an_attack(key, attack, level, tmp_path):
    """With 50 ms of thinking in a clock of a second, on one core, in each of a hundred games."""
    cores, faults, games = os.sched_getaffinity(0), Counter(), 0
    os.sched_setaffinity(0, [max(cores)])
    try:
        for number in range(TABLES):
            bots = [entry("innocent", thinks=0.05), entry("attacker", attack)]
            async with Table(bots, tmp_path / str(number), sandboxing=SandboxSettings(level.value)) as table:
                for deal in range(GAMES):
                    result = await table.play(Dominion, {"turns": 2}, key.deal(deal + 1), Terms(time=1.0))
                    faults.update((result.seating[seat], fault.kind.value) for seat, fault in result.faults)
                    games += 1
    finally:
        os.sched_setaffinity(0, cores)
    assert games == TABLES * GAMES
    assert not [who for who, _ in faults if who == "innocent"], faults
    assert faults if attack is HOARDERS else not faults


@pytest.fixture
def busy_core():
    """Have four programs spin on one core, and give the line of Python that moves a program there.

    Each in its own session, because the kernel shares a core out by sessions (sched_autogroup).
    """
    one_core = f"import os; os.sched_setaffinity(0, [{max(os.sched_getaffinity(0))}])\n"
    spin = [*BARE, f"{one_core}while True: pass"]
    spinners = [subprocess.Popen(spin, start_new_session=True) for _ in range(4)]
    yield one_core
    for spinner in spinners:
        spinner.kill()
        spinner.wait()


@pytest.mark.skipif(not Path("/proc/self/schedstat").exists(), reason="this kernel does not tell of run delays")
@pytest.mark.parametrize("level", needs.levels(Level.NONE, Level.LIMITS, Level.BWRAP))
async def test_a_bot_that_thinks_in_other_threads_gets_its_time(key, level, busy_core, tmp_path):
    """Its first thread only waits for four others in turn, whose run delays count too, also once they have ended."""
    think = "thread = threading.Thread(target=think); thread.start(); thread.join()"
    think = f"import threading\n        for _ in range(0 if 'thread' in globals() else 4): {think}"
    program = PLAYS.replace("        think()", f"        {think}").replace("ATTACK", "pass").replace("THINKS", "0.1")
    innocent = entries.of_command([*BARE, busy_core + program], "innocent")
    async with Table([innocent, entry("other")], tmp_path, sandboxing=SandboxSettings(level.value)) as table:
        result = await table.play(Dominion, {"turns": 1}, key.deal(1), Terms(time=1.0))
    assert not result.faults
    assert sum(result.again) > 0


@pytest.fixture
def small_machine(monkeypatch):
    """Have bots' groups made in one that stands for a machine: the kernel itself ends somebody when it is full."""
    found = groups.parents()
    machine = Path(found["memory"], groups._name("machine"))
    machine.mkdir()
    groups._bound_memory(str(machine), MACHINE)
    inside = {name: str(machine) if folder == found["memory"] else folder for name, folder in found.items()}
    if inside.get(CORE) == str(machine):
        groups._lend(str(machine))
    monkeypatch.setattr(groups, "parents", lambda: inside)
    yield
    assert until(lambda: control_group.remove({"memory": str(machine)}))


@pytest.mark.skipif("memory" not in groups.parents(), reason="no group counts memory here")
@pytest.mark.parametrize(
    ("may", "said"),
    [("512M", "ended grows, which held"), ("192M", "held .* MiB of memory when this machine ran out of it")],
    ids=["less than half of what it may", "more than half"],
)
async def test_a_machine_that_runs_out_of_memory(key, may, said, small_machine, tmp_path):
    """Whom the kernel ends is at fault only if it held much of what it may use; nobody else ever is."""
    bots = [entry("grows", GROWS), entry("innocent")]
    async with Table(bots, tmp_path, 30, sandboxing=SandboxSettings("limits", memory=may)) as table:
        if may == "192M":
            result = await table.play(Dominion, {"turns": 1}, key.deal(1), Terms(time=30))
            (why,) = [fault.why for seat, fault in result.faults if result.seating[seat] == "grows"]
            assert len(result.faults) == 1
            assert re.search(said, why)
        else:
            with pytest.raises(MachineShort, match=said):
                await table.play(Dominion, {"turns": 1}, key.deal(1), Terms(time=30))
