"""`croupier find`: the same games whether a tournament's database or the records themselves are asked."""

import json
import re
import shutil
from pathlib import Path

import pytest
from command_line import croupier
from contests import FOUR, bot, contest, settings

from croupier.protocol.record import read
from croupier.server.finding.record_files import plain
from croupier.server.records.files import read_records
from croupier.server.viewer.page import unpack

GOLDEN = Path(__file__).parents[2] / "golden"


@pytest.fixture(scope="module")
def cup(tmp_path_factory):
    """Play a tournament in which one bot faults now and then."""
    folder = tmp_path_factory.mktemp("find") / "cup"
    contest(folder, settings([bot("sloppy", "mixed", 5), *FOUR[1:]], deals=3))
    return folder


@pytest.fixture(scope="module")
def loose(cup):
    """The files of records of the tournament, without its database."""
    folder = cup.parent / "loose"
    shutil.copytree(cup / "records", folder)
    return folder


def found(folder, *conditions):
    """Return the games that are found, by file and number."""
    words = [word for condition in conditions for word in ("--where", condition)]
    out, _ = croupier("find", folder, *words, "--json", code=0 if _some(folder, words) else 1)
    return {re.sub(".*/", "", game.pop("record")): game for game in json.loads(out)["games"]}


def _some(folder, words):
    """Return whether there is any such game, by the list for people."""
    try:
        croupier("find", folder, *words)
    except AssertionError:
        return False
    return True


CONDITIONS = [
    [],
    ["player=ben"],
    ["player=nobody"],
    ["player=ben", "score>10"],
    ["player=ben", "score>10", "rank=1"],
    ["player=sloppy", "fault"],
    ["fault=illegal"],
    ["fault!=illegal", "rank=4"],
    ["faults=0"],
    ["faults>0", "player=cat", "rank<3"],
    ["margin<2"],
    ["margin>=2", "deal=2"],
    ["deal!=2", "with=dan"],
    ["with!=dan"],
    ["decisions<52"],
    ["outcome=finished"],
    ["outcome!=finished"],
    ["game=hearts"],
    ["game=skat"],
    ["play=(play sQ)", "rank=1"],
    ["player=ben", "play=(play sQ)", "play=play h2"],
]


@pytest.mark.parametrize("conditions", CONDITIONS, ids=" ".join)
def test_database_and_records_say_the_same(cup, loose, conditions):
    """What SQLite rules out no record would have let pass, and both tell it in the same words."""
    indexed, read = found(cup, *conditions), found(loose, *conditions)
    for game in (*indexed.values(), *read.values()):
        game.pop("thought")
    assert indexed == read


def test_each_record_is_one_that_the_lines_say(cup):
    """Of a play: whose line stands in the record, and in no other."""
    here = found(cup, "player=ben", "play=(play sQ)")
    for path in (cup / "records").iterdir():
        for number, piece in enumerate(read_records(path), 1):
            assert ("(play ben (play sQ))" in piece.text) == (f"{path.name}:{number}" in here)


def test_a_line_opens_in_the_viewer(cup, tmp_path):
    """--html writes the page of one of the games, and the command below the list does."""
    page = tmp_path / "game.html"
    out, errors = croupier("find", cup, "--where", "faults>0", "--html", page, "--number", 2)
    second = next(line for line in out.splitlines() if line.startswith("    2  "))
    [film] = re.findall(r'<pre id="film" hidden>(.+?)</pre>', page.read_text())
    _, deal, names = unpack(film)["title"].split(" · ")
    assert all(word in second for word in (deal, *names.split(", ")))
    out, errors = croupier("find", cup, "--where", "faults>0", "--games", 1)
    assert len(out.splitlines()) == 1
    [command] = re.findall(r"croupier (replay .* --html )game.html", errors)
    croupier(*command.split(), page)


def test_how_long_somebody_thought(cup, tmp_path):
    """A tournament knows it; a loose record only from the notes beside it, and it is said where nobody knows."""
    assert len(found(cup, "thought>=0")) == len(found(cup))
    assert not found(cup, "thought>3600000")
    for name in ("one", "two"):
        shutil.copy(GOLDEN / "hearts.record", tmp_path / f"{name}.record")
    players = re.search(r"\(players ([\w-]+)", (GOLDEN / "hearts.record").read_text())
    notes = [{"player": players[1], "number": number, "seconds": number / 10} for number in range(1, 14)]
    (tmp_path / "one.notes").write_text("".join(f"{json.dumps(note)}\n" for note in notes))
    assert list(found(tmp_path, f"player={players[1]}", "thought>1200")) == ["one.record"]
    _, errors = croupier("find", tmp_path, "--where", "thought>1300", code=1)
    assert "of 1 games it is not known how long anybody thought" in errors


def test_a_contract_is_found_by_its_words():
    """Of any hand of a game; how it came about does not matter."""
    for conditions, names in {
        "contract=hand": {"skat-3.record", "skat-4.record"},
        "contract=normal": {"doppelkopf.record"},
    }.items():
        assert found(GOLDEN, conditions).keys() == names
    text = (GOLDEN / "jass.record").read_text()
    letter = re.search(r"\(trump ([cdhsou])\)", text)[1]
    assert "jass.record" in found(GOLDEN, f"contract={letter}")


def test_where_there_is_no_such_contract_it_is_said():
    """A misspelled one lists the valid ones; a game without contracts says so, RECYCLE too."""
    _, errors = croupier("find", GOLDEN / "skat-3.record", "--where", "contract=grandd", code=2)
    assert "skat has no contract grandd; its words: clubs" in errors
    _, errors = croupier("find", GOLDEN / "hearts.record", "--where", "contract=grand", code=2)
    assert "there are no contracts in hearts" in errors


def test_recycle_games_are_found_and_have_no_contract(tmp_path):
    """A program is found by its name, its plays by their numbers."""
    croupier("play", "recycle:whist", *["random"] * 4, "--record", tmp_path, "--seed", "find")
    assert len(found(tmp_path, "game=recycle", "play=(choose 1)")) == 1
    assert len(found(tmp_path, "game=whist", "rank=1")) == 1
    _, errors = croupier("find", tmp_path, "--where", "contract=grand", code=2)
    assert "there are no contracts in recycle" in errors


def test_an_odd_hand_writes_the_same_record(tmp_path):
    """Comments, blanks and indents change nothing of what is found."""
    text = (GOLDEN / "hearts.record").read_text()
    odd = "\n\n; a comment\n".join(line.replace("(play ", "( play  ") for line in text.splitlines())
    (tmp_path / "odd.record").write_text(odd)
    assert [str(line) for _, line in read(plain(odd))] == [str(line) for _, line in read(text)]
    first = re.search(r"\(play ([\w-]+) (\(play \w+\))\)", text)
    asked = [f"player={first[1]}", f"play={first[2]}"]
    assert list(found(tmp_path, *asked)) == ["odd.record"]
    assert list(found(GOLDEN / "hearts.record", *asked)) == ["hearts.record"]


def test_what_is_no_record_is_told_beside_the_others(tmp_path):
    """A folder of strangers' files: each bad one is reported in a sentence, and cannot control the terminal."""
    shutil.copy(GOLDEN / "sedma.record", tmp_path)
    (tmp_path / "a.record").write_text("what is this\x1b[2J")
    (tmp_path / "b.records.gz").write_bytes(b"no gzip")
    (tmp_path / "c.record").write_text(
        "(record 1)\n(game hearts)\n(players a b\x1b[31m c d)\n(score (a 1))\n(end lost)\n"
    )
    (tmp_path / "d.record").symlink_to("/nowhere/at/all")
    (tmp_path / "tournament.db").mkdir()
    out, errors = croupier("find", tmp_path)
    assert [line.split()[1].rpartition("/")[2] for line in out.splitlines()] == ["sedma.record"]
    for name in "abcd":
        assert f"{name}.record" in errors
    assert "Traceback" not in errors
    assert "\x1b" not in out + errors


def test_a_read_only_folder_is_searched(cup, tmp_path):
    """Nothing is written, whatever is asked."""
    folder = tmp_path / "cup"
    shutil.copytree(cup, folder)
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    for path in [folder, *before]:
        path.chmod(path.stat().st_mode & ~0o222)
    assert len(found(folder, "play=(play sQ)")) == len(found(cup, "play=(play sQ)"))
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before


def test_a_wrong_call_is_one_sentence(tmp_path):
    """A bad condition names itself; a number that is not there too."""
    _, errors = croupier("find", tmp_path, "--where", "score>many", code=2)
    assert "--where 'score>many': score is compared with a number, and 'many' is none" in errors
    _, errors = croupier("find", tmp_path, code=1)
    assert errors == "no games\n"
    _, errors = croupier("find", GOLDEN, "--html", tmp_path / "x.html", "--number", 99, code=2)
    assert "--number 99" in errors
