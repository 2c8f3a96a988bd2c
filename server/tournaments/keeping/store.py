"""Store: one SQLite file per tournament, one transaction per batch, and the batches' compressed records beside it."""

from __future__ import annotations

import fcntl
import functools
import hashlib
import sqlite3
from collections import Counter, deque
from contextlib import ExitStack, closing, contextmanager
from itertools import accumulate, groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

import msgspec
import numpy as np

from croupier.server.games import BadOption
from croupier.server.names import good_name
from croupier.server.table.faults import Kind
from croupier.server.tournaments.keeping import rows, stderr_and_notes
from croupier.server.tournaments.keeping.chain import BadEvent, ChainState, Link, Played, read, written
from croupier.server.tournaments.keeping.folder import DATABASE, RECORDS, mark_reports, strange, write_durably
from croupier.server.tournaments.keeping.spent import Spent
from croupier.server.tournaments.statistics.columns import Columns

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from croupier.server.table.played_game import Names, PlayedGame
    from croupier.server.tournaments.keeping.chain import Event
    from croupier.server.tournaments.keeping.packed_games import PackedGames
    from croupier.server.tournaments.statistics.columns import Lists

_SCHEMA = """
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS versions (
    name TEXT PRIMARY KEY, entry TEXT NOT NULL, number INTEGER NOT NULL, sha256 TEXT NOT NULL,
    joined INTEGER NOT NULL, retired INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE IF NOT EXISTS batches (
    number INTEGER PRIMARY KEY, file TEXT NOT NULL UNIQUE, sha256 TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS games (
    pairing TEXT NOT NULL, deal INTEGER NOT NULL, seating TEXT NOT NULL, batch INTEGER NOT NULL REFERENCES batches,
    place INTEGER NOT NULL, scores TEXT NOT NULL, ranks TEXT NOT NULL, faults TEXT NOT NULL, assisted TEXT NOT NULL,
    whys TEXT NOT NULL, times TEXT NOT NULL, outcome TEXT NOT NULL, decisions INTEGER NOT NULL, seconds REAL NOT NULL,
    PRIMARY KEY (pairing, deal, seating)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS chain (number INTEGER PRIMARY KEY, link TEXT NOT NULL UNIQUE, text TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS burnt (name TEXT PRIMARY KEY, seconds REAL NOT NULL) STRICT;
"""
_GAMES = (
    "SELECT pairing, deal, seating, scores, ranks, faults, assisted, whys, times, outcome, decisions, seconds, file,"
    " place FROM games JOIN batches ON games.batch = batches.number "
)
_LISTED = (
    "SELECT CAST(pairing AS BLOB), deal, CAST(seating AS BLOB), CAST(scores AS BLOB), CAST(ranks AS BLOB),"
    " CAST(faults AS BLOB), CAST(assisted AS BLOB), CAST(whys AS BLOB), CAST(times AS BLOB), CAST(outcome AS BLOB),"
    " batch, place FROM games WHERE scores != '[]'"
)
_SOME = 5_000  # games that are read at once, with their texts in memory together
_IN_ORDER = " ORDER BY batch, place"
_TABLES = "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name"
_SHA256 = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
_FACTS: dict[str, Any] = {
    "settings": dict[str, Any],
    "analysis": str,
    "run": dict[str, Any],
    "commitment": _SHA256,
    "program": Annotated[str, msgspec.Meta(pattern="^[^/]+[.]gdl$")],
    "revealed": _SHA256,
    "finished": bool,
    "roster": list[tuple[str, Annotated[int, msgspec.Meta(ge=0, le=1_000_000)], bool]],
    "built": list[list[str]],
    "levels": list[Literal["none", "limits", "bwrap"]],
    "spent": Spent,
}
"""The types of facts that come from a stranger's database and matter to a reader."""
_NO_FAULT = {"", Kind.WITHDRAWN.value}
_UNREADABLE = (ValueError, RecursionError, TypeError, OverflowError, msgspec.MsgspecError)
"""The exceptions raised for a value that only a stranger can have written."""


class StoreError(Exception):
    """A folder of games cannot be used now; the message says why and what to do."""


class RunFailed(StoreError):
    """Something failed although the call was right: the disk, a worker, a build, the rules."""


@contextmanager
def sqlite_errors(path: Path) -> Iterator[None]:
    """Raise StoreError for SQLite's errors about a database, RunFailed if the disk is at fault."""
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError) as problem:  # the latter when it quotes a damaged name
        of_disk = (getattr(problem, "sqlite_errorcode", 0) & 0xFF) in {sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL}
        kind = RunFailed if of_disk else StoreError
        raise kind(f"{path}: {problem}; what was kept before is safe") from None


class _Database(sqlite3.Connection):
    """A connection that reports where an error occurred, such as on a full disk."""

    def __init__(self, path: Path, **how: Any) -> None:
        # A cursor of `each` that is not read to its end is closed by whatever thread happens to collect it.
        super().__init__(path, check_same_thread=False, **how)
        self.path = path

    def execute(self, *what: Any) -> sqlite3.Cursor:
        """Execute a statement."""
        with sqlite_errors(self.path):
            return super().execute(*what)

    def executemany(self, *what: Any) -> sqlite3.Cursor:
        """Execute a statement for each of several values."""
        with sqlite_errors(self.path):
            return super().executemany(*what)

    def executescript(self, *what: Any) -> sqlite3.Cursor:
        """Execute several statements."""
        with sqlite_errors(self.path):
            return super().executescript(*what)

    def rows(self, *what: Any) -> list[Any]:
        """Return all rows that a statement finds."""
        with sqlite_errors(self.path):
            return super().execute(*what).fetchall()

    def each(self, *what: Any) -> Iterator[Any]:
        """Yield the rows that a statement finds, one by one."""
        with sqlite_errors(self.path):
            yield from super().execute(*what)


class Version(NamedTuple):
    """An entry's program at the time it played: ``bot``, then ``bot-v2`` once its files have changed."""

    name: str
    entry: str
    number: int
    sha256: str
    joined: int
    retired: bool


class Stored(NamedTuple):
    """A game in the store, and the place of its record."""

    game: PlayedGame
    file: str
    place: int


class Store:
    """The games of a tournament's folder; without ``new`` nothing in it is ever written."""

    def __init__(self, folder: Path, *, new: bool = True) -> None:
        self.folder = folder
        self._path = folder / DATABASE
        self._wal = folder / f"{DATABASE}-wal"
        self._new = new
        self._state: ChainState | None = None
        self._idle = False
        """Whether it could be opened without locks, because nobody was writing then."""
        if not new and not self._path.exists():
            lacking = f"no {DATABASE} in it" if folder.is_dir() else "no such folder"
            raise StoreError(f"{folder} is no tournament's folder: there is {lacking}")
        if folder.exists() and (why := strange(folder)):
            raise StoreError(why)
        with ExitStack() as opened:
            self._db = opened.enter_context(closing(self._to_write() if new else self._to_read()))
            self._db.text_factory = lambda text: text.decode("utf-8", "replace")
            if new:
                self._db.execute("PRAGMA journal_mode = WAL")
                self._db.execute("PRAGMA synchronous = FULL")
                self._db.executescript(_SCHEMA)
            self.chained = self._has_chain()
            """Whether there is a chain; folders of older versions have none."""
            opened.pop_all()

    def _has_chain(self) -> bool:
        """Return whether the chain is among the tables; raise StoreError if they are not a tournament's."""
        found = self._db.rows(_TABLES)
        if not found:
            raise StoreError(
                f"{self._path} is empty: a run that goes on or was killed has its games in {self._wal.name} beside it;"
                " copy the whole folder"
            )
        if found not in (_tables(), [table for table in _tables() if table[1] != "chain"]):
            raise StoreError(f"{self._path} is no tournament: it has other tables than one that croupier wrote")
        return found == _tables()

    def _to_write(self) -> _Database:
        (self.folder / RECORDS).mkdir(mode=0o700, parents=True, exist_ok=True)
        self._path.touch(mode=0o600)  # it contains the seed
        return sqlite3.connect(self._path, isolation_level=None, timeout=30, factory=_Database)

    def _to_read(self) -> _Database:
        """Open the database with mode=ro, and with immutable=1 if no -wal file suggests a writer."""
        self._idle = not self._has_log()
        uri = self._path.absolute().as_uri() + ("?mode=ro&immutable=1" if self._idle else "?mode=ro")
        db = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=30, factory=_Database)
        db.path = self._path
        return db

    def _has_log(self) -> bool:
        """Return whether the -wal file has content; an empty one is left if somebody read while a run ended."""
        return self._wal.exists() and self._wal.stat().st_size > 0

    def close(self) -> None:
        """Close the file. What a run has written is then in the database itself, and no -wal file is needed."""
        with closing(self._db):
            if self._new:
                self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # closing alone does nothing while somebody reads

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Lock the folder for one run; raise StoreError if another run has it."""
        with (self.folder / "lock").open("a", encoding="ascii") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise StoreError(f"another run is at work in {self.folder}; let it finish, or stop it") from None
            yield

    def fact(self, name: str) -> Any:
        """Return a fact of the tournament, None if it is unknown."""
        found = self._db.rows("SELECT value FROM facts WHERE name = ?", (name,))
        with self._reading(f"what it says of its {name}"):
            return msgspec.json.decode(found[0][0], type=_FACTS.get(name, Any)) if found else None

    def write_fact(self, name: str, value: object) -> None:
        """Store a fact."""
        self._db.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, written(value)))

    def append(self, document: Mapping[str, object]) -> str:
        """Append a document with the SHA-256 of the one before to the chain; return its own SHA-256."""
        link = Link.after(self.last_link(), document)
        self._db.execute("INSERT INTO chain (link, text) VALUES (?, ?)", link[:2])
        self._state = None
        mark_reports(self.folder)
        return link.sha256

    def last_link(self) -> str | None:
        """Return the SHA-256 that binds everything kept so far."""
        found = self._db.rows("SELECT link FROM chain ORDER BY number DESC LIMIT 1") if self.chained else []
        return str(found[0][0]) if found else None

    def chain(self) -> list[Link]:
        """List what was fixed, played and revealed, in order, each link bound to all before it."""
        if not self.chained:
            return []
        with self._reading("a link of the chain"):
            return [Link.read(*found) for found in self._db.rows("SELECT link, text FROM chain ORDER BY number")]

    def chain_state(self) -> ChainState:
        """Return the state after all links of the chain; raise StoreError if a manifest among them cannot be read."""
        if self._state is None:
            self._state = functools.reduce(ChainState.after, map(self._event, self.chain()), ChainState())
        return self._state

    def history(self) -> Iterator[tuple[ChainState, Link, Event | BadEvent]]:
        """Yield each link of the chain with its event and the state before it."""
        links = self.chain()
        events = [*map(self._event, links)]
        return zip(accumulate(events, ChainState.after, initial=ChainState()), links, events, strict=False)

    def _event(self, link: Link) -> Event | BadEvent:
        """Return a link's event; older versions bound only the games of a batch, so its deals are read from them."""
        event = read(link)
        if isinstance(event, BadEvent) and "manifest" in link.document:
            raise StoreError(f"a manifest of {self.folder} cannot be read: {rows.printable(event.why)}")
        if isinstance(event, Played) and event.deals is None:
            return msgspec.structs.replace(event, deals=self._dealt.get(event.batch))
        return event

    def sha256(self) -> dict[str, str]:
        """Return the hashes of each version's files when it was entered."""
        return {version.name: version.sha256 for version in self.versions()}

    def versions(self) -> list[Version]:
        """List the programs that have been entered, in the order they came."""
        wanted = "SELECT name, entry, number, sha256, joined, retired FROM versions ORDER BY joined, rowid"
        found = self._db.rows(wanted)
        with self._reading("an entry"):
            return [
                Version._make((rows.name(name), rows.name(entry), *known, bool(retired)))
                for name, entry, *known, retired in found
            ]

    def enter(self, version: Version) -> None:
        """Store a program."""
        self._db.execute("INSERT INTO versions VALUES (?, ?, ?, ?, ?, ?)", (*version[:5], int(version.retired)))

    def retire(self, name: str, *, back: bool = False) -> None:
        """Mark a program as one that no longer counts, or that counts again."""
        self._db.execute("UPDATE versions SET retired = ? WHERE name = ?", (int(not back), name))

    def games_on(self, pairing: Names, deals: range) -> dict[tuple[Names, int], tuple[int, ...]]:
        """Return the games of a pairing on these deals that have been played, each with the seats that faulted."""
        found = self._db.rows(
            "SELECT seating, deal, faults FROM games WHERE pairing = ? AND deal BETWEEN ? AND ? ORDER BY deal, seating",
            (" ".join(pairing), deals[0], deals[-1]),
        )
        with self._reading("a game"):
            return {
                (tuple(seating.split()), deal): tuple(seat for seat, kind in enumerate(rows.kinds(faults)) if kind)
                for seating, deal, faults in found
            }

    def offenders(self) -> list[tuple[Names, list[int], int]]:
        """List each seating with the seats that faulted, and in how many games."""
        found = self._db.rows("SELECT seating, faults, count(*) FROM games GROUP BY seating, faults")
        with self._reading("a game"):
            return [
                (tuple(seating.split()), [seat for seat, kind in enumerate(rows.kinds(faults)) if kind], games)
                for seating, faults, games in found
            ]

    def pairings(self, deal: int) -> list[Names]:
        """List who has sat together on a deal, in the order of play."""
        wanted = "SELECT pairing FROM games WHERE deal = ? GROUP BY pairing ORDER BY min(batch)"
        return [tuple(pairing.split()) for (pairing,) in self._db.execute(wanted, (deal,))]

    def sweep(self) -> None:
        """Remove what a killed run has left behind: files of batches that were never committed."""
        kept = {file for file, _ in self.batches()}
        for path in (self.folder / RECORDS).iterdir():
            if path.name not in kept and ".records.gz" in path.name:
                path.unlink()
        for path in stderr_and_notes.files(self.folder):
            if stderr_and_notes.batch_of(path) not in kept:
                path.unlink()

    def commit(self, games: PackedGames, how: Mapping[str, object], spent: Spent) -> str:
        """Keep a batch: its records first, then all its games in one transaction; return its link of the chain.

        The order matters: a run killed between the two leaves a file that `sweep` removes, never games without records.
        ``how`` gives ``sandbox`` and ``isolate`` as they were, and ``part_of``: the deals that the batch is part of.
        ``spent`` is the cost of the tournament up to now.
        """
        first, last = (each(game.deal for game in games) for each in (min, max))
        name = f"{first:06}-{rows.mark(games)}.records.gz"
        write_durably(self.folder / RECORDS / name, games.records)
        beside = stderr_and_notes.keep(self.folder, games, name.removesuffix(".records.gz"))
        burnt = rows.burnt(games)
        with self.transaction():
            ((number,),) = self._db.rows(
                "INSERT INTO batches (file, sha256) VALUES (?, ?) RETURNING number",
                (name, sha256 := hashlib.sha256(games.records).hexdigest()),
            )
            kept = rows.values(games, number)
            self._db.executemany("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", kept)
            self._db.executemany(
                "INSERT INTO burnt VALUES (?, ?) ON CONFLICT DO UPDATE SET seconds = seconds + excluded.seconds",
                list(burnt.items()),
            )
            self.write_fact("spent", spent)
            link = {"batch": name, "records": sha256, "played": len(kept), "games": rows.digest(kept)}
            return self.append(link | {"deals": [first, last], "burnt": burnt, "kept": beside, **how})

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit everything inside or nothing."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            self._state = None
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise

    def last_deal(self) -> int | None:
        """Return the highest deal that has been played."""
        found: int | None = self._db.rows("SELECT max(deal) FROM games")[0][0]
        return found

    def counting_of(self, pairing: Names, deals: range) -> list[PlayedGame]:
        """Return the games of a pairing on these deals, without void ones."""
        wanted = "WHERE pairing = ? AND deal BETWEEN ? AND ?"
        games = self.games(wanted, (" ".join(pairing), deals[0], deals[-1]))
        return [each.game for each in games if each.game.scores]

    def games(self, wanted: str = "", values: tuple[object, ...] = ()) -> Iterator[Stored]:
        """Yield every game, or those that match, in the order of the schedule as it was committed."""
        for found in self._db.each(_GAMES + wanted + _IN_ORDER, values):
            with self._reading(f"the game of deal {found[1]}, {found[2]}"):
                stored = Stored(rows.game(found), rows.batch(found[-2]), found[-1])
            yield stored
        self._require_quiet()

    def _require_quiet(self) -> None:
        if self._idle and self._has_log():
            raise StoreError(f"a run has begun in {self.folder} while this was read: read it again")

    def digests(self) -> Iterator[tuple[str, int, str]]:
        """Yield each batch's file with its number of games and the SHA-256 of all its rows."""
        found = self._db.each("SELECT * FROM games ORDER BY batch, place")
        files = dict(self._db.rows("SELECT number, file FROM batches"))
        for batch, each in groupby(found, key=itemgetter(3)):
            listed = list(each)
            yield files.get(batch, ""), len(listed), rows.digest(listed)

    def columns(self) -> Columns:
        """Return what the statistics use: every game that counts, between programs that are not retired."""
        self.batches()
        played: list[tuple[int, int]] = []
        with self._reading("a game"):
            try:
                found = Columns.join(self._lists(played))
            except _UNREADABLE:
                deque(self.games(), maxlen=0)  # one of them raises, with its place
                raise
        self._require_quiet()
        return found.take(np.lexsort(np.array(played, np.int64).reshape(-1, 2).T[::-1]))

    def _lists(self, played: list[tuple[int, int]]) -> Iterator[Lists]:
        """Yield the games that count in the order of the file, some at a time; add the time of each to ``played``."""
        retired = {version.name.encode() for version in self.versions() if version.retired}
        cursor = self._db.execute(_LISTED)
        with sqlite_errors(self._path):
            while found := cursor.fetchmany(_SOME):
                kept = [row for row in found if retired.isdisjoint(row[2].split())]
                if kept:
                    played += [row[-2:] for row in kept]
                    yield rows.lists([row[:-2] for row in kept])

    def voids(self) -> dict[str, int]:
        """Count the games that do not count, by reason, the most frequent first."""
        found = Counter(stored.game.void or "no reason is known" for stored in self.games("WHERE outcome = 'void' "))
        return dict(sorted(found.items(), key=lambda cause: (-cause[1], cause[0])))

    def batches(self) -> list[tuple[str, str]]:
        """List the files of records with the SHA-256 that each must have."""
        found = self._db.rows("SELECT file, sha256 FROM batches ORDER BY number")
        with self._reading("a batch"):
            return [(rows.batch(file), sha256) for file, sha256 in found]

    def deals(self) -> dict[str, tuple[int, int]]:
        """Return the first and the last deal of each batch, by its file."""
        wanted = "SELECT file, min(deal), max(deal) FROM games JOIN batches ON batch = number GROUP BY file"
        return {file: (first, last) for file, first, last in self._db.rows(wanted)}

    # on demand, and once: it reads the whole table, for links of older versions only
    _dealt = functools.cached_property(deals)

    def burnt(self) -> dict[str, float]:
        """Return which bots used much CPU time while others were on turn, and how many seconds."""
        burnt = "SELECT name, seconds FROM burnt ORDER BY name"
        return {name: seconds for name, seconds in self._db.rows(burnt) if good_name(name)}

    def counts(self) -> tuple[int, int]:
        """Return the number of games and of faults; a player withdrawn before a game has committed none in it."""
        total: int = self._db.rows("SELECT count(*) FROM games")[0][0]
        found = self._db.rows("SELECT faults FROM games WHERE faults != '[]'")
        with self._reading("a game"):
            return total, sum(kind not in _NO_FAULT for (faults,) in found for kind in rows.kinds(faults))

    def require_sound(self) -> None:
        """Raise StoreError if pages of the database are damaged, because then values may have the wrong types."""
        ((found,),) = self._db.rows("PRAGMA quick_check(1)")
        if found != "ok":
            raise StoreError(f"{self._path} is damaged: {rows.printable(' '.join(str(found).split()))}")

    @contextmanager
    def _reading(self, what: str) -> Iterator[None]:
        """Report values that cannot be read, because a stranger has written them."""
        try:
            yield
        except _UNREADABLE as problem:
            why = rows.printable(f"{what} cannot be read: {problem}")
            raise StoreError(f"{self.folder / DATABASE}: {why}") from None


@contextmanager
def open_for_reading(folder: Path) -> Iterator[Store]:
    """Open a folder, possibly a stranger's, for reading; raise StoreError for any effect of a damaged database."""
    with closing(Store(folder, new=False)) as store:
        try:
            yield store
        except BadOption as problem:
            raise StoreError(f"the settings in {folder} cannot be read: {problem}") from None
        except Exception:
            store.require_sound()
            raise


# cached because it creates a database to read the tables from
@functools.cache
def _tables() -> list[tuple[str, str, str]]:
    """Return the tables of a tournament, with the SQL that made them; views and triggers would be a stranger's."""
    with closing(sqlite3.connect(":memory:")) as empty:
        empty.executescript(_SCHEMA)
        return list(empty.execute(_TABLES))
