"""Run: continues a tournament until its end, or until it is stopped."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec

from croupier.server.entries import BadEntry
from croupier.server.games import BadOption
from croupier.server.processes import kernel, sandbox
from croupier.server.processes.sandbox import Level, NoSuchLevel, SandboxSettings
from croupier.server.tournaments.entering import founding
from croupier.server.tournaments.entering.building import build
from croupier.server.tournaments.entering.enrolment import Changes, at_rest, enrol, enter_version, note_changes
from croupier.server.tournaments.entering.fingerprint import blinding, unfollowed_imports
from croupier.server.tournaments.entering.manifest import bind, publish
from croupier.server.tournaments.entering.scheduling import plan
from croupier.server.tournaments.formats.schedule import ScheduleError
from croupier.server.tournaments.keeping.folder import to_be_made, unless_refused
from croupier.server.tournaments.keeping.progress import Advance, Events
from croupier.server.tournaments.keeping.spent import Spent
from croupier.server.tournaments.keeping.store import Store, StoreError
from croupier.server.tournaments.playing.pieces import InPieces
from croupier.server.tournaments.playing.rounds import Lineup, Rounds
from croupier.server.tournaments.playing.spending import Spending
from croupier.server.tournaments.workers import Workers, seldom_collecting

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from pathlib import Path

    from croupier.server.deals import Key
    from croupier.server.entries import Entry
    from croupier.server.games.game import Game
    from croupier.server.tournaments.config.settings import Bot, Settings
    from croupier.server.tournaments.playing.rounds import Crew

    Bots = tuple[Mapping[str, Entry], Mapping[str, str]]
    """The entries and the SHA-256 of each, by name."""

REFUSALS = (StoreError, ScheduleError, BadOption, BadEntry, NoSuchLevel, ModuleNotFoundError, ConnectionError)
"""The errors of a run that cannot begin or go on as it was asked to; their message is a sentence for people."""
MOST_CHANGES = 3
"""How often an entry may change during one run; one that writes to its own files would never finish."""


class Run:
    """One run of a tournament in its folder."""

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
        began: float | None = None,
        vault: Path | None = None,
    ) -> None:
        self.asked = self.settings = settings
        vault = (vault or folder).absolute()
        sandboxing = SandboxSettings(settings.sandbox, settings.memory, settings.freeze, vault=vault)
        self.level = sandbox.choose_level(sandboxing)
        self.sandboxing = replace(sandboxing, level=self.level.value)  # a cluster's machines use this level too
        self.rules = rules
        self.drop_old = drop_old
        self.tell = tell
        self.say = say
        self.hire = crew
        self.began = began
        """When the time of this run began, by the monotonic clock, if before it is played."""
        self.made = to_be_made(folder)
        self.store = Store(folder)
        self.events = Events(folder)
        self.progress = Advance()
        self.spending: Spending
        """What is used, once the run has begun."""
        self.stopped = self.sure = self.used_up = False
        self.out: list[str] = []
        """The entries that were changed and no longer play in this run."""
        self.changes: Counter[str] = Counter()
        self.crew: Crew | None = None
        self.lineup: Lineup | None = None
        """The players, once the run has begun."""

    @seldom_collecting()
    def play(self) -> bool:
        """Play what is missing; return whether the tournament is complete."""
        # before the key is read, which a bot of the same user could otherwise read in this process
        kernel.set_undumpable()
        with self.store.lock():
            with unless_refused(self.store.folder, self.made):
                lineup = self._begin()
            self.events.say(
                "started",
                entries=list(lineup.entries),
                planned=self.progress.planned,
                commitment=self.store.chain_state().manifests[0].sha256,
            )
            self.tell(self.progress)
            try:
                complete = self._play_all(lineup)
            finally:
                self.store.write_fact("spent", self.spending.now())
            if complete and not self.asked.goes_on:
                founding.conclude(self.store, lineup.key)
            self.events.say("finished" if complete else "stopped", games=self.progress.games)
        return complete

    def commit(self) -> str:
        """Draw the key, write the manifest and play nothing; return the tournament's commitment."""
        with self.store.lock():
            with unless_refused(self.store.folder, self.made):
                self._begin()
            return self.store.chain_state().manifests[0].sha256

    def stop(self) -> None:
        """Finish the games in flight and no others."""
        self.stopped = True
        if self.crew is not None:
            self.crew.stop()

    def _begin(self) -> Lineup:
        """Reconcile the settings with the folder, and prepare the run."""
        the_format = founding.check_settings(self.store, self.asked, self.rules)
        self.asked = msgspec.structs.replace(self.asked, format=the_format)
        key = founding.key(self.store, self.asked)
        known_to = self.store.last_deal() if founding.is_known(self.store) else None
        # before programs are entered, because their fingerprints are of what was built
        build(self.store, self.asked, self.sandboxing)
        note_changes(self.store, self.asked)
        names, entries = enrol(self.asked, self.store, drop_old=self.drop_old)
        if self.level is not Level.NONE and (why := blinding(entries.values(), [self.store.folder])):
            raise StoreError(why)
        self.say(unfollowed_imports(entries.values()))
        self.sandboxing = self.sandboxing.hiding(entries.values())
        # last, when nothing can be refused any more, because it removes files
        self.store.sweep()
        total, faults = self.store.counts()
        self.progress = Advance(games=total, faults=faults)
        self.spending = Spending(Spent.read(self.store), self.asked.budget, self.began)
        return self._draw_up(key, known_to, names, entries)

    def _draw_up(self, key: Key, known_to: int | None, names: dict[str, str], entries: dict[str, Entry]) -> Lineup:
        """Make the schedule for the current versions; report what has changed, and its cost."""
        bots = tuple(msgspec.structs.replace(bot, name=names[bot.name]) for bot in self.asked.bots)
        self.settings = settings = msgspec.structs.replace(self.asked, bots=bots)
        schedule, before = plan(self.store, settings, self.rules, key), self.store.chain_state()
        with self.store.transaction():
            self.store.write_fact("run", msgspec.to_builtins(settings))
            self.store.write_fact("finished", False)
            manifest = bind(self.store, settings, self.rules, entries)
        publish(self.store)
        self.progress.planned = schedule.planned_games()
        if before.tenures and (before.playing != names or {*before.programs} != {*names.values()}):
            changes = Changes.between(before, names, self.store, schedule)
            self.say(changes.lines())
            self.progress.planned = None if changes.missing is None else self.progress.games + changes.missing
        self.lineup = Lineup(settings, self.rules, self.sandboxing, key, known_to, names, entries, schedule, manifest)
        return self.lineup

    def _play_all(self, lineup: Lineup) -> bool:
        self.crew = crew = self._hire(lineup)
        try:
            rounds = self._play_rounds(crew, lineup)
            while rounds.changed and not (self.stopped or self.sure or self.used_up):
                lineup = self._enter_again(lineup, rounds.changed)
                rounds = self._play_rounds(crew, lineup)
        except BaseException:
            crew.drop()
            raise
        finally:
            crew.close()
        return not (self.stopped or self.used_up or rounds.changed or self.out)

    def _play_rounds(self, crew: Crew, lineup: Lineup) -> Rounds:
        rounds = Rounds(
            lineup,
            crew,
            self.store,
            self.events,
            self.progress,
            self.spending,
            {"sandbox": self.level.value, "isolate": self.asked.isolate},
            tell=lambda: self.tell(self.progress),
            say=self.say,
            stopped=lambda: self.stopped,
        )
        rounds.play()
        self.sure, self.used_up = rounds.sure, rounds.used_up
        return rounds

    def _hire(self, lineup: Lineup) -> Crew:
        """Return the given crew, else worker processes or a cluster's machines."""
        settings, table = lineup.settings, lineup.schedule.table
        at_once = table.games(tuple(map(str, range(table.seats)))) if settings.isolate == "strict" else 1
        seats = table.seats * at_once  # of all the bots that a worker has alive at the same time
        if self.hire is not None:
            return self.hire(settings, seats)
        if not settings.cluster:
            return local_crew(settings, seats)
        bots = lineup.entries, self.store.sha256()
        tell = self.say, self.events.say
        return cluster_crew(settings.cluster, lineup.key, self.rules, settings.game, self.sandboxing, bots, *tell)

    def _enter_again(self, lineup: Lineup, changed: Collection[str]) -> Lineup:
        """Let entries with changed files continue as their next versions, in the places of the old ones."""
        for bot in self.asked.bots:
            if (old := lineup.names[bot.name]) in changed:
                self._change(lineup, bot, old)
        drawn = self._draw_up(lineup.key, lineup.known_to, lineup.names, lineup.entries)
        self.tell(self.progress)
        return drawn

    def _change(self, lineup: Lineup, bot: Bot, old: str) -> None:
        """Enter a changed bot, or take it out of this run if that is impossible."""
        del lineup.entries[old]
        self.changes[bot.name] += 1
        try:
            entry = self._next_version(bot)
        except (BadEntry, StoreError) as problem:
            self.out.append(old)
            self.events.say("changed", player=old, now=None)
            self.say([f"{old} was changed while it played, and plays no more in this run: {problem}"])
            return
        lineup.names[bot.name] = entry.name
        lineup.entries[entry.name] = entry
        self.events.say("changed", player=old, now=entry.name)
        if entry.name == old:
            self.say([f"{old} was changed while it played, and is again what it was: it plays on"])

    def _next_version(self, bot: Bot) -> Entry:
        if self.changes[bot.name] > MOST_CHANGES:
            raise StoreError(f"{bot.name} has been changed {MOST_CHANGES} times in it before")
        return enter_version(at_rest(bot, self.asked.memory), self.asked, self.store, drop_old=self.drop_old)


def local_crew(settings: Settings, seats: int) -> InPieces:
    """Return worker processes with at most ``max_warm`` bots alive."""
    cores = max(bot.cores for bot in settings.bots)
    most = max(1, settings.max_warm // seats)
    return InPieces(Workers(settings.workers, cores, pinned=settings.affinity == "auto", most=most))


def cluster_crew(
    address: str,
    key: Key,
    rules: type[Game],
    game: str,
    sandboxing: SandboxSettings,
    bots: Bots,
    say: Callable[[Sequence[str]], None],
    note: Callable[..., None],
) -> InPieces:
    """Return those workers of a Dask scheduler that agree with this machine; raise StoreError or ConnectionError.

    ``say`` tells a person about one that is refused, ``note`` records it as an event.
    """
    from croupier.server.tournaments.playing.cluster.crew import Cluster  # noqa: PLC0415  only a cluster needs asyncio
    from croupier.server.tournaments.playing.cluster.handshake import Needs  # noqa: PLC0415  as above

    if not key.by_deal:
        raise StoreError(
            "this tournament was begun by a croupier whose batches carry the key, which no other machine may see:"
            " continue it without --cluster"
        )
    return InPieces(Cluster(address, Needs.of(rules, game, sandboxing, *bots), say, note))
