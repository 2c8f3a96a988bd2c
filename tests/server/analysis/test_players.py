"""The players at the tables of an analysis."""

from random import Random

import pytest
from recycle import program

from croupier.agents.bundled import make
from croupier.agents.search import Budget
from croupier.server import games
from croupier.server.analysis.players import CONSIDERED, Chance, Searcher, Sensible, Thinker
from croupier.server.games.game import Dice
from croupier.server.games.recycle.game import game_of
from croupier.server.games.world import world_of

WON_BY_THE_SECOND = program(
    "(choice ((inc ((0 player) sto S) 0) (inc ((0 player) sto S) 9) (inc ((1 player) sto S) 5)))",
    "((current player) sto S)",
)


def decide(player, game):
    """Let a player decide at a game's present choice."""
    return player.decide(game, game.turn, list(game.legal()))


def test_a_thinker_takes_what_wins_and_says_what_it_expects():
    """Nine points win, none share, five for the other lose: places 1, 1 and 0."""
    game = game_of("nine", WON_BY_THE_SECOND.encode())(["a", "b"], {}, Dice(Random(1)))
    chosen = [decide(Thinker(Random(seed), 3), game) for seed in range(20)]
    assert {each.play for each in chosen} == {("choose", 1), ("choose", 2)}
    assert {(each.thought.best, each.thought.worst) for each in chosen} == {(1.0, 0.0)}
    assert {each.play: each.thought.leads for each in chosen} == {("choose", 1): (1.0, 1.0), ("choose", 2): (1.0, 0.0)}


@pytest.mark.parametrize(
    "player",
    [lambda: Thinker(Random(3), 2), lambda: Searcher(Random(3), Budget(iterations=10))],
    ids=["think", "search"],
)
def test_nobody_looks_into_others_hands(player):
    """Of two games that its seat cannot tell apart a player decides the same by the same chance."""
    for seed in range(3):
        game = games.find("hearts")(list("abcd"), {"variant": "seed"}, Dice(Random(seed)))
        other = world_of(game).determinize(game.turn, Random(9)).game
        assert str(game.view(game.turn)) == str(other.view(game.turn))
        assert decide(player(), game) == decide(player(), other)


def test_a_thinker_leaves_the_game_as_it_is():
    """It thinks in copies."""
    game = games.find("sedma")(list("abcd"), {}, Dice(Random(2)))
    before = [str(game.view(seat)) for seat in range(4)]
    decide(Thinker(Random(1), 2), game)
    assert [str(game.view(seat)) for seat in range(4)] == before


def test_options_that_hang_on_hidden_cards_are_no_end_of_thinking():
    """A program may offer a choice for each heart among hidden cards; in other worlds there are fewer."""
    hidden = """(do ((repeat 3 (move (top (game vloc STOCK)) (top (game iloc HERE))))
                     (repeat 3 (move (top (game vloc STOCK)) (top (game iloc THERE))))))
                (choice ((any (filter (game iloc HERE) 'C (== (cardatt SUIT 'C) HEARTS)) 'H
                          (move 'H (top (game vloc OUT))))
                         (inc ((0 player) sto S) 1)))"""
    game = game_of("hidden", program(hidden).encode())(["a", "b"], {}, Dice(Random(1)))
    assert len(list(game.legal())) == 3
    assert decide(Thinker(Random(1), 4), game).play in list(game.legal())


def test_of_very_many_options_some_are_thought_about():
    """Whichever is drawn, what is taken is one of the legal plays."""
    options = " ".join(f"(inc ((0 player) sto S) {number})" for number in range(CONSIDERED + 20))
    game = game_of("many", program(f"(choice ({options}))").encode())(["a", "b"], {}, Dice(Random(1)))
    assert decide(Thinker(Random(1), 1), game).play in list(game.legal())


@pytest.mark.parametrize("name", list(games.BUNDLED))
def test_each_native_game_has_a_sensible_bot_that_plays_it_to_the_end(name):
    """Defenses included, which Dominion asks for."""
    rules = games.find(name)
    game = rules([f"p{seat}" for seat in range(rules.SEATS[0])], {}, Dice(Random(4)))
    players = [Sensible(name), *[Chance(Random(seat)) for seat in range(1, rules.SEATS[0])]]
    for _ in range(5_000):
        if game.turn is None:
            break
        game.play(game.turn, decide(players[game.turn], game).play)
    assert game.turn is None


@pytest.mark.parametrize("name", games.BUNDLED)
def test_who_searches_here_plays_worlds_out_as_the_bundled_bot_does(name):
    """The same bots are asked for advice, with as much chance and as much caution."""
    here, there = Searcher(Random(1), Budget(iterations=8)).agent.playout(name), make("search").playout(name)
    assert [type(bot) for bot in (here.agent, *here.advice.bots)] == [
        type(bot) for bot in (there.agent, *there.advice.bots)
    ]
    assert (here.advice.alone, here.chance, here.caution) == (there.advice.alone, there.chance, there.caution)
