"""Run: a tournament from where it stands to its end, or to where it is stopped."""

from __future__ import annotations

import json
import time
from collections import deque
from concurrent.futures import BrokenExecutor
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from croupier.server.faults import Policy
from croupier.server.referee import Terms
from croupier.server.tournaments import founding, stopping
from croupier.server.tournaments.batch import Job
from croupier.server.tournaments.enrolment import enrol
from croupier.server.tournaments.formats import schedule_for
from croupier.server.tournaments.rows import Played
from croupier.server.tournaments.store import Store, StoreError, tally
from croupier.server.tournaments.workers import Cluster, Workers, play

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from concurrent.futures import Future
    from pathlib import Path

    from croupier.server.games.game import Game
    from croupier.server.tournaments.batch import Game as Kept
    from croupier.server.tournaments.config import Settings
    from croupier.server.tournaments.schedule import Batch, Schedule

LEAST_GAMES = 10
"""Nobody is withdrawn before so many games."""
_AHEAD = 3
_TRIES = 3


class Waiting(NamedTuple):
    """A batch that is being played, in the order of the schedule, with what its job was told."""

    batch: Batch
    job: Job
    future: Future[list[Kept]]


@dataclass
class Progress:
    """How far a tournament is: what a progress bar shows."""

    games: int = 0
    planned: int | None = None
    faults: int = 0
    fresh: int = 0
    sums: dict[str, tuple[float, int]] = field(default_factory=dict)

    def note(self, game: Kept, *, low_wins: bool) -> None:
        """Count a game."""
        self.games += 1
        self.fresh += 1
        self.faults += sum(map(bool, game.row.faults))
        for name, score in game.row.entries(low_wins):
            total, number = self.sums.get(name, (0.0, 0))
            self.sums[name] = (total + score, number + 1)


class Run:
    """One run of a tournament in its folder.

    Results are committed in the order of the schedule, whatever order they come in: so what follows from them (a
    withdrawal, the end of the search) does not depend on timing.
    """

    def __init__(
        self,
        settings: Settings,
        kind: type[Game],
        folder: Path,
        *,
        drop_old: bool = False,
        tell: Callable[[Progress], None] = lambda progress: None,  # noqa: ARG005
    ) -> None:
        self.settings = settings
        self.kind = kind
        self.drop_old = drop_old
        self.tell = tell
        self.store = Store(folder)
        self.progress = Progress()
        self.stopped = self.sure = False
        self.workers: Workers | Cluster | None = None

    def play(self) -> bool:
        """Play what is missing; return whether the tournament is complete."""
        with self.store.locked():
            self._begin()
            self._say("started", entries=list(self.entries), planned=self.progress.planned)
            complete = self._play_rounds()
            if complete:
                founding.conclude(self.store, self.key)
            self._say("finished" if complete else "stopped", games=self.progress.games)
        return complete

    def stop(self) -> None:
        """Finish the games in flight and no others."""
        self.stopped = True
        if self.workers is not None:
            self.workers.stop()

    def _begin(self) -> None:
        """Bring what is asked for together with what lies in the folder."""
        the_format = founding.check_settings(self.store, self.settings, self.kind)
        self.key = founding.key(self.store, self.settings)
        founding.build(self.store, self.settings)
        names, self.entries = enrol(self.settings, self.store, drop_old=self.drop_old)
        bots = tuple(msgspec.structs.replace(bot, name=names[bot.name]) for bot in self.settings.bots)
        self.settings = msgspec.structs.replace(self.settings, bots=bots, format=the_format)
        self.store.state("run", msgspec.to_builtins(self.settings))
        self.store.state("finished", False)
        self.schedule = plan(self.store, self.settings, self.kind, self.key)
        total, self.played, self.faulted = self.store.counts()
        self.progress = Progress(games=total, planned=self.schedule.planned(), faults=sum(self.faulted.values()))

    def _play_rounds(self) -> bool:
        settings = self.settings
        cores = max(bot.cores for bot in settings.bots)
        pinned = settings.affinity == "auto"
        self.workers = (
            Cluster(settings.cluster) if settings.cluster else Workers(settings.workers, cores, pinned=pinned)
        )
        try:
            for batches in self.schedule.rounds(Results(self.store, self.schedule, low_wins=self.kind.LOW_WINS)):
                self._play_round(self.workers, batches)
                if self.stopped or self.sure:
                    break
        finally:
            self.workers.close()
        return not self.stopped

    def _play_round(self, workers: Workers | Cluster, batches: Iterable[Batch]) -> None:
        """Play a round's batches, some ahead of the one that is committed next."""
        waiting: deque[Waiting] = deque()
        rest = iter(batches)
        while not self.sure:
            while len(waiting) < _AHEAD * workers.number and not self.stopped and (batch := next(rest, None)):
                if job := self._job(batch):
                    waiting.append(Waiting(batch, job, workers.executor.submit(play, job)))
            if not waiting:
                return
            self._commit(workers, waiting)
            self.sure = self._is_sure()
        for item in waiting:
            item.future.cancel()

    def _job(self, batch: Batch) -> Job | None:
        """Return what is missing of a batch as a job, None if nothing is."""
        settings = self.settings
        if not (games := self.store.missing(batch.pairing, batch.games())):
            return None
        return Job(
            game=settings.game,
            options=self.kind.read_options(settings.options),
            pairing=batch.pairing,
            games=games,
            entries={name: self.entries[name] for name in batch.pairing},
            secret=self.key.secret,
            public=self.key.public,
            terms=Terms(
                settings.time / 1000,
                settings.bank / 1000 if settings.bank else None,
                None if settings.on_fault is None else Policy(settings.on_fault),
            ),
            start=settings.start / 1000,
            absent=self._absent(batch.pairing),
        )

    def _absent(self, names: Iterable[str]) -> dict[str, str]:
        """Say who of these is withdrawn by what is stored so far, and why."""
        absent = {}
        for name in dict.fromkeys(names):
            games, faulted = self.played.get(name, 0), self.faulted.get(name, 0)
            if games >= LEAST_GAMES and faulted > self.settings.max_fault_share * games:
                absent[name] = f"withdrawn: a fault in more than {self.settings.max_fault_share:.0%} of its games"
        return absent

    def _commit(self, workers: Workers | Cluster, waiting: deque[Waiting]) -> None:
        """Wait for the next batch of the schedule and keep it, unless it was played by one who is withdrawn by now."""
        item = waiting.popleft()
        try:
            kept = item.future.result()
        except BrokenExecutor:
            self._again(workers, [item, *waiting], waiting)
            return
        self._tries = 0
        if self._absent(item.batch.pairing) != item.job.absent and not self.stopped:
            job = replace(item.job, absent=self._absent(item.batch.pairing))
            waiting.appendleft(Waiting(item.batch, job, workers.executor.submit(play, job)))
            return
        self.store.commit(kept)
        for game in kept:
            tally(game.row.seating, game.row.faults, self.played, self.faulted)
            self.progress.note(game, low_wins=self.kind.LOW_WINS)
        self._say("batch", pairing=item.batch.pairing, deals=list(item.batch.deals), games=self.progress.games)
        self.tell(self.progress)

    _tries = 0

    def _again(self, workers: Workers | Cluster, lost: list[Waiting], waiting: deque[Waiting]) -> None:
        """Hand the lost batches out anew after a worker has died; nothing of them was kept."""
        self._tries += 1
        if self._tries > _TRIES:
            raise StoreError("worker processes die again and again; the system's log may say why (too little memory?)")
        self._say("worker died", batches=len(lost))
        workers.replace()
        waiting.clear()
        waiting.extend(item._replace(future=workers.executor.submit(play, item.job)) for item in lost)

    def _is_sure(self) -> bool:
        settings = self.settings
        if not settings.until_sure:
            return False
        return stopping.sure(stopping.decisions(self.store.rows(), self.kind, list(self.entries), settings.margin))

    def _say(self, event: str, **what: object) -> None:
        with (self.store.folder / "events.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps({"event": event, "at": round(time.time(), 3), **what}) + "\n")


def plan(store: Store, settings: Settings, kind: type[Game], key: Any) -> Schedule:
    """Return the schedule of a tournament as it stands, latecomers from the round in which they came."""
    late = {version.name: version.joined for version in store.versions() if version.joined}
    return schedule_for(settings, kind, key, late)


class Results:
    """What an adaptive schedule asks of the store: read when asked, so that nothing is held between rounds."""

    def __init__(self, store: Store, schedule: Schedule, *, low_wins: bool) -> None:
        self.store = store
        self.schedule = schedule
        self.low_wins = low_wins

    def scores(self, pairing: tuple[str, ...], deals: range) -> dict[str, float] | None:
        """Return each entry's mean score over these sets; None if one is missing."""
        rows = self.store.rows_of(pairing, deals)
        return Played(rows, len(self.schedule.table.seatings(pairing)), low_wins=self.low_wins).scores(pairing, deals)
