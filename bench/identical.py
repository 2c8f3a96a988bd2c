"""Play tournaments between identical bots, and count those in which any two are called different.

    python -m bench.identical [SEEDS]

Each is laid out and judged as a tournament is: real games, seated by its key, whole standings. Prints the tables of
docs/trust/statistics-evidence.md. The first has the share of tournaments with a starred pair in the cross table, and of
those whose search for an early end finds a difference. The second has the same for deterministic programs of Kuhn
poker, many of which are the same, in formats with varying opponents. It also has the share of intervals of the score
against the field that contain the truth.
"""

from __future__ import annotations

import sys
from itertools import combinations
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from bench.formats import ROUNDS, Drawn, kuhn
from bench.sets import acting, low, play, uniform

from croupier.agents.hearts import Duck
from croupier.agents.jass import TrumpCounter
from croupier.agents.sedma import SevenSaver
from croupier.server.deals import Key
from croupier.server.games import find
from croupier.server.games.game import Game
from croupier.server.table.played_game import PlayedGame
from croupier.server.tournaments.formats import Balanced, Ladder, RoundRobin, Swiss
from croupier.server.tournaments.formats.schedule import Layout, NoResults
from croupier.server.tournaments.statistics.gaps import Gaps
from croupier.server.tournaments.statistics.standings import standings
from croupier.server.tournaments.statistics.stopping import decisions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bench.sets import Policy

SEEDS, DEALS, KUHN_DEALS = 40, 30, 10


class Cup(NamedTuple):
    """A tournament: its game, and which bots are the same."""

    game: str
    twins: Mapping[str, Policy]
    others: Mapping[str, Policy]

    def alarms(self, seed: int, deals: int = DEALS) -> tuple[bool, bool]:
        """Return whether two twins are called different: in the cross table, and by the search for an early end."""
        games = list(self._games(f"twins {seed}", deals))
        rules = find(self.game)
        starred = {frozenset((each.one, each.other)) for each in standings(games, rules).cross if each.sure}
        decided = decisions(games, rules, list(combinations(sorted(self.twins | self.others), 2)))
        found = {frozenset(pair) for pair, decision in decided.items() if decision.verdict == "different"}
        return self._twins(starred), self._twins(found)

    def _twins(self, pairs: set[frozenset[str]]) -> bool:
        return any(pair <= self.twins.keys() for pair in pairs)

    def _games(self, seed: str, deals: int) -> Sequence[PlayedGame]:
        players, rules = dict(self.twins) | dict(self.others), find(self.game)
        key, dice = Key.from_seed(seed), Random(seed)
        schedule = RoundRobin(sorted(players), Layout(4, rules.PARTNERS), deals, key)
        played = []
        for batches in schedule.rounds(NoResults()):
            for batch in batches:
                for seating, deal in batch.games():
                    scores = play(self.game, [players[name] for name in seating], key, deal, dice)
                    ranks = tuple(
                        1 + sum(other < mine if rules.LOW_WINS else other > mine for other in scores) for mine in scores
                    )
                    played.append(PlayedGame(batch.pairing, deal, seating, scores, ranks))
        return played


def _same(policy: Policy, count: int) -> dict[str, Policy]:
    return {f"twin{number}": policy for number in range(count)}


CUPS = {
    "Hearts, four ducks": Cup("hearts", _same(acting(Duck()), 4), {}),
    "Hearts, three ducks and one that plays low": Cup("hearts", _same(acting(Duck()), 3), {"low": low}),
    "Jass, four counters": Cup("jass", _same(acting(TrumpCounter()), 4), {}),
    "Sedma, three savers and chance": Cup("sedma", _same(acting(SevenSaver()), 3), {"chance": uniform}),
}


class Twins(NamedTuple):
    """The results of tournaments between programs of Kuhn poker."""

    starred: float
    found: float
    held: float
    shown: float


def kuhn_poker(kind: type[Balanced | Ladder | Swiss], bots: int, tournaments: int) -> Twins:
    """Let programs meet, many of which are the same; return the shares of false alarms, and of correct intervals."""
    pool, rules = kuhn(bots), type("Alone", (Game,), {"NAME": "kuhn", "PENALTY": -2, "AWARD": 2})
    pairs = [pair for pair in combinations(pool.names, 2) if _same_program(*pair)]
    starred, found, held = [], [], []
    for number in range(tournaments):
        schedule = kind(pool.names, Layout(2), KUHN_DEALS, Key.from_seed(f"kuhn {number}"), ROUNDS)
        games = Drawn(pool, np.random.default_rng(number)).play(schedule)
        table = standings(games, rules, ranked_by="field", sampled=kind.sampled)
        starred.append(any(each.sure and _same_program(each.one, each.other) for each in table.cross))
        gaps = Gaps(rules, list(combinations(pool.names, 2)))
        gaps.look(games)
        found.append(any(gaps.decided[pair].verdict == "different" for pair in pairs))
        known = [(player.ranking, pool.truth(player.name)) for player in table.players]
        held += [
            each.low <= truth <= each.high for each, truth in known if each.low is not None and each.high is not None
        ]
    shares = np.mean(starred), np.mean(found), np.mean(held) if held else np.nan
    return Twins(*map(float, shares), len(held) / (tournaments * bots))


def _same_program(one: str, other: str) -> bool:
    return one.partition("-")[2] == other.partition("-")[2]


def main() -> None:
    """Print the tables."""
    seeds = int(sys.argv[1]) if sys.argv[1:] else SEEDS
    print("| tournament | starred in the cross table | found until sure |\n|---|---|---|")
    for name, cup in CUPS.items():
        starred, sure = zip(*(cup.alarms(seed) for seed in range(seeds)), strict=True)
        print(f"| {name} | {sum(starred) / seeds:.1%} | {sum(sure) / seeds:.1%} |", flush=True)

    print("\n| 200 programs of Kuhn poker | starred | found until sure | field held | shown |\n|---|---|---|---|---|")
    for kind in (Balanced, Swiss, Ladder):
        cells = " | ".join(f"{each:.1%}" for each in kuhn_poker(kind, 200, max(seeds // 4, 1)))
        print(f"| {kind.__name__.lower()} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
