"""Reading: looking at a tournament writes nothing into it, and needs no more than is published of it."""

from __future__ import annotations

import json
import shutil
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest
from click.testing import CliRunner
from contests import Here, bot, contest, pretend, settings

from croupier.server.cli import cli
from croupier.server.tournaments.keeping import folder, store
from croupier.server.tournaments.keeping.store import Store, StoreError


def state(folder):
    """Return what lies in a folder, with every byte and stamp."""
    return {
        path: (path.stat().st_mtime_ns, path.stat().st_ino, path.read_bytes() if path.is_file() else b"")
        for path in [folder, *folder.rglob("*")]
    }


def call(*words):
    """Call the command line; return what it printed."""
    return CliRunner().invoke(cli, list(map(str, words)), standalone_mode=False).stdout


COMMANDS = [
    "standings CUP", "standings CUP --json", "standings CUP --neighbors", "verify CUP", "report CUP --out PAGE",
    "replay RECORDS",
]  # fmt: skip


DUEL = ("random", "random", "--deals", 1, "--seed", "q", "--set", "sandbox=none")


@pytest.mark.parametrize("command", COMMANDS)
def test_reading_commands_write_nothing_into_the_folder(tmp_path, command):
    """Not a file, not a stamp: so they work where nothing can be written."""
    cup, page = tmp_path / "cup", tmp_path / "page.html"
    contest(cup, settings(deals=1), Here())
    before = state(cup)
    made = {"CUP": cup, "PAGE": page, "RECORDS": next((cup / "records").iterdir())}
    assert call(*(made.get(word, word) for word in command.split()))
    assert state(cup) == before


def decisions(folder):
    """Return the numbers of decisions of a tournament's games."""
    with closing(Store(folder, new=False)) as store:
        return {stored.game.decisions for stored in store.games()}


def test_a_folder_that_somebody_writes_is_read_as_it_stands(tmp_path):
    """What a run has kept is seen while it goes on; what a killed one left in the log of SQLite, too."""
    contest(tmp_path / "cup", settings(deals=1), Here(pretend()))
    with closing(sqlite3.connect(tmp_path / "cup" / "tournament.db")) as writing:
        writing.execute("UPDATE games SET decisions = 7")
        writing.commit()
        assert (tmp_path / "cup" / "tournament.db-wal").stat().st_size
        assert decisions(tmp_path / "cup") == {7}
        shutil.copytree(tmp_path / "cup", tmp_path / "killed")
    assert decisions(tmp_path / "killed") == {7}


def test_after_a_run_the_database_is_one_complete_file(tmp_path):
    """A copy of it alone is the whole tournament."""
    assert call("tournament", "--game", "recycle:kuhn-poker", *DUEL, "--out", tmp_path / "cup")
    assert not [*(tmp_path / "cup").glob("tournament.db?*")]


def test_what_is_read_while_a_run_ends_does_not_keep_games_out_of_the_database(tmp_path):
    """A reader has the -wal file open; the database is complete without it, and an empty one is no killed run's."""
    writing = Store(tmp_path / "cup")
    for name, value in (("commitment", "0" * 64), ("revealed", "1" * 64)):
        writing.write_fact(name, value)
        with closing(Store(tmp_path / "cup", new=False)) as reading:
            assert reading.fact(name) == value
            if name == "revealed":
                writing.close()
    shutil.copy(tmp_path / "cup" / "tournament.db", tmp_path)
    with closing(Store(tmp_path, new=False)) as alone:
        assert alone.fact("revealed") == value
    (tmp_path / "tournament.db-wal").touch()
    with closing(Store(tmp_path, new=False)) as beside_an_empty_log:
        assert beside_an_empty_log.fact("revealed") == value


def test_a_database_without_the_log_of_a_killed_run_is_called_incomplete(tmp_path):
    """Its tables are in the -wal file until SQLite moves them."""
    (tmp_path / "tournament.db").touch()
    with pytest.raises(StoreError, match=r"tournament\.db-wal beside it; copy the whole folder"):
        Store(tmp_path, new=False)


@pytest.mark.parametrize("command", ["standings", "standings --neighbors", "verify", "report", "find"])
def test_commands_that_read_close_the_database(tmp_path, monkeypatch, command):
    """No connection is left to be closed by chance."""
    contest(tmp_path / "cup", settings(deals=1), Here(pretend()))
    left = []

    class Counted(store._Database):
        def __init__(self, *what, **how):
            super().__init__(*what, **how)
            left.append(self)

        def close(self):
            super().close()
            left.remove(self)

    monkeypatch.setattr(store, "_Database", Counted)
    name, *options = command.split()
    CliRunner().invoke(cli, [name, str(tmp_path / "cup"), *options])
    assert not left


@pytest.mark.parametrize("command", ["standings", "report", "verify"])
def test_what_a_killed_run_left_where_nothing_can_be_written_is_said(tmp_path, monkeypatch, command):
    """SQLite wants to write beside it: as long as it need not, the folder is read."""
    cup = tmp_path / "cup"
    contest(cup, settings(deals=1), Here(pretend()))
    (cup / "tournament.db-wal").write_bytes(b"\0" * 32)
    (cup / "tournament.db-shm").touch()
    monkeypatch.setattr(folder.os, "access", lambda path, mode: mode != folder.os.W_OK)
    with closing(Store(cup, new=False)) as store:
        assert store.columns()
    (cup / "tournament.db-shm").unlink()
    found = CliRunner().invoke(cli, [command, str(cup)])
    assert "tournament.db-wal was left by a run that was killed" in found.stderr
    assert "copy the folder" in found.stderr


def test_a_run_that_begins_while_the_folder_is_read_is_said(tmp_path):
    """Nothing was locked, so what was read might be of two times."""
    contest(tmp_path, settings(deals=1), Here(pretend()))
    database = tmp_path / "tournament.db"
    with closing(Store(tmp_path, new=False)) as reading, closing(sqlite3.connect(database)) as writing:
        games = reading.games()
        next(games)
        writing.execute("UPDATE games SET decisions = 7")
        writing.commit()
        with pytest.raises(StoreError, match="a run has begun"):
            list(games)


@pytest.mark.parametrize(("form", "ranked_by"), [("round-robin", "mean"), ("swiss", "strength")])
def test_standings_and_report_need_no_key_file(tmp_path, form, ranked_by):
    """Once it is over the store has it; before, a format that ranks by rounds is ranked by strength."""
    cup = tmp_path / "cup"
    contest(cup, settings([bot(f"b{n}") for n in range(8)], format=form, deals=1), Here(pretend()))
    with_key = call("standings", cup)
    (cup / "key").unlink()
    assert call("standings", cup) == with_key
    with closing(sqlite3.connect(cup / "tournament.db")) as db, db:
        db.execute("DELETE FROM facts WHERE name = 'revealed'")
        db.execute("DELETE FROM chain WHERE text LIKE '%\"end\"%'")
    assert json.loads(call("standings", cup, "--json"))["ranked_by"] == ranked_by
    assert call("report", cup, "--out", tmp_path / "page.html")


def test_thinking_times_move_nothing_else_in_the_table(tmp_path):
    """Two runs print the same bytes except for the column of times."""
    shown = []
    for name, times in (
        ("fast", "[[[1,13]],[[1,13]],[[1,13]],[[1,13]]]"),
        ("slow", "[[[600,13]],[[99,13]],[[5,13]],[]]"),
    ):
        contest(tmp_path / name, settings(deals=2), Here(pretend()))
        with closing(sqlite3.connect(tmp_path / name / "tournament.db")) as db, db:
            db.execute("UPDATE games SET times = ?", (times,))
        shown.append(call("standings", tmp_path / name).splitlines())
    rows = [[line[: line.rindex("│", 0, -1)] if line.startswith("│") else line for line in each[:9]] for each in shown]
    assert shown[0] != shown[1]
    assert rows[0] == rows[1]
    assert shown[0][9:] == shown[1][9:]


def test_games_that_are_not_read_to_their_end_may_be_let_go_in_any_thread(tmp_path):
    """Python collects what nobody holds in whatever thread it happens to be."""
    contest(tmp_path / "cup", settings(deals=1), Here(pretend()))
    with closing(Store(tmp_path / "cup", new=False)) as store, ThreadPoolExecutor() as threads:
        games = store.games()
        assert next(games)
        threads.submit(games.close).result()
