"""Luck: means and differences once more, without the luck of the shuffles, where a game says what that is.

What is taken off a score is known after each shuffle and has mean 0 over all its orders, so that the corrected mean has
the same expectation as the plain one, whoever plays and however (a control variate).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from croupier.server.tournaments.statistics.credit import credited, opponents, places
from croupier.server.tournaments.statistics.intervals import Interval, clustered

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.server.games.game import Game
    from croupier.server.table.played import PlayedGame

    Row = tuple[tuple[str, ...], int, float]


class Corrected(NamedTuple):
    """An entry's mean, or the difference of two, without luck, beside the plain one."""

    names: tuple[str, ...]
    plain: Interval
    score: Interval

    @property
    def removed(self) -> float | None:
        """The part of the variance that was luck; below 0 where the correction brought more than it took."""
        bounds = (self.plain.low, self.plain.high, self.score.low, self.score.high)
        if None in bounds or self.plain.high == self.plain.low:
            return None
        low, high, low_now, high_now = (bound or 0.0 for bound in bounds)
        return 1 - ((high_now - low_now) / (high - low)) ** 2

    def document(self) -> dict[str, Any]:
        """Return it as ``standings --json`` prints it."""
        values = {"mean": self.score.mean, "low": self.score.low, "high": self.score.high, "removed": self.removed}
        rounded = {name: None if value is None else round(value, 4) + 0.0 for name, value in values.items()}
        return {"players": list(self.names), **rounded}

    @property
    def sign(self) -> str:
        """How its numbers are written: a difference with its sign."""
        return "+" if len(self.names) > 1 else ""

    @property
    def share(self) -> str:
        """The part of the variance that was luck, for a person; nothing where it is not known."""
        return "" if self.removed is None else f"{self.removed:.0%}"


def corrected(games: Sequence[PlayedGame], rules: type[Game]) -> tuple[Corrected, ...]:
    """Return each entry's mean, then the difference of each two that met, without luck; nothing if none is known."""
    if not any(game.luck for game in games):
        return ()
    plain = _intervals(games, rules)
    without = _intervals([_without(game) for game in games], rules)
    order = sorted(plain, key=lambda names: (len(names), names))
    return tuple(Corrected(names, plain[names], without[names]) for names in order)


def _without(game: PlayedGame) -> PlayedGame:
    """Return a game with its luck taken off the scores, which are no whole numbers then."""
    if not game.luck or not game.scores:
        return game
    scores: Any = tuple(score - gain for score, gain in zip(game.scores, game.luck, strict=True))
    return game._replace(scores=scores)


def _intervals(games: Sequence[PlayedGame], rules: type[Game]) -> dict[tuple[str, ...], Interval]:
    means: list[Row] = []
    differences: list[Row] = []
    for each in credited(games, rules):
        means += [((name,), each.game.deal, score) for name, score in each.scores.items()]
        differences += [
            (pair, each.game.deal, each.scores[pair[0]] - each.scores[pair[1]])
            for pair in opponents(places(each.game), rules)
            if each.clean or each.comparable(*pair)
        ]
    return _clustered(means, worst=rules.PENALTY) | _clustered(differences)


def _clustered(rows: Sequence[Row], worst: float | None = None) -> dict[tuple[str, ...], Interval]:
    number = {names: place for place, names in enumerate(dict.fromkeys(names for names, _, _ in rows))}
    groups, deals, values = (
        [number[names] for names, _, _ in rows],
        [row[1] for row in rows],
        [row[2] for row in rows],
    )
    return dict(zip(number, clustered(groups, deals, values, len(number), worst=worst), strict=True))
