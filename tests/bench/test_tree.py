"""The search by one tree, which the bundled one is measured against."""

from random import Random
from statistics import fmean

import pytest
from bench.strength import asked, lead, sides
from bench.tree import Tree

from croupier.agents.random_bot import Random as RandomBot
from croupier.server import games
from croupier.server.deals import Key


@pytest.mark.parametrize("name", ["hearts", "skat", "dominion"])
def test_a_tree_plays_by_the_rules_and_the_same_again(name):
    rules = games.find(name)
    game = rules(("ann", "bob", "cat", "dan")[: rules.SEATS[0]], {}, Key.from_seed("tree").deal(1))
    other, trees = game.copy(), [Tree("--iterations", "20") for _ in range(2)]
    for _ in range(8):
        play, again = (asked(tree, each, each.turn) for tree, each in zip(trees, (game, other), strict=True))
        assert play == again
        game.play(game.turn, play)
        other.play(other.turn, again)


def test_a_tree_beats_chance():
    rules, tree, chance = games.find("sedma"), Tree("--iterations", "30"), RandomBot(Random(1))
    assert fmean([lead(rules, deal, side, tree, chance) for deal in range(1, 5) for side in sides(rules)]) > 0.5
