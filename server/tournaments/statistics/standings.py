"""Standings: what a tournament's games prove, from rows alone and whatever order they come in."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from croupier.server.table.faults import Kind
from croupier.server.tournaments.statistics.intervals import Interval, clustered
from croupier.server.tournaments.statistics.rows import quantile
from croupier.server.tournaments.statistics.strength import Comparisons, strengths

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from croupier.server.games.game import Game
    from croupier.server.tournaments.statistics.rows import Row

PLACES = 4
"""Decimals in a document: finer than any interval, coarser than the last bit of a sum."""


class Seat(NamedTuple):
    """How an entry did in one seat."""

    games: int
    mean: float | None


@dataclass(frozen=True, slots=True)
class Player:
    """One line of the table."""

    name: str
    games: int
    score: Interval
    clean: Interval
    """The score in the sets in which nobody committed a fault."""
    wins: int
    """Games in which nobody was ranked above, shared ones too."""
    shared: int
    strength: Interval
    points: float | None
    faults: dict[str, int]
    seats: tuple[Seat, ...]
    median: float | None
    """Thinking time a decision, in microseconds."""
    slowest: float | None
    """The 99th percentile of it."""


@dataclass(frozen=True, slots=True)
class Difference:
    """How much more a game brought one entry than another at the same table, and how often it ranked above."""

    one: str
    other: str
    score: Interval
    won: float
    lost: float
    tied: float


@dataclass(frozen=True, slots=True)
class Standings:
    """The verdict."""

    game: str
    games: int
    finished: bool
    ranked_by: str
    players: tuple[Player, ...]
    cross: tuple[Difference, ...]

    def document(self) -> dict[str, Any]:
        """Return what ``standings --json`` prints."""
        players = [
            {
                "name": player.name,
                "games": player.games,
                "mean": _rounded(player.score.mean),
                "low": _rounded(player.score.low),
                "high": _rounded(player.score.high),
                "wins": player.wins,
                "strength": _rounded(player.strength.mean),
                "faults": player.faults,
            }
            for player in self.players
        ]
        return {
            "game": self.game,
            "games": self.games,
            "finished": self.finished,
            "players": players,
            "ranked_by": self.ranked_by,
        }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, PLACES) + 0.0


def standings(
    rows: Iterable[Row],
    game: type[Game],
    *,
    names: Sequence[str] = (),
    finished: bool = True,
    ranked_by: str = "mean",
    points: Mapping[str, float] | None = None,
) -> Standings:
    """Judge the games; ``names`` are entries that may have none yet, ``points`` what the format itself counts."""
    ordered = sorted(rows)
    names = sorted({*names, *(name for row in ordered for name in row.seating)})
    tally = _Tally(ordered, names, game)
    fitted = strengths(tally.comparisons(), len(names))
    players = tally.players(fitted, points or {})
    return Standings(
        game.NAME,
        len(ordered),
        finished,
        ranked_by,
        tuple(sorted(players, key=lambda player: _order(player, ranked_by, low_wins=game.LOW_WINS))),
        tally.cross(),
    )


def _order(player: Player, ranked_by: str, *, low_wins: bool) -> tuple[Any, ...]:
    """Return what sorts the best first: the number that ranks, then strength, then the name."""
    mean = np.inf if player.score.mean is None else player.score.mean * (1 if low_wins else -1)
    strength = -(player.strength.mean or 0)
    if ranked_by == "mean":
        return (round(mean, PLACES), round(strength, PLACES), player.name)
    if ranked_by == "strength":
        return (not player.games, round(strength, PLACES), player.name)
    return (-(player.points or 0), round(strength, PLACES), player.name)


class _Tally:
    """All rows, counted by player and by pair of players."""

    def __init__(self, rows: Sequence[Row], names: Sequence[str], game: type[Game]) -> None:
        self.rows = rows
        self.names = names
        self.game = game
        self.number = {name: number for number, name in enumerate(names)}
        self.scores: list[tuple[int, int, float]] = []
        self.clean: list[tuple[int, int, float]] = []
        self.differences: list[tuple[int, int, float]] = []
        self.meetings: list[tuple[int, int, int, float, float, float]] = []
        self.wins: Counter[str] = Counter()
        self.shared: Counter[str] = Counter()
        self.faults: Counter[tuple[str, str]] = Counter()
        self.games: Counter[str] = Counter()
        self.seats: dict[tuple[str, int], list[int]] = {}
        self.times: dict[str, Counter[int]] = {name: Counter() for name in names}
        spoilt = {(row.pairing, row.deal) for row in rows if not row.clean}
        for row in rows:
            seats: dict[str, list[int]] = {}
            for seat, name in enumerate(row.seating):
                seats.setdefault(name, []).append(seat)
            pairs = _opponents(seats, game)
            self._score(row, pairs, clean=(row.pairing, row.deal) not in spoilt)
            self._meet(row, pairs, seats)
            self._win(row, seats)
            self._seat(row)

    def _score(self, row: Row, pairs: Sequence[tuple[str, str]], *, clean: bool) -> None:
        scores = dict(row.entries(low_wins=self.game.LOW_WINS))
        entries = [(self.number[name], row.deal, score) for name, score in scores.items()]
        self.scores += entries
        if clean:
            self.clean += entries
        for one, other in pairs:
            pair = self.number[one] * len(self.names) + self.number[other]
            self.differences.append((pair, row.deal, scores[one] - scores[other]))

    def _meet(self, row: Row, pairs: Sequence[tuple[str, str]], seats: Mapping[str, Sequence[int]]) -> None:
        """Compare ranks between opponents; several seats share one game's weight."""
        for one, other in pairs:
            meetings = [(row.ranks[mine], row.ranks[yours]) for mine in seats[one] for yours in seats[other]]
            won = sum([mine < yours for mine, yours in meetings]) / len(meetings)
            lost = sum([mine > yours for mine, yours in meetings]) / len(meetings)
            self.meetings.append((self.number[one], self.number[other], row.deal, won, lost, 1 - won - lost))

    def _win(self, row: Row, seats: Mapping[str, Sequence[int]]) -> None:
        """Count who was first, by no fault."""
        first = [seat for seat, rank in enumerate(row.ranks) if rank == 1 and not (row.faults and row.faults[seat])]
        best = {row.seating[seat] for seat in first}
        self.wins.update(best)
        if len(best) > 1 and _opponents({name: seats[name] for name in best}, self.game):
            self.shared.update(best)

    def _seat(self, row: Row) -> None:
        self.games.update(set(row.seating))
        for seat, name in enumerate(row.seating):
            self.seats.setdefault((name, seat), []).append(row.scores[seat])
            if row.faults and row.faults[seat]:
                self.faults[name, row.faults[seat]] += 1
            if row.times:
                self.times[name].update(dict(row.times[seat]))

    def comparisons(self) -> Comparisons:
        """Return all meetings for the fit."""
        table = np.array(self.meetings, float).reshape(-1, 6).T
        one, other, unit = table[:3].astype(np.int64)
        return Comparisons(one, other, unit, *table[3:])

    def players(self, fitted: Sequence[Interval], points: Mapping[str, float]) -> list[Player]:
        """Return a line for each player."""
        scores, clean = _intervals(self.scores, len(self.names)), _intervals(self.clean, len(self.names))
        width = max((len(row.seating) for row in self.rows), default=0)
        return [
            Player(
                name=name,
                games=self.games[name],
                score=scores[number],
                clean=clean[number],
                wins=self.wins[name],
                shared=self.shared[name],
                strength=fitted[number],
                points=points.get(name),
                faults={kind.value: self.faults[name, kind.value] for kind in Kind},
                seats=tuple(self._in_seat(name, seat) for seat in range(width)),
                median=quantile(self.times[name], 0.5),
                slowest=quantile(self.times[name], 0.99),
            )
            for number, name in enumerate(self.names)
        ]

    def _in_seat(self, name: str, seat: int) -> Seat:
        scores = self.seats.get((name, seat), [])
        return Seat(len(scores), sum(scores) / len(scores) if scores else None)

    def cross(self) -> tuple[Difference, ...]:
        """Return the difference between each two who met as opponents."""
        count = len(self.names)
        intervals = _intervals(self.differences, count * count)
        one, other, _, *shares = self.comparisons()
        results = np.stack([np.bincount(one * count + other, share, count * count) for share in shares], axis=1)
        return tuple(
            Difference(self.names[pair // count], self.names[pair % count], interval, *results[pair].tolist())
            for pair, interval in enumerate(intervals)
            if interval.sets
        )


def _intervals(entries: Sequence[tuple[int, int, float]], count: int) -> list[Interval]:
    groups, units, values = zip(*entries, strict=True) if entries else ((), (), ())
    return clustered(groups, units, values, count)


def _opponents(seats: Mapping[str, Sequence[int]], game: type[Game]) -> list[tuple[str, str]]:
    """List the pairs of entries at a table that are not partners, each in alphabetical order."""
    pairs = combinations(sorted(seats), 2)
    if not game.PARTNERS:
        return list(pairs)
    side = {seat: number for number, together in enumerate(game.PARTNERS) for seat in together}
    return [(one, other) for one, other in pairs if side[seats[one][0]] != side[seats[other][0]]]
