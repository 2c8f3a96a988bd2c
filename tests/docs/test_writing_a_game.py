"""The walk from nothing to a game: the files on the page are a package that every command there takes."""

import re
import shlex
import sys
from pathlib import Path

import pytest
from command_line import croupier
from packages import install

from croupier.protocol import views
from croupier.server import games
from croupier.server.games.game import Game
from croupier.server.games.sheets import Sheet
from croupier.server.games.tricks import TrickTaking
from croupier.server.games.tricks_world import TrickWorld

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "how-to" / "writing-a-game.md").read_text()
INTERFACE = (ROOT / "docs" / "reference" / "game-interface.md").read_text()
TRICKS = (ROOT / "server" / "games" / "tricks.py").read_text("utf-8")
FILES = re.findall(r"^```\w+ (exact/\S+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
SHOWN = re.findall(r"^```python\n(.*?)^```$", INTERFACE, re.MULTILINE | re.DOTALL)
COMMANDS = [
    line for block in re.findall(r"^```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL) for line in block.splitlines()
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Write the files of the page, and install them where this process and its bots find them."""
    for name, text in FILES:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    install(tmp_path / "exact", tmp_path / "site")
    monkeypatch.syspath_prepend(tmp_path / "site")
    monkeypatch.setattr(views, "_pages", {})
    yield tmp_path
    for name in [name for name in sys.modules if name.partition(".")[0] == "exact"]:
        del sys.modules[name]


def test_every_command_of_the_page_works_in_its_order(folder):
    """Played, recorded, replayed, checked, and a bot that passes its own check and plays a tournament."""
    assert COMMANDS[0] == "pip install ./exact"
    python = shlex.join(["env", f"PYTHONPATH={folder / 'site'}", sys.executable])
    printed = []
    for command in COMMANDS[1:]:
        words = []
        for word in shlex.split(command)[1:]:
            bot = word.replace("python exact/src", f"{python} {folder}/exact/src")
            words += sorted(map(str, folder.glob(word))) if "*" in word else [bot]
        printed.append(croupier(*words, cwd=folder)[0])
    assert "Phases before the cards, in which an agent's tryBid is asked: bid" in printed[0]
    assert printed[2].count("valid") == 3
    assert "keeps" in printed[4]
    assert "passed" in printed[5]


def test_the_files_are_a_whole_package():
    """Nothing is left for the reader to think up."""
    assert [name.rpartition("/")[2] for name, _ in FILES] == [
        "pyproject.toml",
        "__init__.py",
        "page.py",
        "rules.py",
        "bot.py",
    ]


def test_the_other_example_is_shown_as_it_is():
    """Each block of the interface's page stands so in High card."""
    rules = (ROOT / "examples" / "highcard" / "src" / "highcard" / "rules.py").read_text()
    assert len(SHOWN) == 2
    assert all(block in rules for block in SHOWN)


def test_what_the_tables_name_is_there():
    """Each method and file of the tables exists; each game that comes with croupier is in the places named."""
    named = re.findall(r"^\| (`.*?) \|", INTERFACE, re.MULTILINE)
    for word in re.findall(r"`(\w+)", " ".join(named)):
        known = any(hasattr(kind, word) for kind in (TrickTaking, TrickWorld, Sheet)) or word in Game.__annotations__
        assert known or re.search(rf"^    {word}:", TRICKS, re.MULTILINE), word
    for name in games.BUNDLED:
        rules = ROOT / "server" / "games" / name
        assert rules.is_dir() or rules.with_suffix(".py").is_file()
        assert (ROOT / "protocol" / "views" / f"{name}.py").is_file()
