"""Count how often the interval of a score against the field contains the truth, on the schedules of the formats.

    python -m bench.formats [TOURNAMENTS]

Bots of every skill play every table of their game on some hundred deals, so that what each scores against the field is
known. Tournaments draw their deals from these and seat the bots as each format does. Prints the table of
docs/trust/statistics-evidence.md: the share of intervals that hold the truth, of the score against the field and of the
raw mean.
"""

from __future__ import annotations

import sys
from itertools import combinations, permutations, product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from bench.sets import acting, high, low, sets

from croupier.agents.hearts import Duck
from croupier.agents.sedma import SevenSaver
from croupier.server.deals import Key
from croupier.server.games import find
from croupier.server.table.played_game import PlayedGame
from croupier.server.tournaments.formats import Balanced, Gauntlet, Ladder, Swiss
from croupier.server.tournaments.formats.schedule import Layout
from croupier.server.tournaments.statistics.columns import Columns
from croupier.server.tournaments.statistics.credit import credit_games
from croupier.server.tournaments.statistics.field import field
from croupier.server.tournaments.statistics.intervals import ratio_intervals

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

    from bench.sets import Policy
    from numpy.typing import NDArray

    from croupier.server.games.game import Game, Play
    from croupier.server.tournaments.formats.schedule import Batch, Names, Schedule
    from croupier.server.tournaments.statistics.intervals import Interval

    Array = NDArray[np.float64]

TOURNAMENTS = 200
ROUNDS, DEALS = 6, 10
FORMATS: Sequence[type[Balanced | Gauntlet | Ladder | Swiss]] = (Balanced, Swiss, Ladder, Gauntlet)


class Pool(NamedTuple):
    """A game whose every table has been played: scores by table, deal and place; low or high wins."""

    game: str
    names: Names
    tables: Mapping[Names, Array]

    @property
    def size(self) -> int:
        """The number of players at a table."""
        return len(next(iter(self.tables)))

    def truth(self, name: str) -> float:
        """Return a bot's score against the field: its mean over all its tables."""
        own = [scores[:, table.index(name)].mean() for table, scores in self.tables.items() if name in table]
        return float(np.mean(own))


def mixed(share: float) -> Policy:
    """Play low with this probability, else high."""

    def policy(game: Game, dice: Random) -> Play:
        return (low if dice.random() < share else high)(game, dice)

    return policy


def sedma(bots: int = 12, deals: int = 200) -> Pool:
    """Play Sedma, one bot per side."""
    return _pool("sedma", [acting(SevenSaver()), *map(mixed, np.linspace(0, 1, bots - 1))], 2, deals)


def hearts(bots: int = 8, deals: int = 100) -> Pool:
    """Play Hearts, four bots at a table."""
    return _pool("hearts", [acting(Duck()), *map(mixed, np.linspace(0, 1, bots - 1))], 4, deals)


KUHN = tuple(permutations(range(3), 2))
"""The deals of Kuhn poker: who has which of three cards."""


def kuhn(bots: int = 200, programs: int = 8) -> Pool:
    """Play Kuhn poker between deterministic programs, many of which are the same, each deal in both seatings."""
    dice = np.random.default_rng(1)
    answers = dice.integers(2, size=(programs, 4, 3)).tolist()
    names = tuple(f"bot{number:03}-{number % programs}" for number in range(bots))
    means = {
        (one, other): np.array([[_kuhn(answers[one], answers[other], deal)] for deal in KUHN])
        for one, other in product(range(programs), repeat=2)
    }
    tables = {}
    for one, other in combinations(range(bots), 2):
        score = means[one % programs, other % programs]
        tables[names[one], names[other]] = np.concatenate([score, -score], axis=1)
    return Pool("sedma", names, tables)


def _kuhn(mine: Sequence[Sequence[int]], yours: Sequence[Sequence[int]], deal: tuple[int, int]) -> float:
    """Return the mean score of one program against another on a deal, in both seatings."""
    return (_won(mine, yours, deal) - _won(yours, mine, deal)) / 2


def _won(first: Sequence[Sequence[int]], second: Sequence[Sequence[int]], deal: tuple[int, int]) -> int:
    """Return what the first player wins; answers are by question (bet, call, bet after a check, call) and card."""
    mine, yours = deal
    ahead = 1 if mine > yours else -1
    if first[0][mine]:
        return 2 * ahead if second[3][yours] else 1
    if not second[2][yours]:
        return ahead
    return 2 * ahead if first[1][mine] else -1


def _pool(game: str, policies: Sequence[Policy], size: int, deals: int) -> Pool:
    names = tuple(f"bot{number:02}" for number in range(len(policies)))
    tables = {}
    for places in combinations(range(len(names)), size):
        seated = [policies[place] for place in places] * (4 // size)
        scores = sets(game, seated, deals, size, f"pool {places}" if size > 2 else "pool")
        tables[tuple(names[place] for place in places)] = scores.mean(axis=1)[:, :size]
    return Pool(game, names, tables)


class Drawn:
    """A tournament with deals drawn from a pool as its schedule asks; one game stands for a set."""

    def __init__(self, pool: Pool, dice: np.random.Generator) -> None:
        self.pool = pool
        self.dice = dice
        self.sign = -1 if find(pool.game).LOW_WINS else 1
        self.deals: dict[int, int] = {}
        self.games: list[PlayedGame] = []

    def play(self, schedule: Schedule) -> list[PlayedGame]:
        """Play all rounds."""
        for batches in schedule.rounds(self):
            for batch in batches:
                self._play(batch)
        return self.games

    def scores(self, pairing: Names, deals: range) -> dict[str, float]:
        """Return the scores of a pairing."""
        total = np.sum([self._set(pairing, deal) for deal in deals], axis=0) * self.sign
        return dict(zip(pairing, total.tolist(), strict=True))

    def _play(self, batch: Batch) -> None:
        ranks = (1,) * len(batch.pairing)
        for deal in batch.deals:
            scores = self._set(batch.pairing, deal)
            self.games.append(PlayedGame(batch.pairing, deal, batch.pairing, tuple(scores), ranks))

    def _set(self, pairing: Names, deal: int) -> list[float]:
        table = tuple(sorted(pairing))
        all_deals = self.pool.tables[table]
        drawn = self.deals.setdefault(deal, int(self.dice.integers(len(all_deals))))
        scores = dict(zip(table, all_deals[drawn].tolist(), strict=True))
        return [scores[name] for name in pairing]


def held(pool: Pool, kind: type[Balanced | Gauntlet | Ladder | Swiss], tournaments: int) -> tuple[float, float, float]:
    """Return the share of intervals that contain the score against the field, and are shown; and the raw mean's."""
    truths = [pool.truth(name) for name in pool.names]
    ours, raw = [], []
    for number in range(tournaments):
        key = Key.from_seed(f"{kind.__name__} {number}")
        table = Layout(pool.size)
        schedule = (
            kind(pool.names, table, DEALS * ROUNDS, key)
            if issubclass(kind, Gauntlet)
            else kind(pool.names, table, DEALS, key, ROUNDS)
        )
        games = Drawn(pool, np.random.default_rng(number)).play(schedule)
        ours += _held(
            field(credit_games(Columns.of(games).among(pool.names), find(pool.game)), sampled=kind.sampled), truths
        )
        raw += _held(_raw(games, pool.names), truths)
    return float(np.mean(ours)) if ours else np.nan, len(ours) / (tournaments * len(pool.names)), float(np.mean(raw))


def _raw(games: Sequence[PlayedGame], names: Names) -> list[Interval]:
    number = {name: place for place, name in enumerate(names)}
    rows = [
        (number[name], game.deal, score)
        for game in games
        for name, score in zip(game.seating, game.scores, strict=True)
    ]
    return ratio_intervals(*zip(*rows, strict=True), len(names))


def _held(found: Sequence[Interval], truths: Sequence[float]) -> list[bool]:
    pairs = zip(found, truths, strict=True)
    return [each.low <= truth <= each.high for each, truth in pairs if each.low is not None and each.high is not None]


def main() -> None:
    """Print the table."""
    tournaments = int(sys.argv[1]) if sys.argv[1:] else TOURNAMENTS
    print("| bots | format | score against the field | raw mean |\n|---|---|---|---|")
    for pool in (sedma(), hearts()):
        for kind in FORMATS:
            ours, shown, raw = held(pool, kind, tournaments)
            bots = f"{len(pool.names)} of {pool.game}"
            cell = f"{ours:.1%} ({shown:.0%})" if shown else "none"
            print(f"| {bots} | {kind.__name__.lower()} | {cell} | {raw:.1%} |", flush=True)


if __name__ == "__main__":
    main()
