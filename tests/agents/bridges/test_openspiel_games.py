"""The games of OpenSpiel's players: those with the same rules; all others are refused with the rule that differs."""

from random import Random

import pytest

from croupier.agents.bridges import openspiel_games
from croupier.server import games
from croupier.server.games.game import Dice

NAMES = ("ann", "bob", "cleo", "dot")


def view(name, options=()):
    """Return the first view of a game."""
    rules = games.find(name)
    return rules(NAMES[: rules.SEATS[0]], dict(options), Dice(Random(1))).view(0)


@pytest.mark.parametrize(
    ("name", "options", "why"),
    [
        ("recycle:spades", {}, "OpenSpiel plays recycle:spades by other rules: there a player may bid nil"),
        ("recycle:euchre", {}, "the maker may play alone for four points"),
        ("recycle:oh-hell", {}, "each trick scores a point"),
        ("recycle:go-fish", {}, "only the winner counts"),
        ("hearts", {"lead": "first"}, "with lead=first the first player leads anything"),
        ("hearts", {"moon": "shooter-down"}, "with moon=shooter-down it takes 26 from the shooter"),
        ("sedma", {}, "OpenSpiel's players know hearts, recycle:gops, recycle:kuhn-poker, recycle:leduc-poker"),
        ("recycle:hearts", {}, "they do not know recycle:hearts"),
    ],
)
def test_a_game_with_other_rules_is_refused_with_the_rule(name, options, why):
    """Or with the games that are known."""
    with pytest.raises(ValueError, match=why):
        openspiel_games.find(view(name, options))


def test_the_options_of_hearts_are_parameters_there():
    """Of a hand in a match as well."""
    found = openspiel_games.find(view("hearts", {"first-trick": "free", "jack": 10, "score-to": 50}))
    name = found.name(view("hearts", {"first-trick": "free", "jack": 10}))
    assert name == "hearts(no_pts_on_first_trick=False,must_break_hearts=True,qs_breaks_hearts=False,jd_bonus=True)"


@pytest.mark.parametrize("name", [*openspiel_games.COUNTERPARTS, *openspiel_games.DIFFERENCES])
def test_each_game_that_is_named_is_one(name):
    """Of ours, by the name that `croupier play` takes."""
    assert games.find(name)
