"""Tables: the players of each table in an analysis, and how a game is played there."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from croupier.agents.search import Budget
from croupier.server.analysis.players import MANY, Chance, Searcher, Sensible, Thinker
from croupier.server.deals import Key
from croupier.server.table.faults import Outcome
from croupier.server.table.played_game import PlayedGame
from croupier.server.tournaments.keeping.packed_games import PackedGames
from croupier.server.tournaments.playing import batch

if TYPE_CHECKING:
    from collections.abc import Callable

    from croupier.protocol.sexp import Atom
    from croupier.server.analysis.players import Player
    from croupier.server.games.game import Game
    from croupier.server.table.played_game import Names

LONG = 50_000
"""A game with more choices counts as endless."""
PLAYERS = ("random", "sensible", "thinking", "searching")
NOBODY = -1
"""The seat of the one player among random ones, at a table without one."""


class Table(StrEnum):
    """The players of a table: all of one kind, or one, in each seat in turn, among random players."""

    RANDOM = "random"
    SENSIBLE = "sensible"
    ONE_SENSIBLE = "one sensible"
    THINKING = "thinking"
    ONE_THINKING = "one thinking"
    ONE_SEARCHING = "one searching"

    @classmethod
    def of(cls, seating: Names) -> Table:
        """Return the table with these players."""
        return cls(seating[0] if len(set(seating)) == 1 else f"one {max(seating, key=PLAYERS.index)}")

    @property
    def player(self) -> str:
        """Return the player that sits in every seat, or in one."""
        return self.removeprefix("one ")

    @property
    def alone(self) -> bool:
        """Return whether it has one player among random ones."""
        return self.player != self

    def seatings(self, seats: int) -> tuple[Names, ...]:
        """Return the seatings of a deal."""
        if not self.alone:
            return ((self.player,) * seats,)
        return tuple(
            tuple(self.player if seat == place else Table.RANDOM.value for seat in range(seats))
            for place in range(seats)
        )

    @property
    def thinks(self) -> bool:
        """Return whether a player thinks or searches there, which is slow."""
        return self.player in PLAYERS[2:]


class Setting(NamedTuple):
    """A game as it is analyzed, with everything that decides what is played.

    ``rules`` is a program's SHA-256 or our version. A thinking player tries each option in ``worlds`` worlds; a
    searching one plays out a number of times per decision, or for ``ms`` milliseconds.
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


class Moment(msgspec.Struct, frozen=True, array_like=True):
    """What a thinking player expected at one of its choices, with the number of that choice in the game, from 0."""

    number: int
    seat: int
    best: float
    worst: float
    leads: tuple[float, ...]


class AnalyzedGame(msgspec.Struct, frozen=True, array_like=True):
    """A played game: who chose among how many options, the thoughts, and how it ended.

    ``place`` is the seat of the one player among random ones, `NOBODY` at other tables; ``void`` is why a game did not
    end, and then it counts only as that.
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
        """Return the seats with the first rank."""
        return tuple(seat for seat, rank in enumerate(self.ranks) if rank == 1)


class RulesFailed(Exception):
    """The rules of a game, or a player, failed; the message says where."""


def play(rules: type[Game], setting: Setting, seating: Names, deal: int) -> AnalyzedGame:
    """Play one game, with the same random numbers on any machine; raise RulesFailed."""
    table = Table.of(seating)
    try:
        return _play(rules, setting, table, seating, deal)
    except Exception as problem:
        where = f"at the table {table}, deal {deal}, seed {setting.seed}"
        raise RulesFailed(f"{setting.game}: the rules, or who sits there, failed {where}: {problem!r}") from problem


def _play(rules: type[Game], setting: Setting, table: Table, seating: Names, deal: int) -> AnalyzedGame:
    names = [f"player-{seat}" for seat in range(1, setting.seats + 1)]
    game = rules(names, setting.options, Key.from_seed(setting.seed).deal(deal))
    place = seating.index(table.player) if table.alone else NOBODY
    chance = f"{setting.seed} {table} {deal} {place}"
    players = [_player(who, rules, setting, Random(f"{chance} {seat}")) for seat, who in enumerate(seating)]
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
    return AnalyzedGame(
        deal,
        place,
        tuple(seats),
        tuple(options),
        tuple(scores),
        tuple(game.ranks(scores)),
        tuple(moments),
        game.void or endless,
    )


def _player(who: str, rules: type[Game], setting: Setting, rng: Random) -> Player:
    """Return a player with its own random numbers."""
    match who:
        case Table.SENSIBLE:
            return Sensible(rules.NAME)
        case Table.THINKING:
            return Thinker(rng, setting.worlds)
        case "searching":
            return Searcher(rng, setting.budget)
        case _:
            return Chance(rng)


@dataclass(frozen=True, kw_only=True)
class AnalysisJob(batch.Job):
    """A batch of an analysis: its players are in the worker itself, and it keeps numbers of options, not records."""

    setting: Setting

    def play(self, stopped: Callable[[], bool]) -> PackedGames:
        """Play the games, until it is stopped."""
        packed = PackedGames()
        for seating, deal in self.games:
            if stopped():
                break
            packed.append(self._play(seating, deal))
        return packed.pack()

    def _play(self, seating: Names, deal: int) -> PlayedGame:
        played = play(self.rules, self.setting, seating, deal)
        outcome = Outcome.VOID if played.void else Outcome.FINISHED
        options = json.dumps(msgspec.to_builtins(played))
        game = PlayedGame(self.pairing, deal, seating, played.scores, played.ranks, outcome=outcome)
        return game._replace(record=(options,))
