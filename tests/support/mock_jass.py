"""A player service of jass-kit on this machine's loopback, which plays by our rules, and misbehaves as it is told."""

import json
from contextlib import contextmanager

from mock_model import MockModel, http

from croupier.agents.bridges.jass_observation import NAMES, NUMBERS
from croupier.server.web.jass_position import JassPosition


class MockService(MockModel):
    """The server. A script is a function of the observation; see MockModel."""

    @property
    def address(self):
        """The player's address."""
        return self.url.removesuffix("/v1") + "/jass/players/mock"

    def question(self, request):
        """Return the observation."""
        return request


def first_legal(observation):
    """Return the answer of a player that plays the first legal play, in the order of our rules."""
    position = JassPosition.read(json.dumps(observation).encode())
    game = position.opening()
    for play in position.plays:
        game.play(game.turn, play)
    play = game.legal()[0]
    return {"card": NAMES[play[1]]} if play[0] == "play" else {"trump": NUMBERS[play]}


def plays(observation):
    """Play as the rules want it."""
    return http(first_legal(observation))


@contextmanager
def serving(*scripts):
    """Serve; yield the server."""
    server = MockService(*scripts or [plays])
    try:
        yield server
    finally:
        server.close()
