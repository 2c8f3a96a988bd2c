"""The command that shows a game again, wherever it is printed: copied from there it runs."""

from __future__ import annotations

import html
import re
import shlex

import pytest
from command_line import croupier
from contests import FOUR, Here, bot, contest, settings
from tables import BOTS

from croupier.server.tournaments.keeping.store import StoreError
from croupier.server.tournaments.playing import batch

CHEAT = shlex.join(["python", str(BOTS / "misfit.py"), "cheat"])


@pytest.fixture(scope="module")
def cup(tmp_path_factory):
    """Play a tournament in which one bot faults now and then, into a folder whose name a shell would take apart."""
    folder = tmp_path_factory.mktemp("again") / "Ann's cup; #1 & more"
    contest(folder, settings([bot("sloppy", "mixed", 5), *FOUR[1:]], deals=2))
    return folder


def run_again(text, cwd):
    """Run the command that is printed behind "again", in a folder; return what it shows."""
    (command,) = re.findall("again: (croupier replay .*)", text)
    return croupier(*shlex.split(command)[1:], cwd=cwd)[0]


@pytest.mark.parametrize(
    ("cwd", "word"),
    [("..", "{0.parent.name}/{0.name}"), (".", "{0.name}"), ("{0.name}", "."), ("{0.name}/records", "..")],
)
def test_standings_say_it_for_where_one_stands(cup, cwd, word):
    """The folder is named as in the call."""
    here = cup.parent / cwd.format(cup)
    assert "sloppy  FAULT" in run_again(croupier("standings", word.format(cup), cwd=here)[0], here)


@pytest.mark.parametrize("name", ["-cup", "#1", "cup:3", "cup.toml"])
def test_no_folder_is_taken_for_anything_else(cup, name):
    """Neither for an option nor for a question's number, nor for a number of a record."""
    (cup.parent / name).symlink_to(cup)
    assert "FAULT" in run_again(croupier("standings", "--", name, cwd=cup.parent)[0], cup.parent)


@pytest.mark.parametrize("out", [None, "report.html", "../elsewhere/page.html"])
def test_a_report_says_it_for_its_own_folder(cup, out):
    """Also after all of it has moved."""
    (cup.parent.parent / "elsewhere").mkdir(exist_ok=True)
    words = [] if out is None else ["--out", out]
    where = cup.parent / croupier("report", cup.name, *words, cwd=cup.parent)[0].strip()
    text = html.unescape(where.read_text())
    assert "for the folder of this page" in text
    command = re.search("<code>(croupier replay .*?)</code>", text)[1]
    assert "FAULT" in croupier(*shlex.split(command)[1:], cwd=where.parent)[0]
    if out is None:
        moved = cup.parent / "moved"
        cup.rename(moved)
        assert "FAULT" in croupier(*shlex.split(command)[1:], cwd=moved)[0]
        moved.rename(cup)


@pytest.mark.parametrize("prefix", ["", "classic:", "json:"])
def test_a_table_says_it_for_its_record(tmp_path, prefix):
    """Also of a client of another dialect."""
    cheat = f"{prefix}{CHEAT}"
    _, said = croupier("play", "dominion", "smithy", cheat, "--time", 500, "--record", "my games", cwd=tmp_path)
    assert "FAULT" in run_again(said, tmp_path)


def agram():
    """Return a program of the library."""
    return (BOTS.parent.parent / "server" / "games" / "recycle" / "library" / "agram.gdl").read_text()


@pytest.fixture
def program(tmp_path):
    """Write a RECYCLE program into a folder of its own."""
    path = tmp_path / "my programs" / "mine.gdl"
    path.parent.mkdir()
    path.write_text(agram() + "; mine\n")
    return path


def test_a_table_names_the_program_that_was_played(tmp_path, program):
    """A RECYCLE program that lies neither here nor beside the records."""
    words = ["play", "my programs/mine.gdl", *["random"] * 3, CHEAT, "--record"]
    _, said = croupier(*words, "games", cwd=tmp_path)
    assert "FAULT" in run_again(said, tmp_path)
    _, said = croupier(*words, "more", "--with-program", cwd=tmp_path)
    assert "--program" not in said
    assert "FAULT" in run_again(said, tmp_path)
    assert "name its file, --program FILE" in croupier("replay", "games/deal-1.record", code=1, cwd=tmp_path)[0]


def test_a_tournament_keeps_the_program_that_it_plays(tmp_path, program):
    """So its table, its report and its records can be had anywhere, and nobody plays another, in mid-run or later."""
    bots = [{"name": f"r{number}", "builtin": "random"} for number in range(3)]
    asked = {
        "bots": [*bots, {"name": "cheat", "command": shlex.split(CHEAT)}],
        "game": str(program),
        "options": {},
        "deals": 1,
    }

    def after_a_change(job, stopped):
        program.write_text("(game)")
        return batch.play(job, stopped)

    contest(tmp_path / "a cup", settings(**asked), Here(after_a_change))
    program.write_text(agram() + "; other\n")
    with pytest.raises(StoreError, match=r"program was [0-9a-f]{64} and is "):
        contest(tmp_path / "a cup", settings(**asked))
    program.unlink()
    moved = (tmp_path / "a cup").rename(tmp_path / "moved")
    assert "FAULT" in run_again(croupier("standings", ".", cwd=moved)[0], moved)
    assert "every game replays" in croupier("verify", "moved", cwd=tmp_path)[0]
    command = re.search(
        "<code>(croupier replay .*?)</code>", moved.joinpath(croupier("report", ".", cwd=moved)[0].strip()).read_text()
    )[1]
    assert "FAULT" in croupier(*shlex.split(command)[1:], cwd=moved)[0]
