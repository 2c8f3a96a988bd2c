"""A table of Hearts with hands as one likes them."""

import pytest
from tests.support.trick_table import NAMES, Stacked, spelled

from croupier.server.games.game import IllegalPlay
from croupier.server.games.hearts import Hearts

CLUBS = "c2 c3 c4 c5 c6 c7 c8 c9 cT cJ cQ cK cA"
HEARTS = "h2 h3 h4 h5 h6 h7 h8 h9 hT hJ hQ hK hA"


def begin(*hands, **options):
    """Begin a game without giving, of stacked hands."""
    return Hearts(NAMES, {"pass": "none"} | spelled(options), Stacked(NAMES, (13,) * 4, hands))


def give(game, seat, cards):
    """Let a seat give three cards away."""
    game.check(seat, ("give", *cards.split()))
    return game.play(seat, ("give", *cards.split()))


def legal(game):
    """Return the cards that may be played, as text."""
    return " ".join(play[1] for play in game.legal())


def refused(game, seat, *said):
    """Return the reason why a seat may not play this."""
    with pytest.raises(IllegalPlay) as problem:
        game.check(seat, said)
    return str(problem.value)
