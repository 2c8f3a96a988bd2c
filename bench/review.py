"""Measure whether reviews find a planted blunder, and whether a searching bot loses nothing by its own measure.

    python -m bench.review [GAMES [MS [GAME ...]]]

In each game one decision is replaced by the play that is worst in long thought. It is counted how often that decision
is among the first three of its game by their losses. Then `search` is reviewed with the budget that it had.
"""

from __future__ import annotations

import sys
from random import Random
from typing import TYPE_CHECKING

import trio

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
    from croupier.protocol.views.view import Play, View
    from croupier.server.reviewing.review import Review

TABLES = {
    "hearts": ["duck"] * 4,
    "skat": ["skat-club"] * 3,
    "doppelkopf": ["doko"] * 4,
    "jass": ["jass"] * 4,
    "sedma": ["sedma"] * 4,
    "dominion": ["siege", "plan"],
}
LONG = Budget(iterations=2_000)
FIRST = 3


class Blunderer(Agent):
    """Plays like another bot, but at one of its decisions makes the worst play; ``planted`` is that play."""

    def __init__(self, bot: Agent, rules: type[games.game.Game], at: int) -> None:
        self.bot, self.rules, self.left = bot, rules, at
        self.planted: Play | None = None
        self.number = 0

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
        self.number += 1
        if self.planted is None and isinstance(question, Request):
            self.left -= 1
            world = self.rules.WORLD.of_view(self.rules, question.view) if self.left < 0 else None
            if world is not None:
                found = Judge(thinking.manner(self.rules.NAME), LONG, "plant").judge(world.game, play, 0)
                worst = min(found.plays, key=lambda each: each.mean)
                if found.plays[0].mean - worst.mean > 4 * worst.error > 0:
                    self.planted, self.at = worst.play, self.number
                    return worst.play
        return play


def is_found(name: str, deal: int, budget: Budget) -> bool | None:
    """Return whether the planted blunder of a deal is among the first; None if none could be planted."""
    rules, rng = games.find(name), Random(f"{name} {deal}")
    bots = [bundled.make(bot) for bot in TABLES[name]]
    place = rng.randrange(len(bots))
    blunderer = Blunderer(bots[place], rules, rng.randrange(12))
    agents: list[Agent] = [*bots[:place], blunderer, *bots[place + 1 :]]
    text = record(name, agents, deal)
    if blunderer.planted is None:
        return None
    ranked = sorted(reviewed(text, budget).decisions, key=lambda each: -each.judgement.loss.mean)
    mine = [each for each in ranked[:FIRST] if each.seat == place]
    return any(each.judgement.plays[0].play == blunderer.planted for each in mine)


def record(name: str, agents: list[Agent], deal: int) -> str:
    """Return the record of a game between agents."""
    seats = [LocalSeat(f"p{seat}", agent) for seat, agent in enumerate(agents)]
    referee = Referee(games.find(name), {}, seats, Key.from_seed("review").deal(deal), Terms())
    result = trio.run(referee.play)
    return "".join(f"{line}\n" for line in result.record if not line.startswith("(time "))


def reviewed(text: str, budget: Budget) -> Review:
    """Return the review of a record."""
    return review(text, games.find, budget)


def main() -> None:
    """Measure, and print a row per game."""
    number, ms, *names = [*sys.argv[1:3], *["20", "200"][len(sys.argv[1:3]) :], *sys.argv[3:]]
    deals, budget = range(1, int(number) + 1), Budget(ms=float(ms))
    for name in names or TABLES:
        found = [each for deal in deals if (each := is_found(name, deal, budget)) is not None]
        print(f"{name}: {sum(found)} of {len(found)} planted blunders are among the first {FIRST}", flush=True)
        total = variance = 0.0
        for deal in deals:
            agents = [bundled.make("search", ["--ms", ms]), *map(bundled.make, TABLES[name][1:])]
            for decision in reviewed(record(name, agents, deal), budget).of_seat(0):
                total += decision.judgement.loss.mean
                variance += decision.judgement.loss.error**2
        loss, error = total / len(deals), variance**0.5 / len(deals)
        print(f"{name}: by its own measure search loses {loss:+.2f} ± {2 * error:.2f} a game", flush=True)


if __name__ == "__main__":
    main()
