"""Tables: who sits down together in an analysis, and one game played there."""

from __future__ import annotations

from enum import StrEnum
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import msgspec

import croupier
from croupier.agents.search import Budget
from croupier.server import games
from croupier.server.analysis.players import MANY, Chance, Searcher, Sensible, Thinker
from croupier.server.deals import Key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from croupier.protocol.sexp import Atom
    from croupier.server.analysis.players import Player
    from croupier.server.games.game import Game

LONG = 50_000
"""More choices than any game takes that comes to an end."""


class Table(StrEnum):
    """Who sits at a table: all alike, or one, in each seat in turn, among players of chance."""

    RANDOM = "random"
    SENSIBLE = "sensible"
    ONE_SENSIBLE = "one sensible"
    THINKING = "thinking"
    ONE_THINKING = "one thinking"
    ONE_SEARCHING = "one searching"

    @property
    def alone(self) -> bool:
        """Whether one sits among players of chance."""
        return self in {Table.ONE_SENSIBLE, Table.ONE_THINKING, Table.ONE_SEARCHING}

    @property
    def thinks(self) -> bool:
        """Whether somebody thinks or searches there, which takes its time."""
        return self in {Table.THINKING, Table.ONE_THINKING, Table.ONE_SEARCHING}


class Setting(NamedTuple):
    """A game as it is analyzed: all that decides what is played; ``rules`` is a program's SHA-256 or our version.

    A thinking player tries each option in so many ``worlds``, a searching one plays out so many times a decision, or
    for ``ms`` milliseconds.
    """

    game: str
    rules: str
    options: dict[str, Atom]
    seats: int
    seed: str
    worlds: int
    playouts: int
    ms: int | None = None

    @property
    def budget(self) -> Budget:
        """Return how long the searching player may think."""
        return Budget(iterations=self.playouts) if self.ms is None else Budget(ms=self.ms)


class Job(NamedTuple):
    """Some deals to be played at one table."""

    setting: Setting
    table: Table
    deals: tuple[int, ...]

    def play(self, stopped: Callable[[], bool]) -> list[Played]:
        """Play the deals, in each seating where one sits among players of chance; when stopped, no further deal."""
        rules = games.find(self.setting.game)
        if fingerprint(rules) != self.setting.rules:
            raise RulesFailed(f"the program {self.setting.game} was changed while it was played")
        played: list[Played] = []
        for deal in self.deals:
            if stopped():
                break
            played += self._all_seatings(rules, deal)
        return played

    def _all_seatings(self, rules: type[Game], deal: int) -> list[Played]:
        try:
            return [
                _played(rules, self, deal, place)
                for place in (range(self.setting.seats) if self.table.alone else (-1,))
            ]
        except Exception as problem:
            where = f"at the table {self.table}, deal {deal}, seed {self.setting.seed}"
            raise RulesFailed(
                f"{self.setting.game}: the rules, or who sits there, failed {where}: {problem!r}"
            ) from problem


class Moment(msgspec.Struct, frozen=True, array_like=True):
    """What a thinking player expected at one of its choices, with the number of that choice in the game, from 0."""

    number: int
    seat: int
    best: float
    worst: float
    leads: tuple[float, ...]


class Played(msgspec.Struct, frozen=True, array_like=True):
    """A game as it was played: who chose among how many options, what was thought, and how it ended.

    ``place`` is the seat of who sat among players of chance, nobody's at other tables; ``void`` is why a game came to
    no end, and then it counts for nothing but that.
    """

    deal: int
    place: int
    seats: tuple[int, ...]
    options: tuple[int, ...]
    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    moments: tuple[Moment, ...] = ()
    void: str | None = None

    @property
    def winners(self) -> tuple[int, ...]:
        """Return the seats above whom nobody is ranked."""
        return tuple(seat for seat, rank in enumerate(self.ranks) if rank == 1)


class RulesFailed(Exception):
    """A game whose rules fail, or who plays it; the message says where."""


def fingerprint(rules: type[Game]) -> str:
    """Return what changes with the rules."""
    return getattr(rules, "PROGRAM_SHA256", f"croupier {croupier.__version__}")


def _played(rules: type[Game], job: Job, deal: int, place: int) -> Played:
    """Play one game; chance is the same whenever and wherever it is played."""
    setting = job.setting
    names = [f"player-{seat}" for seat in range(1, setting.seats + 1)]
    game = rules(names, setting.options, Key.from_seed(setting.seed).deal(deal))
    players = list(_seated(rules, job, f"{setting.seed} {job.table} {deal} {place}", place))
    seats: list[int] = []
    options: list[int] = []
    moments: list[Moment] = []
    while (seat := game.turn) is not None and len(seats) < LONG:
        plays = list(islice(game.legal(), MANY))
        chosen, thought = players[seat].decide(game, seat, plays)
        if thought is not None:
            moments.append(Moment(len(seats), seat, *thought))
        seats.append(seat)
        options.append(len(plays))
        game.play(seat, chosen)
    endless = None if game.turn is None else f"no end after {LONG} choices"
    scores = game.scores()
    return Played(
        deal,
        place,
        tuple(seats),
        tuple(options),
        tuple(scores),
        tuple(game.ranks(scores)),
        tuple(moments),
        game.void or endless,
    )


def _seated(rules: type[Game], job: Job, chance: str, place: int) -> Iterator[Player]:
    """Yield who sits in each seat, with a chance of his own."""
    for seat in range(job.setting.seats):
        rng = Random(f"{chance} {seat}")
        if job.table == Table.RANDOM or (job.table.alone and seat != place):
            yield Chance(rng)
        elif job.table == Table.ONE_SEARCHING:
            yield Searcher(rng, job.setting.budget)
        elif job.table.thinks:
            yield Thinker(rng, job.setting.worlds)
        else:
            yield Sensible(rules.NAME)
