"""Run: an analysis is played as a tournament of built-in players, as rounds that a crew plays and a store keeps."""

from __future__ import annotations

import gzip
import json
import threading
import time
import zlib
from collections import Counter, defaultdict
from contextlib import closing
from itertools import chain, groupby, zip_longest
from typing import TYPE_CHECKING

import msgspec

from croupier.server.analysis.earlier import read_earlier
from croupier.server.analysis.tables import PLAYERS, AnalysisJob, AnalyzedGame, Table
from croupier.server.deals import Key
from croupier.server.entries import Entry
from croupier.server.processes.sandbox import SandboxSettings
from croupier.server.tournaments.config.settings import Bot, Settings
from croupier.server.tournaments.formats.schedule import Batch, Schedule
from croupier.server.tournaments.keeping.folder import RECORDS
from croupier.server.tournaments.keeping.progress import Advance, Events
from croupier.server.tournaments.keeping.store import Store, StoreError
from croupier.server.tournaments.playing import rounds
from croupier.server.tournaments.playing.rounds import Rounds
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
"""Deals without thinking that are played at a time."""
_UNREADABLE = (OSError, EOFError, zlib.error, IndexError, msgspec.MsgspecError)


class AnalysisFormat(Schedule):
    """The format of an analysis: table by table, those that take their time last and in turns."""

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
    """Who plays in an analysis: built-in players, each called by the word by which it is seated."""

    def __init__(self, subject: Subject) -> None:
        self.setting = setting = subject.setting
        bots = tuple(Bot(name=name, builtin=name) for name in PLAYERS)
        settings = Settings(game=setting.game, bots=bots, options=setting.options)
        entries = {name: Entry(name, (), builtin=name) for name in PLAYERS}
        key = Key.from_seed(setting.seed)
        super().__init__(
            settings, subject.rules, SandboxSettings(), key, None, {}, entries, AnalysisFormat(subject), manifest=""
        )

    def job(
        self, pairing: Names, games: tuple[tuple[Names, int], ...], absent: Mapping[str, str], sha256: Mapping[str, str]
    ) -> AnalysisJob:
        """Return what a worker needs to know to play these games."""
        return AnalysisJob(**vars(super().job(pairing, games, absent, sha256)), setting=self.setting)


class AnalysisRun:
    """Plays what is missing of an analysis in its folder, for so many seconds.

    ``tell`` hears how many games are there, ``completed``, and how many there are to be, ``total``.
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
        """Play until all is there or time is up; return the games of each table."""
        if earlier := read_earlier(self.folder.parent, self.subject.side):
            self._require_same(earlier.setting)
            return self._without_gaps(earlier.games)
        with closing(self._open()) as store, store.locked():
            self._bind(store)
            seats = self.subject.setting.seats
            for table, number in self.subject.tables().items():
                self.progress.games += len(store.known(table.seatings(seats)[0], range(1, number + 1)))
            self._play(store, crew or Workers(workers))
            self.out_of_time = self.progress.games < (self.progress.planned or 0)
            return self._without_gaps(self._games(store))

    def _open(self) -> Store:
        try:
            return Store(self.folder)
        except OSError as problem:
            raise StoreError(f"{self.folder}: {problem.strerror}; name a folder that can be written to") from None

    def _bind(self, store: Store) -> None:
        """Write down what is played, or raise StoreError if the folder holds other games."""
        if store.fact("settings") is not None:
            raise StoreError(f"{self.folder} holds a tournament; name another folder")
        if (held := store.fact("analysis")) is None:
            store.state("analysis", json.dumps(self.subject.setting._asdict()))  # text: a file's name may be no UTF-8
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

        events, say = Events(self.folder), lambda lines: None
        playing = Rounds(self.lineup, crew, store, events, self.progress, {}, tell=note, say=say, stopped=self._is_late)
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
        """Return whether no more is played; something is in any case."""
        return self.progress.games > 0 and time.monotonic() >= self.until

    def _games(self, store: Store) -> defaultdict[Table, list[AnalyzedGame]]:
        """Return all that has been kept."""
        found = defaultdict[Table, list[AnalyzedGame]](list)
        for file, stored in groupby(store.games(), key=lambda stored: stored.file):
            try:
                lines = gzip.decompress((self.folder / RECORDS / file).read_bytes()).splitlines()
                for each in stored:
                    played = msgspec.json.decode(lines[each.place], type=AnalyzedGame)
                    found[Table.of(each.game.pairing)].append(played)
            except _UNREADABLE as problem:
                raise StoreError(f"{self.folder / RECORDS / file} cannot be read: {problem}") from None
        return found

    def _without_gaps(self, found: defaultdict[Table, list[AnalyzedGame]]) -> dict[Table, list[AnalyzedGame]]:
        """Return what was played at each table up to its first gap; at the two that think up to the same."""
        seats = self.subject.setting.seats
        reached = {
            table: _reached(found[table], len(table.seatings(seats)), deals)
            for table, deals in self.subject.tables().items()
        }
        both = min((reached[table] for table in THINKING & reached.keys()), default=0)
        return {table: _first(found[table], both if table in THINKING else last) for table, last in reached.items()}


def _reached(games: Iterable[AnalyzedGame], seatings: int, deals: int) -> int:
    """Return up to which deal there is no gap."""
    played = Counter(game.deal for game in games)
    return next((deal for deal in range(deals) if played[deal + 1] < seatings), deals)


def _first(games: Iterable[AnalyzedGame], last: int) -> list[AnalyzedGame]:
    """Return the games up to a deal, in their order, whenever they were played."""
    return sorted((game for game in games if game.deal <= last), key=lambda game: (game.deal, game.place))
