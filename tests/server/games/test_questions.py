"""A person is asked in the game's words, whatever is to be decided."""

from random import Random

import pytest

from croupier.server import games
from croupier.server.games.broadcast import Broadcast

OPTIONS = {
    "doppelkopf": {"poverty": "yes"},
    "jass": {"weis": "yes"},
    "skat": {"contra": "yes"},
    "sedma": {"rounds": "many"},
}
"""What brings decisions that a game does not have by itself."""


@pytest.mark.parametrize("name", games.BUNDLED)
def test_each_decision_has_a_question_of_its_own(name, key):
    """In forty games by chance; a phase without one would be asked as any game is."""
    rules, rng, asked = games.find(name), Random(name), set()
    for deal in range(1, 41):
        game = rules(tuple(f"bot{seat}" for seat in range(rules.SEATS[-1])), OPTIONS.get(name, {}), key.deal(deal))
        broadcast = game.BROADCAST(game)
        while game.turn is not None and len(asked) < 1000:
            view = game.view(game.turn)
            asked.add((view.phase, broadcast.question(view)))
            game.play(game.turn, game.sample(rng))
    default = Broadcast.question(Broadcast(None), None)
    assert {phase for phase, question in asked if question == default} == set()
