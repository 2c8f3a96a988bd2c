"""Observations of jass-kit: whatever is in one, it is a position of a game or refused with a sentence."""

import json
import random

import pytest

from croupier.agents.bridges.jass_observation import CARDS, observation
from croupier.server.deals import Key
from croupier.server.games.jass import Jass
from croupier.server.games.jass.contracts import UNDERTRUMP
from croupier.server.web.jass_position import BadObservation, JassPosition

NAMES = ("ada", "bea", "cleo", "dot")
STRANGE = [None, True, -1, 0, 1, 2, 3, 4, 5, 9, 10, 10**30, 0.5, "", "DA", "V0.2", [], {}, [[]], {"first": 0}, "\ud800"]
CHANGES = 4000


def observations(rng, undertrump="seed"):
    """Yield what jass-kit would tell at each moment of a random game, with the view that it is told from."""
    game = Jass(NAMES, Jass.read_options({"undertrump": undertrump}), Key.from_seed(str(rng.random())).deal(1))
    while game.turn is not None:
        view = game.view(game.turn)
        yield observation(view), view
        game.play(game.turn, game.sample(rng))


def read(told):
    """Return the position of an observation."""
    return JassPosition.read(json.dumps(told).encode())


def replayed(position):
    """Return the game at the position."""
    game = position.opening()
    for play in position.plays:
        game.play(game.turn, play)
    return game


@pytest.mark.parametrize("undertrump", UNDERTRUMP)
def test_a_position_is_what_its_player_knows(undertrump):
    """The view of it is the same, except for names and the scores before the hand, which no observation has.

    It is played by the strictest rule that its cards allow, so that each legal play is one at any table.
    """
    rng, rules = random.Random(1), set()
    for _ in range(60):
        for told, view in observations(rng, undertrump):
            position = read(told)
            rules.add(position.undertrump)
            found = replayed(position).view(position.seat)
            assert observation(found) == told
            assert (found.hand, found.phase) == (view.hand, view.phase)
            assert {*found.legal} <= {*view.legal}
            assert list(found.points.values()) == list(view.points.values())
    assert rules == {"seed"} or undertrump != "seed"
    assert len(rules) > 1 or undertrump != "lower-of-two"


def places(value, path=()):
    """List the paths to each value within a document."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path] * bool(path) + [each for key, part in inner for each in places(part, (*path, key))]


def test_what_is_changed_is_another_position_or_refused():
    """Nothing else is raised; a position that is taken can be played to its end."""
    rng, taken, refused = random.Random(2), 0, []
    while taken + len(refused) < CHANGES:
        for told, _ in observations(rng):
            for _ in range(rng.randint(1, 2)):
                *way, last = rng.choice(places(told))
                inner = told
                for step in way:
                    inner = inner[step]
                if rng.random() < 0.2:
                    del inner[last]
                else:
                    inner[last] = rng.choice([*STRANGE, *CARDS])
            try:
                position = read(told)
            except BadObservation as problem:
                refused.append(str(problem))
                continue
            taken += 1
            game = replayed(position)
            while game.turn is not None:
                game.play(game.turn, game.sample(rng))
    assert all(why.isprintable() for why in refused)
    assert min(taken, len(refused)) > CHANGES / 50
