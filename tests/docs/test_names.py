"""One word for one thing: the glossary names what is there, and no two things of a room have one name."""

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "glossary.md").read_text()
WORDS = re.findall(r"^\| ([\w -]+) \| .+ \| `(\w+)` \|$", PAGE, re.MULTILINE)
SERVER = ROOT / "server"
EACH_ITS_OWN = {"__init__", "broadcast", "contracts", "game", "plays", "settings", "world"}
"""Modules that several packages of a room have: each game its rules, each package its settings."""


def sources(folder):
    """List the modules below a folder."""
    return sorted(folder.rglob("*.py"))


ROOMS = sorted(path for path in SERVER.iterdir() if path.is_dir() and sources(path))


def test_the_glossary_has_each_word_once():
    """About thirty words, one meaning each."""
    words = [word for word, _ in WORDS]
    assert len(words) == len(set(words)) >= 30


def test_what_the_glossary_names_is_in_the_source():
    """A name that is gone would send a reader nowhere."""
    source = "\n".join(path.read_text() for room in ("server", "agents", "protocol") for path in sources(ROOT / room))
    assert not {name for _, name in WORDS if not re.search(rf"\b(?:class|def) {name}\b|\b{name}\b\s*[:=(]", source)}


@pytest.mark.parametrize("room", ROOMS, ids=lambda path: path.name)
def test_no_two_classes_of_a_room_have_one_name(room):
    """Neighbours are told apart by their names."""
    names = Counter(
        node.name
        for path in sources(room)
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert not [name for name, count in names.items() if count > 1]


@pytest.mark.parametrize("room", ROOMS, ids=lambda path: path.name)
def test_no_two_modules_of_a_room_have_one_name(room):
    """A search for a module by its name finds one, and what a game's own are called is the same in every game."""
    names = Counter(path.stem for path in sources(room) if "original" not in path.parts)
    assert not [name for name, count in names.items() if count > 1 and name not in EACH_ITS_OWN]


def test_only_one_module_is_called_luck():
    """Dominion's own: by how much a shuffle favors a player."""
    assert [path.parent.name for path in sources(SERVER) if path.stem == "luck"] == ["dominion"]
