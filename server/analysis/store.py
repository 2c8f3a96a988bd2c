"""Store: the games of an analysis in one SQLite file, so that it can be stopped and continued."""

from __future__ import annotations

import fcntl
import json
import os
import sqlite3
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING, Any, TextIO

import msgspec

from croupier.server.analysis.tables import Played, Setting, Table
from croupier.server.tournaments.keeping.store import StoreError, told

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

DATABASE = "analysis.db"
_SCHEMA = """
CREATE TABLE IF NOT EXISTS settings (side TEXT PRIMARY KEY, setting TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS games (
    side TEXT NOT NULL, seated TEXT NOT NULL, deal INTEGER NOT NULL, place INTEGER NOT NULL, game TEXT NOT NULL,
    PRIMARY KEY (side, seated, deal, place)
) STRICT, WITHOUT ROWID;
"""
_TABLES = {"settings", "games"}


class Store:
    """The games of one analysis, or of the two that are held side by side; held by one run at a time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / DATABASE
        for path in (self.path, folder / "lock"):
            if os.path.lexists(path) and (path.is_symlink() or not path.is_file()):
                kind = "a link" if path.is_symlink() else "no ordinary file"
                raise StoreError(f"{path} is {kind}; an analysis keeps its games in files of its own")
        with ExitStack() as opened:
            self._lock = opened.enter_context(_lock_file(folder))
            try:
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise StoreError(f"another analysis is at work in {folder}; let it finish, or stop it") from None
            with told(self.path):
                self._db = opened.enter_context(closing(sqlite3.connect(self.path, isolation_level=None)))
                self._db.executescript(_SCHEMA)
                found = {name for (name,) in self._db.execute("SELECT name FROM sqlite_master WHERE sql IS NOT NULL")}
            if found != _TABLES:
                raise StoreError(f"{self.path} is no analysis: it has other tables than one that croupier wrote")
            self.close = opened.pop_all().close
            """Let the folder go."""

    def begin(self, side: str, setting: Setting) -> None:
        """Write down what is played, or raise StoreError if the folder holds games that were played otherwise."""
        wanted = setting._asdict()
        text = json.dumps(wanted)  # which can write a file's name that is no UTF-8
        with told(self.path):
            self._db.execute("INSERT OR IGNORE INTO settings VALUES (?, ?)", (side, text))
            (held,) = self._db.execute("SELECT setting FROM settings WHERE side = ?", (side,)).fetchone()
        if differs := _differing(json.loads(text), held):
            raise StoreError(f"{self.folder} holds games played otherwise ({differs}); name another folder")

    def keep(self, side: str, table: Table, games: Sequence[Played]) -> None:
        """Keep games, all of them or none."""
        rows = [(side, table, game.deal, game.place, msgspec.json.encode(game).decode()) for game in games]
        with told(self.path):
            self._db.execute("BEGIN")
            with self._db:  # which commits, or rolls back
                self._db.executemany("INSERT OR REPLACE INTO games VALUES (?, ?, ?, ?, ?)", rows)

    def deals(self, side: str, table: Table) -> set[int]:
        """Return the deals that were played at a table."""
        with told(self.path):
            found = self._db.execute("SELECT DISTINCT deal FROM games WHERE side = ? AND seated = ?", (side, table))
            return {deal for (deal,) in found}

    def games(self, side: str, table: Table, last: int) -> list[Played]:
        """Return the games of a table up to a deal, in their order, whenever they were played."""
        wanted = "SELECT game FROM games WHERE side = ? AND seated = ? AND deal <= ? ORDER BY deal, place"
        with told(self.path):
            found = self._db.execute(wanted, (side, table, last)).fetchall()
        return [self._decoded(text, Played) for (text,) in found]

    def _decoded(self, text: str, kind: Any) -> Any:
        try:
            return msgspec.json.decode(text, type=kind)
        except (msgspec.MsgspecError, RecursionError) as problem:
            raise StoreError(f"{self.path} cannot be read: {problem}") from None


def _lock_file(folder: Path) -> TextIO:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return (folder / "lock").open("a", encoding="ascii")
    except OSError as problem:
        raise StoreError(f"{folder}: {problem.strerror}; name a folder that can be written to") from None


def _differing(wanted: dict[str, Any], held: str) -> str:
    """Say in which settings two analyses differ, nothing if in none."""
    try:
        known = dict(json.loads(held))
    except (ValueError, TypeError, RecursionError):
        known = {}
    return ", ".join(
        f"{name} {known.get(name)}, not {value}" for name, value in wanted.items() if known.get(name) != value
    )
