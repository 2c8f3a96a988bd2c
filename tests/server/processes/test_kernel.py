"""How a process is forked into its group, and entered where it was not born."""

import os
import subprocess
import sys
from pathlib import Path

import needs
import pytest

from croupier.server import entries
from croupier.server.processes import control_group
from croupier.server.processes.bot_process import BotProcess
from croupier.server.processes.control_group import CORE
from croupier.server.processes.host import Host
from croupier.server.processes.sandbox import Level, SandboxSettings, groups

BORN = """
import os
from croupier.server.processes import kernel
from croupier.server.processes.sandbox.groups import ControlGroup
group = ControlGroup()
pid = kernel.fork_into(group.folders[""])
if pid == 0:
    print(open("/proc/self/cgroup").read().rpartition("0::")[2].strip().rpartition("/")[2], flush=True)
    os._exit(7)
print(os.path.basename(group.folders[""]), os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
group.close()
"""
ELSEWHERE = """
import os, sys
from croupier.server.processes import kernel
from croupier.server.processes.keeper import Minder
print(kernel.fork_into(sys.argv[1]))
minder = Minder({"group": {"": sys.argv[1]}}, 0, 1, 2, 0)
born = minder._fork()
if minder.bot == 0:
    os._exit(7)
print(repr(born), os.waitstatus_to_exitcode(os.waitpid(minder.bot, 0)[1]))
"""
SEALED = """
import os
from croupier.server.processes import kernel
kernel.seal_devices()
print(os.statvfs("/dev/null").f_flag & os.ST_RDONLY, os.write(os.open("/dev/null", os.O_WRONLY), b"x"))
"""
WITHOUT_MOUNTS = ("setpriv", "--bounding-set", "-sys_admin", "--inh-caps", "-sys_admin")
"""What starts a program with the powers that root of a container has."""
OTHER_NUMBER = ("unshare", "--user", "--map-user=12345", "--map-group=12345")
"""What starts a program as a user without a name, whose the devices are."""


def said(program, *words):
    """Run a program of one thread; return the words that it prints."""
    return subprocess.run([sys.executable, "-c", program, *words], stdout=-1, check=True, text=True).stdout.split()


@pytest.mark.skipif(CORE not in groups.parents(), reason="no group of cgroup v2 can be made here")
def test_a_process_is_born_in_a_group_of_cgroup_v2():
    """It goes on as a child of the process that called clone3."""
    inside, made, status = said(BORN)
    assert inside == made
    assert status == "7"


@pytest.mark.skipif(sys.platform != "linux", reason="clone3 is Linux's")
def test_where_nobody_can_be_born_the_child_is_forked_as_ever(tmp_path):
    """A folder that is no group stands for whatever refuses: an older kernel, a container's own filter."""
    assert said(ELSEWHERE, str(tmp_path)) == ["-1", "''", "7"]


def test_a_process_enters_by_tasks_where_there_is_one_and_not_where_it_was_born(tmp_path):
    """To write to cgroup.procs of cgroup v1 is to wait for all cores."""
    v1, v2, born = (tmp_path / name for name in ("v1", "v2", "born"))
    for folder in (v1, v2, born):
        folder.mkdir()
        (folder / "cgroup.procs").write_text("")
    (v1 / "tasks").write_text("")
    control_group.enter({"pids": str(v1), "memory": str(v2), CORE: str(born)}, born=str(born))
    assert (v1 / "tasks").read_text() == (v2 / "cgroup.procs").read_text() == "0"
    assert (v1 / "cgroup.procs").read_text() == (born / "cgroup.procs").read_text() == ""


@pytest.mark.skipif(any(groups.problems().values()), reason="not every control group can be made here")
@pytest.mark.parametrize("level", [Level.NONE, Level.LIMITS])
def test_a_bot_lives_in_a_group_of_each_controller_that_it_needs(level, tmp_path):
    """Under none nothing is bounded, and no group made for a bound."""
    with Host(SandboxSettings(level.value)) as host:
        process = BotProcess(entries.of_command(["/bin/cat"], "cat"), tmp_path / "cat", tmp_path / "errors", host)
        lines = Path(f"/proc/{process.pid}/cgroup").read_text().splitlines()
        process.kill()
    inside = {name for line in lines for name in line.split(":")[1].split(",") if "/croupier-" in line}
    bounds = {"pids", "memory"} & {*groups.parents()}
    if groups.parents()["pids"] == groups.parents().get(CORE):  # cgroup v2 has one group for all
        assert inside == {CORE}
    else:
        assert bounds <= inside if level is Level.LIMITS else not bounds & inside
        assert {*groups.parents()} - bounds <= inside


@needs.BUBBLEWRAP
@pytest.mark.skipif(Path("/dev/null").stat().st_uid != os.geteuid(), reason="only their owner can change devices")
@pytest.mark.parametrize(
    "words",
    [
        (),
        pytest.param(WITHOUT_MOUNTS, marks=needs.program("setpriv")),
        pytest.param(OTHER_NUMBER, marks=needs.program("unshare")),
    ],
    ids=["root", "a container's root", "root under another number"],
)
def test_devices_are_sealed_for_this_process_alone(words):
    """They can be written to all the same."""
    command = [*words, sys.executable, "-c", SEALED]
    assert subprocess.run(command, stdout=-1, check=True, text=True).stdout.split() == ["1", "1"]
    assert not os.statvfs("/dev/null").f_flag & os.ST_RDONLY
