"""Endgames: what the last tricks are worth is what trying everything says."""

from random import Random

import pytest

from croupier.agents.search.endgame import Endgame, camp_of
from croupier.agents.search.world import worth
from croupier.server import games
from croupier.server.games.game import Dice
from croupier.server.games.world import world_of

NAMES = ("alice", "bob", "carol", "dave")
TRICKS = ("hearts", "skat", "doppelkopf", "jass", "sedma")


def endings(name, cards, number=4, options=None):
    """Play random games up to ``cards`` cards before their end."""
    rules = games.find(name)
    for seed in range(number * 4):
        rng = Random(f"{name} {seed}")
        game = rules(NAMES[: rules.SEATS[0]], options or {}, Dice(rng))
        world = world_of(game)
        while game.turn is not None and (world.left() is None or world.left() > cards):
            game.play(game.turn, game.sample(rng))
        if game.turn is not None:
            yield world


def tried(world):
    """Return what each seat gets if each tries everything and takes what is best for itself."""
    game = world.game
    if game.turn is None:
        return [worth(world, seat) for seat in range(len(game.players))]
    found = []
    for play in game.legal():
        after = world.copy()
        after.game.play(game.turn, play)
        found.append(tried(after))
    return max(found, key=lambda worths: worths[game.turn])


@pytest.mark.parametrize("name", TRICKS)
def test_the_end_is_worth_what_trying_everything_says(name):
    """Alpha-beta and the positions looked up change nothing; where there are two camps, neither do they."""
    met = 0
    for world in endings(name, 6):
        truth = tried(world)
        for seat in range(len(truth)):
            end = Endgame(seat, camp_of(world, seat))
            assert end.solve(world) == end.solve(world) == pytest.approx(truth[seat])
            assert end.worths(world) == pytest.approx(truth)
            met += 1
    assert met


def test_camps_are_who_wins_together():
    """Partners, a declarer's opponents, a silent party; at Hearts each is alone, and there are no camps."""
    for name, sizes in {"jass": {2}, "sedma": {2}, "skat": {1, 2}, "doppelkopf": {1, 2, 3}}.items():
        for world in endings(name, 9):
            seats = range(len(world.game.players))
            assert {len(camp_of(world, seat)) for seat in seats} <= sizes
            assert sum(seat in camp_of(world, 0) for seat in seats) in sizes
    for world in endings("hearts", 9):
        assert camp_of(world, 0) is None


def test_an_end_that_is_far_off_is_not_solved():
    """What would take minutes is left to playouts."""
    game = games.find("jass")(NAMES, {"trump": "o"}, Dice(Random(1)))
    assert Endgame.of(world_of(game), 0) is None
    assert Endgame.of(world_of(games.find("dominion")(NAMES[:2], {}, Dice(Random(1)))), 0) is None
    assert all(Endgame.of(world, world.game.turn) is not None for world in endings("jass", 8))
