"""Standings: what a tournament's games prove, computed from the games alone and independent of their order."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from croupier.server.table.faults import Kind
from croupier.server.tournaments.statistics.columns import Columns
from croupier.server.tournaments.statistics.credit import credit_games, opposing_pairs, shares, sides
from croupier.server.tournaments.statistics.field import field
from croupier.server.tournaments.statistics.intervals import LEVEL, PLACES, Interval, ratio_intervals, rounded
from croupier.server.tournaments.statistics.strength import Comparisons, Elo, strengths
from croupier.server.tournaments.statistics.times import quantile

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from croupier.server.table.played_game import PlayedGame
    from croupier.server.tournaments.statistics.columns import Flags
    from croupier.server.tournaments.statistics.luck_correction import Corrected
    from croupier.server.tournaments.statistics.remembering import Later
    from croupier.server.tournaments.statistics.scoring import Rules

MOST_TOLD = 6
"""At most this many luck-corrected differences are shown to a person; the JSON has all."""


class SeatScore(NamedTuple):
    """An entry's results in one seat."""

    games: int
    mean: float | None


@dataclass(frozen=True, slots=True)
class Ranked:
    """One line of the table."""

    name: str
    gone: str
    """Why it no longer plays, in a word; empty if it plays."""
    games: int
    score: Interval
    clean: Interval
    """The score in the sets in which nobody committed a fault."""
    wins: int
    """Games in which nobody was ranked above it, including shared wins."""
    shared: int
    strength: Interval
    points: float | None
    field: Interval | None
    """Its score against all others, if that is what ranks."""
    faults: dict[str, int]
    seats: tuple[SeatScore, ...]
    median: float | None
    """Thinking time per decision, in microseconds."""
    slowest: float | None
    """The 99th percentile of the thinking time."""
    causes: dict[str, int]
    """The causes of its faults in the referee's words, and how often each occurred."""
    title: str = ""
    """The title that people read instead of the name, if there is one."""

    @property
    def games_withdrawn(self) -> int:
        """The number of games in which it was not asked, because it had been withdrawn for its faults."""
        return self.faults[Kind.WITHDRAWN.value]

    @property
    def faults_committed(self) -> int:
        """The number of faults it committed."""
        return sum(self.faults.values()) - self.games_withdrawn

    @property
    def ranking(self) -> Interval:
        """The number that ranks: the score against the field if there is one, else the mean."""
        return self.score if self.field is None else self.field

    @property
    def plain(self) -> Ranked:
        """Return the line without bounds of mean and strength, which do not hold with varying opponents."""
        unbounded = {name: getattr(self, name).without_bounds for name in ("score", "clean", "strength")}
        return replace(self, **unbounded)

    def document(self, rank: int) -> dict[str, Any]:
        """Return the line in the form of ``standings --json``."""
        return {
            "name": self.name,
            "title": self.title,
            "games": self.games,
            **self.score.document(),
            "wins": self.wins,
            "strength": rounded(self.strength.mean),
            "faults": self.faults,
            "rank": rank,
            "points": self.points,
            "shared": self.shared,
            "strength_low": rounded(self.strength.low),
            "strength_high": rounded(self.strength.high),
            "clean": self.clean.document(),
            "milliseconds": {"median": _milliseconds(self.median), "slowest": _milliseconds(self.slowest)},
            "causes": self.causes,
            "status": self.gone,
            **({} if self.field is None else self.field.document("field", "field_low", "field_high")),
        }


@dataclass(frozen=True, slots=True)
class Difference:
    """How much more a game brought one entry than another at the same table, and how often it ranked higher."""

    one: str
    other: str
    score: Interval
    won: float
    lost: float
    tied: float
    sure: bool
    """Whether the two differ even when all pairs are considered together, which share an error of 5 %."""
    elo: Elo | None = None
    """The difference in strength, if the game has two sides."""

    @property
    def opposite(self) -> Difference:
        """Return the same from the other's side."""
        elo = None if self.elo is None else self.elo.opposite
        return Difference(self.other, self.one, self.score.opposite, self.lost, self.won, self.tied, self.sure, elo)

    def document(self) -> dict[str, Any]:
        """Return the difference in the form of ``standings --json``."""
        return {
            "players": [self.one, self.other],
            **self.score.document(),
            "sets": self.score.sets,
            "won": rounded(self.won),
            "lost": rounded(self.lost),
            "tied": rounded(self.tied),
            "sure": self.sure,
            **({} if self.elo is None else self.elo.document()),
        }


@dataclass(frozen=True, slots=True)
class Standings:
    """The verdict."""

    game: str
    games: int
    finished: bool
    ranked_by: str
    counts: str
    """The unit that the format itself counts; empty if it counts none."""
    players: tuple[Ranked, ...]
    cross: tuple[Difference, ...]
    void: dict[str, int]
    """The reasons why games do not count, with the number of games."""
    later: tuple[Later, ...] = ()
    """How much better each entry did in later seatings of a deal."""
    luck: tuple[Corrected, ...] = ()
    """Means and differences corrected for luck, if the game defines luck."""
    trial: str = ""
    """The progress of the test between two bounds, if the tournament has one."""
    test: Mapping[str, Any] | None = None
    """The same in the form that scripts read."""
    left_early: int = 0
    """The number of tables with fewer deals because their results were clear."""

    @property
    def empty(self) -> bool:
        """Return whether no game has been played, not even one that does not count."""
        return not self.games and not self.void

    @property
    def spoilt(self) -> bool:
        """Return whether faults have changed a mean, and there are sets without faults to compare."""
        some_left = any(player.clean.sets for player in self.players)
        return some_left and any(player.clean != player.score for player in self.players)

    @property
    def doubtful(self) -> list[str]:
        """The players whose ranking number has no bounds although they have played."""
        if self.ranked_by not in {"mean", "field"}:
            return []
        return [player.name for player in self.players if player.games and player.ranking.few]

    @property
    def elo_pairs(self) -> list[Difference]:
        """The pairs whose wins and Elo are shown to a person, if they are few, with the one that won more first."""
        found = [each if each.won >= each.lost else each.opposite for each in self.cross if each.elo is not None]
        return found if len(found) <= MOST_TOLD else []

    @property
    def titles(self) -> dict[str, str]:
        """The titles by name, for those that have one."""
        return {player.name: player.title for player in self.players if player.title}

    def with_titles(self) -> Standings:
        """Return the standings with titles in place of names, for people; all are different."""
        called = _Called(self.titles)
        return replace(
            self,
            players=tuple(replace(player, name=called[player.name]) for player in self.players),
            cross=tuple(replace(each, one=called[each.one], other=called[each.other]) for each in self.cross),
            later=tuple(each._replace(name=called[each.name]) for each in self.later),
            luck=tuple(each._replace(names=tuple(called[name] for name in each.names)) for each in self.luck),
        )

    @property
    def luck_rows(self) -> list[Corrected]:
        """The luck-corrected results for a person: the means, and the differences if they are few."""
        few = sum(len(each.names) > 1 for each in self.luck) <= MOST_TOLD
        return [each for each in self.luck if few or len(each.names) == 1]

    def document(self) -> dict[str, Any]:
        """Return the JSON of ``standings --json``."""
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
            **({} if self.test is None else {"sprt": dict(self.test)}),
            **({"left_early": self.left_early} if self.left_early else {}),
        }


class _Called(dict[str, str]):
    """Titles by name; the name itself if there is none."""

    def __missing__(self, name: str) -> str:
        return name


def _milliseconds(microseconds: float | None) -> float | None:
    return None if microseconds is None else rounded(microseconds / 1000)


def standings(
    games: Iterable[PlayedGame] | Columns,
    rules: Rules,
    *,
    names: Iterable[str] = (),
    gone: Mapping[str, str] | None = None,
    titles: Mapping[str, str] | None = None,
    finished: bool = True,
    ranked_by: str = "mean",
    sampled: bool = True,
    counts: str = "",
    points: Mapping[str, float] | None = None,
    void: Mapping[str, int] | None = None,
) -> Standings:
    """Return the standings of the games. ``names`` may include entries without games; ``points`` are the format's own.

    ``sampled`` says whether a bot's opponents are a sample of all.
    """
    tally = _Tally(Columns.of(games).among(names).sort(), rules)
    against = None
    if ranked_by == "field":
        against = field(tally.credited, rules.PARTNERS, worst=rules.PENALTY, sampled=sampled)
    players = tally.players(against, points or {}, gone or {})
    if ranked_by != "mean":
        players = [player.plain for player in players]
    players = [replace(player, title=(titles or {}).get(player.name, "")) for player in players]
    return Standings(
        rules.NAME,
        len(tally.games.deal),
        finished,
        ranked_by,
        counts,
        tuple(sorted(players, key=lambda player: _order(player, ranked_by, low_wins=rules.LOW_WINS))),
        tally.cross(),
        dict(void or {}),
    )


def _order(player: Ranked, ranked_by: str, *, low_wins: bool) -> tuple[Any, ...]:
    """Return the sort key that puts the best first: the number that ranks, then strength, then the name."""
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

    def __init__(self, games: Columns, rules: Rules) -> None:
        self.games = games
        self.rules = rules
        self.credited = credit_games(games, rules)
        self.entries = self.credited.entries
        self.met = opposing_pairs(self.entries, rules)
        self.pairs = self.credited.comparable(self.met)
        self.shares = shares(self.entries, self.pairs)

    def players(
        self, against: Sequence[Interval] | None, points: Mapping[str, float], gone: Mapping[str, str]
    ) -> list[Ranked]:
        """Return a line for each player."""
        who, names = self.entries.who, self.games.names
        scores, clean = (self._intervals(which) for which in (np.full(len(who), fill_value=True), self.credited.clean))
        fitted = strengths(self._comparisons(), len(names))
        played = np.bincount(who, minlength=len(names)).tolist()
        best, shared = (np.bincount(who[rows], minlength=len(names)).tolist() for rows in self._wins())
        seats, times = self._seats(), self.games.times
        kinds, causes = self._faults()
        return [
            Ranked(
                name=name,
                gone=gone.get(name, ""),
                games=played[number],
                score=scores[number],
                clean=clean[number],
                wins=best[number],
                shared=shared[number],
                strength=fitted[number],
                points=points.get(name),
                field=against[number] if against else None,
                faults={kind.value: kinds[name, kind] for kind in Kind},
                seats=seats[number],
                median=quantile(times.get(name, {}), 0.5),
                slowest=quantile(times.get(name, {}), 0.99),
                causes=dict(sorted(causes[name].items(), key=lambda cause: (-cause[1], cause[0]))),
            )
            for number, name in enumerate(names)
        ]

    def _intervals(self, which: Flags) -> list[Interval]:
        who, deals = self.entries.who[which], self.entries.deal[which]
        values, weights = (each[which] for each in self.credited.observations())
        return ratio_intervals(who, deals, values, len(self.games.names), worst=self.rules.PENALTY, weights=weights)

    def _comparisons(self) -> Comparisons:
        """Return all meetings for the fit; several seats share one game's weight."""
        who, (won, lost) = self.entries.who, self.shares
        one, other = self.pairs
        return Comparisons(who[one], who[other], self.entries.deal[one], (1 + won - lost) / 2)

    def _wins(self) -> tuple[Flags, Flags]:
        """Return who was first, without faults, and who shared that with an opponent."""
        games, row, game = self.games, self.entries.row, self.entries.game
        best, shared = np.zeros(len(game), bool), np.zeros(len(games.deal), bool)
        best[row[(games.ranks == 1) & ~games.guilty & (row >= 0)]] = True
        one, other = self.met
        shared[game[one[best[one] & best[other]]]] = True
        return best, best & shared[game]

    def _seats(self) -> list[tuple[SeatScore, ...]]:
        """Return each player's results in each seat."""
        games, width = self.games, self.games.width
        there = games.seats >= 0
        place = (games.seats * width + np.arange(width))[there]
        shape = (len(games.names), width)
        number = np.bincount(place, minlength=shape[0] * width).reshape(shape).tolist()
        total = np.bincount(place, games.scores[there], shape[0] * width).reshape(shape).tolist()
        both = (zip(*each, strict=True) for each in zip(number, total, strict=True))
        return [tuple(SeatScore(count, score / count if count else None) for count, score in each) for each in both]

    def _faults(self) -> tuple[Counter[tuple[str, Kind]], dict[str, Counter[str]]]:
        """Count each player's faults by kind, and by the referee's words."""
        kinds: Counter[tuple[str, Kind]] = Counter()
        causes: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for (name, fault), number in self.games.faults.items():
            kinds[name, fault.kind] += number
            causes[name][f"{fault.kind.value}: {fault.why}"] += number
        return kinds, causes

    def cross(self) -> tuple[Difference, ...]:
        """Return the difference of every pair that met as opponents."""
        names, count = self.games.names, len(self.games.names)
        one, other, deal, _ = self._comparisons()
        pairs, place = np.unique(one * count + other, return_inverse=True)
        gains = self.credited.gain_observations(self.pairs)
        intervals = ratio_intervals(place, deal, gains, len(pairs))
        strict = ratio_intervals(place, deal, gains, len(pairs), 1 - (1 - LEVEL) / max(len(pairs), 1))
        won, lost = (np.bincount(place, share, len(pairs)).tolist() for share in self.shares)
        halves = ratio_intervals(place, deal, (self.shares[0] - self.shares[1]) / 2, len(pairs))
        two = sides(self.rules, self.games.width) == 2
        games = np.bincount(place, minlength=len(pairs)).tolist()
        return tuple(
            Difference(
                names[pair // count],
                names[pair % count],
                intervals[number],
                won[number],
                lost[number],
                games[number] - won[number] - lost[number],
                bool(strict[number].sign),
                Elo.of(halves[number]) if two else None,
            )
            for number, pair in enumerate(pairs.tolist())
        )
