"""Control groups of bots: made, found and cleared away while other commands do the same."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from croupier.server.processes.sandbox import pen

MAKE_ONE = (
    "from croupier.server.processes.sandbox.pen import Pen; pen = Pen(8); pen.close(); raise SystemExit(not pen.path)"
)
GAME = ["-m", "croupier", "play", "hearts", *["random"] * 4, "--deals", "1"]
needs_control_groups = pytest.mark.skipif(pen.field() is None, reason="no control group may be made here")


@pytest.fixture
def nobody():
    """Return the number of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-S", "-c", ""])
    process.wait()
    return process.pid


def test_only_what_ended_processes_left_behind_is_cleared_away(tmp_path, nobody):
    """A group belongs to the process that it is named after, for as long as that lives."""
    mine, gone = tmp_path / f"croupier-{os.getpid()}-7", tmp_path / f"croupier-{nobody}-7"
    for group in (mine, gone):
        group.mkdir()
    pen._clear(tmp_path)
    assert list(tmp_path.iterdir()) == [mine]


def test_nobody_clears_away_the_probe_of_a_process_that_lives(tmp_path, monkeypatch):
    """Another command's clean-up may fall between any two steps of trying whether groups can be made."""
    mkdir, probes = Path.mkdir, []

    def mkdir_and_be_disturbed(path, *args, **kwargs):
        mkdir(path, *args, **kwargs)
        pen._clear(tmp_path)
        probes.append(path.exists())

    monkeypatch.setattr(Path, "mkdir", mkdir_and_be_disturbed)
    pen._fertile(tmp_path)
    assert probes == [True]


def test_a_probe_that_is_taken_away_is_no_crash(tmp_path, monkeypatch):
    """Whoever else may write there may remove a group: then none can be had here, and that is all."""
    monkeypatch.setattr(Path, "exists", lambda path: bool(path.rmdir()))
    assert pen._fertile(tmp_path) is False


def test_a_probe_left_by_a_killed_process_is_used_again(tmp_path):
    """A process may get the number of one that was killed while it tried."""
    (tmp_path / pen._name(pen._PROBE)).mkdir()
    pen._fertile(tmp_path)
    assert not list(tmp_path.iterdir())


def failed(commands):
    """Start commands at once; return what those say that fail."""
    running = [
        subprocess.Popen(each, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) for each in commands
    ]
    said = [process.communicate()[1] for process in running]
    return [text for process, text in zip(running, said, strict=True) if process.returncode]


@needs_control_groups
def test_processes_started_together_all_get_their_groups():
    """Many find out at once whether groups can be made, make one, and clear away what is left of others."""
    assert not failed([[sys.executable, "-c", MAKE_ONE]] * 12)


@pytest.mark.soak
def test_fifty_commands_at_once_a_hundred_times():
    """No command takes anything away that another one needs."""
    for _ in range(100):
        assert not failed([[sys.executable, *GAME]] * 50)
