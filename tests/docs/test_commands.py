"""Every croupier command in a shell block of the manual is run, as written and in the page's order."""

import os
import re
import shlex
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from command_line import croupier

from croupier.server.processes import sandbox

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
FIRST_BOT = """from croupier.agents import Agent, drive
drive(Agent())
"""
CUP = """game = "hearts"
deals = 20
[[bots]]
name = "low"
command = ["python", "low.py"]
[[bots]]
name = "duck"
builtin = "duck"
[[bots]]
name = "one"
builtin = "random"
[[bots]]
name = "two"
builtin = "random"
"""
PLAYED = {
    *("change-a-tournament", "export", "find", "imagine", "play-on"),
    *("play-the-same-deals", "puzzles", "read-the-table", "review", "viewer"),
}
"""Pages whose reader has a tournament, ``cup``, and a recorded game, ``games/deal-1.record``."""
ELSEWHERE = {
    "how-to/bot-in-c": "tests/examples/test_bots.py",
    "how-to/cluster": "tests/docs/test_cluster_page.py",
    "how-to/cluster-slurm": "tests/docs/test_cluster_page.py",
    "how-to/season": "tests/docs/test_season_page.py",
    "how-to/jass-over-http": "tests/docs/test_jass_page.py",
    "reference/strangers": "tests/agents/bridges/test_strangers_page.py",
    "how-to/environments": "tests/server/learning/test_page.py",
    "how-to/learn-poker": "tests/examples/test_poker.py",
    "how-to/writing-a-game": "tests/docs/test_writing_a_game.py",
    "how-to/analyze": "tests/server/commands/test_analyze.py",
    "how-to/season-pages": "tests/server/season/test_pages.py",
}
"""Pages that a test of their own runs, which has what they need."""
NOT_RUN = {
    "_CROUPIER_COMPLETE": "a shell reads it: tests/server/commands/test_completion.py",
    "croupier watch": "serves until it is interrupted: tests/server/web",
    " --web": "waits for a person in a browser: tests/browser",
    ".txt": "records of other programs: tests/server/records",
    "7eb8...": "shortens a hash",
    "croupier bridge llm": "asks a model: tests/agents/bridges",
    ".parquet": "needs pyarrow: tests/server/exporting",
    "mygame.gdl": "the reader's own game: tests/server/games/recycle/test_docs.py plays the tutorial's",
}
"""What a command has that is not run, and why."""
SHORTER = {"--deals 40": "--deals 2", "--margin 0.5": "--margin 0.5 --deals 4", "--budget 10m": "--budget 1s"}
"""Numbers that only take time."""


NEEDED = {
    "node ": lambda: shutil.which("node") is None and "node is not installed",
    "croupier bridge openspiel": lambda: find_spec("pyspiel") is None and "needs the openspiel extra",
    "--replay-bots": lambda: sandbox.problem(sandbox.Level.BWRAP),
}
"""What a command has that not every machine can do, and what returns why this one cannot."""


def lacking(command):
    """Return why a command cannot be run here, empty if it can."""
    return next((why for word, find in NEEDED.items() if word in command and (why := find())), "")


def commands(page):
    """Return the croupier commands of a page's shell blocks."""
    blocks = re.findall(r"^```sh\n(.*?)^```$", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    lines = [line.partition("  #")[0] for block in blocks for line in block.splitlines()]
    return [line for line in lines if re.search(r"\bcroupier ", line) and not any(word in line for word in NOT_RUN)]


def shortened(command):
    """Return the command with smaller numbers."""
    for long, short in SHORTER.items():
        command = command.replace(long, short)
    return command


def pages():
    """Return each page that has commands to run here, by its name; test_tutorials.py runs those of docs/start."""
    named = {str(path.relative_to(DOCS).with_suffix("")): path for path in sorted(DOCS.rglob("*.md"))}
    return {
        name: path
        for name, path in named.items()
        if name not in ELSEWHERE and commands(path) and path.parent.name != "start"
    }


@pytest.fixture(scope="session")
def played(tmp_path_factory):
    """Return a folder with the bots that pages name, a finished tournament and a recorded game."""
    folder = tmp_path_factory.mktemp("reader")
    for name in ("low", "duck", "old", "new"):
        (folder / f"{name}.py").write_text(FIRST_BOT)
    (folder / "cup.toml").write_text(CUP)
    (folder / "examples").symlink_to(ROOT / "examples")
    croupier("tournament", "cup.toml", "--seed", "a", cwd=folder)
    croupier("play", "hearts", "python low.py", "duck", "random", "random", "--record", "games", cwd=folder)
    return folder


@pytest.mark.parametrize("name", pages())
def test_every_command_of_the_page_works(name, played, tmp_path, monkeypatch):
    """Typed in the page's order, in a folder with what the page takes for granted, where croupier is on the path."""
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    folder = Path(shutil.copytree(played, tmp_path / "reader", symlinks=True))
    if name.rpartition("/")[2] not in PLAYED:
        shutil.rmtree(folder / "cup")
        shutil.rmtree(folder / "games")
    left_out = [why for command in commands(pages()[name]) if (why := lacking(command))]
    for command in commands(pages()[name]):
        if lacking(command):
            continue
        piped = "quit\n" * 9
        for part in shortened(command).split(" | "):
            words = shlex.split(part)[1:]
            status = 1 if words[0] == "improve" else 0  # two versions that are the same are not better
            piped, _ = croupier(*words, cwd=folder, text=piped, code=status)
            assert piped, command
    if left_out:
        pytest.skip(f"some of its commands were not run: {', '.join(dict.fromkeys(left_out))}")


def test_pages_that_are_tested_elsewhere_are_there():
    """An exception that is no longer needed goes."""
    assert all(commands(DOCS / f"{name}.md") and (ROOT / test).is_file() for name, test in ELSEWHERE.items())
