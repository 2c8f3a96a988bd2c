"""Run: plays the games of an analysis on all cores, keeps them as they come, and goes on where it was stopped."""

from __future__ import annotations

import time
from collections import deque
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from contextlib import closing
from itertools import chain, zip_longest
from typing import TYPE_CHECKING, NamedTuple, Protocol

from croupier.server.analysis.tables import Job, Played, Setting, Table, fingerprint
from croupier.server.thinking import SENSIBLE
from croupier.server.tournaments.keeping.store import StoreError
from croupier.server.tournaments.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from croupier.protocol.sexp import Atom
    from croupier.server.analysis.store import Store
    from croupier.server.games.game import Game

WORLDS = 10
"""In which each option is tried, as in the published measures."""
PLAYOUTS = 100
"""Of a searching player, a decision."""
FEWEST, AFFORDED = 2, 500_000
"""Worlds there are at least; plays that the imagined games of one may take in all, or there are fewer of them."""
TRIED = 5
"""Random games that show how long a game is."""
TOGETHER = 25
"""Deals without thinking that are played at a time."""
THINKING = {Table.THINKING, Table.ONE_THINKING}
TRIES = 30
"""Jobs that may be lost with the workers that died over them: all in flight are lost together."""


def _never() -> bool:
    """Go on."""
    return False


class Sizes(NamedTuple):
    """On how many deals a game is played: without thinking, with thinking, and by the searching player."""

    deals: int
    thinking: int
    searching: int


class Subject(NamedTuple):
    """A game to be analyzed."""

    side: str
    setting: Setting
    sizes: Sizes
    sensible: bool

    def tables(self) -> dict[Table, int]:
        """Return the tables at which it is played, and on how many deals."""
        deals, thinking, searching = self.sizes
        known = deals if self.sensible else 0
        numbers = (deals, known, known, thinking, thinking, searching)
        return {table: number for table, number in zip(Table, numbers, strict=True) if number}

    def games(self, table: Table, deals: int) -> int:
        """Return how many games so many deals are."""
        return deals * (self.setting.seats if table.alone else 1)


class Endless(Exception):
    """A game of which no random play comes to an end; the message says why."""


class Thought(NamedTuple):
    """How much is thought, where that was said."""

    worlds: int | None = None
    playouts: int | None = None
    ms: int | None = None


def subject(
    side: str, game: str, rules: type[Game], options: dict[str, Atom], seats: int, seed: str, sizes: Sizes, how: Thought
) -> Subject:
    """Return how a game is analyzed: with as much thinking as can be afforded, unless told."""
    tried = Setting(game, fingerprint(rules), options, seats, seed, 1, 1, how.ms)
    samples = Job(tried, Table.RANDOM, tuple(range(1, TRIED + 1))).play(_never)
    if all(each.void for each in samples):
        raise Endless(f"no random game of {game} comes to an end: {samples[0].void}")
    settled = tried._replace(
        worlds=how.worlds or max(FEWEST, min(WORLDS, _affordable(samples, lambda game: sum(game.options)))),
        playouts=how.playouts
        or max(WORLDS, min(PLAYOUTS, _affordable(samples, lambda game: len(game.options) / seats))),
    )
    return Subject(side, settled, sizes, rules.NAME in SENSIBLE)


def _affordable(samples: Sequence[Played], imagined: Callable[[Played], float]) -> int:
    """Return how often the games that a player imagines, half as long as a whole one, may be played out."""
    plays = sum(imagined(each) * len(each.options) / 2 for each in samples) / len(samples)
    return int(AFFORDED / max(plays, 1))


class Crew(Protocol):
    """Who plays the jobs."""

    number: int

    def submit(self, job: Job) -> Future[list[Played]]:
        """Begin a job."""
        ...

    def drop(self) -> None:
        """End the jobs in flight."""
        ...

    def close(self) -> None:
        """Be done."""
        ...


class Alone:
    """A crew of this process alone: a job is done when it is handed out."""

    number = 1

    def submit(self, job: Job) -> Future[list[Played]]:
        """Do a job."""
        done: Future[list[Played]] = Future()
        try:
            done.set_result(job.play(_never))
        except Exception as problem:  # noqa: BLE001  whoever waits for the future is told
            done.set_exception(problem)
        return done

    def drop(self) -> None:
        """Leave nothing in flight."""

    def close(self) -> None:
        """Have nothing to close."""


class Run:
    """Plays what is missing, table by table; thinking tables of all subjects take turns.

    ``tell`` hears of the games that are there and of how many there are to be; ``seconds`` is how long it may go on.
    """

    def __init__(self, store: Store, subjects: Sequence[Subject], seconds: float | None = None) -> None:
        self.store = store
        self.subjects = subjects
        self.seconds = seconds
        self.out_of_time = False
        self._lost = 0
        self.tell: Callable[[int, int, str], None] = lambda done, planned, table: None
        self.planned = sum(each.games(*entry) for each in subjects for entry in each.tables().items())
        for each in subjects:
            store.begin(each.side, each.setting)

    def play(self, workers: int | None = None, crew: Crew | None = None) -> None:
        """Play until all is there or time is up: in this process alone, or in worker processes."""
        missing = deque(self._missing())
        gone = sum(each.games(job.table, len(job.deals)) for each, job in missing)
        self.done = self.planned - gone
        self.tell(self.done, self.planned, "")
        if missing:
            with closing(crew or (Alone() if workers == 1 else Workers(workers))) as hired:
                self._play(hired, missing)

    def _play(self, crew: Crew, missing: deque[tuple[Subject, Job]]) -> None:
        until = None if self.seconds is None else time.monotonic() + self.seconds
        flying: dict[Future[list[Played]], tuple[Subject, Job]] = {}
        try:
            while flying or missing:
                while missing and len(flying) < 2 * crew.number:
                    subject, job = missing.popleft()
                    flying[crew.submit(job)] = (subject, job)
                left = None if until is None else max(0.0, until - time.monotonic())
                done, _ = wait(flying, timeout=left, return_when=FIRST_COMPLETED)
                for future in [each for each in flying if each in done]:
                    item = flying.pop(future)
                    if not self._kept(*item, future):
                        missing.appendleft(item)
                if left == 0 and (flying or missing):
                    self.out_of_time = True
                    crew.drop()
                    return
        except BaseException:
            crew.drop()
            raise

    def _kept(self, subject: Subject, job: Job, future: Future[list[Played]]) -> bool:
        """Keep what came of a job; False if its worker has died, and it is to be played again."""
        try:
            games = future.result()
        except BrokenExecutor:
            self._lost += 1
            if self._lost > TRIES:
                raise StoreError("worker processes die again and again; too little memory?") from None
            return False
        self.store.keep(subject.side, job.table, games)
        self.done += len(games)
        self.tell(self.done, self.planned, job.table.value)
        return True

    def _missing(self) -> Iterator[tuple[Subject, Job]]:
        """Yield what is still to be played, tables that take their time last and in turns."""
        quick = [self._jobs(each, table) for each in self.subjects for table in each.tables() if not table.thinks]
        slow = [self._jobs(each, table) for each in self.subjects for table in each.tables() if table.thinks]
        yield from chain.from_iterable(quick)
        yield from (item for turn in zip_longest(*slow) for item in turn if item is not None)

    def _jobs(self, subject: Subject, table: Table) -> Iterable[tuple[Subject, Job]]:
        there = self.store.deals(subject.side, table)
        wanted = [deal for deal in range(1, subject.tables()[table] + 1) if deal not in there]
        size = 1 if table.thinks else TOGETHER
        for first in range(0, len(wanted), size):
            yield subject, Job(subject.setting, table, tuple(wanted[first : first + size]))

    def games(self, subject: Subject) -> dict[Table, list[Played]]:
        """Return what was played of a subject, at each table up to its first gap; the two that think up to the same."""
        reached = {
            table: _reached(self.store.deals(subject.side, table), number) for table, number in subject.tables().items()
        }
        for table in THINKING & reached.keys():
            reached[table] = min(reached[other] for other in THINKING)
        return {table: self.store.games(subject.side, table, last) for table, last in reached.items()}


def _reached(deals: set[int], most: int) -> int:
    """Return up to which deal there is no gap."""
    return next((deal for deal in range(most) if deal + 1 not in deals), most)
