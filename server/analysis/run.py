"""Run: plays an analysis as a tournament of built-in players, with its rounds, its crew and its store."""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from collections import Counter, defaultdict
from contextlib import closing
from itertools import chain, groupby, zip_longest
from typing import TYPE_CHECKING

import msgspec

from croupier.server.analysis.tables import PLAYERS, AnalysisJob, AnalyzedGame, Table
from croupier.server.deals import Key
from croupier.server.entries import Entry
from croupier.server.processes.sandbox import SandboxSettings
from croupier.server.texts import open_file, read_text
from croupier.server.tournaments.config.settings import Bot, Settings
from croupier.server.tournaments.formats.schedule import Batch, Schedule
from croupier.server.tournaments.keeping.folder import RECORDS
from croupier.server.tournaments.keeping.progress import Advance, Events
from croupier.server.tournaments.keeping.spent import Spent
from croupier.server.tournaments.keeping.store import Store, StoreError
from croupier.server.tournaments.playing import rounds
from croupier.server.tournaments.playing.rounds import Rounds
from croupier.server.tournaments.playing.spending import Spending
from croupier.server.tournaments.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from croupier.server.analysis.subject import Subject
    from croupier.server.table.played_game import Names
    from croupier.server.tournaments.formats.schedule import Results
    from croupier.server.tournaments.playing.rounds import Crew

THINKING = {Table.THINKING, Table.ONE_THINKING}
TOGETHER = 25
"""Deals per batch at tables where nobody thinks."""
EARLIER = "analysis.db"
"""The database in which older versions kept an analysis."""
_UNREADABLE = (OSError, IndexError, ValueError, TypeError, msgspec.MsgspecError, sqlite3.Error)
_decode = msgspec.json.Decoder(AnalyzedGame).decode


class AnalysisFormat(Schedule):
    """The format of an analysis: fast tables one after another, then the slow ones alternately."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject

    def rounds(self, results: Results) -> Iterator[Iterable[Batch]]:
        """Yield one round of all batches."""
        tables = self.subject.tables()
        quick = [self._batches(table, TOGETHER) for table in tables if not table.thinks]
        slow = [self._batches(table, 1) for table in tables if table.thinks]
        turns = chain.from_iterable(zip_longest(*slow))
        yield chain(*quick, (batch for batch in turns if batch is not None))

    def _batches(self, table: Table, size: int) -> Iterator[Batch]:
        seatings = table.seatings(self.subject.setting.seats)
        deals = range(1, self.subject.tables()[table] + 1)
        for start in range(0, len(deals), size):
            some = deals[start : start + size]
            yield Batch(0, seatings[0], some, (seatings,) * len(some), (tuple(range(len(some))),) * len(seatings))


class AnalysisLineup(rounds.Lineup):
    """The players of an analysis, all built in."""

    def __init__(self, subject: Subject) -> None:
        self.setting = setting = subject.setting
        bots = tuple(Bot(name=name, builtin=name) for name in PLAYERS)
        settings = Settings(game=setting.game, bots=bots, options=setting.options)
        entries = {name: Entry(name, (), builtin=name) for name in PLAYERS}
        key = Key.from_seed(setting.seed)
        super().__init__(
            settings, subject.rules, SandboxSettings(), key, None, {}, entries, AnalysisFormat(subject), manifest=""
        )

    def job(self, pairing: Names, games: tuple[tuple[Names, int], ...], sha256: Mapping[str, str]) -> AnalysisJob:
        """Return these games as a job for a worker."""
        return AnalysisJob(**vars(super().job(pairing, games, sha256)), setting=self.setting)


class AnalysisRun:
    """Plays the missing games of an analysis in its folder, for at most ``seconds``.

    ``tell`` is called with the number of games so far, ``completed``, and of all games, ``total``.
    """

    def __init__(
        self,
        subject: Subject,
        folder: Path,
        seconds: float = float("inf"),
        tell: Callable[..., object] = lambda **how: None,
    ) -> None:
        self.subject = subject
        self.folder = folder
        self.tell = tell
        self.until = time.monotonic() + seconds
        self.lineup = AnalysisLineup(subject)
        self.progress = Advance(planned=self.lineup.schedule.planned_games())
        self.out_of_time = False

    def play(self, workers: int | None = None, crew: Crew | None = None) -> dict[Table, list[AnalyzedGame]]:
        """Play until all games are there or the time is up; return the games of each table."""
        if (earlier := self.folder.parent / EARLIER).exists():
            return self._without_gaps(self._read_earlier(earlier))
        with closing(self._open()) as store, store.lock():
            self._bind(store)
            seats = self.subject.setting.seats
            for table, number in self.subject.tables().items():
                self.progress.games += len(store.games_on(table.seatings(seats)[0], range(1, number + 1)))
            self._play(store, crew or Workers(workers))
            self.out_of_time = self.progress.games < (self.progress.planned or 0)
            return self._without_gaps(self._games(store))

    def _open(self) -> Store:
        try:
            return Store(self.folder)
        except OSError as problem:
            raise StoreError(f"{self.folder}: {problem.strerror}; name a folder that can be written to") from None

    def _bind(self, store: Store) -> None:
        """Store what is played, or raise StoreError if the folder contains other games."""
        if store.fact("settings") is not None:
            raise StoreError(f"{self.folder} holds a tournament; name another folder")
        if (held := store.fact("analysis")) is None:
            store.write_fact(
                "analysis", json.dumps(self.subject.setting._asdict())
            )  # text, because a file's name may not be UTF-8
        else:
            self._require_same(held)

    def _require_same(self, held: str) -> None:
        try:
            known = dict(json.loads(held))
        except (ValueError, TypeError, RecursionError):
            known = {}
        setting = self.subject.setting._asdict()
        differs = {name: value for name, value in setting.items() if known.get(name) != value}
        if said := ", ".join(f"{name} {known.get(name)}, not {value}" for name, value in differs.items()):
            raise StoreError(f"{self.folder} holds games played otherwise ({said}); name another folder")

    def _play(self, store: Store, crew: Crew) -> None:
        def drop_late() -> None:
            if self._is_late():
                crew.drop()

        def note() -> None:
            self.tell(completed=self.progress.games, total=self.progress.planned)
            drop_late()

        playing = Rounds(
            self.lineup,
            crew,
            store,
            Events(self.folder),
            self.progress,
            Spending(Spent(0.0, {}), None),
            {},
            tell=note,
            say=lambda lines: None,
            stopped=self._is_late,
        )
        timer = threading.Timer(min(self.until - time.monotonic(), threading.TIMEOUT_MAX), drop_late)
        timer.start()
        try:
            playing.play()
        except BaseException:
            crew.drop()
            raise
        finally:
            timer.cancel()
            crew.close()

    def _is_late(self) -> bool:
        """Return whether the time is up. The first batch is always played."""
        return self.progress.games > 0 and time.monotonic() >= self.until

    def _games(self, store: Store) -> defaultdict[Table, list[AnalyzedGame]]:
        """Return all games in the store."""
        found = defaultdict[Table, list[AnalyzedGame]](list)
        for file, stored in groupby([*store.games()], key=lambda stored: stored.file):
            try:
                lines = read_text(self.folder / RECORDS / file).splitlines()
                for each in stored:
                    found[Table.of(each.game.pairing)].append(_decode(lines[each.place]))
            except _UNREADABLE as problem:
                raise StoreError(f"{self.folder / RECORDS / file} cannot be read: {problem}") from None
        return found

    def _read_earlier(self, path: Path) -> defaultdict[Table, list[AnalyzedGame]]:
        """Return the games in a database of an older version."""
        found, side = defaultdict[Table, list[AnalyzedGame]](list), (self.subject.side,)
        try:
            open_file(path).close()  # SQLite would wait for the other end of a pipe
            with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as db:
                for (setting,) in db.execute("SELECT setting FROM settings WHERE side = ?", side):
                    self._require_same(setting)
                for table, game in db.execute("SELECT seated, game FROM games WHERE side = ?", side):
                    found[Table(table)].append(_decode(game))
        except _UNREADABLE as problem:
            raise StoreError(f"{path} cannot be read: {problem}; name another folder") from None
        if not found[Table.RANDOM]:
            raise StoreError(f"{path} holds no games of this; name another folder")
        return found

    def _without_gaps(self, found: defaultdict[Table, list[AnalyzedGame]]) -> dict[Table, list[AnalyzedGame]]:
        """Return the games of each table up to its first missing deal; the two thinking tables end at the same deal."""
        seats = self.subject.setting.seats
        reached = {
            table: _last_before_gap(found[table], len(table.seatings(seats)), deals)
            for table, deals in self.subject.tables().items()
        }
        both = min((reached[table] for table in THINKING & reached.keys()), default=0)
        return {table: _first(found[table], both if table in THINKING else last) for table, last in reached.items()}


def _last_before_gap(games: Iterable[AnalyzedGame], seatings: int, deals: int) -> int:
    """Return the last deal before the first one that is incomplete."""
    played = Counter(game.deal for game in games)
    return next((deal for deal in range(deals) if played[deal + 1] < seatings), deals)


def _first(games: Iterable[AnalyzedGame], last: int) -> list[AnalyzedGame]:
    """Return the games up to a deal, sorted."""
    return sorted((game for game in games if game.deal <= last), key=lambda game: (game.deal, game.place))
