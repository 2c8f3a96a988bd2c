"""What the process table tells about a process's descendants, and about the memory they share."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tables import until

from croupier.server import entries
from croupier.server.conformance.steps import Step, hint_at
from croupier.server.processes import control_group, process_table
from croupier.server.table.faults import Fault, Kind

FAMILY = """
import os
held = b"x" * (40 << 20)
for _ in range(3):
    if os.fork() == 0:
        os.setsid()
        break
os.write(1, b"!")
os.read(0, 1)
"""


@pytest.fixture
def family():
    """A process that holds 40 MiB, and three children, each in a session of its own, that share them."""
    with subprocess.Popen([sys.executable, "-S", "-c", FAMILY], stdin=-1, stdout=-1) as process:
        for _ in range(4):
            assert process.stdout.read(1)
        yield process.pid
        process.stdin.close()


@pytest.mark.parametrize("listed", [True, False])
def test_descendants_are_found_in_whatever_session(family, listed, monkeypatch):
    """Also where the kernel does not list a process's children."""
    monkeypatch.setattr(process_table, "_CHILDREN_ARE_LISTED", listed)
    found = process_table.descendants(os.getpid())
    assert family in found
    assert len(process_table.children(family)) == len(process_table.descendants(family)) == 3
    assert all(Path(f"/proc/{pid}").exists() for pid in found)
    assert process_table.children(process_table.children(family)[0]) == []


def test_shared_memory_counts_once(family):
    """Four processes that share 40 MiB do not hold 160."""
    pids = [family, *process_table.descendants(family)]
    assert process_table.memory_bytes(pids, 1 << 40) > 160 << 20
    assert 40 << 20 < process_table.memory_bytes(pids, 0) < 80 << 20


def test_who_is_gone_holds_nothing():
    """A process that is not there is no error."""
    gone = subprocess.Popen(["true"])
    gone.wait()
    process_table.signal(gone.pid, signal.SIGKILL)
    assert process_table.memory_bytes([gone.pid], 0) == process_table.threads(gone.pid) == 0


def test_who_has_ended_runs_no_more_though_nobody_has_reaped_it():
    """It says so before its parent, or a minder that gets no core, does."""
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as process:
        assert process_table.runs(process.pid)
        process.kill()
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        assert not process_table.runs(process.pid)
    assert not process_table.runs(0)


def test_a_look_says_the_same_as_a_group(family):
    """The cause of a fault, and the hint that follows from it, do not depend on who has counted."""
    for tasks, memory in ((1, 0), (0, 32 << 20)):
        found = process_table.excess(os.getpid(), tasks, memory)
        assert found == (control_group.too_many(tasks) if tasks else control_group.too_much(memory))
    assert process_table.excess(os.getpid(), 0, 0) == process_table.excess(family, 1 << 20, 1 << 40) == ""
    fault = Fault(Kind.CRASHED, f"it was stopped, because {control_group.too_much(32 << 20)}")
    assert "--memory" in hint_at(fault, Step.STARTS, entries.of_command(["true"]))


def test_the_delay_of_a_thread_that_has_ended_stays_in_the_sum():
    """As it was last seen; a new thread's counts from its beginning, also where it has the id of one that has ended."""
    delays = process_table.Delays()
    seen = [{7: 5.0}, {7: 5.5, 9: 1.0}, {9: 1.25}, {}, {7: 0.5}]
    assert [delays.add(now) for now in seen] == [5.0, 6.5, 6.75, 6.75, 7.25]


@pytest.mark.skipif(not Path("/proc/self/schedstat").exists(), reason="this kernel does not tell of run delays")
def test_what_each_thread_has_waited_for_a_core_is_counted():
    """Of one that shares its core, and of no thread that sleeps, however many cores are idle: no average hides it."""
    one_core = f"import os, threading, time\nos.sched_setaffinity(0, [{min(os.sched_getaffinity(0))}])\n"
    sleeps = "for _ in range(3): threading.Thread(target=time.sleep, args=[600]).start()\n"
    spins = [
        subprocess.Popen([sys.executable, "-S", "-E", "-c", f"{one_core}{more}while True: pass"])
        for more in ("", "", sleeps)
    ]
    try:
        told = [process.pid for process in spins]
        assert until(lambda: all(max(process_table.delays([pid]).values()) > 0.3 for pid in told))
        *_, innocent = told

        def only_the_first_waits():
            before = process_table.delays([innocent])
            assert until(lambda: process_table.delays([innocent])[innocent] > before[innocent] + 0.1)
            now = process_table.delays([innocent])
            return len(now) == 4 and {thread for thread in now if now[thread] != before[thread]} == {innocent}

        assert until(only_the_first_waits)
    finally:
        for process in spins:
            process.kill()
            process.wait()
    assert not process_table.delays([innocent])
