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


def credited(games: Sequence[PlayedGame], rules: type[Game]) -> Iterator[Credited]:
    """Yield each game with what it counts for each entry."""
    guilty: dict[tuple[Names, int], set[str]] = defaultdict(set)
    for game in games:
        if not game.clean:
            guilty[game.pairing, game.deal] |= {game.seating[seat] for seat in game.offenders}
    touched = {pairing for pairing, _ in guilty}
    clean = (game for game in games if game.pairing in touched and (game.pairing, game.deal) not in guilty)
    usual = _means(clean, rules)
    nobody = frozenset[str]()
    for game in games:
        scores = dict(game.entries(low_wins=rules.LOW_WINS))
        spoilt = guilty.get((game.pairing, game.deal))
        if spoilt is not None:
            innocent = scores.keys() - spoilt
            scores |= {name: usual[game.pairing, name] for name in innocent if (game.pairing, name) in usual}
        yield Credited(game, scores, spoilt is None, frozenset(spoilt) if spoilt else nobody)


def _means(games: Iterable[PlayedGame], rules: type[Game]) -> dict[tuple[Names, str], float]:
    scores: dict[tuple[Names, str], list[float]] = defaultdict(list)
    for game in games:
        for name, score in game.entries(low_wins=rules.LOW_WINS):
            scores[game.pairing, name].append(score)
    return {place: sum(sorted(all_scores)) / len(all_scores) for place, all_scores in scores.items()}


def opponents(seats: Mapping[str, Sequence[int]], rules: type[Game]) -> list[tuple[str, str]]:
    """List the pairs of entries at a table that are not partners, each in alphabetical order."""
    pairs = combinations(sorted(seats), 2)
    if not rules.PARTNERS:
        return list(pairs)
    side = {seat: number for number, together in enumerate(rules.PARTNERS) for seat in together}
    return [(one, other) for one, other in pairs if side[seats[one][0]] != side[seats[other][0]]]


def places(game: PlayedGame) -> dict[str, list[int]]:
    """Return the seats of each entry."""
    seats: dict[str, list[int]] = {}
    for seat, name in enumerate(game.seating):
        seats.setdefault(name, []).append(seat)
    return seats
