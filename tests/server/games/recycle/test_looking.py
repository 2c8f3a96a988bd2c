"""Looking: whose options are described without a watch on what is looked at, and that nothing is told by it."""

from random import Random

import pytest
from tests.support.recycle import DECK, begin, program

from croupier.server.games.game import Dice
from croupier.server.games.recycle import library, load
from croupier.server.games.recycle.actions import ACTIONS
from croupier.server.games.recycle.choices import LOOKING, trace_of
from croupier.server.games.recycle.program import CompiledProgram
from croupier.server.games.recycle.reader import KINDS, STORES
from croupier.server.games.recycle.scope import BUILDERS, CHANCE

HIDDEN = "(game iloc STOCK)"
MINE = "((current player) iloc HAND)"
BLIND = {
    *("+", "-", "*", "//", "%", "^", "tri", "fib", "<", ">", "<=", ">=", "==", "!=", "and", "or", "not"),
    *("current player", "next player", "previous player", "current team", "next team", "previous team"),
    *("other player", "other team", "nth player", "nth team", "owner", "team", "pid", "tid", "names", "range"),
    *("any", "all", "let", "filter", "union", "subsets", "size", "top", "bottom", "nth", "actual", "indexed"),
    *(set(ACTIONS) - {"shuffle"}),
}
"""What counts, finds or moves cards without a look at what is on them, and draws nothing."""


def is_clear(step):
    """Return whether a choice of one step counts as clear."""
    (choice, _) = (instruction.choice for instruction in CompiledProgram(program(f"(choice ({step}))")).code)
    return choice.clear


@pytest.mark.parametrize(
    "step",
    [
        f"(move (top {HIDDEN}) (top {MINE}))",
        f"((== (size {HIDDEN}) 1) (turn pass))",
        f"(any (filter {MINE} 'C (!= (cardatt RANK 'C) A)) 'C (move 'C (top (game vloc PILE))))",
        "(any (all player 'P ('P vloc TRICK)) 'T (all 'T 'C (set (game str S) (cardatt SUIT 'C))))",
    ],
)
def test_what_is_seen_or_counted_is_clear(step):
    """One's own hand may be looked at, and hidden cards moved and counted."""
    assert is_clear(f"(do ({step} (turn pass)))")


@pytest.mark.parametrize(
    "step",
    [
        f"((== (cardatt RANK (top {HIDDEN})) A) (turn pass))",
        "(any player 'P (any ('P iloc HAND) 'C (set (game str S) (cardatt RANK 'C))))",
        "((== (cardatt RANK (top ((next player) iloc HAND))) A) (turn pass))",
        f"(do ((cycle current next) (set (game str S) (cardatt RANK (top {MINE})))))",
        f"(do ((move (top {HIDDEN}) (top (game vloc PILE))) (set (game str S) (cardatt RANK (top (game vloc PILE))))))",
        "((== (cardatt RANK (top (game hloc STOCK))) A) (turn pass))",
        "((== (cardatt RANK (top ((current player) oloc HAND))) A) (turn pass))",
        "(set (game sto X) (random 6))",
        "(shuffle (game vloc STOCK))",
    ],
)
def test_what_hangs_on_hidden_cards_or_chance_is_not_clear(step):
    """It is watched, so that its chooser is not told what he cannot know."""
    assert not is_clear(f"(do ({step} (turn pass)))")


def test_an_option_that_breaks_off_tells_nothing_from_where_it_looked_behind_a_card():
    """Where a program cannot go on with an option, its chooser is told no more of it than of one that goes on."""
    look = f"(set (game str S) (cardatt RANK (top {HIDDEN})))"
    fail = "(move (top (game vloc NONE)) (top (game vloc PILE)))"
    deck = "(create deck (game iloc STOCK) (deck (RANK (A, K))))"
    game = begin(program(f"(choice ((do ((turn pass) {look} {fail}))))", setup=deck))
    assert game.view(game.turn).choices == ((1, ("pass",), ("unknown",)),)


def test_every_word_either_looks_or_is_blind():
    """A new word of the language has to be put on one side."""
    words = set(BUILDERS) | set(ACTIONS)
    assert words - set(KINDS) - set(STORES) == CHANCE | LOOKING | BLIND
    assert not (CHANCE | LOOKING) & BLIND


def clear_choices(name, seed):
    """Play a game of the library by chance; yield it wherever the choice at hand is held to be clear."""
    rng = Random(seed)
    rules = load(name)
    game = rules([f"p{seat}" for seat in range(rules.SEATS[0])], {}, Dice(rng))
    while game.turn is not None:
        if game.choice.clear:
            yield game
        game.play(game.turn, game.sample(rng))


@pytest.mark.parametrize("name", library())
def test_clear_options_are_described_as_under_watch(name, monkeypatch):
    """A clear choice lists and describes what following each of its steps with a watch does."""
    for game in clear_choices(name, seed=3):
        described = game.choice.describe(game.sight, game.ways)
        with monkeypatch.context() as watch:
            watch.setattr(game.choice, "clear", False)
            watch.setattr(game.choice, "listing", None)
            assert game.choice.describe(game.sight, game.choice.options(game.sight)) == described


def said_of_each(game):
    """Return what is said of each option from its words alone, None where nothing is; it must be what it does."""
    hidden = game.sight.hidden_from(game.turn)
    done = [game.sight.option(trace_of(game.table, way), hidden) for way in game.ways]
    assert game.choice.describe(game.sight, game.ways) == tuple((n, *each) for n, each in enumerate(done, 1))
    said = [game.choice.phrase(game.sight, way) for way in game.ways]
    assert all(one in (None, other) for one, other in zip(said, done, strict=True))
    return said


@pytest.mark.parametrize("name", library())
def test_what_is_said_of_an_option_is_what_it_does(name):
    """To say it from its words tells what acting it out tells."""
    for game in clear_choices(name, seed=4):
        said_of_each(game)


STOCK, PILE = "(game vloc STOCK)", "(top (game vloc PILE))"
UNSEEN = "(create deck (game iloc UNSEEN) (deck (RANK (B))))"


@pytest.mark.parametrize(
    "step",
    [
        f"(any {STOCK} 'C (move 'C {PILE}))",
        f"(any {STOCK} 'C (do ((set (game str S) (cardatt RANK 'C)) (turn pass) (move 'C (bottom {MINE})))))",
        "(any (range 1..5) 'N (set ((next player) sto BID) 'N))",
        f"(any {STOCK} 'C (any player 'P (set ('P str S) (cardatt NONE 'C))))",
    ],
)
def test_options_of_one_move_and_known_values_are_said_from_their_words(step):
    """Nothing is done and taken back for them."""
    assert None not in said_of_each(begin(program(f"(choice ({step}))", setup=f"{DECK} {UNSEEN}")))


@pytest.mark.parametrize(
    "step",
    [
        f"(any {STOCK} 'C (any {STOCK} 'D (do ((move 'C {PILE}) (move 'D (bottom {STOCK}))))))",
        f"(any {STOCK} 'C (do ((inc (game sto N) 1) (set (game sto M) (game sto N)) (move 'C {PILE}))))",
        f"(move (top {STOCK}) {PILE})",
        f"(any (game iloc UNSEEN) 'C (move 'C {PILE}))",
        f"(any (all player 'P (top ('P vloc NONE))) 'C (move 'C {PILE}))",
        f"(any {STOCK} 'C (do ((cycle next current) (set ((next player) sto X) 1) (move 'C {PILE}))))",
    ],
)
def test_what_hangs_on_what_is_done_before_is_acted_out(step):
    """So is the move of a card that is not seen, or of none."""
    assert set(said_of_each(begin(program(f"(choice ({step}))", setup=f"{DECK} {UNSEEN}")))) == {None}
