"""Measure whether reviews find a planted blunder, and whether a searching bot loses nothing by its own measure.

    python -m bench.review [--game NAME ...] [--part blunders|itself] [--ms N] [--deals N] [--out FILE]

In each game between searching players one decision is replaced by the play that is worst in long thought, if that costs
much. It is counted how often that decision is among the first three that the review lists. Weak players would not do:
their own mistakes are often larger. Then `search` is reviewed with the budget that it had.
``--out`` keeps each deal's result, and continues where it was stopped.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from random import Random
from statistics import fmean
from typing import TYPE_CHECKING, Any

import trio
from bench.strength import before, kept
from scipy.stats import binomtest
from scipy.stats import ttest_1samp as t_test

from croupier.agents import bundled
from croupier.agents.agent import Agent
from croupier.agents.driver import decide
from croupier.agents.search.budget import Budget
from croupier.protocol.notifications import Attacked, Request
from croupier.server import games, thinking
from croupier.server.deals import Key
from croupier.server.reviewing.decision import Judge
from croupier.server.reviewing.review import review
from croupier.server.table.referee import Referee, Terms
from croupier.server.table.seat import LocalSeat

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from croupier.protocol.views.view import Play, View
    from croupier.server.reviewing.review import Review

OTHERS = {
    "hearts": ["duck"] * 3,
    "skat": ["skat-club"] * 2,
    "doppelkopf": ["doko"] * 3,
    "jass": ["jass"] * 3,
    "sedma": ["sedma"] * 3,
    "dominion": ["plan"],
}
"""Whom `search` plays when it is reviewed itself."""
LONG = Budget(iterations=2_000)
FIRST = 3
PLAYOUTS = "100"
"""What the players think about a decision in which a blunder is to be found."""
BLUNDER = 0.25
"""A blunder costs at least this share of what its player's score varies by, twice as much as a mistake."""


class Blunderer(Agent):
    """Plays like another bot, but at one of its decisions makes the worst play; ``planted`` is that play."""

    def __init__(self, bot: Agent, rules: type[games.game.Game], at: int) -> None:
        self.bot, self.rules, self.left = bot, rules, at
        self.judge = Judge(thinking.manner(rules.NAME), LONG, "plant")
        self.planted: Play | None = None

    def tryBid(self, state: View) -> Play | None:
        """Decide."""
        return self._decide(Request(state))

    def tryPlay(self, state: View) -> Play | None:
        """Decide."""
        return self._decide(Request(state))

    def tryDefend(self, attack: Play, attacker: str, state: View) -> Play | None:
        """Decide."""
        return self._decide(Attacked(attack, attacker, state))

    def _decide(self, question: Request | Attacked) -> Play:
        play = decide(self.bot, question)
        if self.planted is None and isinstance(question, Request):
            self.left -= 1
            if self.left < 0 or not self.judge.spread:
                return self._worst(question.view, play)
        return play

    def _worst(self, view: View, play: Play) -> Play:
        """Return the worst play if it is a blunder and it is time for one; else the play itself."""
        world = self.rules.WORLD.of_view(self.rules, view)
        found = self.judge.judge(world.game, play, 0)
        worst = min(found.plays, key=lambda each: each.mean)
        lost = found.plays[0].mean - worst.mean
        spread = max(self.judge.spread.values(), default=0.0)
        if self.left >= 0 or lost < BLUNDER * spread or lost <= 4 * worst.error:
            return play
        self.planted = worst.play
        return worst.play


def is_found(name: str, deal: int, budget: Budget) -> bool | None:
    """Return whether the planted blunder of a deal is among the first; None if none could be planted."""
    rules, rng = games.find(name), Random(f"{name} {deal}")
    bots = [bundled.make("search", ["--iterations", PLAYOUTS]) for _ in range(len(OTHERS[name]) + 1)]
    place = rng.randrange(len(bots))
    blunderer = Blunderer(bots[place], rules, rng.randrange(12))
    agents: list[Agent] = [*bots[:place], blunderer, *bots[place + 1 :]]
    text = record(name, agents, deal)
    if blunderer.planted is None:
        return None
    lossy = [each for each in reviewed(text, budget).decisions if each.judgement.loss.is_significant]
    ranked = sorted(lossy, key=lambda each: -each.judgement.loss.mean)
    mine = [each for each in ranked[:FIRST] if each.seat == place]
    return any(each.judgement.plays[0].play == blunderer.planted for each in mine)


def record(name: str, agents: list[Agent], deal: int) -> str:
    """Return the record of a game between agents."""
    seats = [LocalSeat(f"p{seat}", agent) for seat, agent in enumerate(agents)]
    referee = Referee(games.find(name), {}, seats, Key.from_seed("review").deal(deal), Terms())
    result = trio.run(referee.play)
    return "".join(f"{line}\n" for line in result.record if not line.startswith("(time "))


def reviewed(text: str, budget: Budget, seats: Sequence[str] = ()) -> Review:
    """Return the review of a record, or of some players' decisions in it."""
    return review(text, games.find, budget, seats)


def lost_by_itself(name: str, deal: int, budget: Budget) -> float:
    """Return what `search` loses in a deal by its own measure."""
    agents = [bundled.make("search", ["--ms", str(budget.ms)]), *map(bundled.make, OTHERS[name])]
    return sum(each.judgement.loss.mean for each in reviewed(record(name, agents, deal), budget, ["p0"]).decisions)


def measured(name: str, part: str, how: argparse.Namespace) -> list[Any]:
    """Return the results of each deal of a game, those of earlier runs first."""
    found, budget = before(how.out, name, part, how.ms), Budget(ms=how.ms)
    for deal in range(len(found) + 1, how.deals + 1):
        found.append(PARTS[part](name, deal, budget))
        kept(how.out, name, part, how.ms, found[-1])
    return found


PARTS: dict[str, Callable[[str, int, Budget], Any]] = {"blunders": is_found, "itself": lost_by_itself}


def row(name: str, part: str, found: Sequence[Any]) -> str:
    """Return a line about what was measured."""
    if part == "blunders":
        planted = [each for each in found if each is not None]
        if not planted:
            return f"{name}: no play of {len(found)} deals costs enough to be a blunder"
        low, high = binomtest(sum(planted), len(planted)).proportion_ci(method="wilson")
        return (
            f"{name}: {sum(planted)} of {len(planted)} planted blunders are among the first {FIRST} "
            f"({100 * low:.0f} to {100 * high:.0f} %), in {len(found)} deals"
        )
    interval = t_test(found, 0).confidence_interval()
    wide = (interval.high - interval.low) / 2
    return f"{name}: by its own measure search loses {fmean(found):+.2f} ± {wide:.2f} a game, in {len(found)} games"


def main() -> None:
    """Measure, and print a row per game and part."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--game", nargs="*", default=list(OTHERS), choices=list(OTHERS))
    parser.add_argument("--part", nargs="*", default=list(PARTS), choices=list(PARTS))
    parser.add_argument("--ms", type=int, default=200)
    parser.add_argument("--deals", type=int, default=20)
    parser.add_argument("--out", type=Path)
    how = parser.parse_args()
    for name in how.game:
        for part in how.part:
            print(row(name, part, measured(name, part, how)), flush=True)


if __name__ == "__main__":
    main()
