"""A temporary folder leaves nothing behind, and touches nothing else, whatever a bot makes of it."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from croupier.server.processes.temporary_folder import abandon, make, temporary_folder, wipe

DEEP = """
import os
for _ in range(1100):
    os.mkdir("d" * 9)
    open("f", "w").close()
    os.chdir("d" * 9)
"""
BOT = f"""
import sys
{DEEP}
for line in sys.stdin:
    if line.startswith("(request"):
        print(line.rpartition("(legal ")[2].partition(")")[0] + ")", flush=True)
"""


def deep(folder):
    """Make a folder so deep that neither a path nor recursion leads to its end."""
    subprocess.run([sys.executable, "-c", DEEP], cwd=folder, check=True)


def test_a_workplace_is_gone_afterwards():
    """With all that was written there."""
    with temporary_folder() as folder:
        (folder / "bot" / "notes").mkdir(parents=True)
        (folder / "bot" / "notes" / "1").write_text("c9")
    assert not folder.exists()


def test_no_depth_is_too_deep():
    """What cannot be walked down is lifted."""
    with temporary_folder() as folder:
        deep(folder)
    assert not folder.exists()


def test_links_are_removed_not_followed(tmp_path):
    """What they lead to stays as it is, its mode too."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "work").write_text("years of it")
    (tmp_path / "mine").chmod(0o750)
    with temporary_folder() as folder:
        (folder / "link").symlink_to(tmp_path / "mine")
        (folder / "loop").symlink_to(folder)
        (folder / "file").symlink_to(tmp_path / "mine" / "work")
    assert not folder.exists()
    assert (tmp_path / "mine" / "work").read_text() == "years of it"
    assert (tmp_path / "mine").stat().st_mode & 0o777 == 0o750


@pytest.mark.skipif(os.getuid() == 0, reason="root may do everything anyway")
def test_locked_folders_are_opened():
    """The owner of a folder can always open it."""
    with temporary_folder() as folder:
        (folder / "a" / "b" / "c").mkdir(parents=True)
        for path, mode in (("a/b", 0), ("a", 0o500), (".", 0)):
            (folder / path).chmod(mode)
    assert not folder.exists()


def test_pipes_and_sockets_keep_nobody_waiting():
    """They are removed, not opened."""
    with temporary_folder() as folder:
        os.mkfifo(folder / "pipe")
        with socket.socket(socket.AF_UNIX) as named:
            named.bind(str(folder / "socket"))
    assert not folder.exists()


def test_what_cannot_be_removed_stays_and_the_rest_goes(tmp_path, monkeypatch):
    """Nobody waits forever, and nothing is raised."""
    for name in ("a", "b", "c"):
        (tmp_path / "bot" / name).mkdir(parents=True)
        (tmp_path / "bot" / name / "file").touch()
    really = os.rmdir
    monkeypatch.setattr(os, "rmdir", lambda name, **how: really("no-such" if name == "b" else name, **how))
    wipe(tmp_path / "bot")
    assert [path.name for path in (tmp_path / "bot").iterdir()] == ["b"]


def test_who_is_moved_on_the_way_goes_no_further(tmp_path, monkeypatch):
    """A bot that still runs can move a folder while it is emptied: what lies around it then is not its own."""
    (tmp_path / "bot" / "a" / "b" / "c").mkdir(parents=True)
    really = os.open

    def moved(name, *how, **where):
        if name == "..":
            monkeypatch.setattr(os, "open", really)
            (tmp_path / "bot" / "a" / "b").rename(tmp_path / "b")
        return really(name, *how, **where)

    monkeypatch.setattr(os, "open", moved)
    wipe(tmp_path / "bot")
    assert (tmp_path / "b").exists()
    assert (tmp_path / "bot").exists()


def test_what_is_gone_already_is_no_error(tmp_path):
    """A bot may have removed it, up to the temporary folder itself."""
    wipe(tmp_path / "nothing")
    with temporary_folder() as folder:
        folder.rmdir()
    assert not folder.exists()


@pytest.mark.parametrize("put", [os.mkfifo, Path.touch, lambda path: path.symlink_to("mine")])
def test_what_stands_in_a_folders_place_is_removed(put, tmp_path):
    """A pipe that would keep who opens it waiting, a file, a link to another's folder."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "work").touch()
    put(tmp_path / "bot")
    for _ in range(2):
        make(tmp_path / "bot")
    assert list((tmp_path / "bot").iterdir()) == []
    assert (tmp_path / "mine" / "work").exists()


def test_a_folder_that_is_there_stays_and_is_opened(tmp_path):
    """With what is in it."""
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot" / "notes").touch()
    (tmp_path / "bot").chmod(0)
    make(tmp_path / "bot")
    assert (tmp_path / "bot").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "bot" / "notes").exists()


def test_a_process_that_must_end_takes_its_workplaces_along():
    """Without waiting for the tables there."""
    with temporary_folder() as folder:
        (folder / "bot").mkdir()
        abandon()
        assert not folder.exists()


@pytest.mark.parametrize("level", ["none", "limits"])
def test_a_bot_that_digs_deep_harms_nobody(level, tmp_path):
    """The table ends like any other, and leaves nothing behind."""
    (tmp_path / "deep.py").write_text(BOT)
    (tmp_path / "tmp").mkdir()
    words = ["play", "sedma", "python deep.py", "random", "random", "random", "--sandbox", level]
    done = subprocess.run(
        [sys.executable, "-m", "croupier", *words],
        cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(tmp_path / "tmp")},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert list((tmp_path / "tmp").iterdir()) == []


HOLDS = """
import sys, time
from pathlib import Path
from croupier.server.processes.temporary_folder import temporary_folder
with temporary_folder() as folder:
    (folder / "bot").mkdir()
    (folder / "bot" / "notes").write_text("c9")
    print(folder, flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def temporary(tmp_path):
    """A folder for temporary ones that no other test uses."""
    return {**os.environ, "TMPDIR": str(tmp_path)}


def holder(temporary):
    """Start a process that holds a temporary folder; return it, and the folder."""
    words = [sys.executable, "-c", HOLDS]
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=temporary)
    return process, Path(process.stdout.readline().strip())


@pytest.mark.parametrize(
    ("how", "spoil"),
    [
        (signal.SIGKILL, lambda left: None),
        (signal.SIGTERM, lambda left: (left / "bot" / "out").symlink_to(left.parent / "mine")),
        (signal.SIGALRM, lambda left: (left / "bot").chmod(0)),  # not SIGHUP, which nohup has everybody ignore
    ],
    ids=["killed", "ended beside a link", "ended beside a locked folder"],
)
def test_what_a_killed_process_has_left_is_removed_by_the_next(how, spoil, temporary, tmp_path):
    """And neither what another process holds, nor what only looks alike, nor the target of a link."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "work").write_text("years of it")
    (tmp_path / "croupier-work-link").symlink_to(tmp_path / "mine")
    (tmp_path / "croupier-other").mkdir()
    lives, living = holder(temporary)
    dies, left = holder(temporary)
    with dies.stdin, dies.stdout:
        dies.send_signal(how)
        dies.wait()
    assert (left / "bot" / "notes").exists()
    spoil(left)
    third, held = holder(temporary)
    try:
        assert not left.exists()
        assert (living / "bot" / "notes").exists()
        assert (held / "bot" / "notes").exists()
    finally:
        for process in (lives, third):
            process.communicate("")
    kept = sorted(path.name for path in tmp_path.iterdir())
    assert kept == ["croupier-other", "croupier-work-link", "mine"]
    assert (tmp_path / "mine" / "work").exists()


def test_processes_that_begin_together_remove_nothing_of_each_other(temporary, tmp_path):
    """A folder that is not locked yet may be taken for one that was left; then another is made."""
    held = [holder(temporary) for _ in range(6)]
    assert len({folder for _, folder in held}) == 6
    assert all((folder / "bot" / "notes").exists() for _, folder in held)
    for process, _ in held:
        process.communicate("")
    assert not [*tmp_path.iterdir()]
