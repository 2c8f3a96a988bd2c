"""Standings: what a tournament's games prove, from games alone and whatever order they come in."""

from __future__ import annotations

from array import array
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from croupier.server.table.faults import Kind
from croupier.server.tournaments.statistics.credit import credited, opponents, places, shares
from croupier.server.tournaments.statistics.field import field
from croupier.server.tournaments.statistics.intervals import LEVEL, Interval, clustered
from croupier.server.tournaments.statistics.strength import Comparisons, strengths
from croupier.server.tournaments.statistics.times import quantile

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from croupier.server.games.game import Game
    from croupier.server.table.played import PlayedGame
    from croupier.server.tournaments.statistics.credit import Credited
    from croupier.server.tournaments.statistics.luck import Corrected
    from croupier.server.tournaments.statistics.remembering import Later

MOST_TOLD = 6
"""Differences without luck that a person is shown; all are in the document."""
PLACES = 4
"""Decimals in a document: finer than any interval, coarser than the last bit of a sum."""


class SeatScore(NamedTuple):
    """How an entry did in one seat."""

    games: int
    mean: float | None


@dataclass(frozen=True, slots=True)
class Ranked:
    """One line of the table."""

    name: str
    gone: str
    """Why it plays no more, in a word; nothing if it does."""
    games: int
    score: Interval
    clean: Interval
    """The score in the sets in which nobody committed a fault."""
    wins: int
    """Games in which nobody was ranked above, shared ones too."""
    shared: int
    strength: Interval
    points: float | None
    field: Interval | None
    """What it would score against all others, where that ranks."""
    faults: dict[str, int]
    seats: tuple[SeatScore, ...]
    median: float | None
    """Thinking time a decision, in microseconds."""
    slowest: float | None
    """The 99th percentile of it."""
    causes: dict[str, int]
    """What the referee said of the faults, and how often."""

    def document(self, rank: int) -> dict[str, Any]:
        """Return the line as ``standings --json`` prints it."""
        return {
            "name": self.name,
            "games": self.games,
            "mean": _rounded(self.score.mean),
            "low": _rounded(self.score.low),
            "high": _rounded(self.score.high),
            "wins": self.wins,
            "strength": _rounded(self.strength.mean),
            "faults": self.faults,
            "rank": rank,
            "points": self.points,
            "shared": self.shared,
            "strength_low": _rounded(self.strength.low),
            "strength_high": _rounded(self.strength.high),
            "clean": {
                "mean": _rounded(self.clean.mean),
                "low": _rounded(self.clean.low),
                "high": _rounded(self.clean.high),
            },
            "milliseconds": {"median": _milliseconds(self.median), "slowest": _milliseconds(self.slowest)},
            "causes": self.causes,
            "status": self.gone,
            **self._field(),
        }

    def _field(self) -> dict[str, float | None]:
        if self.field is None:
            return {}
        bounds = zip(("field", "field_low", "field_high"), self.field[:3], strict=True)
        return {key: _rounded(bound) for key, bound in bounds}


@dataclass(frozen=True, slots=True)
class Difference:
    """How much more a game brought one entry than another at the same table, and how often it ranked above."""

    one: str
    other: str
    score: Interval
    won: float
    lost: float
    tied: float
    sure: bool
    """Whether the two differ also in the eyes of one who looks at all pairs at once: 5 % are shared out among them."""

    def document(self) -> dict[str, Any]:
        """Return the difference as ``standings --json`` prints it."""
        return {
            "players": [self.one, self.other],
            "mean": _rounded(self.score.mean),
            "low": _rounded(self.score.low),
            "high": _rounded(self.score.high),
            "sets": self.score.sets,
            "won": _rounded(self.won),
            "lost": _rounded(self.lost),
            "tied": _rounded(self.tied),
            "sure": self.sure,
        }


@dataclass(frozen=True, slots=True)
class Standings:
    """The verdict."""

    game: str
    games: int
    finished: bool
    ranked_by: str
    counts: str
    """What the format counts of its own; nothing if it does not."""
    players: tuple[Ranked, ...]
    cross: tuple[Difference, ...]
    void: dict[str, int]
    """Why games count for nobody, and how many."""
    later: tuple[Later, ...] = ()
    """How much better each did when a deal came again."""
    luck: tuple[Corrected, ...] = ()
    """Means and differences without the luck of the shuffles, where the game says what that is."""
    left_early: int = 0
    """At how many tables fewer deals were played than at others, as nothing was left to find out there."""

    @property
    def luck_told(self) -> list[Corrected]:
        """What a person is told without luck: the means, and the differences if they are few."""
        few = sum(len(each.names) > 1 for each in self.luck) <= MOST_TOLD
        return [each for each in self.luck if few or len(each.names) == 1]

    def document(self) -> dict[str, Any]:
        """Return what ``standings --json`` prints."""
        players = [player.document(rank) for rank, player in enumerate(self.players, 1)]
        return {
            "game": self.game,
            "games": self.games,
            "finished": self.finished,
            "players": players,
            "ranked_by": self.ranked_by,
            "void": self.void,
            "differences": [difference.document() for difference in self.cross],
            "later_seatings": [each.document() for each in self.later],
            **({"without_luck": [each.document() for each in self.luck]} if self.luck else {}),
            **({"left_early": self.left_early} if self.left_early else {}),
        }


def _milliseconds(microseconds: float | None) -> float | None:
    return None if microseconds is None else _rounded(microseconds / 1000)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, PLACES) + 0.0


def standings(
    games: Iterable[PlayedGame],
    rules: type[Game],
    *,
    names: Sequence[str] = (),
    gone: Mapping[str, str] | None = None,
    finished: bool = True,
    ranked_by: str = "mean",
    counts: str = "",
    points: Mapping[str, float] | None = None,
    void: Mapping[str, int] | None = None,
    times: Mapping[str, Counter[int]] | None = None,
) -> Standings:
    """Judge the games; ``names`` are entries that may have none yet, ``points`` what the format itself counts.

    ``times`` are thinking times where the games have none.
    """
    ordered = sorted(games, key=lambda game: (game.pairing, game.deal, game.seating))
    names = sorted({*names, *(name for game in ordered for name in game.seating)})
    tally = _Tally(ordered, names, rules, times)
    fitted = strengths(tally.comparisons(), len(names))
    against = None
    if ranked_by == "field":
        against = field(credited(ordered, rules), names, rules.PARTNERS, worst=rules.PENALTY)
    players = tally.players(fitted, against, points or {}, gone or {})
    return Standings(
        rules.NAME,
        len(ordered),
        finished,
        ranked_by,
        counts,
        tuple(sorted(players, key=lambda player: _order(player, ranked_by, low_wins=rules.LOW_WINS))),
        tally.cross(),
        dict(void or {}),
    )


def _order(player: Ranked, ranked_by: str, *, low_wins: bool) -> tuple[Any, ...]:
    """Return what sorts the best first: the number that ranks, then strength, then the name."""
    mean = np.inf if player.score.mean is None else player.score.mean * (1 if low_wins else -1)
    strength = -(player.strength.mean or 0)
    if ranked_by == "mean":
        return (round(mean, PLACES), round(strength, PLACES), player.name)
    if player.field is not None:
        against = 0 if player.field.mean is None else player.field.mean * (1 if low_wins else -1)
        return (not player.games, round(against, PLACES), round(strength, PLACES), player.name)
    return (-(player.points or 0), round(strength, PLACES), player.name)


class _Tally:
    """All games, counted by player and by pair of players."""

    def __init__(
        self,
        games: Sequence[PlayedGame],
        names: Sequence[str],
        rules: type[Game],
        times: Mapping[str, Counter[int]] | None = None,
    ) -> None:
        self.played = games
        self.names = names
        self.rules = rules
        self.number = {name: number for number, name in enumerate(names)}
        self.scores, self.clean, self.differences, self.meetings = array("d"), array("d"), array("d"), array("d")
        """Whose, of which deal, how much, one after the other: there may be millions."""
        self.wins: Counter[str] = Counter()
        self.shared: Counter[str] = Counter()
        self.faults: Counter[tuple[str, Kind]] = Counter()
        self.games: Counter[str] = Counter()
        self.seats: dict[tuple[str, int], list[int]] = {}
        self.times = {name: Counter((times or {}).get(name, ())) for name in names}
        self.causes: dict[str, Counter[str]] = {name: Counter() for name in names}
        for each in credited(games, rules):
            game, seats = each.game, places(each.game)
            pairs = [pair for pair in opponents(seats, rules) if each.clean or each.comparable(*pair)]
            self._score(each, pairs)
            self._meet(game, pairs, seats)
            self._win(game, seats)
            self._seat(game)

    def _score(self, each: Credited, pairs: Sequence[tuple[str, str]]) -> None:
        deal = each.game.deal
        for name, score in each.scores.items():
            self.scores.extend((self.number[name], deal, score))
            if each.clean:
                self.clean.extend((self.number[name], deal, score))
        for one, other in pairs:
            pair = self.number[one] * len(self.names) + self.number[other]
            self.differences.extend((pair, deal, each.scores[one] - each.scores[other]))

    def _meet(self, game: PlayedGame, pairs: Sequence[tuple[str, str]], seats: Mapping[str, Sequence[int]]) -> None:
        """Compare ranks between opponents; several seats share one game's weight."""
        for one, other in pairs:
            won, lost = shares([game.ranks[seat] for seat in seats[one]], [game.ranks[seat] for seat in seats[other]])
            self.meetings.extend((self.number[one], self.number[other], game.deal, won, lost, 1 - won - lost))

    def _win(self, game: PlayedGame, seats: Mapping[str, Sequence[int]]) -> None:
        """Count who was first, by no fault."""
        best = {game.seating[seat] for seat in game.winners}
        self.wins.update(best)
        if len(best) > 1 and opponents({name: seats[name] for name in best}, self.rules):
            self.shared.update(best)

    def _seat(self, game: PlayedGame) -> None:
        for name in set(game.seating):
            self.games[name] += 1
        for seat, fault in game.faults:
            self.faults[game.seating[seat], fault.kind] += 1
            self.causes[game.seating[seat]][f"{fault.kind.value}: {fault.why}"] += 1
        for seat, name in enumerate(game.seating):
            self.seats.setdefault((name, seat), []).append(game.scores[seat])
            if game.times:
                for bucket, decisions in game.times[seat]:
                    self.times[name][bucket] += decisions

    def comparisons(self) -> Comparisons:
        """Return all meetings for the fit."""
        table = np.frombuffer(self.meetings).reshape(-1, 6).T if self.meetings else np.empty((6, 0))
        one, other, unit = table[:3].astype(np.int64)
        return Comparisons(one, other, unit, *table[3:])

    def players(
        self,
        fitted: Sequence[Interval],
        against: Sequence[Interval] | None,
        points: Mapping[str, float],
        gone: Mapping[str, str],
    ) -> list[Ranked]:
        """Return a line for each player."""
        count, worst = len(self.names), self.rules.PENALTY
        scores, clean = _intervals(self.scores, count, worst=worst), _intervals(self.clean, count, worst=worst)
        width = max((len(game.seating) for game in self.played), default=0)
        return [
            Ranked(
                name=name,
                gone=gone.get(name, ""),
                games=self.games[name],
                score=scores[number],
                clean=clean[number],
                wins=self.wins[name],
                shared=self.shared[name],
                strength=fitted[number],
                points=points.get(name),
                field=against[number] if against else None,
                faults={kind.value: self.faults[name, kind] for kind in Kind},
                seats=tuple(self._in_seat(name, seat) for seat in range(width)),
                median=quantile(self.times[name], 0.5),
                slowest=quantile(self.times[name], 0.99),
                causes=dict(sorted(self.causes[name].items(), key=lambda cause: (-cause[1], cause[0]))),
            )
            for number, name in enumerate(self.names)
        ]

    def _in_seat(self, name: str, seat: int) -> SeatScore:
        scores = self.seats.get((name, seat), [])
        return SeatScore(len(scores), sum(scores) / len(scores) if scores else None)

    def cross(self) -> tuple[Difference, ...]:
        """Return the difference between each two who met as opponents."""
        count = len(self.names)
        intervals = _intervals(self.differences, count * count)
        pairs = sum(interval.sets > 0 for interval in intervals)
        strict = _intervals(self.differences, count * count, 1 - (1 - LEVEL) / max(pairs, 1))
        one, other, _, *shares = self.comparisons()
        won, lost, tied = (np.bincount(one * count + other, share, count * count).tolist() for share in shares)
        return tuple(
            Difference(
                self.names[pair // count],
                self.names[pair % count],
                interval,
                won[pair],
                lost[pair],
                tied[pair],
                bool(strict[pair].sign),
            )
            for pair, interval in enumerate(intervals)
            if interval.sets
        )


def _intervals(
    entries: array[float], count: int, level: float = LEVEL, *, worst: float | None = None
) -> list[Interval]:
    groups, units, values = np.frombuffer(entries).reshape(-1, 3).T if entries else np.empty((3, 0))
    return clustered(groups, units, values, count, level, worst=worst)
