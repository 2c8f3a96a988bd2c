"""However a run ends: nothing is left behind, what was kept is whole, and there is one sentence on what happened."""

import os
import shlex
import signal
import subprocess
import sys
import time
from itertools import cycle
from pathlib import Path

import pytest
from tables import BOTS, processes_with, until

from croupier.server.processes import sandbox
from croupier.server.records.replay import judge

CROUPIER = [sys.executable, "-m", "croupier"]
NEVER = shlex.join([sys.executable, "-S", "-E", "-c", "import time; time.sleep(600)", str(BOTS)])
"""A bot that never answers, nor ends by itself."""
ENDINGS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
LEVELS = [level.value for level in sandbox.Level if not sandbox.problem(level)]


HEARING = """
import os, signal, sys
heard, *words = sys.argv[1:]
for each in ("SIGINT", "SIGTERM", "SIGHUP"):
    signal.signal(getattr(signal, each), signal.SIG_DFL if each in heard.split() else signal.SIG_IGN)
os.execvp(words[0], words)
"""


def hearing(heard):
    """Return the words that start a program which hears these signals alone, whatever runs the tests has ignored."""
    return [sys.executable, "-S", "-c", HEARING, " ".join(each.name for each in heard)]


@pytest.fixture
def begin(tmp_path):
    """Start croupier in a process group of its own; return it when its first bot runs. It must leave nothing."""
    begun = []

    def begin(*words, nohup=False, heard=ENDINGS):
        (tmp_path / "tmp").mkdir(exist_ok=True)
        ending = subprocess.Popen(
            [*hearing(heard), *(["nohup"] if nohup else []), *CROUPIER, *map(str, words)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
            env={**os.environ, "TMPDIR": str(tmp_path / "tmp")},
        )
        begun.append(ending)
        until(lambda: processes_with(str(tmp_path)) and bots(tmp_path))
        return ending

    yield begin
    for process in begun:
        process.kill()
        process.communicate()
    assert until(lambda: not bots(tmp_path))


def bots(folder):
    """List the bots that work in folders of this one."""
    return [pid for pid in processes_with(f"HOME={folder}") if BOTS.name in cmdline(pid)]


def cmdline(pid):
    """Return the words of a process; empty for one that is gone."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""


@pytest.mark.parametrize(("ending", "level"), [*zip(ENDINGS, cycle(LEVELS), strict=False)])
def test_a_table_that_is_ended_puts_everything_away(begin, ending, level, tmp_path):
    """The record of the game so far is kept and says that it was interrupted."""
    run = begin("play", "sedma", NEVER, "random", "random", "random", "--record", tmp_path / "games",
                "--wire", tmp_path / "wire", "--sandbox", level)  # fmt: skip
    os.killpg(run.pid, ending)
    out, errors = run.communicate(timeout=120)
    assert (run.returncode, out, errors.strip()) == (130, "", "croupier play: interrupted")
    assert list((tmp_path / "tmp").iterdir()) == []
    record = (tmp_path / "games" / "deal-1.record").read_text()
    assert record.endswith("(end interrupted)\n")
    assert judge(record).valid


@pytest.mark.parametrize("endings", [[signal.SIGTERM], [signal.SIGHUP], [signal.SIGINT, signal.SIGINT]])
def test_a_tournament_that_is_ended_now_ends_now(begin, endings, tmp_path):
    """A second interrupt does not wait for the games in flight, nor does what else ends programs."""
    run = begin("tournament", "sedma", NEVER, "random", "--out", tmp_path / "cup", "--workers", "1",
                "--time", "600000")  # fmt: skip
    for ending in endings:
        time.sleep(0.3)
        os.killpg(run.pid, ending)
    out, errors = run.communicate(timeout=120)
    assert (run.returncode, out, errors.splitlines()[-1]) == (130, "", "croupier tournament: interrupted")
    assert "Traceback" not in errors
    assert until(lambda: not list((tmp_path / "tmp").iterdir()))


def test_who_was_started_in_the_background_can_be_ended(begin):
    """A shell has such a program ignore the terminal's interrupt; that is no reason to ignore the others."""
    run = begin("play", "sedma", NEVER, "random", "random", "random", heard=(signal.SIGTERM,))
    run.terminate()
    assert (run.communicate(timeout=120)[1].strip(), run.returncode) == ("croupier play: interrupted", 130)


@pytest.mark.parametrize("typed", [None, b"quit\n"])
def test_a_person_who_is_asked_ends_at_once(typed):
    """By Ctrl-C without another line typed, or by quit."""
    words = [*hearing(ENDINGS), *CROUPIER, "play", "sedma", "human", *["random"] * 3]
    pipe = subprocess.PIPE
    with subprocess.Popen(words, stdin=pipe, stderr=pipe, stdout=pipe) as run:
        said = b""
        while b"your play" not in said:
            more = os.read(run.stderr.fileno(), 4096)
            assert more, said
            said += more
        if typed is None:
            run.send_signal(signal.SIGINT)
        else:
            run.stdin.write(typed)
            run.stdin.flush()
        assert run.wait(120) == 130
        assert run.stderr.read().strip() == b"croupier play: interrupted"


def test_who_ignores_a_hangup_goes_on(begin, tmp_path):
    """As under nohup."""
    run = begin("play", "sedma", NEVER, "random", "random", "random", "--time", "800", "--start", "0", nohup=True)
    os.killpg(run.pid, signal.SIGHUP)
    _, errors = run.communicate(timeout=120)
    assert run.returncode == 0
    assert "timeout" in errors


def test_who_reads_no_more_is_told_no_more():
    """`| head -1` is no error of anybody's."""
    words = [*CROUPIER, "play", "dominion", "smithy", "miner", "--show"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
        run.stdout.readline()
        run.stdout.close()
        assert run.wait(120) == 1
        assert run.stderr.read() == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("words", [["play", "sedma", *["random"] * 4], ["games"], ["bots", "--json"]])
def test_what_cannot_be_printed_is_one_sentence(words):
    """About the result, and where it is."""
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([*CROUPIER, *words], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, f"croupier {words[0]}: No space left on device\n")


@pytest.mark.parametrize(
    ("words", "blocks", "code", "said"),
    [
        (["play", "--record", "games"], 8, 1, "croupier play: File too large (games/deal-01.record)\n"),
        (["play", "--wire", "wire"], 8, 1, "croupier play: File too large (wire/"),
        (["tournament", "--out", "cup"], 8, 1, "cup/tournament.db: disk I/O error"),
        (["tournament", "--out", "cup"], 110, 1, "cup/tournament.db: disk I/O error"),
        (["tournament", "--out", "cup"], 170, 1, "cup/tournament.db: disk I/O error"),
    ],
)
def test_what_cannot_be_kept_is_one_sentence(words, blocks, code, said, tmp_path):
    """A limit of files' sizes stands for a disk that is full."""
    command, *where = words
    line = shlex.join([*CROUPIER, command, "dominion", "smithy", "miner", "--deals", "12", *where])
    done = subprocess.run(
        ["sh", "-c", f"ulimit -f {blocks}; exec {line}"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == code, done.stderr
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


LIMITED = """
import os, resource, sys
limit = int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_NPROC, (limit, limit))
os.execv(sys.argv[2], sys.argv[2:])
"""


@pytest.mark.skipif(os.getuid() == 0, reason="root may have any number of processes")
def test_where_no_process_can_be_started_no_bot_is_blamed():
    """The machine has failed, or the setting that gave it so little room."""
    mine = [task for task in Path("/proc").glob("[0-9]*/task/*") if task.exists() and task.stat().st_uid == os.getuid()]
    codes = []
    for limit in (1, *range(len(mine) + 2, len(mine) + 8)):
        program = [sys.executable, "-S", "-c", LIMITED, str(limit), *CROUPIER]
        words = ["play", "dominion", "smithy", "miner"]
        done = subprocess.run([*program, *words], capture_output=True, text=True, check=False, timeout=120)
        codes.append(done.returncode)
        assert done.stderr == "" or done.stderr.startswith("croupier play: Resource temporarily unavailable")
        assert "Traceback" not in done.stderr
    assert codes[0] == 1, "under a limit of one process; what the others leave depends on who else runs"
