"""Whole games in this process, and their records."""

from random import Random
from statistics import fmean, stdev

import trio

from croupier.agents import bundled
from croupier.agents.driver import respond
from croupier.protocol.notifications import Request
from croupier.server import games
from croupier.server.deals import Key
from croupier.server.table.referee import Referee, Terms
from croupier.server.table.seat import LocalSeat


def play_locally(game, bots, deal=1, seed="tests", options=None, names=None):
    """Play one game in this process between bundled bots, by name, and agents; return what was played."""
    names = names or [f"{bot if isinstance(bot, str) else 'agent'}-{seat}" for seat, bot in enumerate(bots)]
    agents = [bundled.make(bot) if isinstance(bot, str) else bot for bot in bots]
    seats = [LocalSeat(name, agent) for name, agent in zip(names, agents, strict=True)]
    referee = Referee(games.find(game), options or {}, seats, Key.from_seed(seed).deal(deal), Terms())
    result = trio.run(referee.play)
    assert not result.faults, result.faults
    return result


def record_of(game, bots, **how):
    """Return the record of such a game as text, without its times."""
    result = play_locally(game, bots, **how)
    return "".join(f"{line}\n" for line in result.record if not line.startswith("(time "))


def ahead(rules, options, agent, sides, deals):
    """Play deals between an agent and chance, once in the seats of each side.

    Return by how much it is ahead a deal, and how wide a 95 % interval of that is.
    """
    rng, key, leads = Random(1), Key.from_seed(rules.NAME), []
    for number in range(deals):
        lead = 0.0
        for side in sides:
            game = rules(("alice", "bob", "carol", "dave"), options, key.deal(number))
            while (seat := game.turn) is not None:
                mine = seat in side
                game.play(seat, respond(agent(), Request(game.view(seat))) if mine else game.sample(rng))
            scores = game.scores()
            others = fmean(score for seat, score in enumerate(scores) if seat not in side)
            lead += fmean(scores[seat] for seat in side) - others
        leads.append(lead / len(sides))
    return fmean(leads), 2 * 1.96 * stdev(leads) / len(leads) ** 0.5
