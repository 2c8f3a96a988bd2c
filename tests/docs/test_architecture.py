"""The page for who changes croupier: what it names is there, and a room that it does not name is not."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text()
ROWS = re.findall(r"^\| .+? \| (.+?) \| `(\w+)`(?:, `(\w+)`)? \|$", PAGE, re.MULTILINE)


def paths(text):
    """List what is named in a text as a path from the root."""
    return re.findall(r"`((?:server|protocol|agents|docs|src)/[\w/.-]*)`", text)


@pytest.mark.parametrize("path", sorted(set(paths(PAGE)) - {"server/games/NAME"}))
def test_each_path_is_there(path):
    """A newcomer who follows a path finds something."""
    assert (ROOT / path).exists()


def test_each_answer_stands_where_the_page_says():
    """What is wanted is defined, or called by its name, in one of the files that the row names."""
    assert len(ROWS) >= 7
    for files, *names in ROWS:
        text = "".join((ROOT / path).read_text() for path in paths(files) if path.endswith(".py"))
        assert all(re.search(rf"\b{name}\b", text) for name in names if name and text), files


def test_each_room_is_on_the_page():
    """Every room of the server is in the table."""
    table = PAGE.partition("## The way of a decision")[0]
    rooms = {path.name for path in (ROOT / "server").iterdir() if path.is_dir() and any(path.glob("*.py"))}
    assert not {room for room in rooms if f"{room}/" not in table}


def test_no_file_is_longer_than_500_lines():
    """Longer ones are two things; a file is not cut in two for being near that."""
    files = [path for room in ("protocol", "agents", "server") for path in (ROOT / room).rglob("*.py")]
    assert [str(path) for path in files if path.read_text().count("\n") > 500] == []
