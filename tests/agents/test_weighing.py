"""Weighing: worlds in which what others said is what they would say come more often than others."""

from random import Random
from statistics import fmean

import pytest

from croupier.agents.search.playout import Playout, alike
from croupier.agents.search.sampling import Sampling
from croupier.server import games
from croupier.server.games.game import Dice
from croupier.server.games.world import world_of
from croupier.server.thinking import manner

NAMES = ("alice", "bob", "carol", "dave")
ROWS = [
    ("hearts", {}),
    ("jass", {}),
    ("skat", {}),
    ("doppelkopf", {}),
    ("doppelkopf", {"nines": "no", "schweinchen": "yes"}),
]


def played(name, options, playout, seed=0):
    """Play a game between sensible bots; yield positions of its play as who is on turn sees them, and the truth."""
    rules = games.find(name)
    game = rules(NAMES[: rules.SEATS[0]], options, Dice(Random(seed)))
    number = 0
    while game.turn is not None:
        number += game.phase == "play"
        if game.phase == "play" and number % 7 == 1:
            told = rules.WORLD.of_view(rules, game.view(game.turn))
            yield told, true(told, game)
        game.play(game.turn, playout.choose(world_of(game)))


def true(told, game):
    """Give a retold game the cards that are there."""
    world = told.copy()
    truth, seats = world.game, [game.players.index(name) for name in told.game.players]
    truth.hands = [game.hands[seat] for seat in seats]
    if hasattr(game, "skat"):
        truth.skat = game.skat
    if hasattr(game, "gave"):
        truth.gave = [game.gave[seat] for seat in seats]
    return world


@pytest.mark.parametrize(("name", "options"), ROWS)
def test_what_the_sensible_bot_said_is_likeliest_with_the_cards_it_had(name, options):
    """With the true cards it says the same again, if not always at the same time; with others often something else."""
    playout, rng, actual, imagined = manner(name), Random(1), [], []
    for seed in range(3):
        for told, truth in played(name, options, playout, seed):
            seat = told.game.turn
            actual.append(playout.likelihood(truth, seat))
            imagined += [playout.likelihood(told.determinize(seat, rng), seat) for _ in range(2)]
    assert fmean(actual) > fmean(imagined) + 0.03


def test_unlikely_worlds_are_rare():
    """Of the worlds that are thought about most are likely, though few of all are."""
    playout, rng = manner("hearts"), Random(2)
    told, _ = next(played("hearts", {}, playout, 1))

    def mean(*, weighing):
        sampling = Sampling(told, list(told.game.legal()), playout, rng, weighing=weighing)
        return fmean(playout.likelihood(sampling.likely(), told.game.turn) for _ in range(60))

    assert mean(weighing=True) > mean(weighing=False) + 0.05


def test_a_game_of_chance_alone_weighs_nothing():
    """Where nobody knows what is sensible, or nothing was said, every world counts the same."""
    rules = games.find("hearts")
    game = world_of(rules(NAMES, {}, Dice(Random(1))))
    assert Playout(None).likelihood(game, 0) == manner("hearts").likelihood(game, 0) == 1
    dominion = games.find("dominion")(NAMES[:2], {}, Dice(Random(1)))
    assert Playout(None).likelihood(world_of(dominion), 0) == 1


def test_plays_are_alike_as_far_as_their_words_are():
    """A gift of two of the same three cards is nearly the same gift; a bid is a bid, a trump is no other trump."""
    assert alike(("give", "c2", "c3", "c4"), ("give", "c2", "c3", "c5")) == 2 / 3
    assert alike(("trump", "h"), ("trump", "s")) == alike(("bid", 18), ("pass",)) == 0
    assert alike(("bid", 18), ("bid", 20)) == alike(("hold",), ("hold",)) == 1
