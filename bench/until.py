"""Let tournaments of every format play until they are sure: how often they err, and how many games that saves.

    python -m bench.until [TOURNAMENTS]

Twelve players of Sedma, from careful to careless, have played each other on some hundred deals. So the score of each
against each, and against the field, is known. Then there are twelve who are all the same. Tournaments draw their deals
from these. Prints the table of docs/trust/stopping-evidence.md: the share of tournaments with a wrong verdict, and the
share of all planned games that were played. A verdict of different is wrong on the other side or between equals, one of
alike if the two are more than the margin apart.
"""

from __future__ import annotations

import sys
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from bench.formats import Drawn, Pool, mixed, sedma
from bench.sets import sets

from croupier.server.deals import Key
from croupier.server.games import find
from croupier.server.tournaments.config import tournament_file
from croupier.server.tournaments.formats import FORMATS, Gauntlet, Ladder
from croupier.server.tournaments.formats.schedule import A_LOOK, Layout
from croupier.server.tournaments.statistics.ending import OfPairs, ending

if TYPE_CHECKING:
    from croupier.server.games.game import Game
    from croupier.server.tournaments.formats.schedule import Schedule

TOURNAMENTS = 200
MARGIN = 0.3
"""Points of a game; the spread of a difference of two over sets is about seven tenths."""
PLANS = {
    "round-robin": (400, None),
    "gauntlet": (400, None),
    "balanced": (60, 22),
    "swiss": (60, 22),
    "ladder": (60, 40),
}
"""Deals and rounds of each format."""


def same(bots: int = 12, deals: int = 600) -> Pool:
    """Play Sedma between two who are the same, and let all others do as they did."""
    names = tuple(f"bot{number:02}" for number in range(bots))
    scores = sets("sedma", [mixed(0.5)] * 4, deals, 2, "same").mean(axis=1)[:, :2]
    scores = np.concatenate([scores, scores[:, ::-1]])
    dice = np.random.default_rng(0)
    return Pool("sedma", names, {table: dice.permutation(scores) for table in combinations(names, 2)})


class Watched(Drawn):
    """A tournament that is played until it is sure, each table with deals of its own."""

    def __init__(self, pool: Pool, form: str, number: int) -> None:
        super().__init__(pool, np.random.default_rng(number))
        deals, rounds = PLANS[form]
        bots = [{"name": name, "builtin": "random"} for name in pool.names]
        settings = tournament_file.build(
            {"game": pool.game, "bots": bots, "format": form, "until_sure": True, "margin": MARGIN}
        )
        key = Key.from_seed(f"{form} {number}")
        self.schedule: Schedule = FORMATS[form](pool.names, Layout(2), deals, key, rounds, most=A_LOOK)
        rules: type[Game] = type("Alone", (find(pool.game),), {"PARTNERS": ()})
        self.ending = ending(rules, settings)

    def until_sure(self) -> tuple[bool, float]:
        """Play; return whether any verdict was wrong, and the share of games that were played."""
        planned = 0
        sure = False
        for batches in self.schedule.rounds(self):
            for batch in batches:
                planned += len(batch.deals)
                if not sure and self.ending.wants(batch.pairing):
                    before = len(self.games)
                    self._play(batch)
                    self.ending.note(self.games[before:])
            sure = sure or bool(self.ending.look())
        return self.wrong(), len(self.games) / planned

    def wrong(self) -> bool:
        """Return whether a verdict is wrong."""
        assert isinstance(self.ending, OfPairs)
        for pair, decision in self.ending.watch.decided.items():
            gap = self._gap(*pair)
            if decision.verdict == "different" and (decision.low > 0) != (gap > 0):
                return True
            if decision.verdict == "alike" and abs(gap) > MARGIN:
                return True
        return False

    def _gap(self, one: str, other: str) -> float:
        """Return the true difference: against the field, or where the two meet."""
        if self.schedule.ranked_by == "field" and not isinstance(self.schedule, Gauntlet | Ladder):
            return self.pool.truth(one) - self.pool.truth(other)
        mine, yours = self.pool.tables[one, other].mean(axis=0)
        return float(mine - yours)


def main() -> None:
    """Print the table."""
    tournaments = int(sys.argv[1]) if sys.argv[1:] else TOURNAMENTS
    print("| bots | format | tournaments with a wrong verdict | games played, of all |\n|---|---|---|---|")
    for who, pool in (("from careful to careless", sedma()), ("all the same", same())):
        for form in PLANS:
            wrong, played = zip(
                *(Watched(pool, form, number).until_sure() for number in range(tournaments)), strict=True
            )
            print(f"| 12 of sedma, {who} | {form} | {np.mean(wrong):.1%} | {np.mean(played):.0%} |", flush=True)


if __name__ == "__main__":
    main()
