"""What is read from a control group's files, and written to them: of cgroup v2 and v1, in folders that only look so."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import croupier
from croupier.server.processes import control_group
from croupier.server.processes.control_group import CORE
from croupier.server.processes.sandbox import groups

MOST = 512 << 20
MEMORY = f"it used more than the {MOST >> 20} MiB of memory that it may use"
TASKS = "it had more than the 9 processes and threads that it may have"
EVENTS = "low 0\nhigh 0\nmax {}\noom {}\noom_kill {}\noom_group_kill 0\n"
PEAK = "it held 300 MiB of memory when this machine ran out of it"


def folder(path, files):
    """Make a folder that looks like a group's."""
    path.mkdir(exist_ok=True)
    for name, text in files.items():
        (path / name).write_text(text)
    return str(path)


def v2(path, **files):
    """Return the folders of a group of cgroup v2 with these files, a dot in a name written as two underscores."""
    group = folder(path, {name.replace("__", "."): text for name, text in files.items()})
    return {CORE: group, "pids": group, "memory": group, "cpu": group}


def v1(path, memory, pids):
    """Return the folders of a group of cgroup v1."""
    path.mkdir(exist_ok=True)
    return {"memory": folder(path / "memory", memory), "pids": folder(path / "pids", pids)}


@pytest.mark.parametrize(
    ("files", "why", "killed"),
    [
        ({"memory__events": EVENTS.format(0, 0, 0), "pids__events": "max 0\n", "memory__peak": "1"}, "", False),
        ({"memory__events": EVENTS.format(7, 1, 2), "memory__peak": str(MOST)}, MEMORY, True),
        ({"memory__events": EVENTS.format(7, 1, 2)}, MEMORY, True),  # before Linux 5.19
        ({"memory__events": EVENTS.format(0, 0, 1), "memory__peak": str(300 << 20)}, PEAK, True),
        ({"memory__events": EVENTS.format(0, 0, 1), "memory__peak": str(20 << 20)}, "", True),
        ({"pids__events": "max 3\n"}, TASKS, False),
        ({}, "", False),
    ],
    ids=["within", "memory", "memory without a peak", "machine, most of it", "machine", "processes", "no controllers"],
)
def test_what_a_group_of_cgroup_v2_is_ended_for(files, why, killed, tmp_path):
    """Its own bound, or the machine's memory where it held more than half of what it may; else nobody blames it."""
    group = v2(tmp_path, **files)
    assert control_group.excess(group, 9, MOST) == why
    assert control_group.has_oom_kill(group) == killed
    assert control_group.excess(group, 0, 0) == "", "a bound of 0 is none"


@pytest.mark.parametrize(("peak", "why"), [(MOST, MEMORY), (300 << 20, PEAK), (20 << 20, "")])
def test_what_a_group_of_cgroup_v1_is_ended_for(peak, why, tmp_path):
    """By the same rule, from other files."""
    killed = {
        "memory.oom_control": "oom_kill_disable 0\nunder_oom 0\noom_kill 1\n",
        "memory.max_usage_in_bytes": f"{peak}\n",
    }
    group = v1(tmp_path, killed, {"pids.events": "max 0\n"})
    assert control_group.excess(group, 9, MOST) == why
    assert control_group.has_oom_kill(group)
    assert control_group.peak(group) == peak


def test_the_times_of_a_group_of_cgroup_v2(tmp_path):
    """CPU time by cpu.stat."""
    group = v2(tmp_path, cpu__stat="usage_usec 1500000\nuser_usec 9\n")
    assert control_group.cpu(group) == 1.5
    assert control_group.cpu({}) is None


def test_a_group_of_cgroup_v2_is_frozen_and_killed_by_one_word(tmp_path):
    """To cgroup.freeze and cgroup.kill; where the kernel is older than that, everybody in it gets SIGKILL."""
    group = v2(tmp_path, cgroup__procs="")
    assert control_group.freeze(group)
    assert (tmp_path / "cgroup.freeze").read_text() == "1"
    control_group.kill(group)
    assert (tmp_path / "cgroup.kill").read_text() == "1"
    (tmp_path / "cgroup.kill").unlink()
    (tmp_path / "cgroup.kill").mkdir()
    with subprocess.Popen([sys.executable, "-S", "-c", "input()"], stdin=-1) as process:
        (tmp_path / "cgroup.procs").write_text(f"{process.pid}\n")
        control_group.kill(group)
        assert process.wait(60) == -9
    assert (tmp_path / "cgroup.freeze").read_text() == "0"


def test_a_group_of_cgroup_v2_is_bounded_with_its_swap_and_killed_as_a_whole(tmp_path):
    """As far as the kernel has the files."""
    folder(tmp_path, dict.fromkeys(("memory.max", "memory.swap.max", "memory.oom.group"), "max"))
    groups._bound_memory(str(tmp_path), MOST)
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {
        "memory.max": str(MOST),
        "memory.swap.max": "0",
        "memory.oom.group": "1",
    }


def test_controllers_of_cgroup_v2_are_lent_from_a_folder_that_nobody_is_in(tmp_path, monkeypatch):
    """The referees move into a leaf first: only then may a group lend what it has been lent."""
    files = {"cgroup.controllers": "cpuset cpu memory\n", "cgroup.subtree_control": "", "cgroup.procs": "17\n18\n"}
    lender, moved = folder(tmp_path, files), []
    write = control_group.write
    monkeypatch.setattr(groups, "write", lambda *words: moved.append(words[2]) or write(*words))
    assert groups._lend(lender) == ["memory", "cpu"]
    assert moved == [17, 18, "+memory +cpu"]
    assert (tmp_path / groups._LEAF / "cgroup.procs").read_text() == "18"
    (tmp_path / "cgroup.subtree_control").write_text("cpu memory")
    del moved[:]
    assert groups._lend(lender) == ["memory", "cpu"]
    assert not moved, "they are lent already"


@pytest.mark.skipif(os.getuid() == 0, reason="root may write anywhere")
def test_what_cannot_be_lent_is_done_without(tmp_path):
    """A group of somebody else's."""
    lender = folder(tmp_path / "theirs", {"cgroup.controllers": "memory\n", "cgroup.procs": "17\n"})
    (tmp_path / "theirs").chmod(0o500)
    assert groups._lend(lender) == []


def test_to_write_loads_nothing(tmp_path):
    """Each bot's process writes between fork and exec: what it loads for that, the next one loads again."""
    program = (
        "import sys; sys.path.append(sys.argv[1]); from croupier.server.processes import control_group; "
        "before = set(sys.modules); control_group.write(sys.argv[2], 'tasks', 0); print(*set(sys.modules) - before)"
    )
    packages = str(Path(croupier.__file__).parents[1])
    words = [sys.executable, "-I", "-S", "-c", program, packages, str(tmp_path)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
    assert (tmp_path / "tasks").read_text() == "0"
