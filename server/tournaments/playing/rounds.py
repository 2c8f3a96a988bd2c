"""Rounds: hands batches out to a crew, some ahead, and keeps them in the order of the schedule."""

from __future__ import annotations

import traceback
from collections import Counter, deque
from concurrent.futures import CancelledError
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

from croupier.server.table.referee import RefereeBug, Terms
from croupier.server.tournaments.entering import founding
from croupier.server.tournaments.entering.fingerprint import ProgramChanged
from croupier.server.tournaments.entering.scheduling import StoredResults
from croupier.server.tournaments.keeping.folder import write_durably
from croupier.server.tournaments.keeping.store import RunFailed
from croupier.server.tournaments.playing.batch import Job
from croupier.server.tournaments.playing.shadow import shadowing
from croupier.server.tournaments.playing.withdrawals import Withdrawals, trials_first
from croupier.server.tournaments.statistics.ending import ending

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from concurrent.futures import Future

    from croupier.server.deals import Key
    from croupier.server.entries import Entry
    from croupier.server.games.game import Game
    from croupier.server.processes.sandbox import SandboxSettings
    from croupier.server.table.played_game import Names
    from croupier.server.tournaments.config.settings import Settings
    from croupier.server.tournaments.formats.schedule import Batch, Schedule
    from croupier.server.tournaments.keeping.packed_games import PackedGames
    from croupier.server.tournaments.keeping.progress import Advance, Events
    from croupier.server.tournaments.keeping.store import Store
    from croupier.server.tournaments.playing.cluster.crew import Cluster
    from croupier.server.tournaments.playing.pieces import InPieces
    from croupier.server.tournaments.playing.spending import Spending
    from croupier.server.tournaments.workers import Workers

    Crew = InPieces | Workers | Cluster
    Known = dict[tuple[Names, int], tuple[int, ...]]

_AHEAD = 3
_TRIES = 3


@dataclass
class Lineup:
    """The players of a run, its folder, key and schedule: valid until a bot continues as its next version."""

    settings: Settings
    """With the versions' names in place of the bots'."""
    rules: type[Game]
    sandboxing: SandboxSettings
    key: Key
    known_to: int | None
    """The last deal that was played before the key was revealed, if nobody has drawn another key since."""
    names: dict[str, str]
    """The version that plays for each bot."""
    entries: dict[str, Entry]
    """The versions, by name, without those that no longer play in this run."""
    schedule: Schedule
    manifest: str
    """SHA-256 of the tournament's manifest."""

    def job(self, pairing: Names, games: tuple[tuple[Names, int], ...], sha256: Mapping[str, str]) -> Job:
        """Return the job of playing these games of a pairing."""
        settings, numbers = self.settings, dict.fromkeys(deal for _, deal in games)
        return Job(
            game=settings.game,
            program=founding.program_of(self.rules),
            options=self.rules.read_options(settings.options),
            pairing=pairing,
            games=games,
            entries={name: self.entries[name] for name in pairing},
            deals={number: self.key.deal(number) for number in numbers},
            dice=bytes(islice(self.key.stream("apart", *pairing, min(numbers)), 16)),
            terms=Terms.of(settings.time, settings.bank or None, settings.total, settings.on_fault, self.manifest),
            start=settings.start / 1000,
            sandboxing=self.sandboxing,
            at_once=settings.isolate == "strict",
            notes=settings.notes,
            probe=settings.probe,
            sha256=sha256,
        )


class Waiting(NamedTuple):
    """A batch in the order of the schedule: the games already known, and those in progress."""

    batch: Batch
    known: Known
    job: Job | None
    future: Future[PackedGames] | None

    @property
    def is_held(self) -> bool:
        """Whether it is to be played and was not handed out yet."""
        return self.job is not None and self.future is None


class Rounds:
    """The rounds of a lineup.

    Results are committed in the order of the schedule, in whatever order they arrive. So their consequences (a
    withdrawal, an early end) do not depend on timing. ``how`` is how batches are played, as the chain binds it;
    ``tell`` is called after each batch, ``say`` with lines for a person.
    """

    def __init__(
        self,
        lineup: Lineup,
        crew: Crew,
        store: Store,
        events: Events,
        progress: Advance,
        spending: Spending,
        how: Mapping[str, str],
        *,
        tell: Callable[[], None],
        say: Callable[[Sequence[str]], None],
        stopped: Callable[[], bool],
    ) -> None:
        self.lineup = lineup
        self.crew = crew
        self.store = store
        self.events = events
        self.progress = progress
        self.spending = spending
        self.how = how
        self.tell = tell
        self.say = say
        self.stopped = stopped
        self.withdrawals = Withdrawals(lineup.settings.max_fault_share)
        for seating, offenders, games in store.offenders():
            self.withdrawals.note(seating, offenders, games)
        self.ending = ending(lineup.rules, lineup.settings)
        self.sure = False
        """Whether the results are clear."""
        self.used_up = False
        """Whether the budget is used, with games missing."""
        self.changed: set[str] = set()
        """The versions whose files were changed."""
        self._tries = 0

    def play(self) -> None:
        """Play what is missing, until an entry's files are changed."""
        schedule = self.lineup.schedule
        results = StoredResults(self.store, schedule, self.lineup.names, low_wins=self.lineup.rules.LOW_WINS)
        entries, share = self.lineup.entries, self.withdrawals.share
        untried = {name for name, entry in entries.items() if entry.builtin is None and share < 1}
        seated = (map(results.with_versions, each) if schedule.adaptive else each for each in schedule.rounds(results))
        rounds = (trials_first(each, untried) for each in seated)
        for batches in rounds if schedule.adaptive else [chain.from_iterable(rounds)]:
            self._play_batches(batches)
            if self.stopped() or self.sure or self.changed or self.used_up:
                break

    def _play_batches(self, batches: Iterable[Batch]) -> None:
        """Play batches, some ahead of the one that is committed next."""
        waiting: deque[Waiting] = deque()
        rest = self.spending.in_portions(batches, lambda: self.crew.number)
        while not self.sure:
            self._hand_out(waiting)
            # one more than are handed out, which shows where a round ends
            while len(waiting) <= self._ahead and self._goes_on() and (batch := next(rest, None)):
                waiting.append(self._prepare(batch))
                self._hand_out(waiting)
            if not waiting:
                return
            if waiting[0].is_held and not self._goes_on():
                waiting.popleft()  # those behind it may be in play
                continue
            if waiting[0].is_held and self.ending.wants(waiting[0].batch.pairing):  # only the budget holds the first
                self.used_up = True
                return
            self._settle(waiting)
        for item in waiting:
            if item.future is not None:
                item.future.cancel()

    @property
    def _ahead(self) -> int:
        """The number of batches that are handed out at the same time; those are finished when a budget is used."""
        return self.crew.number * (1 if self.spending.is_limited else _AHEAD)

    def _goes_on(self) -> bool:
        return not self.stopped() and not self.changed

    def _must_wait(self, batch: Batch, before: Iterable[Waiting]) -> bool:
        """Return whether a batch must wait for an earlier one.

        It waits for a trial, after which somebody may be withdrawn. In shadow play it also waits for batches of the
        same deals, because a game may be copied from one of theirs.
        """
        shadow = self.lineup.settings.shadow
        return any(
            (item.batch.trial and not batch.trial) or (shadow and _have_a_deal_in_common(item.batch, batch))
            for item in before
        )

    def _hand_out(self, waiting: deque[Waiting]) -> None:
        """Hand out the batches that wait for no other, in their order as long as the budget allows."""
        for place, item in enumerate(islice(waiting, self._ahead)):
            if not self._goes_on():
                return
            if item.job is None or item.future is not None or self._must_wait(item.batch, islice(waiting, place)):
                continue
            in_play = sum(len(each.job.games) for each in waiting if each.job and each.future)
            if not self.spending.allows(in_play, all_have_played=self.withdrawals.have_played(self.lineup.entries)):
                return
            job = replace(item.job, absent=self.withdrawals.absent(item.batch.pairing, item.known))
            waiting[place] = item._replace(job=job, future=self.crew.submit(self._shadowing(job)))

    def _prepare(self, batch: Batch) -> Waiting:
        """Return the missing games of a batch, to be handed out; a player who has left leaves it as it is."""
        known = self.store.games_on(batch.pairing, batch.deals)
        here = self.lineup.entries.keys() >= set(batch.pairing) and self.ending.wants(batch.pairing)
        games = tuple(game for game in batch.games() if here and game not in known)
        self._renew_key(games)
        if not games:
            return Waiting(batch, known, None, None)
        return Waiting(batch, known, self.lineup.job(batch.pairing, games, self.store.sha256()), None)

    def _shadowing(self, job: Job) -> Job:
        """Return a batch as it is handed out: with shadow play, including what has been played of its deals."""
        two = tuple(bot.name for bot in self.lineup.settings.bots[:2])
        return shadowing(job, self.store, two) if self.lineup.settings.shadow else job

    def _renew_key(self, games: Iterable[tuple[Names, int]]) -> None:
        """Draw a new key before the first deal of a key that was revealed."""
        lineup = self.lineup
        if lineup.known_to is not None and any(deal > lineup.known_to for _, deal in games):
            first, lineup.known_to = lineup.known_to + 1, None
            lineup.key = founding.renew_key(self.store, lineup.key)
            self.say([f"deals from {first} on follow from a new key: the old one was revealed"])
            self.events.say("new key", first=first, commitment=lineup.key.of(first).commitment)

    def _settle(self, waiting: deque[Waiting]) -> None:
        """Wait for the next batch of the schedule and keep it, unless one of its players was withdrawn meanwhile."""
        item = waiting.popleft()
        if not self.ending.wants(item.batch.pairing):  # a look after it was handed out has decided this
            if item.future is not None:
                item.future.cancel()
            self._look(item.batch, waiting)
            return
        if item.job is not None and item.future is not None:
            try:
                kept = item.future.result()
            except CancelledError:
                return
            except self.crew.lost:
                if not self.stopped():
                    self._hand_out_again(item, waiting)
                return
            except ProgramChanged as changed:
                # games against a player who is withdrawn by now are played again, without that player
                self.spending.note(changed.games)
                if self.withdrawals.absent(item.batch.pairing, item.known) == item.job.absent:
                    self._keep(item.batch, changed.games)
                self.changed.add(changed.name)
                return
            except RefereeBug as bug:
                self._report(bug)
            self.spending.note(kept)  # also of games that must be played again
            # decided now, in the order of the schedule: the batch was handed out before its predecessors were kept
            absent = self.withdrawals.absent(item.batch.pairing, item.known)
            if absent != item.job.absent:
                if not self.stopped():
                    job = replace(item.job, absent=absent)
                    waiting.appendleft(item._replace(job=job, future=self.crew.submit(job)))
                return
            self._keep(item.batch, kept)
        self._look(item.batch, waiting)

    def _keep(self, batch: Batch, kept: PackedGames) -> None:
        self._tries = 0
        deals = (batch.deals[0], batch.deals[-1])
        how = {**self.how, "part_of": deals}
        link = self.store.commit(kept, how, self.spending.now()) if kept else self.store.last_link()
        for game in kept:
            at = {"machine": game.machine} if game.machine else {}
            if game.short:
                self.events.say("machine short", pairing=game.pairing, deal=game.deal, why=game.short, **at)
            for seat, fault in game.faults:
                what = {"player": game.seating[seat], "kind": fault.kind.value, "why": fault.why}
                self.events.say("fault", **what, deal=game.deal, seating=game.seating, **at)
        for (seating, offenders), games in Counter((game.seating, tuple(game.offenders)) for game in kept).items():
            self.withdrawals.note(seating, offenders, games)
        self.progress.note(kept, low_wins=self.lineup.rules.LOW_WINS)
        machines = Counter(game.machine for game in kept if game.machine)
        where = {"machines": machines} if machines else {}
        self.events.say("batch", pairing=batch.pairing, deals=deals, games=self.progress.games, link=link, **where)
        self.tell()

    def _hand_out_again(self, item: Waiting, waiting: deque[Waiting]) -> None:
        """Hand out again what was lost when a worker died, of which nothing was kept."""
        self._tries += 1
        if self._tries > _TRIES:
            raise RunFailed("worker processes die again and again; the system's log may say why (too little memory?)")
        lost = [item, *waiting]
        waiting.clear()
        for each in lost:
            gone = each.job is not None and (each is item or _is_lost(each.future, self.crew.lost))
            waiting.append(each._replace(future=self.crew.submit(each.job)) if gone and each.job else each)
        self.events.say("worker died")

    def _report(self, bug: RefereeBug) -> None:
        """Stop the run for a bug of ours, and keep the record of the game so far."""
        path = self.store.folder / "failed.record"
        cause = "".join(f"; {line}\n" for line in "".join(traceback.format_exception(bug)).splitlines())
        write_durably(path, ("\n".join(bug.record) + f"\n{cause}").encode("ascii", "replace"))
        self.events.say("referee failed", record=str(path))
        raise RunFailed(f"{bug}; its record so far is {path}") from bug

    def _look(self, batch: Batch, waiting: deque[Waiting]) -> None:
        """At the end of a round, check whether the results are clear."""
        if not self.lineup.settings.ends_early or self.stopped():
            return
        if self.ending.wants(batch.pairing):
            self.ending.note(self.store.counting_of(batch.pairing, batch.deals))
        if not waiting or waiting[0].batch.round != batch.round:
            why = self.ending.look()
            if why:
                self.sure = True
                self.events.say("sure", games=self.progress.games)
                self.say([why])


def _have_a_deal_in_common(one: Batch, other: Batch) -> bool:
    return one.deals[0] <= other.deals[-1] and other.deals[0] <= one.deals[-1]


def _is_lost(future: Future[PackedGames] | None, lost: tuple[type[BaseException], ...]) -> bool:
    return future is not None and future.done() and not future.cancelled() and isinstance(future.exception(), lost)
