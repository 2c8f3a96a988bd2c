"""A glance is a view, however little of it is there as yet."""

from random import Random

import pytest

from croupier.server.games import find
from croupier.server.games.game import Dice
from croupier.server.games.tricks_world import Glance
from croupier.server.games.world import world_of

NAMES = ("alice", "bob", "carol", "dave")
TABLES = [
    ("skat", {"list": 3, "contra": "yes", "all-pass": "ramsch"}),
]


@pytest.mark.parametrize(("name", "options"), TABLES)
def test_a_glance_shows_what_a_view_shows(name, options):
    """At every decision it says the same: what bots look at, each field, and STATE as a whole."""
    rng, glances = Random(1), 0
    rules = find(name)
    for seats in rules.SEATS * 20:
        game = rules(NAMES[:seats], options, Dice(rng))
        while (seat := game.turn) is not None:
            view, glance = game.view(seat), world_of(game).glance(seat)
            if isinstance(glance, Glance):
                glances += 1
                assert seen(glance.sight) == seen(view.sight)
            assert world_of(game).glance(seat).hand == view.hand
            assert str(glance) == str(view)
            assert {key: getattr(glance, key) for key in view.NAMES} == {key: getattr(view, key) for key in view.NAMES}
            game.play(seat, game.sample(rng))
    assert glances


def seen(sight):
    """Return what bots look at, lists as tuples."""
    found = {name: getattr(sight, name) for name in sight.__slots__}
    return {name: tuple(value) if isinstance(value, list) else value for name, value in found.items()}
