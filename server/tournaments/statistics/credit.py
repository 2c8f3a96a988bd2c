"""Credit: what a game counts for each entry; nobody gains or loses by a fault that another has committed.

An offender has what the rules make of his fault. For all others a set in which somebody committed one, or was helped by
a stand-in, counts as much as their other sets of that pairing do on average: what they would have had, as far as can be
known.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from croupier.server.games.game import Game
    from croupier.server.table.played import Names, PlayedGame


class Credited(NamedTuple):
    """A game with what it counts for each entry."""

    game: PlayedGame
    scores: Mapping[str, float]
    clean: bool
    """Whether nobody committed a fault, or was helped, in the whole set."""
    guilty: frozenset[str]
    """Who committed one in its set."""

    def comparable(self, one: str, other: str) -> bool:
        """Say whether the game compares these two: not where another's fault has come between them."""
        return self.clean or not self.guilty.isdisjoint((one, other))


class Usual:
    """What each entry scores on average in the sets of a pairing without a fault, as far as they are known."""

    def __init__(self, rules: type[Game]) -> None:
        self._rules = rules
        self._scores: dict[tuple[Names, str], tuple[float, int]] = {}

    def add(self, games: Iterable[PlayedGame]) -> None:
        """Count games of such sets."""
        for game in games:
            for name, score in game.entries(low_wins=self._rules.LOW_WINS):
                total, number = self._scores.get((game.pairing, name), (0.0, 0))
                self._scores[game.pairing, name] = total + score, number + 1

    def of(self, pairing: Names, name: str) -> float | None:
        """Return the mean score, None if no such set is known."""
        total, number = self._scores.get((pairing, name), (0.0, 0))
        return total / number if number else None


def credited(games: Sequence[PlayedGame], rules: type[Game]) -> Iterator[Credited]:
    """Yield each game with what it counts for each entry."""
    guilty = _guilty(games)
    touched = {pairing for pairing, _ in guilty}
    usual = Usual(rules)
    usual.add(game for game in games if game.pairing in touched and (game.pairing, game.deal) not in guilty)
    return _credited(games, rules, guilty, usual)


def credited_by(usual: Usual, games: Sequence[PlayedGame], rules: type[Game]) -> Iterator[Credited]:
    """Yield each game with what it counts, by what was usual before and in these: whole sets, which are added to it."""
    guilty = _guilty(games)
    usual.add(game for game in games if (game.pairing, game.deal) not in guilty)
    return _credited(games, rules, guilty, usual)


def _guilty(games: Iterable[PlayedGame]) -> dict[tuple[Names, int], set[str]]:
    """Return the sets in which somebody committed a fault, or was helped, with who committed one."""
    guilty: dict[tuple[Names, int], set[str]] = defaultdict(set)
    for game in games:
        if not game.clean:
            guilty[game.pairing, game.deal] |= {game.seating[seat] for seat in game.offenders}
    return guilty


def _credited(
    games: Iterable[PlayedGame], rules: type[Game], guilty: Mapping[tuple[Names, int], set[str]], usual: Usual
) -> Iterator[Credited]:
    nobody = frozenset[str]()
    for game in games:
        scores = dict(game.entries(low_wins=rules.LOW_WINS))
        spoilt = guilty.get((game.pairing, game.deal))
        if spoilt is not None:
            due = ((name, usual.of(game.pairing, name)) for name in scores.keys() - spoilt)
            scores |= {name: score for name, score in due if score is not None}
        yield Credited(game, scores, spoilt is None, frozenset(spoilt) if spoilt else nobody)


def opponents(seats: Mapping[str, Sequence[int]], rules: type[Game]) -> list[tuple[str, str]]:
    """List the pairs of entries at a table that are not partners, each in alphabetical order."""
    pairs = combinations(sorted(seats), 2)
    if not rules.PARTNERS:
        return list(pairs)
    side = {seat: number for number, together in enumerate(rules.PARTNERS) for seat in together}
    return [(one, other) for one, other in pairs if side[seats[one][0]] != side[seats[other][0]]]


def places(game: PlayedGame) -> dict[str, list[int]]:
    """Return the seats of each entry."""
    return seats_of(game.seating)


def seats_of(seating: Names) -> dict[str, list[int]]:
    """Return the seats of each entry of a seating, or of a pairing."""
    seats: dict[str, list[int]] = {}
    for seat, name in enumerate(seating):
        seats.setdefault(name, []).append(seat)
    return seats


def shares(mine: Sequence[int], yours: Sequence[int]) -> tuple[float, float]:
    """Return in which share of all comparisons one's ranks are better, and in which they are worse."""
    if len(mine) == len(yours) == 1:
        return float(mine[0] < yours[0]), float(mine[0] > yours[0])
    meetings = [(one, other) for one in mine for other in yours]
    won, lost = sum(one < other for one, other in meetings), sum(one > other for one, other in meetings)
    return won / len(meetings), lost / len(meetings)
