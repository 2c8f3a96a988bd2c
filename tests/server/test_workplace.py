"""A workplace leaves nothing behind, and touches nothing else, whatever a bot makes of it."""

import os
import subprocess
import sys

import pytest

from croupier.server.workplace import abandon, clear, workplace

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
    with workplace() as folder:
        (folder / "bot" / "notes").mkdir(parents=True)
        (folder / "bot" / "notes" / "1").write_text("c9")
    assert not folder.exists()


def test_no_depth_is_too_deep():
    """What cannot be walked down is lifted."""
    with workplace() as folder:
        deep(folder)
    assert not folder.exists()


def test_links_are_removed_not_followed(tmp_path):
    """What they lead to stays as it is, its mode too."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "work").write_text("years of it")
    (tmp_path / "mine").chmod(0o750)
    with workplace() as folder:
        (folder / "link").symlink_to(tmp_path / "mine")
        (folder / "loop").symlink_to(folder)
    assert not folder.exists()
    assert (tmp_path / "mine" / "work").read_text() == "years of it"
    assert (tmp_path / "mine").stat().st_mode & 0o777 == 0o750


@pytest.mark.skipif(os.getuid() == 0, reason="root may do everything anyway")
def test_locked_folders_are_opened(tmp_path):
    """Whoever owns a folder may always open it."""
    (tmp_path / "a" / "b" / "c").mkdir(parents=True)
    (tmp_path / "a" / "b").chmod(0)
    (tmp_path / "a").chmod(0o500)
    clear(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_process_that_must_end_takes_its_workplaces_along():
    """Without waiting for the tables there."""
    with workplace() as folder:
        (folder / "bot").mkdir()
        abandon()
        assert not folder.exists()


@pytest.mark.parametrize("level", ["none", "limits"])
def test_a_bot_that_digs_deep_harms_nobody(level, tmp_path):
    """The table ends as any other, and nothing of it is left."""
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
        timeout=30,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert list((tmp_path / "tmp").iterdir()) == []
