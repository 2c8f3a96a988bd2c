"""Count how often tournaments are judged wrongly in which one bot of four commits faults.

    python -m bench.spoilt [TOURNAMENTS]

Sets of four games, one per seating: the worth of a seat's cards, the worth of each bot, and luck. One bot fails in a
share of its games; a stand-in, from which all others gain, plays on. Prints the tables of
docs/trust/statistics-evidence.md: the share of shown intervals that contain the truth, and the share of wrong verdicts
of ``improve``.
"""

from __future__ import annotations

import sys
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from croupier.server.games.game import Game
from croupier.server.table.faults import Fault, Kind, PlayerFault, ranks_after
from croupier.server.table.played_game import PlayedGame
from croupier.server.tournaments.statistics.credit import credit_games
from croupier.server.tournaments.statistics.field import field
from croupier.server.tournaments.statistics.improvement import ImprovementTest, Question
from croupier.server.tournaments.statistics.standings import standings
from croupier.server.tournaments.statistics.stopping import Bounds

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from croupier.server.tournaments.statistics.intervals import Interval
    from croupier.server.tournaments.statistics.standings import Standings

TOURNAMENTS = 400
SETS = (60, 150)
SHARES = (0.05, 0.1, 0.2, 0.3)
OF_OPPONENT = (0.3, 0.45)
LONGEST, A_LOOK, LONG = 400, 10, 5_000
CARDS, LUCK, GIFT = 20, 10, 15
"""Spreads of the worth of a seat's cards and of a game's luck; the gain of the others from a stand-in."""
MARGIN = 3.0
"""In points of a game; a fifth of the spread of a set's difference, or somewhat more."""
SKILLS = {"ant": 0, "bee": 3, "cow": 6, "fox": 2}
FAULTY = "fox"
_FAULT = Fault(Kind.CRASHED, "it did")


class Four(Game):
    """A game for four in which a fault costs more than any luck."""

    NAME, PENALTY, AWARD = "four", -100, 100


class Table(NamedTuple):
    """A table: the worth of each player, which one fails, and in which share of its games."""

    skills: Mapping[str, float]
    faulty: str
    share: float

    def set(self, deal: int, cards: Sequence[float], dice: np.random.Generator) -> Iterator[PlayedGame]:
        """Yield the games of a deal, in the four seatings by rotation."""
        names = tuple(self.skills)
        for turn in range(4):
            seating = names[turn:] + names[:turn]
            failed = self.faulty if dice.random() < self.share else None
            luck = dice.normal(size=4) * LUCK
            scores = [
                Four.PENALTY if name == failed else round(self.skills[name] + card + lot + GIFT * (failed is not None))
                for name, card, lot in zip(seating, cards, luck, strict=True)
            ]
            ranks = [1 + sum(other > mine for other in scores) for mine in scores]
            guilty = [seat for seat, name in enumerate(seating) if name == failed]
            faults = tuple(PlayerFault(seat, _FAULT) for seat in guilty)
            yield PlayedGame(names, deal, seating, tuple(scores), ranks_after(ranks, guilty), faults)


def played(tables: Sequence[Table], deals: Sequence[int], dice: np.random.Generator) -> list[PlayedGame]:
    """Play all tables on the same deals."""
    cards = dice.normal(size=(len(deals), 4)) * CARDS
    return [
        game
        for deal, worth in zip(deals, cards.tolist(), strict=True)
        for table in tables
        for game in table.set(deal, worth, dice)
    ]


def judged(share: float, sets: int, seed: int) -> Standings:
    """Return the standings of a tournament of four, one of which fails."""
    return standings(_cup(share, sets, seed), Four)


def _cup(share: float, sets: int, seed: int) -> list[PlayedGame]:
    return played([Table(SKILLS, FAULTY, share)], range(1, sets + 1), np.random.default_rng([seed, sets]))


@cache
def strengths(share: float) -> dict[str, float]:
    """Return the strengths of the four in the long run."""
    return {player.name: player.strength.mean or 0.0 for player in judged(share, LONG, 0).players}


def held(share: float, sets: int, tournaments: int) -> dict[str, float]:
    """Return the share of shown intervals that hold: of the others' means and differences, field, and strengths."""
    found: dict[str, list[bool]] = {"mean": [], "difference": [], "field": [], "strength": []}
    truth = strengths(share)
    for seed in range(1, tournaments + 1):
        table = judged(share, sets, seed)
        found["mean"] += _all((each.score, SKILLS[each.name]) for each in table.players if each.name != FAULTY)
        found["strength"] += _all((each.strength, truth[each.name]) for each in table.players)
        found["difference"] += _all(
            (each.score, SKILLS[each.one] - SKILLS[each.other])
            for each in table.cross
            if FAULTY not in {each.one, each.other}
        )
        scores = zip(
            sorted(SKILLS), field(credit_games(_cup(share, sets, seed), Four), worst=Four.PENALTY), strict=True
        )
        found["field"] += _all((score, SKILLS[name]) for name, score in scores if name != FAULTY)
    return {what: float(np.mean(each)) if each else np.nan for what, each in found.items()}


def _all(found: Iterator[tuple[Interval, float]]) -> list[bool]:
    return [each.low <= truth <= each.high for each, truth in found if each.low is not None and each.high is not None]


def wrong(share: float, gap: float, bounds: Bounds | None, seed: int) -> bool:
    """Return whether `improve` errs about two separated by ``gap`` points, against others, one of which fails."""
    dice = np.random.default_rng([seed, 7])
    trial = ImprovementTest(Four, Question("old", "new", None if bounds else MARGIN, bounds))
    others = {"bee": 3, "cow": 6, FAULTY: 2}
    tables = [Table({name: worth, **others}, FAULTY, share) for name, worth in (("new", gap), ("old", 0.0))]
    for first in range(1, LONGEST, A_LOOK):
        trial.look(played(tables, range(first, first + A_LOOK), dice))
        if trial.verdict.word != "undecided":
            break
    if bounds:
        return trial.verdict.word == ("better" if gap == bounds.low else "worse")
    return trial.verdict.word in ({"better", "worse"} if gap == 0 else {"worse", "same"})


def rows(tournaments: int) -> Iterator[str]:
    """Yield the lines of both tables."""
    yield "| faults in | sets | mean | difference | field | strength |\n|---|---|---|---|---|---|"
    for share in SHARES:
        for sets in SETS:
            cells = (f"{each:.1%}" for each in held(share, sets, tournaments).values())
            yield f"| {share:.0%} | {sets} | {' | '.join(cells)} |"
    yield "\n| faults in | true difference | `improve` wrong | `--sprt` wrong |\n|---|---|---|---|"
    for share in OF_OPPONENT:
        for gap, said in ((0.0, "0"), (MARGIN, "the margin")):
            cells = (
                f"{np.mean([wrong(share, gap, bounds, seed) for seed in range(tournaments)]):.1%}"
                for bounds in (None, Bounds(0, MARGIN))
            )
            yield f"| {share:.0%} | {said} | {' | '.join(cells)} |"


def main() -> None:
    """Print the tables."""
    for row in rows(int(sys.argv[1]) if sys.argv[1:] else TOURNAMENTS):
        print(row, flush=True)


if __name__ == "__main__":
    main()
