"""Credit: what a game counts for each entry; nobody gains or loses by somebody else's fault.

A set in which somebody committed a fault, or was helped by a stand-in, is spoilt for all but the offender. For the
others it counts as much as their other sets of that pairing do on average, the best estimate of what they would have
scored. That average is used for ranking, but is not an observation: spreads and numbers of sets come from the other
sets alone. An offender gets what the rules decide, minus what the fault may have cost another, because it may have
chosen that one's best game.

If the same bot failed in every game of a set, the same stand-in sat in every seating. The others are compared in such a
set, and if a pairing has more of these sets than clean ones, they count like clean ones.
"""

from __future__ import annotations

from itertools import combinations, product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from croupier.server.tournaments.statistics.columns import Columns, entries

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from croupier.server.table.played_game import Names, PlayedGame
    from croupier.server.tournaments.statistics.columns import Array, Entries, Flags, Places
    from croupier.server.tournaments.statistics.scoring import Rules


class Pairs(NamedTuple):
    """Opponents at a table, as rows of entries, in alphabetical order."""

    one: Places
    other: Places


class Observed(NamedTuple):
    """Values with the same spread as their mean, and the number of games of each: 0 for an average of others."""

    values: Array
    weights: Array


class Credited(NamedTuple):
    """Entries of games, row by row, with what a game counts for each."""

    entries: Entries
    score: Array
    clean: Flags
    """Whether nobody committed a fault, or was helped, in the whole set."""
    guilty: Flags
    """Whether it committed a fault in its set."""
    even: Flags
    """Whether the same bots failed in every game of its set, and stand-ins played on."""
    seen: Flags
    """Whether the score is the game's own, not an average of other sets."""
    telling: Flags
    """Whether the row is one of those averaged for spoilt sets."""

    def comparable(self, pairs: Pairs) -> Pairs:
        """Return those pairs that a game compares, without those affected by another player's fault."""
        one, other = pairs
        kept = self.clean[one] | self.even[one] | self.guilty[one] | self.guilty[other]
        return Pairs(one[kept], other[kept])

    def gain(self, pairs: Pairs) -> Array:
        """Return how much more a game counts for one than for the other."""
        return self._beside(pairs.one, pairs.other) - self._beside(pairs.other, pairs.one)

    def observations(self) -> Observed:
        """Return the scores as observations of each entry's mean."""
        who = self.entries.games.pairing[self.entries.game] * len(self.entries.games.names) + self.entries.who
        return _weigh_observed(self.score, self.seen, self.telling, who)

    def gain_observations(self, pairs: Pairs) -> Array:
        """Return what `gain` returns, as observations of its mean."""
        games, (one, other) = self.entries.games, pairs
        group = (games.pairing[self.entries.game[one]] * len(games.names) + self.entries.who[one]) * len(games.names)
        group += self.entries.who[other]
        mine, yours = (
            _weigh_observed(self._beside(*rows), self._seen_beside(*rows), self.telling[rows[0]], group).values
            for rows in ((one, other), (other, one))
        )
        return mine - yours

    def _beside(self, rows: Places, others: Places) -> Array:
        """Return what games count for some compared with others.

        Where a third player failed in all of a set, it is the real score.
        """
        return np.where(self._third(rows, others), self.entries.score[rows], self.score[rows])

    def _seen_beside(self, rows: Places, others: Places) -> Flags:
        return self.seen[rows] | self._third(rows, others)

    def _third(self, rows: Places, others: Places) -> Flags:
        return self.even[rows] & ~self.guilty[rows] & ~self.guilty[others]


def _weigh_observed(values: Array, seen: Flags, telling: Flags, group: Places) -> Observed:
    """Return values whose averages have weight 0, while the values averaged have weight for them as well.

    If n values of a group also stand for m averages, their deviations from the mean are multiplied by 1 + m / n.
    """
    weights = seen.astype(float)
    if seen.all():
        return Observed(values, weights)
    _, place = np.unique(group, return_inverse=True)
    own = telling & seen
    number, total = np.bincount(place, own), np.bincount(place, own * values)
    more = np.divide(np.bincount(place, ~seen), number, out=np.zeros(len(number)), where=number > 0)
    mean = np.divide(total, number, out=np.zeros(len(number)), where=number > 0)
    weights += own * more[place]
    return Observed(np.where(own, values + more[place] * (values - mean[place]), values), weights)


class Scored(NamedTuple):
    """An entry's scores in some games: their sum, number, minimum and maximum."""

    total: float
    games: int
    least: float
    most: float

    @property
    def mean(self) -> float:
        """The mean score."""
        return self.total / self.games

    def and_too(self, other: Scored) -> Scored:
        """Return the same for these games and others together."""
        ends = min(self.least, other.least), max(self.most, other.most)
        return Scored(self.total + other.total, self.games + other.games, *ends)

    def best_above_mean(self, *, low_wins: bool) -> float:
        """Return how much better than the mean its best game was, as a score."""
        return (self.least if low_wins else self.most) - self.mean


_NOTHING = Scored(0.0, 0, np.inf, -np.inf)


class Usual:
    """Each entry's scores in faultless sets of a pairing, and in even ones if there are more of these."""

    def __init__(self) -> None:
        self._clean: dict[tuple[Names, str], Scored] = {}
        self._even: dict[tuple[Names, str], Scored] = {}

    def add(self, found: Entries, clean: Flags, even: Flags) -> None:
        """Add the entries of such sets."""
        _count(self._clean, found, clean)
        _count(self._even, found, even)

    def of(self, pairing: Names, name: str) -> Scored | None:
        """Return an entry's scores, None if no such set is known."""
        known = self._of(self._clean, pairing, name)
        if self.prefers_even(pairing, name):
            known = known.and_too(self._of(self._even, pairing, name))
        return known if known.games else None

    def prefers_even(self, pairing: Names, name: str) -> bool:
        """Return whether even sets define what is usual."""
        return self._of(self._even, pairing, name).games > self._of(self._clean, pairing, name).games

    @staticmethod
    def _of(scores: Mapping[tuple[Names, str], Scored], pairing: Names, name: str) -> Scored:
        return scores.get((pairing, name), _NOTHING)


def _count(scores: dict[tuple[Names, str], Scored], found: Entries, wanted: Flags) -> None:
    """Add the selected entries to what is known of their scores."""
    games, count, score = found.games, len(found.games.names), found.score[wanted]
    codes = games.pairing[found.game[wanted]] * count + found.who[wanted]
    each, place = np.unique(codes, return_inverse=True)
    keys = [(games.pairings[code // count], games.names[code % count]) for code in each.tolist()]
    totals, numbers, least, most = np.array([scores.get(key, _NOTHING) for key in keys]).reshape(-1, 4).T
    places = np.append(np.arange(len(keys)), place)
    totals = np.bincount(places, np.append(totals, score), len(keys))
    numbers = numbers.astype(np.int64) + np.bincount(place, minlength=len(keys))
    np.minimum.at(least, place, score)
    np.maximum.at(most, place, score)
    columns = (column.tolist() for column in (totals, numbers, least, most))
    scores.update(zip(keys, map(Scored, *columns), strict=True))


def credit_games(games: Iterable[PlayedGame] | Columns, rules: Rules) -> Credited:
    """Return what the games count for each entry."""
    return credit_with(Usual(), games, rules)


def credit_with(usual: Usual, games: Iterable[PlayedGame] | Columns, rules: Rules) -> Credited:
    """Return what whole sets of games count by what was usual before and in these, which are added to it."""
    games = Columns.of(games)
    found = entries(games, low_wins=rules.LOW_WINS)
    spoilt = (np.bincount(games.sets, ~games.clean) > 0)[games.sets[found.game]]
    faulty = np.zeros(len(found.score), bool)
    faulty[found.row[games.guilty]] = True
    who = games.sets[found.game] * len(games.names) + found.who
    guilty = spoilt & np.isin(who, who[faulty])
    even = spoilt & _even(found, faulty, guilty)
    usual.add(found, ~spoilt, even & ~guilty)
    score, seen, telling = found.score.copy(), ~spoilt | guilty, ~spoilt
    for rows in _by_game(found, spoilt):
        pairing = games.pairings[games.pairing[found.game[rows[0]]]]
        innocent = {row: games.names[found.who[row]] for row in rows if not guilty[row]}
        counting = [row for row, name in innocent.items() if even[row] and usual.prefers_even(pairing, name)]
        seen[counting] = telling[counting] = True
        due = {row: usual.of(pairing, name) for row, name in innocent.items() if not seen[row]}
        spared = [known.best_above_mean(low_wins=rules.LOW_WINS) for known in due.values() if known is not None]
        score[rows] -= faulty[rows] * max(spared, key=abs, default=0.0)
        for row, known in due.items():
            score[row] = score[row] if known is None else known.mean
    return Credited(found, score, ~spoilt, guilty, even, seen, telling)


def _even(found: Entries, faulty: Flags, guilty: Flags) -> Flags:
    """Return the rows of sets in which the same entries failed in each game, and no fault ended a game."""
    games = found.games
    odd = (np.bincount(games.sets, games.cut) > 0) | (np.bincount(games.sets) < 2)
    odd[games.sets[found.game[guilty & ~faulty]]] = True
    return ~odd[games.sets[found.game]]


def _by_game(found: Entries, wanted: Flags) -> list[list[int]]:
    """Return the rows of entries by game."""
    rows = np.flatnonzero(wanted)
    starts = np.flatnonzero(np.diff(found.game[rows], prepend=-1))
    return [part.tolist() for part in np.split(rows, starts[1:])] if len(rows) else []


def opposing_pairs(found: Entries, rules: Rules) -> Pairs:
    """Return all pairs at a table that are not partners, in the order of games, then of names."""
    holds = np.zeros(found.row.shape, bool)
    holds[found.game, found.seat] = True
    order = np.argsort(np.where(holds, found.games.seats, len(found.games.names)), axis=1, kind="stable")
    row, there = (np.take_along_axis(each, order, axis=1) for each in (found.row, holds))
    side = np.array(_sides(rules, found.games.width), np.int64)[order]
    one, other = np.triu_indices(found.games.width, 1)
    opposed = there[:, one] & there[:, other] & (side[:, one] != side[:, other])
    return Pairs(row[:, one][opposed], row[:, other][opposed])


def sides(rules: Rules, seats: int) -> int:
    """Return the number of sides at a table."""
    return len(set(_sides(rules, seats)))


def _sides(rules: Rules, seats: int) -> list[int]:
    """Return the side of each seat."""
    together = {seat: number for number, side in enumerate(rules.PARTNERS) for seat in side}
    return [together[seat] if together else seat for seat in range(seats)]


def shares(found: Entries, pairs: Pairs) -> tuple[Array, Array]:
    """Return the shares of all comparisons in which one's ranks are better, and in which they are worse."""
    ranks, game = found.games.ranks, found.game[pairs.one]
    meetings, won, lost = (np.zeros(len(game)) for _ in range(3))
    for mine, yours in product(range(found.games.width), repeat=2):
        both = (found.row[game, mine] == pairs.one) & (found.row[game, yours] == pairs.other)
        ahead = ranks[game, yours] - ranks[game, mine]
        meetings += both
        won += both & (ahead > 0)
        lost += both & (ahead < 0)
    return won / meetings, lost / meetings


def opponents(seats: Mapping[str, Sequence[int]], rules: Rules) -> list[tuple[str, str]]:
    """List the pairs of entries at a table that are not partners, each in alphabetical order."""
    pairs = combinations(sorted(seats), 2)
    if not rules.PARTNERS:
        return list(pairs)
    side = {seat: number for number, together in enumerate(rules.PARTNERS) for seat in together}
    return [(one, other) for one, other in pairs if side[seats[one][0]] != side[seats[other][0]]]


def seats_of(seating: Names) -> dict[str, list[int]]:
    """Return the seats of each entry of a seating, or of a pairing."""
    seats: dict[str, list[int]] = {}
    for seat, name in enumerate(seating):
        seats.setdefault(name, []).append(seat)
    return seats
