"""What bubblewrap shows to a bot, wherever its program lies: its own, and nothing that is hidden."""

import subprocess
from dataclasses import dataclass, field

import pytest

from croupier.server import entries
from croupier.server.processes import sandbox
from croupier.server.processes.sandbox import Level, bwrap

WHY = sandbox.problem(Level.BWRAP)
pytestmark = pytest.mark.skipif(bool(WHY), reason=WHY)
FILES = (
    "notes",
    "bot/mine",
    "bot/other",
    "bot/cup/key",
    "cup/key",
    "cup/bots/mine",
    "bin/tool",
    ".local/bin/tool",
    ".local/share/letters",
    "elsewhere/rival",
)
LINKS = {"link": "bot", "bot/linked": "../elsewhere/rival", "linked-cup": "cup"}
LOOKED_FOR = (*FILES, "link/mine", "link/other", "link/cup/key", "bot/linked", "linked-cup/key")


@dataclass
class Place:
    """Where a program lies in somebody's home, and what of it is hidden; which files it sees all the same."""

    program: str
    hidden: tuple[str, ...] = ()
    data: tuple[str, ...] = ()
    sees: set[str] = field(default_factory=set)


PLACES = {
    "beside what is hidden": Place("bot/look", ("bot/cup",), sees={"bot/mine", "bot/other"}),
    "among the programs of others": Place("bot/look", ("bot/other", "bot/cup", "bot/look"), sees={"bot/mine"}),
    "in a folder of what is hidden": Place("cup/bots/look", ("cup",), sees={"cup/bots/mine"}),
    "in the very folder that is hidden": Place("cup/look", ("cup",)),
    "with its data in what is hidden": Place("bot/look", ("bot",), ("bot/cup/key",), sees={"bot/cup/key"}),
    "at home": Place("look"),
    "among the programs at home": Place("bin/look", sees={"bin/tool"}),
    "where installers put programs": Place(".local/bin/look", sees={".local/bin/tool"}),
    "behind a link": Place("link/look", ("bot/cup", "link/other"), sees={"bot/mine", "link/mine"}),
    "behind a link to what is hidden": Place("linked-cup/look", ("cup",)),
    "beside a link to what is hidden": Place("bot/look", ("bot/linked", "bot/cup"), sees={"bot/mine", "bot/other"}),
}


@pytest.fixture
def home(tmp_path, monkeypatch):
    """Somebody's home."""
    for name in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("something")
    for name, target in LINKS.items():
        (tmp_path / name).symlink_to(target)
    monkeypatch.setenv("HOME", str(tmp_path))
    bwrap._too_much.cache_clear()
    yield tmp_path
    bwrap._too_much.cache_clear()


def run(entry, folder, hidden=()):
    """Run an entry's command as a bot; return the lines that it printed."""
    done = subprocess.run(bwrap.command(entry, folder, hidden), capture_output=True, text=True, timeout=10, check=False)
    assert done.stderr == ""
    return done.stdout.splitlines()


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
def test_a_bot_sees_its_own_and_nothing_that_is_hidden(place, home, tmp_path_factory):
    """Whatever lies in, over or beside what."""
    program = home / place.program
    program.write_text(
        f"#!/bin/sh\ncd {home}; for each in {' '.join(LOOKED_FOR)}; do test -s $each && echo $each; done\n"
    )
    program.chmod(0o755)
    entry = entries.of_command([str(program), *(str(home / name) for name in place.data)])
    seen = run(entry, tmp_path_factory.mktemp("own"), [home / name for name in place.hidden])
    assert set(seen) == place.sees


def test_a_bot_can_write_to_its_folder_and_little_else(tmp_path):
    """The rest is read-only, what lies in memory too: nothing counts that."""
    (tmp_path / "own").mkdir()
    (tmp_path / "hidden").mkdir()
    program = tmp_path / "write"
    places = f"/ /etc /dev /usr /proc/sys/kernel {tmp_path} {tmp_path}/hidden . /tmp /dev/shm"
    program.write_text(f"#!/bin/sh\nfor each in {places}; do (echo > $each/x) 2> /dev/null && echo $each; done\n")
    program.chmod(0o755)
    entry = entries.of_command([str(program)])
    assert run(entry, tmp_path / "own", [tmp_path / "hidden"]) == [".", "/tmp", "/dev/shm"]
