"""Earlier: the games of an analysis that a croupier kept in one file, before an analysis was a tournament."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from croupier.server.analysis.tables import AnalyzedGame, Table
from croupier.server.tournaments.keeping.store import StoreError

if TYPE_CHECKING:
    from pathlib import Path

DATABASE = "analysis.db"


class Earlier(NamedTuple):
    """How a game was analyzed, as JSON, and what was played of it."""

    setting: str
    games: defaultdict[Table, list[AnalyzedGame]]


def read_earlier(folder: Path, side: str) -> Earlier | None:
    """Return what such a file holds of one side; None where there is none. Raise StoreError if it cannot be read."""
    path = folder / DATABASE
    if not path.exists():
        return None
    games = defaultdict[Table, list[AnalyzedGame]](list)
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as db:
            found = db.execute("SELECT setting FROM settings WHERE side = ?", (side,)).fetchone()
            for table, game in db.execute("SELECT seated, game FROM games WHERE side = ?", (side,)):
                games[Table(table)].append(msgspec.json.decode(game, type=AnalyzedGame))
    except (sqlite3.Error, msgspec.MsgspecError, ValueError, TypeError) as problem:
        raise StoreError(f"{path} cannot be read: {problem}; name another folder") from None
    if found is None or not games[Table.RANDOM]:
        raise StoreError(f"{path} was begun by an earlier croupier, and holds no games of this; name another folder")
    return Earlier(found[0], games)
