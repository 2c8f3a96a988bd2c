"""A tournament's folder that a stranger has made: one sentence says what is wrong, and no file of ours is lost."""

import gzip
import json
import os
import shutil
import sqlite3
from contextlib import closing
from unittest.mock import ANY

import pytest
from command_line import croupier
from contests import Here, contest, pretend, settings

from croupier.server import texts
from croupier.server.tournaments.keeping.folder import DATABASE, RECORDS
from croupier.server.tournaments.keeping.store import Store, StoreError

ESCAPE = "\x1b]0;mine\x07"
DEEP = "[" * 100_000
READERS = ("standings", "report", "verify")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A finished tournament whose games were made up."""
    folder = tmp_path_factory.mktemp("made") / "cup"
    contest(folder, settings(deals=2), Here(pretend()))
    return folder


@pytest.fixture
def cup(made, tmp_path):
    """The same, to be spoilt."""
    return shutil.copytree(made, tmp_path / "cup")


def rewrite(folder, *statement):
    """Change the database as nobody but a stranger would."""
    with closing(sqlite3.connect(folder / DATABASE)) as database:
        database.executescript("PRAGMA writable_schema = ON")
        database.execute(*statement)
        database.commit()


@pytest.mark.parametrize("name", ["lock", "records", "key", "events.jsonl", "report.html", "stderr", "key.part"])
def test_nothing_is_written_or_removed_through_a_link(cup, tmp_path, name):
    """Continuing a stranger's folder keeps the files that its links point to."""
    target = tmp_path / "mine"
    if name in {RECORDS, "stderr"}:
        target.mkdir()
        (target / "000001-0123456789ab.records.gz").write_text("precious")
    else:
        target.write_text("precious")
    if (cup / name).is_dir():
        (cup / name).rename(tmp_path / "aside")
    (cup / name).unlink(missing_ok=True)
    (cup / name).symlink_to(target)
    with pytest.raises(StoreError, match=f"{name} is a link"):
        contest(cup, settings(deals=3), Here(pretend()))
    for command in READERS:
        _, said = croupier(command, cup, code=2)
        assert f"{name} is a link" in said
    kept = next(target.iterdir()) if target.is_dir() else target
    assert kept.read_text() == "precious"


def test_what_is_no_file_at_all_is_not_waited_for(cup):
    """Such as a pipe that nobody writes to."""
    (cup / "key").unlink()
    os.mkfifo(cup / "key")
    _, said = croupier("standings", cup, code=2)
    assert "key is no ordinary file" in said


def test_only_what_a_killed_run_left_is_put_away(cup):
    """And not what somebody keeps beside it."""
    (cup / RECORDS / "notes.txt").write_text("mine")
    (cup / RECORDS / "000009-0123456789ab.records.gz.part").write_text("half")
    with closing(Store(cup)) as store:
        store.sweep()
    assert sorted(path.suffix for path in (cup / RECORDS).iterdir() if path.suffix != ".gz") == [".txt"]


CRAFTED = {
    "a name": ("UPDATE games SET seating = replace(seating, 'ann', ?)", ESCAPE),
    "an entry": ("UPDATE versions SET name = ? WHERE name = 'ann'", ESCAPE),
    "too few seats": (
        "UPDATE games SET pairing = 'ann ben', seating = ?, scores = '[1, 2]', ranks = '[1, 2]', times = '[]'"
        " WHERE deal = 1 AND seating = (SELECT min(seating) FROM games WHERE deal = 1)",
        "ann ben",
    ),
    "scores": ("UPDATE games SET scores = ?", "[1, 2]"),
    "a score beyond numbers": ("UPDATE games SET scores = ?", f"[1, 2, 3, 1{'0' * 400}]"),
    "no scores": ("UPDATE games SET scores = ?", '{"ann": 1}'),
    "deep": ("UPDATE games SET scores = ?", DEEP),
    "times": ("UPDATE games SET times = ?", "[[[99999, 1]], [], [], []]"),
    "an outcome": ("UPDATE games SET outcome = ?", ESCAPE),
    "a kind": ("UPDATE games SET faults = ?", json.dumps([ESCAPE, "", "", ""])),
    "a deal": ("UPDATE games SET deal = deal - ?", "10"),
    "a path": ("UPDATE batches SET file = ?", "../../../../etc/passwd"),
    "bytes": ("UPDATE games SET whys = CAST(? AS TEXT)", b"\xff\xfe"),
    "a game": (
        "UPDATE facts SET value = ? WHERE name = 'run'",
        json.dumps({"game": ESCAPE, "bots": []}),
    ),
    "a list": ("UPDATE facts SET value = ? WHERE name = 'run'", "[]"),
    "a number": ("UPDATE facts SET value = ? WHERE name = 'run'", "7"),
    "no JSON": ("UPDATE facts SET value = ? WHERE name = 'run'", "{"),
    "lists in lists": ("UPDATE facts SET value = ? WHERE name = 'run'", DEEP),
    "a key": ("UPDATE facts SET value = ? WHERE name = 'revealed'", "17"),
    "a roster": ("UPDATE facts SET value = ? WHERE name = 'roster'", '[["ann", 99999999999, true]]'),
    "a view": ("UPDATE sqlite_master SET type='view', sql=? WHERE name='burnt'", "CREATE VIEW burnt AS SELECT 1, 2"),
}


@pytest.mark.parametrize("what", CRAFTED)
def test_a_crafted_database_is_refused_in_one_sentence_without_control_characters(cup, what):
    """Whatever stands there: no traceback, and nothing that a terminal would take as an order."""
    statement, value = CRAFTED[what]
    rewrite(cup, statement, (value,))
    for command in READERS:
        out, said = croupier(command, cup, code=ANY)
        assert "Traceback" not in said
        assert not any(ord(sign) < 32 and sign != "\n" for sign in out + said)
    _, said = croupier("standings", cup, code=2)
    assert said.count("\n") == 1


def test_a_trigger_of_a_stranger_never_fires(cup):
    """A table, view or trigger that we did not make is no tournament."""
    rewrite(cup, "CREATE TRIGGER mine AFTER INSERT ON games BEGIN DELETE FROM games; END")
    _, said = croupier("standings", cup, code=2)
    assert "other tables" in said


def test_a_reason_is_shown_without_what_a_terminal_would_obey(cup):
    """Also one that stands in a database."""
    faulted = '["crashed", "", "", ""]'
    whys = json.dumps([[0, "crashed", ESCAPE]])
    rewrite(cup, "UPDATE games SET faults = ?, whys = ?", (faulted, whys))
    out, said = croupier("standings", cup)
    assert "crashed: ?]0;mine?" in out
    assert "\x1b" not in out + said


def test_what_unpacks_to_more_than_records_is_not_unpacked(cup, tmp_path, monkeypatch):
    """A megabyte can become gigabytes."""
    monkeypatch.setattr(texts, "MOST_BYTES", 1 << 20)
    bomb = tmp_path / "bomb.records.gz"
    bomb.write_bytes(gzip.compress(b"\n" * (64 << 20), 1))
    out, _ = croupier("replay", bomb, code=1)
    assert "more than 1 MiB" in out
    next((cup / RECORDS).iterdir()).write_bytes(bomb.read_bytes())
    out, _ = croupier("verify", cup, code=1)
    assert "more than 1 MiB" in out
    (tmp_path / "long.record").write_bytes(b"\n" * (1 << 21))
    out, _ = croupier("replay", tmp_path / "long.record", code=1)
    assert "more than 1 MiB" in out


@pytest.mark.parametrize(
    "head", ["time", "play ann", "score", "fault ann crashed", "shuffle deal", "game", "key", "end"]
)
def test_lists_in_lists_are_a_wrong_line(tmp_path, head):
    """However deep, at whichever line of a record."""
    path = tmp_path / "deep.record"
    path.write_text(f"(record 1)\n({head} {'(' * 100_000}{')' * 100_000})\n")
    out, _ = croupier("replay", path, code=1)
    assert "line 2: more than 16 levels" in out
