"""Compat: what the original engine does otherwise, each in a small program."""

from random import Random

import pytest
from tests.support.recycle import begin, program, stores

from croupier.server.games.world import world_of

COMPAT = {"compat": "yes"}
ACES = "(filter (game vloc STOCK) 'A (== (cardatt RANK 'A) A))"
WORTH = "(set (game points P) (((RANK : A) 1) ((RANK : TWO) 2) ((RANK : THREE) 3) ((RANK : FOUR) 4)))"
UNTIED = WORTH.replace(" (((", " (((SUIT : HEARTS) 10) ((")
MELDS = f"""
 (do ((shuffle (game vloc STOCK)) {UNTIED} (repeat 7 (move (top (game vloc STOCK)) (top ((0 player) iloc HAND))))))
 (choice ((any (partition RANK ((0 player) iloc HAND)) 'R (repeat all (move (top 'R) (top (game vloc MELD)))))
          (any (subsets (top 2 ((0 player) iloc HAND))) 'S (all 'S 'C (move 'C (top (game vloc MELD)))))
          (move (top ((0 player) iloc HAND)) (top (game vloc MELD)))
          (any ((0 player) iloc HAND) 'C (move 'C (top (game vloc MELD))))
          (move (max ((0 player) iloc HAND) using (game points P)) (top (game vloc MELD)))))
"""
FOURS = "(create deck (game vloc STOCK) (deck (RANK (A, TWO, THREE, FOUR)) (SUIT (CLUBS, HEARTS))))"


def choice(*steps, **how):
    """Return a program of one choice."""
    return program(f"(choice ({' '.join(steps)}))", **how)


def values(text, options=None):
    """Return the values that each option sets, in order."""
    return [[number for _, number in option] for option in stores(text, options)]


def stock(game):
    """Return the cards of the game's stock."""
    return game.table.lists[2]["vloc STOCK 0"]


def moved(text, options=None):
    """Return how many cards the only option of a program has put on the pile."""
    game = begin(text, options)
    game.play(0, ("choose", 1))
    assert game.void is None, game.void
    return len(game.table.lists[2]["vloc PILE 0"])


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("options", [{}, COMPAT])
def test_the_option_that_was_shown_is_the_one_that_is_taken(options, seed):
    """Card for card, also where listing the options has left a hand in another order, and in a copy of the game."""
    text = program(MELDS, setup=FOURS)
    shown = begin(text, options, seed).view(0).choices
    assert len(shown) > 12
    for number, *actions in shown:
        game = begin(text, options, seed)
        for taken in (game.copy(), game):
            assert taken.view(0).choices == shown
            assert taken.public(0, ("choose", number))[1:-1] == tuple(actions)
            taken.play(0, ("choose", number))
            assert taken.table.lists[2]["vloc MELD 0"] == [action[1] for action in actions]


def test_looking_again_changes_nothing():
    """Views, copies and public plays leave every list as it is."""
    game = begin(program(MELDS, setup=FOURS), COMPAT)
    before = [dict(lists) for lists in game.table.copy().lists]
    for number in range(1, len(game.ways) + 1):
        game.public(0, ("choose", number))
    assert str(game.view(0)) == str(game.copy().view(0)) == str(world_of(game).determinize(0, Random(1)).game.view(0))
    assert [dict(lists) for lists in game.table.lists] == before


def test_a_reference_is_followed_as_things_lie():
    """The top of a list that another option has reordered is the card that lies there now."""
    text = choice(
        "(move (top (game vloc STOCK)) (top (game vloc PILE)))", f"(move (top {ACES}) (top (game vloc PILE)))"
    )
    game = begin(text, COMPAT)
    assert stock(game) == [0, 2, 3, 4, 5, 1]
    assert [option[1][1] for option in game.view(0).choices] == [1, 1]


def test_variables_are_one_flat_table():
    """Turned round, the first part of an option reads what the second has bound under the same name."""
    parts = "(any (range 1..2) 'C (set (game sto A) 'C)) (any (range 5..6) 'C (set (game sto B) 'C))"
    text = choice(f"(do ({parts}))")
    assert stores(text) == [[("A", a), ("B", b)] for a in (1, 2) for b in (5, 6)]
    assert stores(text, COMPAT) == [
        [("A", 1), ("B", 5)],
        [("A", 1), ("B", 6)],
        [("B", 5), ("A", 5)],
        [("A", 6), ("B", 6)],
    ]


@pytest.mark.parametrize(
    "inner",
    [
        "(all (range 5..6) 'C (inc (game sto X) 'C))",
        "(set (game sto X) (size (filter (range 5..6) 'C (== 'C 5))))",
        "((any (range 5..6) 'C (== 'C 6)) (inc (game sto X) 1))",
        "(let 7 'C (inc (game sto X) 'C))",
    ],
)
@pytest.mark.parametrize("shape", ["(choice ((any (range 1..2) 'C {})))", "(do ((all (range 1..2) 'C {})))"])
def test_a_loop_within_strikes_the_name_out(shape, inner):
    """What the outer loop has bound under the same name is gone behind it, and the program breaks off there."""
    text = program(shape.format(f"(do ({inner} (set (game sto Y) 'C)))"))
    assert begin(text).void is None
    if inner.startswith("(let") and shape.startswith("(choice"):
        assert values(text, COMPAT)[0][-1] == 7
    else:
        assert "has 'C no longer" in begin(text, COMPAT).void


def test_a_list_that_let_binds_is_copied_for_each_action():
    """Every top of it is the same card, so that only one is moved."""
    text = choice(f"(let {ACES} 'L (repeat all (move (top 'L) (top (game vloc PILE)))))")
    assert (moved(text), moved(text, COMPAT)) == (2, 1)
    one_by_one = choice(f"(let {ACES} 'L (do ({'(move (top `L) (top (game vloc PILE))) ' * 2})))".replace("`", "'"))
    assert (moved(one_by_one), moved(one_by_one, COMPAT)) == (2, 1)
    shared = choice(f"(any (partition RANK {ACES}) 'L (repeat all (move (top 'L) (top (game vloc PILE)))))")
    assert (moved(shared), moved(shared, COMPAT)) == (2, 2)


def test_a_repeated_move_is_worked_out_before_it_is_made():
    """Of a list that is put together for the action the same card is moved each time; of a real one, another."""
    picked = choice(f"(repeat 2 (move (top {ACES}) (top (game vloc PILE))))")
    assert (moved(picked), moved(picked, COMPAT)) == (2, 1)
    assert moved(choice("(repeat 2 (move (top (game vloc STOCK)) (top (game vloc PILE))))"), COMPAT) == 2


@pytest.mark.parametrize("card", ["(bottom (game vloc STOCK))", "(bottom (top (partition SUIT (game vloc STOCK))))"])
def test_an_actual_card_is_put_back_at_the_end(card):
    """Where it was tried out only, wherever it comes from."""
    text = choice(f"(move (actual {card}) (top (game vloc PILE)))")
    last = stock(begin(text))[-1]
    assert last == 5
    assert stock(begin(text, COMPAT))[-1] != 5


def test_a_map_that_was_never_set_is_worth_nothing():
    """A misspelled name scores 0, where the program would otherwise break off."""
    text = choice("(set (game sto X) (sum (game vloc STOCK) using (game points NONE)))")
    game = begin(text)
    game.play(0, ("choose", 1))
    assert "has not been set" in game.void
    assert values(text, COMPAT) == [[0]]


@pytest.mark.parametrize(
    ("which", "plain", "compat"),
    [("all", [3, 4, 3], [4, 4, 3]), ("largest", [4], [4])],
)
def test_runs_that_grow_are_one_list(which, plain, compat):
    """A run noted at three cards has the fourth too, once it has come; largest has each run once."""
    deck = "(create deck (game vloc STOCK) (deck (RANK (A, TWO, THREE, FOUR))))"
    lengths = f"(any (runs {which} 3 (game vloc STOCK) using (game points P)) 'R (set (game sto N) (size 'R)))"
    text = program(f"(do ({WORTH})) (choice ({lengths}))", setup=deck)
    assert values(text) == [[size] for size in plain]
    assert sorted(values(text, COMPAT)) == sorted([size] for size in compat)


def test_what_an_option_takes_out_of_a_run_is_gone_wherever_the_run_is_noted():
    """Noted at three cards and at four it is one list: emptied once, there is nothing left of it."""
    deck = "(create deck (game vloc STOCK) (deck (RANK (A, TWO, THREE, FOUR))))"
    every = "(all (runs all 3 (game vloc STOCK) using (game points P)) 'R {})"
    empty = "(repeat all (move (top 'R) (top (game vloc PILE))))"
    text = program(f"(do ({WORTH})) (choice ({every.format(empty)}))", setup=deck)
    taken, in_the_original = ([action[1] for action in begin(text, how).view(0).choices[0][1:]] for how in ({}, COMPAT))
    assert taken == [2, 1, 0, 3, 2, 1, 0, 3, 2, 1]
    assert in_the_original == [3, 2, 1, 3, 2, 1, 0]


def test_equal_cards_fork_a_run():
    """Of the cards of one step the first steps' vary fastest, where the last step's do otherwise."""
    melds = "(any (runs largest 2 (top 4 (game vloc STOCK)) using (game points P)) 'R {})"
    text = program(
        f"(do ({WORTH})) (choice ({melds.format('(all `R `C (move `C (top (game vloc PILE))))')}))", setup=FOURS
    )
    text = text.replace("`", "'")
    ours, theirs = (
        [[each[1] for each in option[1:]] for option in begin(text, how).view(0).choices] for how in ({}, COMPAT)
    )
    assert ours == [[5, 7], [5, 6], [4, 7], [4, 6]]
    assert theirs == [[7, 5], [6, 4], [6, 5], [7, 4]]
