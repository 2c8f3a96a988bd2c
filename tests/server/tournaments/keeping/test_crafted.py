"""Folders that a stranger has crafted: texts that drive a terminal, nonsense in every column, damaged pages."""

import json
import os
import random
import shutil
import socket
import sqlite3
from contextlib import closing
from unittest.mock import ANY

import pytest
from command_line import croupier
from contests import Here, contest, pretend, settings

from croupier.server.tournaments.keeping.folder import DATABASE, RECORDS

DRIVES = "\x1b[2J\x9b31m\u202eevil\nfaked: all is well\r\x7f"
"""An escape sequence, one that begins with a C1 control, a turn of the direction, and a line that we did not write."""
READERS = (
    ("standings",), ("standings", "--json"), ("standings", "--csv"), ("standings", "--neighbors"), ("verify",),
    ("report",), ("find",), ("find", "--where", "thought>1"),
)  # fmt: skip
NASTY = (
    0, -1, 2**53 + 1, 2**63 - 1, -(2**63), 1.5, float("inf"), "", "x", DRIVES, "[]", "{}", "null", "[[]]", "[1]",
    "[null,null,null,null]", '["crashed","","",""]', json.dumps([[0, "crashed", DRIVES]]), "[1e400,1,1,1]",
    "[" * 100_000, "1" * 5000, '{"a":1}', "true", "ann ann ann ann", "a" * 100_000, '[[0,"luck","1e9"]]', "void",
    "forfeit", "[[[1,9007199254740992]],[],[],[]]",
)  # fmt: skip
PIECES = (None, -1, 2**70, 1e308, DRIVES, [], {}, [[]], {"a": []}, True, "[" * 1000, [None], [{}], ["x"])


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A finished tournament whose games were made up, a fault among them."""
    folder = tmp_path_factory.mktemp("made") / "cup"
    contest(
        folder, settings(deals=2), Here(pretend(lambda name, deal: -3 if (name, deal) == ("ann", 1) else len(name)))
    )
    return folder


@pytest.fixture
def cup(made, tmp_path):
    """The same, to be spoilt."""
    return shutil.copytree(made, tmp_path / "cup")


def looked_at(folder, *reader):
    """Let a command read a folder; it may refuse it in a sentence, and drive nothing."""
    command, *how = reader
    out, said = croupier(command, folder, *how, code=ANY)
    assert "Traceback" not in out + said
    bad = sorted({sign for sign in out + said if not sign.isprintable() and sign not in "\n\r\t"})
    assert not bad, (reader, bad)
    assert not any(line.startswith("faked") for line in (out + said).splitlines())
    return out + said


def poisoned(value, keep=()):
    """Put what drives a terminal into every text of a document, the keys that are not kept included."""
    match value:
        case dict():
            return {
                key if key in keep else key + DRIVES: each if key in keep else poisoned(each, keep)
                for key, each in value.items()
            }
        case list():
            return [poisoned(each, keep) for each in value]
        case str():
            return value + DRIVES
    return value


def texts(database):
    """List the columns of text of a tournament's database."""
    tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    return [(table, each[1]) for table in tables for each in database.execute(f"PRAGMA table_info({table})")]


@pytest.mark.parametrize("column", range(29))
def test_no_text_of_a_database_drives_the_terminal(cup, column):
    """Names, reasons, outcomes, links, files: each column of each table, one at a time."""
    with closing(sqlite3.connect(cup / DATABASE)) as database:
        table, name = texts(database)[column]
        try:
            database.execute(f"UPDATE {table} SET {name} = {name} || ?", (DRIVES,))
        except sqlite3.Error:
            pytest.skip("a column of numbers, in a strict table")
        database.commit()
    for reader in READERS:
        looked_at(cup, *reader)


@pytest.mark.parametrize("fact", ["run", "settings", "roster", "program", "levels", "built", "seed"])
def test_no_setting_drives_the_terminal(cup, fact):
    """Options, titles, commands and the rest of what a tournament was begun with; each of its own."""
    with closing(sqlite3.connect(cup / DATABASE)) as database:
        (text,) = database.execute("SELECT value FROM facts WHERE name = ?", (fact,)).fetchone() or ('["none"]',)
        document = json.loads(text)
        for key in list(document) if isinstance(document, dict) else [None]:
            spoilt = poisoned(document) if key is None else document | {key: poisoned(document[key])}
            database.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (fact, json.dumps(spoilt)))
            database.commit()
            for reader in (("standings",), ("verify",)):
                looked_at(cup, *reader)


def test_no_link_of_the_chain_drives_the_terminal(cup):
    """Whose manifest is a stranger's: what it says of its game, bots and options is told where it was amended."""
    with closing(sqlite3.connect(cup / DATABASE)) as database:
        for number, text in database.execute("SELECT number, text FROM chain ORDER BY number").fetchall():
            for key, value in (document := json.loads(text)).items():
                spoilt = json.dumps(document | {key: poisoned(value)})
                database.execute("UPDATE chain SET text = ? WHERE number = ?", (spoilt, number))
                database.commit()
                for reader in (("standings",), ("verify",)):
                    looked_at(cup, *reader)
            amended = document | {"game": DRIVES, "options": {DRIVES: DRIVES}, DRIVES: [DRIVES]}
            database.execute("UPDATE chain SET text = ? WHERE number = ?", (text, number))
            database.execute("INSERT INTO chain (link, text) VALUES (?, ?)", (f"{number}{DRIVES}", json.dumps(amended)))
            database.commit()
            for reader in (("standings",), ("verify",)):
                looked_at(cup, *reader)


def test_no_file_of_a_folder_drives_the_terminal(cup):
    """Records, notes and events with any names, the files themselves called so too."""
    (cup / "events.jsonl").write_text(json.dumps({"event": "refused", "why": DRIVES, "at": 1, DRIVES: DRIVES}) + "\n")
    (cup / RECORDS / f"a{DRIVES.replace(chr(10), '')}.records").write_text(f"(record 1)\n(game {DRIVES})")
    (cup / RECORDS / "b.record").write_text(f"(record 1)\n(game hearts)\n(players a{DRIVES} b c d)\n(hint {DRIVES})\n")
    (cup / "manifest.json").write_text(json.dumps({DRIVES: DRIVES}))
    for path in (cup / RECORDS).iterdir():
        for how in ((), ("--show",), ("--sent", "ann"), ("--html", cup / "page.html")):
            looked_at_record(path, *how)
    looked_at(cup, "verify")
    looked_at(cup, "report")
    looked_at(cup / RECORDS, "find")


def looked_at_record(path, *how):
    """Let `replay` read a file."""
    out, said = croupier("replay", path, *how, code=ANY)
    assert not any(not sign.isprintable() and sign not in "\n\t" for sign in out + said), (path, how)


def test_no_line_that_is_complained_about_looks_like_another_of_ours(tmp_path):
    """A file's name may have line feeds: what follows them is moved in."""
    _, said = croupier("standings", tmp_path / "a\ncroupier standings: all is well", code=2)
    assert "\n    croupier standings: all is well" in said


def rewritten(rng, path):
    """Change a database at random: a value, a piece of a document, or bytes of the file itself."""
    kind = rng.random()
    if kind > 0.85:
        data = bytearray(path.read_bytes())
        for _ in range(rng.randint(1, 40)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        path.write_bytes(data[: rng.randrange(len(data)) if rng.random() < 0.2 else None])
        return
    with closing(sqlite3.connect(path)) as database:
        try:
            if kind > 0.7:
                table, column, key = rng.choice([("facts", "value", "name"), ("chain", "text", "number")])
                place, text = rng.choice(database.execute(f"SELECT {key}, {column} FROM {table}").fetchall())
                document = json.loads(text)
                if isinstance(document, dict):
                    document[rng.choice(list(document))] = rng.choice(PIECES)
                database.execute(f"UPDATE {table} SET {column} = ? WHERE {key} = ?", (json.dumps(document), place))
            else:
                table, column = rng.choice(texts(database))
                database.execute(f"UPDATE {table} SET {column} = ?", (rng.choice(NASTY),))
        except sqlite3.Error:
            return  # strict tables take no such value
        database.commit()


@pytest.mark.parametrize("seed", range(60))
def test_a_crafted_database_leads_to_no_traceback(cup, seed):
    """Wrong types, numbers without end, lists in lists, damaged pages."""
    rng = random.Random(seed)
    rewritten(rng, cup / DATABASE)
    for reader in rng.sample(READERS, 3):
        looked_at(cup, *reader)


@pytest.mark.parametrize(("table", "column"), [("chain", "text"), ("facts", "value"), ("games", "scores")])
def test_a_damaged_page_is_told_as_damage(cup, table, column):
    """Also where it makes a value of another type than its column has, which no check of values foresees."""
    with closing(sqlite3.connect(cup / DATABASE)) as database:
        database.execute("PRAGMA writable_schema = ON")
        (made,) = database.execute("SELECT sql FROM sqlite_master WHERE name = ?", (table,)).fetchone()
        loose = made.replace(" NOT NULL", "").replace(" STRICT", "")
        database.execute("UPDATE sqlite_master SET sql = ? WHERE name = ?", (loose, table))
        database.commit()
    with closing(sqlite3.connect(cup / DATABASE)) as database:
        database.execute(f"UPDATE {table} SET {column} = NULL")
        database.execute("PRAGMA writable_schema = ON")
        database.execute("UPDATE sqlite_master SET sql = ? WHERE name = ?", (made, table))
        database.commit()
    _, said = croupier("standings", cup, code=2)
    assert said.count("\n") == 1
    assert "is damaged" in said


def pipe(path):
    """Make a pipe to which nobody writes."""
    os.mkfifo(path)


def listener(path):
    """Make a socket."""
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(os.path.relpath(path))


def device(path):
    """Link to a device without end."""
    path.symlink_to("/dev/zero")


CALLED = {
    "a.record": [("replay", "a.record"), ("find", "."), ("find", "a.record"), ("replay", "--from", "doko", "a.record")],
    "a.records.gz": [("replay", "a.records.gz"), ("find", ".")],
    "cup.toml": [("tournament", "cup.toml"), ("check", "cup.toml")],
    "game.gdl": [("analyze", "game.gdl"), ("check-game", "game.gdl"), ("play", "game.gdl", "random", "random")],
}


@pytest.mark.parametrize("make", [pipe, listener, device])
@pytest.mark.parametrize("called", CALLED)
def test_what_is_no_file_is_refused_and_not_waited_for(tmp_path, monkeypatch, called, make):
    """A pipe that is called as records are would be read without end."""
    monkeypatch.chdir(tmp_path)
    make(tmp_path / called)
    for words in CALLED[called]:
        out, said = croupier(*words, code=ANY)
        assert "it is a pipe, a device or a socket, and only files are read" in out + said, words


@pytest.mark.parametrize("name", [DATABASE, f"{DATABASE}-wal", "manifest.json", "events.jsonl"])
def test_a_pipe_in_a_tournament_is_refused(cup, name):
    """Wherever one of its files should be."""
    (cup / name).unlink(missing_ok=True)
    os.mkfifo(cup / name)
    for reader in READERS:
        assert "no ordinary file" in looked_at(cup, *reader)


def test_what_a_shell_has_opened_is_read(tmp_path):
    """As in ``croupier replay <(zcat old.records.gz)``."""
    reading, writing = os.pipe()
    os.write(writing, b"(record 2)\n")
    os.close(writing)
    out, _ = croupier("replay", f"/dev/fd/{reading}", code=1)
    os.close(reading)
    assert "invalid" in out


@pytest.mark.parametrize("make", [pipe, listener, device])
@pytest.mark.parametrize("name", ["analysis.db", "1/lock", f"1/{DATABASE}"])
def test_what_is_no_file_in_an_analysis_is_refused(tmp_path, monkeypatch, name, make):
    """To open a pipe to write waits for somebody who reads it."""
    (tmp_path / "1").mkdir()
    monkeypatch.chdir((tmp_path / name).parent)  # a socket's path must be short
    make(tmp_path / name)
    _, said = croupier("analyze", "sedma", "--out", tmp_path, code=2)
    assert "only files are read" in said or "has files of its own, and only those are read" in said
