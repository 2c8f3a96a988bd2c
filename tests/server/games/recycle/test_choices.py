"""Choices: which options there are, in which order, and what they do."""

import pytest
from tests.support.recycle import begin, program, stores

X = "(set (game sto X) 'X)"
Y = "(set (game sto Y) 'Y)"
TWO_LOOPS = f"(any (range 1..2) 'X {X}) (any (range 5..7) 'Y {Y})"


def choice(*steps, **how):
    """Return a program of one choice."""
    return program(f"(choice ({' '.join(steps)}))", **how)


def values(text, options=None):
    """Return the values that each option sets, in order."""
    return [[number for _, number in option] for option in stores(text, options)]


def test_any_is_one_option_for_each_element():
    """The options come in the order of the collection."""
    assert values(choice(f"(any (range 1..4) 'X {X})")) == [[1], [2], [3], [4]]


def test_all_is_one_option():
    """Every element's action is in it."""
    assert values(choice(f"(all (range 1..3) 'X {X})")) == [[1, 2, 3]]


def test_several_any_in_a_do_are_the_cross_product():
    """In the order of the program."""
    text = choice(f"(do ({TWO_LOOPS}))")
    assert values(text) == [[1, 5], [1, 6], [1, 7], [2, 5], [2, 6], [2, 7]]


def test_any_within_any_is_the_tree():
    """The inner collection may depend on the outer element."""
    text = choice(f"(any (range 1..3) 'X (any (range 'X..3) 'Y (do ({X} {Y}))))")
    assert values(text) == [[1, 1], [1, 2], [1, 3], [2, 2], [2, 3], [3, 3]]


def test_any_of_nothing_does_not_kill_the_option():
    """The rest of the option stands."""
    assert values(choice(f"(do ((any (range 2..1) 'X {X}) (set (game sto Y) 9)))")) == [[9]]


def test_an_option_without_actions_vanishes():
    """A condition that fails for an element leaves no option for it."""
    assert values(choice(f"(any (range 1..4) 'X ((> 'X 2) {X}))")) == [[3], [4]]


def test_equal_options_are_not_merged():
    """Two ways to do the same are two options."""
    assert values(choice("(set (game sto X) 1)", "(set (game sto X) 1)")) == [[1], [1]]


def test_conditions_see_what_the_option_has_done():
    """Deeper conditions hold after the earlier actions of the same option, not of others."""
    text = choice(f"(any (range 1..3) 'X (do ({X} ((== (game sto X) 2) (set (game sto Y) 9)))))")
    assert values(text) == [[1], [2, 9], [3]]


def test_a_variable_keeps_its_element_to_the_end_of_the_option():
    """Every part of an option sees the element that it was made for."""
    text = choice(f"(all (range 1..2) 'X (do ({X} (any (range 5..6) 'Y {Y}) (set (game sto Z) 'X))))")
    assert values(text) == [[1, 5, 1, 2, 5, 2], [1, 5, 1, 2, 6, 2], [1, 6, 1, 2, 5, 2], [1, 6, 1, 2, 6, 2]]


def test_let_binds_what_follows():
    """Its body may be another any."""
    assert values(choice(f"(let 3 'N (any (range 1..'N) 'X {X}))")) == [[1], [2], [3]]


def test_listing_leaves_the_table_as_it_is():
    """Options are tried out and taken back, also where they move cards."""
    moves = "(move 'C (bottom (game vloc PILE))) (set (game sto X) 1) ((> (game sto X) 0) (cycle next current))"
    loop = f"(any (game vloc STOCK) 'C (do ({moves} (any player 'P (inc ('P sto A) 1)))))"
    table = begin(choice(loop, "(shuffle (game vloc STOCK))")).table
    assert table.lists[2]["vloc STOCK 0"] == [0, 1, 2, 3, 4, 5]
    assert table.lists[2]["vloc PILE 0"] == []
    assert all(table.where[card] is table.lists[2]["vloc STOCK 0"] for card in range(6))
    assert table.numbers == [{}, {}, {}, {}, {}]
    assert (table.seat, table.queued) == (0, -1)


@pytest.mark.parametrize("options", [{}, {"compat": "yes"}])
def test_what_is_chosen_is_what_was_listed(options):
    """Playing option n leaves the stores as its actions said."""
    text = choice(f"(do ((set (game sto Z) 1) {TWO_LOOPS} (set (game sto W) 2)))")
    for number, option in enumerate(stores(text, options), 1):
        game = begin(text, options)
        game.play(game.turn, ("choose", number))
        assert game.table.numbers[2] == dict(option)


def test_the_original_lists_the_first_element_then_the_last_ones():
    """With compat: 1, n, n-1 ... 2 at every level."""
    text = choice(f"(any (range 1..4) 'X {X})")
    assert values(text, {"compat": "yes"}) == [[1], [4], [3], [2]]
    nested = choice(f"(any (range 1..3) 'X (any (range 5..7) 'Y (do ({X} {Y}))))")
    firsts = [1, 1, 1, 3, 3, 3, 2, 2, 2]
    assert values(nested, {"compat": "yes"}) == [[x, y] for x, y in zip(firsts, [5, 7, 6] * 3, strict=True)]


@pytest.mark.parametrize(
    "step",
    [
        "(create teams (0, 1))",
        "(create deck (game vloc STOCK) (deck (RANK (B))))",
        "(any (game vloc STOCK) 'C (do ((remember 'C (5 (game mem M))) (set (game sto X) (size (game mem M))))))",
    ],
)
def test_looking_at_options_leaves_nothing_behind(step):
    """Teams and decks are made when their option is chosen; a note beyond the end of a memory is taken back."""
    game = begin(choice(step, "(turn pass)"))
    before = [list(held) for held in game.table.every], len(game.table.teams)
    assert str(game.view(0)) == str(game.view(0)) == str(game.copy().view(0))
    game.public(0, ("choose", 1))
    assert ([list(held) for held in game.table.every], len(game.table.teams)) == before


def test_the_original_turns_the_rest_of_an_option_round():
    """With compat: for all but an any's first element, what remains of the option is done last to first."""
    text = choice(f"(do ((set (game sto Z) 0) {TWO_LOOPS} (set (game sto W) 8)))")
    options = stores(text, {"compat": "yes"})
    assert options[0] == [("Z", 0), ("X", 1), ("Y", 5), ("W", 8)]
    assert options[1] == [("Z", 0), ("X", 1), ("W", 8), ("Y", 7)]
    assert options[2] == [("Z", 0), ("X", 1), ("W", 8), ("Y", 6)]
    assert [name for name, _ in options[3]][:2] == ["Z", "W"]


def test_the_original_visits_all_from_the_last():
    """With compat, all in a choice begins with the last element."""
    assert values(choice(f"(all (range 1..3) 'X {X})"), {"compat": "yes"}) == [[3, 2, 1]]


def test_both_orders_have_the_same_options():
    """Only the order differs: as a bag, the options are the same."""
    text = choice(f"(do ((set (game sto Z) 1) {TWO_LOOPS} (set (game sto W) 2)))", f"(any (range 1..3) 'X {X})")
    plain, compat = (sorted(map(sorted, stores(text, {"compat": switch}))) for switch in ("no", "yes"))
    assert plain == compat


def test_the_original_puts_picked_cards_back_at_the_end():
    """With compat, a card that was taken out of a picked list while listing ends up last in its list."""
    step = "(move (top (filter (game vloc STOCK) 'C (== (cardatt RANK 'C) A))) (top (game vloc PILE)))"
    assert begin(choice(step), {"compat": "yes"}).table.lists[2]["vloc STOCK 0"] == [0, 2, 3, 4, 5, 1]
    assert begin(choice(step)).table.lists[2]["vloc STOCK 0"] == [0, 1, 2, 3, 4, 5]


def test_the_original_never_finds_two_cards_equal():
    """With compat, == of cards is false and != true, always."""
    text = choice(f"((== (top (game vloc STOCK)) (top (game vloc STOCK))) {X})".replace("'X", "1"), "(turn pass)")
    assert len(stores(text)) == 2
    assert len(stores(text, {"compat": "yes"})) == 1


def test_the_original_counts_a_repeated_count_once():
    """With compat, (repeat 3 (inc X 1)) adds one; without, three."""
    text = program("(do ((repeat 3 (inc (game sto X) 1))))", "(game sto X)")
    assert begin(text).scores()[0] == 3
    assert begin(text, {"compat": "yes"}).scores()[0] == 1


@pytest.mark.parametrize("options", [{}, {"compat": "yes"}])
def test_many_loops_over_nothing_are_no_depth(options):
    """A thousand of them in a row are passed over, not nested."""
    nothing = f"(any (range 2..1) 'X {X}) " * 1000
    assert values(choice(f"(do ({nothing} (set (game sto Y) 9)))"), options) == [[9]]
