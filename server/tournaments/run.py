"""Run: a tournament from where it stands to its end, or to where it is stopped."""

from __future__ import annotations

import traceback
from collections import Counter, deque
from concurrent.futures import CancelledError
from dataclasses import replace
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from croupier.server.entries import BadEntry
from croupier.server.processes import kernel, sandbox
from croupier.server.processes.sandbox import House, Level
from croupier.server.table.referee import RefereeBug, Terms
from croupier.server.tournaments import founding
from croupier.server.tournaments.batch import Job
from croupier.server.tournaments.building import build
from croupier.server.tournaments.changes import Changes
from croupier.server.tournaments.ending import ending
from croupier.server.tournaments.enrolment import at_rest, enrol, entered, note_changes
from croupier.server.tournaments.fingerprint import ProgramChanged, blinding, unfollowed
from croupier.server.tournaments.folder import to_be_made, unless_refused, write_durably
from croupier.server.tournaments.hiring import hired, machines
from croupier.server.tournaments.manifest import Bond, bind, publish
from croupier.server.tournaments.progress import Advance, Events
from croupier.server.tournaments.results import StoredResults, plan
from croupier.server.tournaments.shadow import sources
from croupier.server.tournaments.store import RunFailed, Store, StoreError
from croupier.server.tournaments.withdrawals import Withdrawals
from croupier.server.tournaments.workers import seldom_collecting

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from concurrent.futures import Future
    from pathlib import Path

    from croupier.server.entries import Entry
    from croupier.server.games.game import Game
    from croupier.server.table.played import Names
    from croupier.server.tournaments.apart import Apart
    from croupier.server.tournaments.cluster.crew import Cluster
    from croupier.server.tournaments.config import Bot, Settings
    from croupier.server.tournaments.formats.schedule import Batch
    from croupier.server.tournaments.parcel import Parcel
    from croupier.server.tournaments.workers import Workers

    Crew = Apart | Workers | Cluster
    Known = dict[tuple[Names, int], tuple[int, ...]]

_AHEAD = 3
_TRIES = 3
MOST_CHANGES = 3
"""How often an entry may be changed during one run: one that writes to its own files would never come to an end."""


class Waiting(NamedTuple):
    """A batch in the order of the schedule: what is known of it already, and what is being played."""

    batch: Batch
    known: Known
    job: Job | None
    future: Future[Parcel] | None


class Run:
    """One run of a tournament in its folder.

    Results are committed in the order of the schedule, whatever order they come in: so what follows from them (a
    withdrawal, the end of the search) does not depend on timing.
    """

    def __init__(
        self,
        settings: Settings,
        rules: type[Game],
        folder: Path,
        *,
        drop_old: bool = False,
        tell: Callable[[Advance], None] = lambda progress: None,
        say: Callable[[Sequence[str]], None] = lambda lines: None,
        crew: Callable[[Settings, int], Crew] | None = None,
    ) -> None:
        self.asked = self.settings = settings
        house = House(settings.sandbox, settings.memory, settings.freeze, vault=folder.absolute())
        self.level = sandbox.chosen(house)
        self.house = replace(house, sandbox=self.level.value)  # a cluster's machines take this one too
        self.rules = rules
        self.drop_old = drop_old
        self.tell = tell
        self.say = say
        self.hire = crew or self._hired
        self.made = to_be_made(folder)
        self.store = Store(folder)
        self.events = Events(folder)
        self.progress = Advance()
        self.stopped = self.sure = False
        self.changed: set[str] = set()
        self.out: list[str] = []
        self.changes: Counter[str] = Counter()
        self.crew: Crew | None = None
        self.known_to: int | None = None
        """The last deal that was played before the key was revealed, where nobody has drawn another since."""
        self._tries = 0

    @seldom_collecting()
    def play(self) -> bool:
        """Play what is missing; return whether the tournament is complete."""
        kernel.set_undumpable()
        with self.store.locked():
            with unless_refused(self.store.folder, self.made):
                self._begin()
            bond = Bond.of(self.store).commitment
            self.events.say("started", entries=list(self.entries), planned=self.progress.planned, commitment=bond)
            self.tell(self.progress)
            complete = self._play_all()
            if complete:
                founding.conclude(self.store, self.key)
            self.events.say("finished" if complete else "stopped", games=self.progress.games)
        return complete

    def commit(self) -> str:
        """Draw the key, write the manifest and play nothing; return the tournament's commitment."""
        with self.store.locked():
            with unless_refused(self.store.folder, self.made):
                self._begin()
            return str(Bond.of(self.store).commitment)

    def stop(self) -> None:
        """Finish the games in flight and no others."""
        self.stopped = True
        if self.crew is not None:
            self.crew.stop()

    def _begin(self) -> None:
        """Bring what is asked for together with what lies in the folder."""
        the_format = founding.check_settings(self.store, self.asked, self.rules)
        self.asked = msgspec.structs.replace(self.asked, format=the_format)
        self.key = founding.key(self.store, self.asked)
        self.known_to = self.store.last_deal() if founding.is_known(self.store) else None
        build(self.store, self.asked, self.house)
        before = tuple(bot["name"] for bot in (self.store.fact("run") or {"bots": []})["bots"])
        known = {version.name for version in self.store.versions()}
        note_changes(self.store, self.asked)
        self.names, self.entries = enrol(self.asked, self.store, drop_old=self.drop_old)
        if self.level is not Level.NONE and (why := blinding(self.entries.values(), [self.store.folder])):
            raise StoreError(why)
        self.say(unfollowed(self.entries.values()))
        self.house = self.house.hiding(self.entries.values())
        self.store.sweep()
        total, faults = self.store.counts()
        self.progress = Advance(games=total, faults=faults)
        self._draw(before, known)

    def _draw(self, before: Names, known: Collection[str]) -> None:
        """Make the schedule for the versions that play now; say what has changed, and what that costs."""
        bots = tuple(msgspec.structs.replace(bot, name=self.names[bot.name]) for bot in self.asked.bots)
        self.settings = msgspec.structs.replace(self.asked, bots=bots)
        self.schedule = plan(self.store, self.settings, self.rules, self.key)
        with self.store.transaction():
            self.store.state("run", msgspec.to_builtins(self.settings))
            self.store.state("finished", False)
            self.manifest = bind(self.store, self.settings, self.rules, self.entries)
        publish(self.store)
        self.progress.planned = self.schedule.planned()
        gone = {version.name for version in self.store.versions()}.difference(self.names.values())
        if before and (gone or set(before) != set(self.names.values())):
            changes = Changes.between(before, known, self.names, self.store, self.schedule)
            self.say(changes.lines())
            self.progress.planned = None if changes.missing is None else self.progress.games + changes.missing

    def _play_all(self) -> bool:
        self.crew = self.hire(self.settings, self._warm())
        try:
            self._play_rounds(self.crew)
            while self.changed and not self.stopped and not self.sure:
                self._enter_again()
                self._play_rounds(self.crew)
        except BaseException:
            self.crew.drop()
            raise
        finally:
            self.crew.close()
        return not (self.stopped or self.changed or self.out)

    def _hired(self, settings: Settings, seats: int) -> Crew:
        if not settings.cluster:
            return hired(settings, seats)
        bots = self.entries, self._sha256()
        tell = self.say, self.events.say
        return machines(settings.cluster, self.key, self.rules, settings.game, self.house, bots, *tell)

    def _sha256(self) -> dict[str, str]:
        return {version.name: version.sha256 for version in self.store.versions()}

    def _warm(self) -> int:
        """Return how many bots a worker has alive: where a set is played at once, at as many tables as it has games."""
        table = self.schedule.table
        tables = table.games(tuple(map(str, range(table.seats)))) if self.asked.isolate == "strict" else 1
        return table.seats * tables

    def _play_rounds(self, crew: Crew) -> None:
        """Play what is missing, until an entry's files are changed."""
        self.withdrawals = Withdrawals(self.asked.max_fault_share)
        for seating, offenders, games in self.store.offenders():
            self.withdrawals.note(seating, offenders, games)
        self.ending = ending(self.rules, self.settings)
        adaptive, playing = self.schedule.adaptive, self.names
        results = StoredResults(self.store, self.schedule, playing, low_wins=self.rules.LOW_WINS)
        rounds = self.schedule.rounds(results)
        for batches in (map(results.seated, each) for each in rounds) if adaptive else [chain.from_iterable(rounds)]:
            self._play_batches(crew, batches)
            if self.stopped or self.sure or self.changed:
                break

    def _enter_again(self) -> None:
        """Let those whose files were changed play on as their next versions, in the places of the old."""
        before, known = tuple(self.names.values()), {version.name for version in self.store.versions()}
        for bot in self.asked.bots:
            if (old := self.names[bot.name]) in self.changed:
                self._change(bot, old)
        self.changed.clear()
        self._draw(before, known)
        self.tell(self.progress)

    def _change(self, bot: Bot, old: str) -> None:
        """Enter a bot whose files were changed, or let it play no more in this run if that cannot be."""
        del self.entries[old]
        self.changes[bot.name] += 1
        try:
            entry = self._next_version(bot)
        except (BadEntry, StoreError) as problem:
            self.out.append(old)
            self.events.say("changed", player=old, now=None)
            self.say([f"{old} was changed while it played, and plays no more in this run: {problem}"])
            return
        self.names[bot.name] = entry.name
        self.entries[entry.name] = entry
        self.events.say("changed", player=old, now=entry.name)
        if entry.name == old:
            self.say([f"{old} was changed while it played, and is again what it was: it plays on"])

    def _next_version(self, bot: Bot) -> Entry:
        if self.changes[bot.name] > MOST_CHANGES:
            raise StoreError(f"{bot.name} has been changed {MOST_CHANGES} times in it before")
        return entered(at_rest(bot, self.asked.memory), self.asked, self.store, drop_old=self.drop_old)

    def _play_batches(self, crew: Crew, batches: Iterable[Batch]) -> None:
        """Play batches, some ahead of the one that is committed next."""
        waiting: deque[Waiting] = deque()
        rest = iter(batches)
        while not self.sure:
            while len(waiting) < _AHEAD * crew.number and self._goes_on() and (batch := next(rest, None)):
                waiting.append(self._begun(crew, batch, held=self._waits(batch, waiting)))
            if not waiting:
                return
            self._settle(crew, waiting)
        for item in waiting:
            if item.future is not None:
                item.future.cancel()

    def _goes_on(self) -> bool:
        return not self.stopped and not self.changed

    def _waits(self, batch: Batch, waiting: Iterable[Waiting]) -> bool:
        """Say whether a batch waits for the others of its deals: its games may go as theirs."""
        return self.settings.shadow and any(item.batch.round == batch.round for item in waiting)

    def _begun(self, crew: Crew, batch: Batch, *, held: bool) -> Waiting:
        """Hand out what is missing of a batch, unless it is held; who has left leaves it as it is."""
        known = self.store.known(batch.pairing, batch.deals)
        here = self.entries.keys() >= set(batch.pairing) and self.ending.wants(batch.pairing)
        games = tuple(game for game in batch.games() if here and game not in known)
        self._renew_key(games)
        job = self._job(batch, games, known) if games else None
        return Waiting(batch, known, job, crew.submit(self._shadowing(job)) if job and not held else None)

    def _shadowing(self, job: Job) -> Job:
        """Add to a batch, if shadow play is asked for, what has been played of its deals."""
        if not self.settings.shadow:
            return job
        two, deals = tuple(bot.name for bot in self.settings.bots[:2]), [deal for _, deal in job.games]
        return replace(job, shadow=two, sources=sources(self.store, range(min(deals), max(deals) + 1), two))

    def _renew_key(self, games: Iterable[tuple[Names, int]]) -> None:
        """Draw a new key before the first deal that would follow from one which everybody knows."""
        if self.known_to is not None and any(deal > self.known_to for _, deal in games):
            self.key = founding.renewed(self.store, self.key)
            self.say([f"deals from {self.known_to + 1} on follow from a new key: the old one was revealed"])
            self.events.say("new key", first=self.known_to + 1, commitment=self.key.of(self.known_to + 1).commitment)
            self.known_to = None

    def _job(self, batch: Batch, games: tuple[tuple[Names, int], ...], known: Known) -> Job:
        settings = self.settings
        return Job(
            game=settings.game,
            program=founding.program_of(self.rules),
            options=self.rules.read_options(settings.options),
            pairing=batch.pairing,
            games=games,
            entries={name: self.entries[name] for name in batch.pairing},
            deals={number: self.key.deal(number) for number in dict.fromkeys(deal for _, deal in games)},
            dice=self._dice(batch.pairing, min(deal for _, deal in games)),
            terms=Terms.of(settings.time, settings.bank or None, settings.total, settings.on_fault, self.manifest),
            start=settings.start / 1000,
            house=self.house,
            at_once=settings.isolate == "strict",
            notes=settings.notes,
            absent=self.withdrawals.absent(batch.pairing, known),
            sha256=self._sha256(),
        )

    def _dice(self, pairing: Names, deal: int) -> bytes:
        return bytes(islice(self.key.stream("apart", *pairing, deal), 16))

    def _settle(self, crew: Crew, waiting: deque[Waiting]) -> None:
        """Wait for the next batch of the schedule and keep it, unless it was played by one who is withdrawn by now."""
        item = waiting.popleft()
        if not self.ending.wants(item.batch.pairing):  # as the last look has found, after it was handed out
            if item.future is not None:
                item.future.cancel()
            self._look(item.batch, waiting)
            return
        if item.job is not None and item.future is None:
            item = item._replace(future=crew.submit(self._shadowing(item.job)))
        if item.job is not None and item.future is not None:
            try:
                kept = item.future.result()
            except CancelledError:
                return
            except crew.lost:
                self._again(crew, item, waiting)
                return
            except ProgramChanged as changed:
                if self.withdrawals.absent(item.batch.pairing, item.known) == item.job.absent:
                    self._keep(item.batch, changed.games)
                self.changed.add(changed.name)
                return
            except RefereeBug as bug:
                self._report(bug)
            absent = self.withdrawals.absent(item.batch.pairing, item.known)
            if absent != item.job.absent:
                if not self.stopped:
                    job = replace(item.job, absent=absent)
                    waiting.appendleft(item._replace(job=job, future=crew.submit(job)))
                return
            self._keep(item.batch, kept)
        self._look(item.batch, waiting)

    def _keep(self, batch: Batch, kept: Parcel) -> None:
        self._tries = 0
        deals = (batch.deals[0], batch.deals[-1])
        link = self.store.commit(kept, self._how(deals)) if kept else self.store.last_link()
        for game in kept:
            at = {"machine": game.machine} if game.machine else {}
            if game.short:
                self.events.say("machine short", pairing=game.pairing, deal=game.deal, why=game.short, **at)
            for seat, fault in game.faults:
                what = {"player": game.seating[seat], "kind": fault.kind.value, "why": fault.why}
                self.events.say("fault", **what, deal=game.deal, seating=game.seating, **at)
        for (seating, offenders), games in Counter((game.seating, tuple(game.offenders)) for game in kept).items():
            self.withdrawals.note(seating, offenders, games)
        self.progress.note(kept, low_wins=self.rules.LOW_WINS)
        machines = Counter(game.machine for game in kept if game.machine)
        where = {"machines": machines} if machines else {}
        self.events.say("batch", pairing=batch.pairing, deals=deals, games=self.progress.games, link=link, **where)
        self.tell(self.progress)

    def _how(self, deals: tuple[int, int]) -> dict[str, object]:
        """Return how a batch of these deals is played, as the chain binds it."""
        return {"sandbox": self.level.value, "isolate": self.asked.isolate, "part_of": deals}

    def _again(self, crew: Crew, item: Waiting, waiting: deque[Waiting]) -> None:
        """Hand out anew what was lost when a worker died; nothing of it was kept."""
        self._tries += 1
        if self._tries > _TRIES:
            raise RunFailed("worker processes die again and again; the system's log may say why (too little memory?)")
        lost = [item, *waiting]
        waiting.clear()
        for each in lost:
            gone = each.job is not None and (each is item or _lost(each.future, crew.lost))
            waiting.append(each._replace(future=crew.submit(each.job)) if gone and each.job else each)
        self.events.say("worker died")

    def _report(self, bug: RefereeBug) -> None:
        """Stop the run for a bug of ours, and keep the record of the game so far."""
        path = self.store.folder / "failed.record"
        cause = "".join(f"; {line}\n" for line in "".join(traceback.format_exception(bug)).splitlines())
        write_durably(path, ("\n".join(bug.record) + f"\n{cause}").encode("ascii", "replace"))
        self.events.say("referee failed", record=str(path))
        raise RunFailed(f"{bug}; its record so far is {path}") from bug

    def _look(self, batch: Batch, waiting: deque[Waiting]) -> None:
        """At the end of a round, look whether there is anything left to find out."""
        if not self.settings.ends_early or self.stopped:
            return
        if self.ending.wants(batch.pairing):
            self.ending.note(self.store.counting_of(batch.pairing, batch.deals))
        if not waiting or waiting[0].batch.round != batch.round:
            why = self.ending.look()
            if why:
                self.sure = True
                self.events.say("sure", games=self.progress.games)
                self.say([why])


def _lost(future: Future[Parcel] | None, lost: tuple[type[BaseException], ...]) -> bool:
    return future is not None and future.done() and not future.cancelled() and isinstance(future.exception(), lost)
