"""When memory runs out the kernel ends bots before the referee, the largest of them first: no bot can change that."""

import os
import sys
from pathlib import Path

import needs
import pytest

from croupier.server.entries import Entry
from croupier.server.processes import landlock
from croupier.server.processes.host import Host
from croupier.server.processes.sandbox import Level, SandboxSettings

LOWERS = """
import os
for path in ("/proc/self/oom_score_adj", f"/proc/{os.getpid()}/oom_score_adj", "/proc/thread-self/oom_score_adj",
             f"/proc/{os.getppid()}/oom_score_adj", "/proc/self/task/self/../../oom_score_adj", "/proc/self/oom_adj"):
    for value in ("0", "-1000", "999"):
        try:
            with open(path, "w") as file:
                file.write(value)
        except OSError:
            pass
child = os.fork()
print(open("/proc/self/oom_score_adj").read().strip(), flush=True)
os._exit(0) if not child else os.wait()
"""


def said(level, code, folder):
    """Run code as a bot's; return what it printed."""
    (folder / "a").mkdir()
    with (
        Host(SandboxSettings(level.value)) as host,
        (folder / "out").open("ab") as out,
        Path(os.devnull).open("rb") as nothing,
    ):
        entry = Entry("a", (sys.executable, "-S", "-E", "-c", code))
        line, group = host.start(entry, folder / "a", nothing.fileno(), out.fileno(), out.fileno())
        assert line.wait(60, "over")
        host.end(line, group)
    return (folder / "out").read_text()


@pytest.mark.parametrize(
    "level",
    [
        pytest.param(
            Level.LIMITS,
            marks=pytest.mark.skipif(landlock.version() < landlock.WRITES_SINCE, reason="needs Landlock of Linux 6.2"),
        ),
        *needs.levels(Level.BWRAP),
    ],
)
def test_no_bot_lowers_its_score(level, tmp_path):
    """Nor its children's, which have its own."""
    assert said(level, LOWERS, tmp_path).split() == ["1000", "1000"]
