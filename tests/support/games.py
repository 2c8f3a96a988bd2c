"""Whole games in this process, and their records."""

import trio

from croupier.agents import bundled
from croupier.server import games
from croupier.server.deals import Key
from croupier.server.referee import Referee, Terms
from croupier.server.seats import LocalSeat


def play_locally(game, bots, deal=1, seed="tests", options=None, names=None):
    """Play one game between bundled bots in this process; return its Result."""
    names = names or [f"{bot}-{seat}" for seat, bot in enumerate(bots)]
    seats = [LocalSeat(name, bundled.make(bot)) for name, bot in zip(names, bots, strict=True)]
    referee = Referee(games.find(game), options or {}, seats, Key.seeded(seed).deal(deal), Terms())
    result = trio.run(referee.play)
    assert result.faults == [], result.faults
    return result


def record_of(game, bots, **how):
    """Return the record of such a game as text, without its times."""
    result = play_locally(game, bots, **how)
    return "".join(f"{line}\n" for line in result.record if not line.startswith("(time "))
