"""Rerun: runs a tournament's bots again on its recorded games, and compares their answers with the records.

A bot that answers differently is run again and again from the beginning of its process's games: only an answer that is
the same each time is held against the record.
"""

from __future__ import annotations

import random
import time
from collections import deque
from dataclasses import dataclass, replace
from enum import Enum
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any, NamedTuple

import trio

from croupier.protocol.record import BadRecord, Faulted
from croupier.server.entries import AUTO as AUTO_LIFETIME
from croupier.server.entries import BadEntry, Entry, distinct_names
from croupier.server.processes import kernel, sandbox
from croupier.server.processes.sandbox import Level, SandboxSettings
from croupier.server.processes.sandbox.settings import AUTO
from croupier.server.processes.temporary_folder import temporary_folder
from croupier.server.records.answers import answers, decisions
from croupier.server.records.files import BadFile, read_records, sent_command
from croupier.server.table.referee import Terms
from croupier.server.table.scripted_seat import ScriptedSeat
from croupier.server.table.table import Table
from croupier.server.tournaments.entering import founding
from croupier.server.tournaments.entering.enrolment import entry_of
from croupier.server.tournaments.entering.fingerprint import fingerprint
from croupier.server.tournaments.keeping.folder import RECORDS
from croupier.server.tournaments.keeping.store import StoreError
from croupier.server.tournaments.playing.batch import Job, sittings
from croupier.server.tournaments.playing.withdrawals import is_withdrawal
from croupier.server.tournaments.proof.audit import Problem
from croupier.server.tournaments.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from concurrent.futures import Future

    from croupier.server.table.played_game import Names
    from croupier.server.table.scripted_seat import Answered, Mismatch
    from croupier.server.tournaments.config.settings import Settings
    from croupier.server.tournaments.keeping.store import Store


# Which of a folder's bots can be run here as they were when they played


class RunnableBots(NamedTuple):
    """The bots that can be run, by version name, and why the others cannot."""

    entries: Mapping[str, Entry]
    missing: Mapping[str, str]


def runnable_bots(store: Store, settings: Settings) -> RunnableBots:
    """Look for each version of the tournament among the programs that its settings name."""
    bound = store.chain_state().programs
    entry_names = {version.name: version.entry for version in store.versions()}
    here: dict[str, tuple[Entry, str] | str] = {}
    for bot in settings.bots:
        try:
            entry = entry_of(bot, settings.memory)
            here[entry_names.get(bot.name, bot.name)] = entry, fingerprint(entry)
        except (BadEntry, StoreError) as problem:
            here[entry_names.get(bot.name, bot.name)] = f"it cannot be started here: {problem}"
    entries: dict[str, Entry] = {}
    missing: dict[str, str] = {}
    for version in store.versions():
        found = here.get(version.entry, "it has left the tournament, which does not keep how it was started")
        wanted = bound[version.name]["sha256"] if version.name in bound else version.sha256
        if isinstance(found, str):
            missing[version.name] = found
        elif found[1] != wanted:
            missing[version.name] = f"its files here are another version ({found[1][:12]}) than played ({wanted[:12]})"
        elif found[0].network:
            missing[version.name] = "it may use the network, and is not run again by a folder that says so"
        else:  # one that is only tried for a second game gets a process per game here
            lifetime = "game" if found[0].lifetime == AUTO_LIFETIME else found[0].lifetime
            entries[version.name] = replace(found[0], name=version.name, lifetime=lifetime)
    return RunnableBots(entries, missing)


# What a bot says of the record of its plays


class Word(Enum):
    """The kinds of verdict."""

    AGREES = "agrees"
    DIFFERS = "differs"
    CHANCE = "not deterministic"
    UNASKED = "not asked"


class FirstDifference(NamedTuple):
    """The first decision that was answered differently, and the command that prints what the bot was sent up to it."""

    file: str
    game: int
    """Its index in the file, from 1."""
    deal: int
    player: str
    decision: int
    recorded: str
    now: str
    look: str


@dataclass
class RerunVerdict:
    """How many decisions of a bot were asked again, and how many were answered as recorded."""

    name: str
    word: Word = Word.UNASKED
    why: str = "it played in none of these games"
    """Why it was not asked."""
    games: int = 0
    decisions: int = 0
    agreed: int = 0
    late: int = 0
    """How many of the different answers were late, now or in the record, which may be the machine's fault."""
    first: FirstDifference | None = None

    def count(self, agreed: int, other: int, late: int) -> None:
        """Count the decisions of a game that it was asked: as recorded, different, and late."""
        if agreed or other:
            self.word = Word.AGREES if self.word is Word.UNASKED else self.word
            self.games += 1
            self.decisions += agreed + other
            self.agreed += agreed
            self.late += late

    def document(self) -> dict[str, Any]:
        """Return it in the form of ``verify --json``."""
        return {
            "name": self.name,
            "verdict": self.word.value,
            "why": self.why if self.word is Word.UNASKED else None,
            "games": self.games,
            "decisions": self.decisions,
            "agreed": self.agreed,
            "late": self.late,
            "first": None if self.first is None else self.first._asdict(),
        }

    def line(self) -> str:
        """Return the line for a person."""
        counted = f"{self.agreed} of {self.decisions} decisions in {self.games} games answered as recorded"
        late = f", {self.late} too late now or then" if self.late else ""
        match self.word:
            case Word.UNASKED:
                return f"{self.name}: not asked: {self.why}: whether its plays are its own stays open"
            case Word.CHANCE:
                return (
                    f"{self.name}: not deterministic: asked the same again, it answers now so, now otherwise, so that"
                    f" nothing is proved; {counted} until then{self._look()}"
                )
            case Word.DIFFERS | Word.AGREES:
                return f"{self.name}: {counted}{late}{self._look()}"

    def _look(self) -> str:
        return "" if self.first is None else f"; the first other: {self.first.look}"


# The work of a worker


class RerunAnswers(NamedTuple):
    """The results of one game, by seat."""

    agreed: tuple[int, ...]
    """How many decisions were answered as recorded."""
    differences: tuple[Mismatch | None, ...]
    in_order: bool
    """Whether the referee, given the recorded answers, plays the same in the same order."""

    def of(self, name: str, seating: Names) -> tuple[int, list[Mismatch]]:
        """Return how many decisions of a bot agreed, in all its seats, and the first ones that did not."""
        both = zip(seating, self.agreed, self.differences, strict=False)
        mine = [(agreed, difference) for other, agreed, difference in both if other == name]
        return sum(agreed for agreed, _ in mine), [other for _, other in mine if other is not None]


UNREAD = RerunAnswers((), (), in_order=True)
"""The result for an invalid record; `verify` reports what is wrong with it."""


@dataclass(frozen=True)
class RerunJob:
    """Recorded games that one process of each bot played one after another; the job's absent are not asked."""

    job: Job
    records: tuple[str, ...]

    def play(self, stopped: Callable[[], bool]) -> list[RerunAnswers]:
        """Play all of them again, unless stopped."""
        return trio.run(self._play, stopped)

    async def _play(self, stopped: Callable[[], bool]) -> list[RerunAnswers]:
        job, found = self.job, list[RerunAnswers]()
        with temporary_folder() as folder:
            async with Table(job.entries_by_seat(job.pairing), folder, job.start, sandboxing=job.sandboxing) as table:
                for (seating, deal), text in zip(job.games, self.records, strict=True):
                    if stopped():
                        break
                    found.append(await self._play_again(table, seating, deal, text))
        return found

    async def _play_again(self, table: Table, seating: Names, deal: int, text: str) -> RerunAnswers:
        job = self.job
        sitting = job.entries_by_seat(seating)
        job.seat(table, seating)
        try:
            known = answers(text)
            scripts = [known[entry.name] for entry in sitting]
        except (BadRecord, KeyError):
            return UNREAD
        fronts = [
            ScriptedSeat(each, script, asked=not entry.withdrawn and not _had_left(script))
            for each, script, entry in zip(table.seats, scripts, sitting, strict=True)
        ]
        again = await job.play_at(table, seating, deal, fronts=fronts)
        return RerunAnswers(
            tuple(front.agreed for front in fronts),
            tuple(front.difference for front in fronts),
            decisions(text) == decisions(*again.record),
        )


def _had_left(script: Sequence[Answered]) -> bool:
    """Return whether the player had been withdrawn before the game, so that it was not asked."""
    return bool(script) and isinstance(script[0], Faulted) and is_withdrawal(script[0].kind, script[0].why)


AHEAD = 3
LOOKS, BETWEEN = 8, 1.1
"""How often a bot is run again on a different answer, and the seconds between the starts of two such runs.

A bot that tosses a coin there answers the same each time in one case of 256. One that seeds itself by the second would
repeat itself without the pause.
"""


class Recorded(NamedTuple):
    """A game, and the place of its record."""

    seating: Names
    deal: int
    pairing: Names
    file: str
    place: int


History = tuple[Recorded, ...]
"""Games that were played one after another by the same processes."""


class Found(NamedTuple):
    """A decision that was answered differently: its game in a history, and its seat."""

    at: int
    seat: int
    difference: Mismatch


class Rerun:
    """The bots of a folder, run again; ``problems`` are the differences from its records.

    ``most`` limits the games; they are drawn at random, so that nobody knows in advance which.
    """

    def __init__(
        self,
        store: Store,
        level: str | None = None,
        most: int | None = None,
        workers: int | None = None,
        crew: Callable[[], Workers] | None = None,
    ) -> None:
        self.store = store
        self.settings = founding.settings_of(store)
        self.rules = founding.rules_of(store, self.settings)
        key = founding.known_key(store, self.settings.public)
        if key is None:
            raise StoreError("to run its bots again takes the key, which is revealed when the tournament is over")
        self.key = key
        self.runnable = runnable_bots(store, self.settings)
        self.sandboxing = self._sandboxing(level)
        self.problems: list[Problem] = []
        self.bots = {
            version.name: RerunVerdict(version.name, why=self.runnable.missing.get(version.name, RerunVerdict.why))
            for version in store.versions()
        }
        self._hire = crew or (lambda: Workers(workers))
        self._texts: tuple[str, list[str]] = ("", [])
        games = [Recorded(game.seating, game.deal, game.pairing, file, place) for game, file, place in store.games()]
        number = len(games) if most is None else min(most, len(games))
        self.whole = number == len(games)
        self._drawn = games if self.whole else random.SystemRandom().sample(games, number)
        self._histories = list(histories(games))

    @property
    def has_compared(self) -> bool:
        """Return whether anything could be compared at all."""
        return any(bot.decisions for bot in self.bots.values())

    def _sandboxing(self, level: str | None) -> SandboxSettings:
        """Return the rules for the bots' processes.

        The folder may be a stranger's, so its sandbox setting is ignored: programs that are not bundled run under
        bubblewrap unless the caller chose a level.
        """
        seated = self.runnable.entries.values()
        strangers = any(entry.builtin is None or entry.env for entry in seated)  # such as PYTHONPATH and LD_PRELOAD
        if level is None and strangers and (why := sandbox.problem(Level.BWRAP)):
            raise StoreError(
                f"a folder's programs may be a stranger's, and are run under bwrap: {why}; to run them where they can"
                " read what you can read, say --sandbox limits"
            )
        level = level or (Level.BWRAP.value if strangers else AUTO)
        sandboxing = SandboxSettings(
            level, self.settings.memory, self.settings.freeze, vault=self.store.folder.absolute()
        )
        sandbox.choose_level(sandboxing)
        return sandboxing.hiding(seated)

    def run(self, tell: Callable[[int], None] = lambda games: None) -> None:
        """Ask everything that can be asked; ``tell`` is called with the number of games done."""
        kernel.set_undumpable()
        drawn = set(self._drawn)
        crew = self._hire()
        waiting: deque[tuple[History, History, Future[list[RerunAnswers]]]] = deque()
        rest, done = iter(self._histories), 0
        try:
            while True:
                while len(waiting) < AHEAD * crew.number and (history := next(rest, None)) is not None:
                    wanted = tuple(game for game in history if game in drawn)
                    done += len(wanted)
                    if asked := self._who_to_ask(wanted):
                        waiting.append((history, wanted, crew.submit(self._job(wanted, asked))))
                        done -= len(wanted)
                if not waiting:
                    break
                history, wanted, future = waiting.popleft()
                self._take(crew, history, wanted, future.result())
                done += len(wanted)
                tell(done)
        except BaseException:
            crew.drop()
            raise
        finally:
            crew.close()

    def _who_to_ask(self, games: History) -> set[str]:
        """Return the players of these games to ask: those available, and not known to play at random."""
        playing = {name for game in games for name in game.seating} & self.runnable.entries.keys()
        return {name for name in playing if self.bots[name].word is not Word.CHANCE}

    def _job(self, games: History, asked: Collection[str]) -> RerunJob:
        settings, pairing = self.settings, games[0].pairing
        here = {name: self.runnable.entries.get(name, Entry(name, ())) for name in pairing}
        job = Job(
            game=settings.game,
            program=founding.program_of(self.rules),
            options=self.rules.read_options(settings.options),
            pairing=pairing,
            games=tuple((game.seating, game.deal) for game in games),
            entries=here,
            deals={game.deal: self.key.deal(game.deal) for game in games},
            terms=Terms.of(settings.time, settings.bank or None, settings.total, settings.on_fault),
            start=settings.start / 1000,
            sandboxing=self.sandboxing,
            absent={name: "not asked" for name in pairing if name not in asked},
        )
        return RerunJob(job, tuple(self._text(game) for game in games))

    def _text(self, game: Recorded) -> str:
        """Return a game's record; an empty one if its file cannot be read or has too few."""
        if self._texts[0] != game.file:
            try:
                texts = [record.text for record in read_records(self.store.folder / RECORDS / game.file)]
            except (OSError, BadFile):
                texts = []
            self._texts = game.file, texts
        return self._texts[1][game.place] if game.place < len(self._texts[1]) else ""

    def _take(self, crew: Workers, history: History, games: History, heard: Sequence[RerunAnswers]) -> None:
        """Count the results of some games of a history."""
        for game, each in zip(games, heard, strict=False):
            asked = self._who_to_ask((game,))
            for name in asked:
                agreed, others = each.of(name, game.seating)
                self.bots[name].count(agreed, len(others), sum(other.late for other in others))
            for seat, difference in enumerate(each.differences):
                if difference is None or difference.late or (name := game.seating[seat]) not in asked:
                    continue
                if self.bots[name].first is None:
                    self._look_again(crew, history[: history.index(game) + 1], seat, difference)
            if not each.in_order and not any(each.differences):
                why = "its plays stand in another order than the referee asks for them"
                self.problems.append(Problem(game.file, f"game {game.place + 1}, deal {game.deal}", why))

    def _look_again(self, crew: Workers, history: History, seat: int, difference: Mismatch) -> None:
        """Run a bot again on everything that its process had played, up to a game that it now plays differently."""
        name, found = history[-1].seating[seat], Found(len(history) - 1, seat, difference)
        job = self._job(history, {name})
        looks: list[Found | None] = [found] if self.whole else []
        while len(looks) < LOOKS and looks.count(looks[0] if looks else None) == len(looks):
            began = time.monotonic()
            looks.append(_first(history, crew.submit(job).result(), name))
            time.sleep(max(0.0, began + BETWEEN - time.monotonic()))
        bot, last = self.bots[name], looks[-1]
        if any(look is not None and look.difference.late for look in looks):
            bot.late += 1
        elif looks.count(last) < len(looks):
            bot.word, bot.first = Word.CHANCE, self._first_difference(history, found)
        elif last is None:  # it depends on the games that were not drawn
            bot.agreed += 1
        else:
            bot.word, bot.first = Word.DIFFERS, self._first_difference(history, last)
            self._accuse(bot, bot.first)

    def _first_difference(self, history: History, found: Found) -> FirstDifference:
        game, seat, difference = history[found.at], found.seat, found.difference
        names = distinct_names(game.seating)
        path = self.store.folder / RECORDS / game.file
        look = sent_command(path, game.place + 1, names[seat], difference.number, self._program())
        written, now = difference.written, difference.found
        return FirstDifference(game.file, game.place + 1, game.deal, names[seat], difference.number, written, now, look)

    def _program(self) -> str | None:
        program = self.store.fact("program")
        return None if program is None else str(self.store.folder / program)

    def _accuse(self, bot: RerunVerdict, first: FirstDifference) -> None:
        why = (
            f"{bot.name}, run again and again, answers {first.now} to its decision {first.decision}; the record has"
            f" {first.recorded}: that was not its answer, or it goes by what is outside the game (the date, a file,"
            f" the sandbox, the machine's speed); what it was sent: {first.look}"
        )
        self.problems.append(Problem(first.file, f"game {first.game}, deal {first.deal}", why))


def _first(history: History, heard: Sequence[RerunAnswers], name: str) -> Found | None:
    """Return the first decision that a bot answered differently."""
    for at, (game, each) in enumerate(zip(history, heard, strict=False)):
        for seat, difference in enumerate(each.differences):
            if difference is not None and game.seating[seat] == name:
                return Found(at, seat, difference)
    return None


def histories(games: Iterable[Recorded]) -> Iterator[History]:
    """Split the games of each batch as they were played: in the order of one process of each bot."""
    for _, batch in groupby(games, key=lambda game: (game.file, game.pairing)):
        listed = [game for game in batch if sorted(game.seating) == sorted(game.pairing)]
        deals = [tuple(deal) for _, deal in groupby(listed, key=lambda game: game.deal)]
        if len({game.deal for game in listed}) == len(deals) and len({*map(len, deals)}) == 1:
            yield from zip(*deals, strict=True)  # at as many tables, side by side
            continue
        rest = iter(listed)
        for sitting in sittings((game.seating, game.deal) for game in listed):
            yield tuple(islice(rest, len(sitting)))
