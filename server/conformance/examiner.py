"""The examiner of `croupier check`: the trials of a bot, ordinary ones first, and the findings."""

from __future__ import annotations

import math
import signal
import statistics
import time
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import count, islice
from operator import eq
from typing import TYPE_CHECKING

import trio

from croupier.protocol.notifications import CLASSIC
from croupier.server import entries
from croupier.server.conformance.asking import STRANGE, Asking
from croupier.server.conformance.examined_seat import Manner
from croupier.server.conformance.steps import SPEAKS, Failed, Finding, Step
from croupier.server.conformance.walk import Route, seats, survey
from croupier.server.deals import Key
from croupier.server.processes import process_table
from croupier.server.processes.keeper import STDERR_CAP
from croupier.server.table.dialect import DIALECTS
from croupier.server.table.faults import Fault
from croupier.server.table.referee import Terms
from croupier.server.table.table import Table
from croupier.server.table.tried_seat import GAMES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from croupier.server.conformance.examined_seat import ExaminedSeat
    from croupier.server.conformance.walk import Situation
    from croupier.server.processes.bot_process import BotProcess


_BEFORE_THE_QUESTION = 0.3
_AFTER_THE_ANSWER = 0.1
_TO_LEAVE = 2.0
_TO_SPEAK = 2.0
"""Seconds for an answer in another dialect than the bot's own."""
_AT_REST = 0.25
_LOOKS = 3
_RESTLESS = 0.1
_ROUGH_QUESTIONS = 12
_LATE_QUESTIONS = 3
_ATTACKS = 20
_GAMES = 3
_SOME_GAMES = 10
_LONG_GAME = 400
_EACH_PHASE = 3
_OWN = 1001
POSITIONS = 1000
"""Questions in games of its own, unless another number is demanded or the bot is slow."""


class Examiner:
    """Examine one bot at one game; `run` returns the findings up to the first step that failed."""

    def __init__(self, asking: Asking, tell: Callable[[Finding], None] = lambda _: None) -> None:
        self.asking = asking
        self._tell = tell
        self._found: dict[Step, Finding] = {}
        self._routes: dict[Situation, list[Route]] = {}

    async def run(self) -> list[Finding]:
        """Put the bot through each trial in order."""
        trials = (
            self._first,
            self._questions,
            self._attacks,
            self._in_pieces,
            self._heap_updates,
            self._strange,
            self._games,
            self._patient,
            self._end,
        )
        try:
            self._routes = survey(self.asking.rules, self.asking.options)
            for trial in trials:
                await trial()
        except Failed as failure:
            if not self._found and (spoken := await self._find_dialect()):
                failure.hint = SPEAKS[spoken]
            self._find(failure.finding())
        return [self._found[step] for step in Step if step in self._found]

    def _find(self, finding: Finding) -> None:
        self._found[finding.step] = finding
        self._tell(finding)

    def _pass(self, step: Step, detail: str) -> None:
        self._find(Finding(step, passed=True, detail=detail))

    async def _find_dialect(self) -> str:
        """Return another dialect in which a bot answers that failed at once, empty if there is none."""
        asking = self.asking
        for dialect in DIALECTS:
            if dialect == asking.entry.dialect or (dialect == CLASSIC and asking.rules.NAME != "dominion"):
                continue
            other = asking.of(replace(asking.entry, dialect=dialect))
            walk = other.walk(self._bot_first())
            async with other.seat() as seat:
                await walk.begin(seat)
                answer = await walk.ask(seat, walk.question(), min(asking.demands.time, _TO_SPEAK))
            if not isinstance(answer.outcome, Fault):
                return dialect
        return ""

    async def _first(self) -> None:
        """Start the bot, tell it of a game, and ask once."""
        asking = self.asking
        walk = asking.walk(self._bot_first())
        async with asking.seat() as seat:
            began = time.monotonic()
            await walk.begin(seat)
            seat.finish()
            await asking.silent(seat, _BEFORE_THE_QUESTION, "it wrote something before it was asked")
            await asking.ask(seat, walk, walk.question(), Step.STARTS)
            spent = time.monotonic() - began
            await asking.silent(seat, _AFTER_THE_ANSWER, "it wrote more than one reply")
        self._pass(Step.STARTS, f"asked {_BEFORE_THE_QUESTION} s after its start, it had answered after {spent:.2f} s")
        self._pass(Step.FLUSHES, "its reply came while its input was open")

    async def _questions(self) -> None:
        """Ask in the demanded number of positions of its own games, then in phases that it has not reached itself."""
        asking = self.asking
        async with asking.seat() as seat:
            opened: list[int] = []
            for route in self._own_games():
                await self._lead(seat, route, self._until_enough)
                opened.append(seat.process.open_files())
                if not self._until_enough():
                    break
            _leaks_none(opened)
            number = sum(asking.answered.values())
            for met, route in self._to_other_phases():
                await self._lead(seat, route, self._until_all_met(met), wanted=partial(eq, met))
        phases = [met for met in sorted(asking.answered) if not met.attacked]
        self._pass(Step.QUIET, "nothing before a question, nothing behind a reply")
        self._pass(Step.WRITES, "each reply is one list of symbols and whole numbers")
        self._pass(Step.PHASES, ", ".join(map(str, phases)))
        self._pass(Step.LEGAL, f"in {number} positions of its own games")
        self._pass(Step.LIVES, f"through {sum(asking.answered.values())} questions")
        self._pass(Step.CLOCK, _clock(asking.times, asking.demands.time))
        self._pass(Step.WHITE, f"with {_endings(seat.endings)}")

    async def _attacks(self) -> None:
        """Attack the bot, if the game has attacks."""
        routes = [route for found, routes in self._routes.items() if found.attacked for route in routes]
        if not routes:
            return
        self.asking.answered = {}
        async with self.asking.seat() as seat:
            for route in routes:
                if self._more_attacks():
                    await self._lead(seat, route, self._more_attacks, wanted=lambda met: met.attacked)
        self._pass(Step.DEFENDS, f"{sum(self.asking.answered.values())} times")

    async def _in_pieces(self) -> None:
        await self._rough(Step.CUT, Manner.IN_PIECES, _ROUGH_QUESTIONS)
        self._pass(Step.CUT, "in the middle of words, and before the newline")

    async def _heap_updates(self) -> None:
        """Hold back the end of each game until the next one's first question."""
        async with self.asking.seat() as seat:
            for route in islice(self._own_games(), _GAMES):
                await self.asking.lead(seat, route, _times(_ROUGH_QUESTIONS), Step.HEAPED)
        self._pass(Step.HEAPED, f"up to {seat.heaped} in one write")

    async def _strange(self) -> None:
        """Send unknown news and names, if its dialect can express them."""
        if self.asking.entry.dialect == CLASSIC:
            return
        async with self.asking.seat() as seat:
            for route in islice(self._own_games(), 2):
                await self.asking.lead(seat, route, _times(_ROUGH_QUESTIONS), Step.STRANGE, STRANGE)
        self._pass(Step.STRANGE, "news of the table and plays of others that no game has")

    async def _games(self) -> None:
        """Let the bot play whole games, one after another."""
        async with self.asking.seat() as seat:
            for route in islice(self._own_games(), _GAMES):
                more = self._patiently(_LONG_GAME)
                await self._lead(seat, route, more, Step.GAMES)
        match self.asking.entry.lifetime:
            case "game":
                self._pass(Step.GAMES, f"{_GAMES}, each in a process of its own, as it wants")
            case "auto" if await self._bears_more():
                self._pass(Step.GAMES, f"{_GAMES}; it keeps nothing in mind, so that one process plays many")
            case "auto":
                self._pass(Step.GAMES, f"{_GAMES}, each in a process of its own: in one it answers in other ways")
            case _:
                self._pass(Step.GAMES, f"{_GAMES}")

    async def _bears_more(self) -> bool:
        """Return whether its process can play another game, after games played as at a table."""
        asking = self.asking
        others = [entries.of_bundled("random")] * (asking.rules.SEATS[0] - 1)
        everybody = entries.distinct([asking.entry, *others])
        key, terms, demands = Key.fresh(), Terms(time=asking.demands.time), asking.demands
        async with Table(everybody, asking.folder / "tried", demands.start, sandboxing=demands.sandboxing) as table:
            for number in range(GAMES):
                await table.play(asking.rules, asking.options, key.deal(number), terms)
            return table.host.plays_on.get(asking.entry.name, False)

    async def _patient(self) -> None:
        await self._rough(Step.PATIENT, Manner.LATE, _LATE_QUESTIONS)
        self._pass(Step.PATIENT, "a reply that is read late is the only one")

    async def _end(self) -> None:
        """Check what it does off turn, what it has written to standard error, and how it exits."""
        asking = self.asking
        async with asking.seat() as seat:
            await self._lead(seat, next(self._own_games()), _times(_ROUGH_QUESTIONS))
            share = await self._share_at_rest(seat)
            if share > _RESTLESS * asking.entry.cores:
                raise Failed(Step.RESTS, f"it kept {share:.0%} of a core busy while nobody asked it anything")
            self._pass(Step.RESTS, f"{share:.0%} of a core")
            self._errors_are_short(seat)
            await self._leaves(seat)

    async def _share_at_rest(self, seat: ExaminedSeat) -> float:
        """Return its share of a core off turn, once it is at rest; a program that compiles itself needs a moment."""
        shares = [math.inf]
        seat.process.go_on()  # a table would stop a bot that is busy off turn
        while len(shares) <= _LOOKS and min(shares) > _RESTLESS * self.asking.entry.cores:
            before, began = seat.process.cpu(), time.monotonic()
            await self.asking.silent(seat, _AT_REST, "it wrote something after its game had ended")
            shares.append((seat.process.cpu() - before) / (time.monotonic() - began))
        return min(shares)

    def _errors_are_short(self, seat: ExaminedSeat) -> None:
        size = max(self.asking.complained, seat.stderr_size())
        if size >= STDERR_CAP:
            raise Failed(Step.ERRORS, f"it wrote {STDERR_CAP} bytes and more", errors=seat.last_errors())
        self._pass(Step.ERRORS, f"{size} bytes")

    async def _leaves(self, seat: ExaminedSeat) -> None:
        began = time.monotonic()
        left, behind = await leave(seat.process, _TO_LEAVE)
        if not left:
            raise Failed(Step.LEAVES, f"{_TO_LEAVE:.0f} s after the end of its input it was still there")
        if behind:
            raise Failed(Step.LEAVES, f"it left {behind} of the processes behind that it had started")
        self._pass(Step.LEAVES, f"after {(time.monotonic() - began) * 1000:.0f} ms")

    async def _lead(
        self,
        seat: ExaminedSeat,
        route: Route,
        more: Callable[[], bool],
        step: Step | None = None,
        wanted: Callable[[Situation], bool] = lambda _: True,
    ) -> None:
        """Lead the bot through a game and send its end at once."""
        await self.asking.lead(seat, route, more, step, wanted=wanted)
        seat.finish()

    async def _rough(self, step: Step, manner: Manner, questions: int) -> None:
        async with self.asking.seat(manner) as seat:
            more = _times(questions)
            for route in islice(self._own_games(), 2):
                await self._lead(seat, route, more, step)

    def _bot_first(self) -> Route:
        turn = self.asking.walk(Route(1, 0, free=True)).game.turn
        return Route(1, turn or 0, free=True)

    def _to_other_phases(self) -> list[tuple[Situation, Route]]:
        """List routes to each kind of question not asked yet; its seat plays at random, whatever the bot answers."""
        unmet = [met for met in self._routes if not met.attacked and met not in self.asking.answered]
        return [(met, route) for met in unmet for route in self._routes[met][:_EACH_PHASE]]

    def _until_all_met(self, met: Situation) -> Callable[[], bool]:
        before = self.asking.answered.get(met, 0)
        return lambda: self.asking.answered.get(met, 0) == before

    def _until_enough(self) -> bool:
        number, demands = sum(self.asking.answered.values()), self.asking.demands
        if demands.positions is not None:
            return number < demands.positions
        return number < POSITIONS and self.asking.spent < demands.patience

    def _patiently(self, number: int) -> Callable[[], bool]:
        """Return a condition that holds ``times`` times, but no longer than a slow bot may take in one of its games."""
        asking, times = self.asking, _times(number)
        if asking.demands.positions is not None:
            return times
        until = asking.spent + asking.demands.patience / _GAMES
        return lambda: asking.spent < until and times()

    def _more_attacks(self) -> bool:
        return sum(self.asking.answered.values()) < _ATTACKS

    def _own_games(self) -> Iterator[Route]:
        """Yield games without end that the bot plays itself, from each seat in turn."""
        rules = self.asking.rules
        for number in count(_OWN):
            yield Route(number, number // len(rules.SEATS) % seats(rules, number), free=True)


def _leaks_none(opened: list[int]) -> None:
    """Fail a bot that has more files open after each game, because it may have only a thousand."""
    games = len(opened) - 1
    if games >= _SOME_GAMES and opened[-1] - opened[0] >= games:
        raise Failed(
            Step.LIVES, f"{opened[0]} files were open after its first game and {opened[-1]} after {games} more"
        )


def _times(number: int) -> Callable[[], bool]:
    """Return a condition that holds ``times`` times."""
    left = iter(range(number))
    return lambda: next(left, None) is not None


def _clock(times: list[float], allowed: float) -> str:
    median, slowest = statistics.median(times) * 1000, max(times) * 1000
    return f"median {median:.2f} ms, slowest {slowest:.2f} ms of {allowed * 1000:.0f} ms"


def _endings(endings: Iterable[bytes]) -> str:
    names = {b"": "nothing", b"\n": "a newline", b"\r\n": "CRLF"}
    return " or ".join(sorted({names.get(ending, "white space") for ending in endings})) or "nothing"


# Whether a bot exits at the end of file on stdin, and its child processes with it

_FOR_THE_OTHERS = 0.5
_LOOK_EVERY = 0.01


async def leave(process: BotProcess, patience: float) -> tuple[bool, int]:
    """End the bot's input; return whether it exited within ``seconds``, and how many processes it left behind.

    The minder, or the first process of a namespace, would end those at once, so it is stopped meanwhile.
    """
    followers = process_table.descendants(process.program) if process.program else []
    if not followers:
        process.end_input()
        return await process.left(patience), 0
    with _suspend(process_table.parent(process.program)):
        process.end_input()
        left = await _is_gone([process.program], patience)
        await _is_gone(followers, _FOR_THE_OTHERS)
        return left, sum(map(process_table.runs, followers)) if left else 0


@contextmanager
def _suspend(pid: int) -> Iterator[None]:
    """Stop a process for a while, by SIGSTOP and SIGCONT."""
    process_table.signal(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        process_table.signal(pid, signal.SIGCONT)


async def _is_gone(pids: list[int], patience: float) -> bool:
    for _ in range(round(patience / _LOOK_EVERY)):
        if not any(map(process_table.runs, pids)):
            return True
        await trio.sleep(_LOOK_EVERY)
    return False
