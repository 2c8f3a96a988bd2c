"""Soft play: whether one bot gives another more than chance explains.

Each pair is compared with what the same two do at all other tables. These fix what either is expected to score
(`additive`), and the difference to what it does score with the other at the table is the gift. Two things are measured:
points a game, and the share of comparisons in which the taker ranks higher. Bounds hold for all pairs together, so
chance accuses anybody in at most one of twenty tournaments. They allow for deals, and for scores that do not quite add
up: if any two bots get more or less from each other than expected, a pair must stand out from these too.

A third bot at the same table is not to be accused in place of a pair. So only a pair with varied company is judged, and
once a pair is found, its tables are left out and all others are judged again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.sparse import coo_array

from croupier.server.tournaments.statistics.additive import NEXT_TO_NOTHING
from croupier.server.tournaments.statistics.columns import Columns, entries
from croupier.server.tournaments.statistics.credit import opposing_pairs, shares
from croupier.server.tournaments.statistics.intervals import LEVEL, Beside, Interval, sandwich_intervals

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from croupier.server.table.played_game import Names, PlayedGame
    from croupier.server.tournaments.statistics.columns import Entries
    from croupier.server.tournaments.statistics.credit import Pairs
    from croupier.server.tournaments.statistics.scoring import Rules

    Array = NDArray[np.float64]
    Numbers = NDArray[np.int64]
    Flags = NDArray[np.bool_]

GROUPS = 400
"""With more deals than this, neighbors are added up, so that the work does not grow with them."""
LEAST = 20
"""Fewer deals together prove nothing, because one bad game would decide."""
MOST_SHARED = 0.5
"""A pair is judged only if no third bot was at the table in more than this share of its games."""
UNKNOWN = 1e-3
"""A contrast is estimable if less than this part of it is outside what the other tables determine."""
UNTOLD = Interval(None, None, None, 0)


class Gift(NamedTuple):
    """What one bot gives another, beyond what both give to and take from others; positive favors the taker."""

    giver: str
    taker: str
    points: Interval
    """Points a game that the taker has more with the giver at its table, better being positive in every game."""
    wins: Interval
    """The share of comparisons that the taker wins more often than expected: wins that the giver declined."""

    @property
    def kinds(self) -> list[str]:
        """The measures in which it is more than chance explains."""
        return [kind for kind in ("points", "wins") if getattr(self, kind).sign > 0]

    @property
    def deals(self) -> int:
        """The number of deals that the two played together, as far as they could be judged."""
        return max(self.points.sets, self.wins.sets)

    @property
    def pair(self) -> tuple[str, str]:
        """The two, in alphabetical order."""
        return min(self.giver, self.taker), max(self.giver, self.taker)

    @property
    def lead(self) -> float:
        """How far the gift is beyond its bounds, in their widths."""
        return max(_lead(self.points), _lead(self.wins))

    def titled(self, titles: Mapping[str, str]) -> Gift:
        """Return the same with titles in place of names, for people."""
        return self._replace(giver=titles.get(self.giver, self.giver), taker=titles.get(self.taker, self.taker))

    def document(self) -> dict[str, Any]:
        """Return it for a JSON document."""
        measured = {"points": self.points.document(), "wins": self.wins.document()}
        return {"giver": self.giver, "taker": self.taker, **measured, "deals": self.deals, "gave": self.kinds}


def _lead(gift: Interval) -> float:
    """Return the lower bound in half widths of the interval, 0 if there is none."""
    if gift.mean is None or gift.low is None or gift.mean == gift.low:
        return 0.0
    return gift.low / (gift.mean - gift.low)


class SoftPlay(NamedTuple):
    """The pairs of a tournament that could be judged."""

    gifts: tuple[Gift, ...]
    """A gift for each direction, in the order of names."""
    found: tuple[Gift, ...]
    """Those that are more than chance explains, the clearest first."""
    pairs: int
    """The number of pairs that met as opponents, including those that cannot be judged."""

    def titled(self, titles: Mapping[str, str]) -> SoftPlay:
        """Return the same with titles in place of names, for people."""
        gifts, found = (tuple(gift.titled(titles) for gift in each) for each in (self.gifts, self.found))
        return SoftPlay(gifts, found, self.pairs)

    def of(self, name: str) -> tuple[Gift, ...]:
        """Return the gifts found that one bot gave or took."""
        return tuple(each for each in self.found if name in {each.giver, each.taker})


def soft_play(
    games: Iterable[PlayedGame] | Columns, rules: Rules, authors: Mapping[str, str] | None = None
) -> SoftPlay:
    """Judge every pair of opponents; ``authors`` are those of bots that are versions of one another.

    Each version is as strong as it is, but what it gives is what its author's bot gives. Sets with a fault are left
    out, because a penalty says nothing about play.
    """
    games = Columns.of(games)
    games = games.take((np.bincount(games.sets, ~games.clean) == 0)[games.sets])
    found = entries(games, low_wins=rules.LOW_WINS)
    met = opposing_pairs(found, rules)
    bots = _Bots(games.names, authors or {})
    both = np.stack([bots.author[found.who[met.one]], bots.author[found.who[met.other]]])
    pairs = np.unique(np.sort(both[:, both[0] != both[1]], axis=0), axis=1).T.tolist()
    judge = _Judge(bots.authors, pairs)
    measures = [_points(found, rules, bots), _wins(found, met, bots)] if pairs else []
    every = gifts = judge.gifts(measures)
    accused: list[Gift] = []
    while clear := [each for each in gifts if each.kinds]:
        pair = max(clear, key=lambda each: each.lead).pair
        accused += [each for each in clear if each.pair == pair]
        measures = [each.without(*map(bots.authors.index, pair)) for each in measures]
        gifts = judge.gifts(measures)
    return SoftPlay(every, tuple(accused), len(pairs))


class _Bots:
    """Versions, whose strengths are fitted, and their authors, who are judged; both in the order of names."""

    def __init__(self, versions: Names, authors: Mapping[str, str]) -> None:
        self.versions = {name: at for at, name in enumerate(versions)}
        self.authors = sorted({authors.get(name, name) for name in versions})
        self.author = np.array([self.authors.index(authors.get(name, name)) for name in versions], np.int64)
        """The author's number by that of the version."""

    def rows(self, groups: Sequence[Names]) -> Flags:
        """Return which authors have a bot in each group: a row per group."""
        found = np.zeros((len(groups), len(self.authors)), bool)
        for at, names in enumerate(groups):
            found[at, self.author[[self.versions[name] for name in names]]] = True
        return found


class _Cell(NamedTuple):
    """A bot at a table, with those that share its score and those against which it counts."""

    owner: str
    side: Names
    others: Names
    table: Names


class _Measure(NamedTuple):
    """One quantity, added up by cell and by group of deals."""

    owner: Numbers
    """The author by cell."""
    terms: Any
    """By cell and parameter, sparse: shares of what its side contributes, then of what its opponents concede."""
    opposed: Flags
    """Whether each author's bot, by cell, is an opponent."""
    there: Flags
    """Whether each author's bot, by cell, is at the table."""
    total: Any
    """By group of deals and cell, sparse, as is the number of games."""
    games: Any
    ends: tuple[float, float]
    """The lowest and highest value that a game may bring."""

    def without(self, one: int, other: int) -> _Measure:
        """Return the same without the tables of a pair."""
        rest = np.flatnonzero(~(self.there[:, one] & self.there[:, other]))
        cells = (self.owner[rest], self.terms[rest], self.opposed[rest], self.there[rest])
        return _Measure(*cells, self.total[:, rest], self.games[:, rest], self.ends)


def _points(found: Entries, rules: Rules, bots: _Bots) -> _Measure:
    """Measure scores; more is better."""
    sign = -1 if rules.LOW_WINS else 1
    score, worst = sign * found.score, sign * rules.PENALTY
    partners = {seat: side for side in rules.PARTNERS for seat in side}
    codes, place = np.unique(found.games.seating[found.game] * found.games.width + found.seat, return_inverse=True)
    cells = []
    for seating, seat in (divmod(code, found.games.width) for code in codes.tolist()):
        seated = found.games.seatings[seating]
        own = {seated[each] for each in partners.get(seat, (seat,))}
        cells.append(_Cell(seated[seat], _sorted(own), _sorted({*seated} - own), _sorted(seated)))
    ends = min(worst, score.min(initial=0)), score.max(initial=0)
    return _measure(bots, cells, place, found.games.deal[found.game], score, ends)


def _wins(found: Entries, met: Pairs, bots: _Bots) -> _Measure:
    """Measure each bot's share of comparisons won against each opponent, ties being half of one."""
    width = found.games.width
    won, lost = shares(found, met)
    ahead, game = (1 + won - lost) / 2, found.game[met.one]
    seats = np.concatenate([np.stack([found.seat[met.one], found.seat[met.other]]),
                            np.stack([found.seat[met.other], found.seat[met.one]])], axis=1)  # fmt: skip
    games = np.concatenate([game, game])
    codes, place = np.unique((found.games.seating[games] * width + seats[0]) * width + seats[1], return_inverse=True)
    cells = []
    for code in codes.tolist():
        seated = found.games.seatings[code // width**2]
        one, other = (seated[seat] for seat in divmod(code % width**2, width))
        cells.append(_Cell(one, (one,), (other,), _sorted(seated)))
    return _measure(bots, cells, place, found.games.deal[games], np.concatenate([ahead, 1 - ahead]), (0.0, 1.0))


def _sorted(names: Iterable[str]) -> Names:
    return tuple(sorted(set(names)))


def _measure(
    bots: _Bots, cells: Sequence[_Cell], place: Numbers, deal: Numbers, value: Array, ends: tuple[float, float]
) -> _Measure:
    """Add values up, given the cell and the deal of each."""
    known = sorted(set(cells))
    index = {cell: at for at, cell in enumerate(known)}
    place = np.array([index[cell] for cell in cells], np.int64)[place]
    deals, deal = np.unique(deal, return_inverse=True)
    groups = min(len(deals), GROUPS)
    where = (deal * groups // len(deals), place)
    total, games = (coo_array((each, where), (groups, len(known))).tocsr() for each in (value, np.ones(len(value))))
    terms = [
        (1 / len(names), at, bots.versions[name] + opposed * len(bots.versions))
        for at, cell in enumerate(known)
        for opposed, names in enumerate((cell.side, cell.others))
        for name in names
    ]
    share, row, column = zip(*terms, strict=True)
    return _Measure(
        bots.author[[bots.versions[cell.owner] for cell in known]],
        coo_array((share, (row, column)), (len(known), 2 * len(bots.versions))).tocsr(),
        bots.rows([cell.others for cell in known]),
        bots.rows([cell.table for cell in known]),
        total,
        games,
        ends,
    )


class _Estimate(NamedTuple):
    """A gift, and the effect of each group of deals on it."""

    mean: float
    moved: Array
    deals: int
    """The number of groups in which the two met."""
    farthest: float
    """The largest effect of one more game."""


class _Judge:
    """Makes intervals of what is estimated for each pair, wide enough for all pairs and both measures together."""

    def __init__(self, names: Sequence[str], pairs: Sequence[tuple[int, int]]) -> None:
        self._names, self._pairs = names, pairs
        # two measures, each of whose directions may accuse by one of two bounds
        self._level = 1 - (1 - LEVEL) / max(2 * len(pairs), 1)

    def gifts(self, measures: Sequence[_Measure]) -> tuple[Gift, ...]:
        """Return the gift in each direction of each pair."""
        ways = [way for one, other in self._pairs for way in ((one, other), (other, one))]
        points, wins = (self._intervals(each) for each in measures) if measures else ({}, {})
        return tuple(
            Gift(self._names[way[0]], self._names[way[1]], points.get(way, UNTOLD), wins.get(way, UNTOLD))
            for way in ways
        )

    def _intervals(self, measure: _Measure) -> dict[tuple[int, int], Interval]:
        fit = _Fit(measure)
        found = {way: each for pair in self._pairs for way, each in fit.estimates(*pair)}
        if not found:
            return {}
        mean, moved, deals, farthest = map(np.array, zip(*found.values(), strict=True))
        company = _company(np.array(list(found)), mean**2 - (moved**2).sum(axis=1), len(self._names))
        intervals = sandwich_intervals(
            mean, moved.T, deals.tolist(), farthest, company, degrees=deals - 1.0, level=self._level
        )
        return dict(zip(found, intervals, strict=True))


def _company(ways: Numbers, beyond: Array, bots: int) -> Beside:
    """Return how much each gift varies because scores do not add up.

    That is how much the gifts of all pairs of other bots vary ``beyond`` the luck of their deals. Pairs with one of the
    two are left out: a gift changes what is expected of its bots against others.
    """
    spread, number = np.zeros((2, bots, bots))
    spread[*ways.T], number[*ways.T] = beyond, 1
    total, count = (_among_others(each + each.T, ways) / 2 for each in (spread, number))
    variance = np.maximum(total / np.maximum(count, 1), 0)
    # both directions of a pair are one game, and of n bots 2 / n of what they do to each other is what each does to all
    degrees = count / 2 * (1 - 2 / max(bots - 2, 3))
    return Beside(np.where(count > 0, variance, np.nan), np.maximum(degrees, 1))


def _among_others(both: Array, ways: Numbers) -> Array:
    """Return, for each two bots, the sum over all pairs without either, from a symmetric matrix."""
    one, other = ways.T
    found: Array = both.sum() - 2 * both[one].sum(axis=1) - 2 * both[other].sum(axis=1) + 2 * both[one, other]
    return found


class _Fit:
    """The additive model, fitted to all tables but those of one pair after another."""

    def __init__(self, measure: _Measure) -> None:
        self._measure = measure
        self._sum, self._number = (
            np.asarray(each.sum(axis=0), float).ravel() for each in (measure.total, measure.games)
        )
        self._equations_of_all = self._equations(np.arange(len(self._sum)))

    def estimates(self, one: int, other: int) -> Iterator[tuple[tuple[int, int], _Estimate]]:
        """Yield what each of two gives the other, where that can be judged: giver and taker first."""
        both = np.flatnonzero(self._measure.there[:, one] & self._measure.there[:, other])
        matrix, right = (
            whole - part for whole, part in zip(self._equations_of_all, self._equations(both), strict=True)
        )
        least = NEXT_TO_NOTHING * max(float(np.trace(matrix)) / len(matrix), 1.0)
        inverse = np.linalg.inv(matrix + least * np.eye(len(matrix)))
        expected = self._measure.terms @ (inverse @ right)
        for giver, taker in ((one, other), (other, one)):
            met = both[(self._measure.owner[both] == taker) & self._measure.opposed[both, giver]]
            if not self._has_varied_company(met, giver, taker):
                continue
            asked = self._number[met] @ self._measure.terms[met] / self._number[met].sum()
            solved = inverse @ asked
            if least * np.linalg.norm(solved) < UNKNOWN * np.linalg.norm(asked):
                weight = -(self._measure.terms @ solved)
                weight[both] = 0
                weight[met] = 1 / self._number[met].sum()
                estimate = self._estimate(weight, expected, met)
                if estimate.deals >= LEAST:
                    yield (giver, taker), estimate

    def _equations(self, cells: Numbers) -> tuple[Array, Array]:
        """Return both sides of the normal equations of some cells."""
        rows = self._measure.terms[cells]
        weighed = rows.multiply(self._number[cells][:, None]).tocsr()
        return (rows.T @ weighed).toarray(), rows.T @ self._sum[cells]

    def _has_varied_company(self, met: Numbers, giver: int, taker: int) -> bool:
        """Return whether there are such cells, and no third bot is at the table in too many of their games."""
        if not len(met):
            return False
        beside = self._number[met] @ self._measure.there[met] / self._number[met].sum()
        beside[[giver, taker]] = 0
        return bool(beside.max() <= MOST_SHARED)

    def _estimate(self, weight: Array, expected: Array, met: Numbers) -> _Estimate:
        """Estimate a gift, given the weight of a score at each cell, and the cells at which the two met."""
        games, (low, high) = self._measure.games, self._measure.ends
        gift = float(weight @ self._sum)
        usual = expected.copy()
        usual[met] += gift
        deals = int((games[:, met].sum(axis=1) > 0).sum())
        moved = self._measure.total @ weight - games @ (weight * usual)
        # residuals are from the mean of the deals in which the two met, which may be few of all
        moved *= np.sqrt(deals / max(deals - 1, 1) * (1 - 1 / len(moved)))
        farthest = float((np.abs(weight) * np.maximum(high - usual, usual - low)).max())
        return _Estimate(gift, moved, deals, farthest)
