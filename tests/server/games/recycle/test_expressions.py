"""Values, places and groups: what every expression comes to."""

import pytest
from tests.support.recycle import DECK, begin, holds, program, ranks, value

PIPS = "(set (game points PIPS) (((RANK : A) 1) ((RANK : TWO) 2) ((RANK : THREE) 3)))"
SIX = f"(do ({PIPS}))"
"""Six cards: A A TWO TWO THREE THREE, clubs before hearts."""


@pytest.mark.parametrize(
    ("expression", "number"),
    [
        ("(+ 2 10)", 12),
        ("(- 2 10)", -8),
        ("(* 2 10)", 20),
        ("(// (- 0 7) 2)", -3),
        ("(% (- 0 7) 2)", -1),
        ("(// 7 (- 0 2))", -3),
        ("(^ 2 10)", 1024),
        ("(+ 2147483647 1)", -2147483648),
        ("(tri 4)", 10),
        ("(fib 1)", 1),
        ("(fib 2)", 1),
        ("(fib 10)", 55),
        ("(size player)", 2),
        ("(size team)", 2),
        ("(size (range 1..8))", 8),
        ("(size (range 3 .. 1))", 0),
        ("(size (A, TWO))", 2),
        ("(size (other player))", 1),
        ("(size (game vloc STOCK))", 6),
        ("(size (game vloc NOWHERE))", 0),
        ("(sum (game vloc STOCK) using (game points PIPS))", 12),
        ("(score (top (game vloc STOCK)) using (game points PIPS))", 3),
        ("(scoremax (game vloc STOCK) using (game points PIPS))", 3),
        ("(scoremin (game vloc STOCK) using (game points PIPS))", 1),
        ("(all player 'P (+ 1 (pid 'P)))", 3),
        ("(pid (1 player))", 1),
        ("(tid (team (1 player)))", 1),
        ("(pid (next player))", 1),
        ("(pid (previous player))", 1),
        ("(size (subsets (game vloc STOCK)))", 63),
        ("(size (partition RANK (game vloc STOCK)))", 3),
        ("(size (partition (game vloc STOCK) SUIT))", 2),
        ("(size (partition runs (game vloc STOCK) using (game points PIPS)))", 1),
        ("(size (tuples 2 (game vloc STOCK) using (game points PIPS)))", 3),
        ("(size (runs largest 3 (game vloc STOCK) using (game points PIPS)))", 8),
        ("(size (runs all 2 (game vloc STOCK) using (game points PIPS)))", 16),
        ("(size (runs largest 4 (game vloc STOCK) using (game points PIPS)))", 0),
        ("(game sto NOTHING)", 0),
    ],
)
def test_numbers(expression, number):
    """Arithmetic is 32 bits wide and truncates toward zero; ranges include both ends."""
    assert value(expression, SIX) == number


@pytest.mark.parametrize(
    ("condition", "truth"),
    [
        ("(and (== 1 1) (== 2 2) (== 3 4))", False),
        ("(or (== 1 2) (== 2 3) (== 3 3))", True),
        ("(not (== 1 2))", True),
        ("(all (game vloc NOWHERE) 'C (== 1 2))", True),
        ("(any (game vloc NOWHERE) 'C (== 1 1))", False),
        ("(any (game vloc STOCK) 'C (== (cardatt RANK 'C) TWO))", True),
        ("(all (game vloc STOCK) 'C (== (cardatt RANK 'C) TWO))", False),
        ("(== (cardatt RANK (top (game vloc STOCK))) THREE)", True),
        ("(== (cardatt RANK (bottom (game vloc STOCK))) A)", True),
        ("(== (cardatt RANK (2 (game vloc STOCK))) TWO)", True),
        ("(== (cardatt COLOR (top (game vloc STOCK))) (game str EMPTY))", True),
        ("(== (cardatt RANK (top (game vloc NOWHERE))) (game str EMPTY))", True),
        ("(== (top (game vloc STOCK)) (5 (game vloc STOCK)))", True),
        ("(!= (top (game vloc STOCK)) (bottom (game vloc STOCK)))", True),
        ("(== (current player) (0 player))", True),
        ("(== (team (0 player)) (team (1 player)))", False),
        ("(all player 'P (== (size ('P iloc HAND)) 0))", True),
    ],
)
def test_conditions(condition, truth):
    """Of nothing, all holds and any does not; a missing attribute or card is empty; cards are equal by identity."""
    assert holds(condition, SIX) is truth


@pytest.mark.parametrize(
    ("collection", "cards"),
    [
        ("(game vloc STOCK)", "A A TWO TWO THREE THREE"),
        ("(top 2 (game vloc STOCK))", "THREE THREE"),
        ("(top 3 (game vloc STOCK))", "THREE THREE TWO"),
        ("(bottom 3 (game vloc STOCK))", "A A TWO"),
        ("(filter (game vloc STOCK) 'C (== (cardatt SUIT 'C) CLUBS))", "A TWO THREE"),
        ("(filter (game vloc STOCK) 'C (!= (cardatt RANK 'C) A))", "TWO TWO THREE THREE"),
        ("(union (game vloc STOCK) (game vloc STOCK))", "A A TWO TWO THREE THREE A A TWO TWO THREE THREE"),
        ("(intersect (game vloc STOCK) (top 2 (game vloc STOCK)))", "THREE THREE"),
        ("(disjunction (game vloc STOCK) (top 2 (game vloc STOCK)))", "A A TWO TWO"),
        ("(1 (partition RANK (game vloc STOCK)))", "TWO TWO"),
        ("(2 (subsets (game vloc STOCK)))", "A A"),
        ("(4 (subsets (game vloc STOCK)))", "A TWO"),
        ("(top (tuples 2 (game vloc STOCK) using (game points PIPS)))", "THREE THREE"),
        ("(top (runs largest 2 (game vloc STOCK) using (game points PIPS)))", "A TWO THREE"),
        (
            "(run top 2 (filter (game vloc STOCK) 'C (== (cardatt SUIT 'C) CLUBS)) using (game points PIPS))",
            "THREE TWO A",
        ),
        ("(run bottom 2 (game vloc STOCK) using (game points PIPS))", ""),
        ("(filter (subsets (bottom 2 (game vloc STOCK))) 'S (== (size 'S) 1))", None),
    ],
)
def test_lists_of_cards(collection, cards):
    """Lists go from the bottom to the top; groups are in the documented order."""
    if cards is None:
        assert value(f"(size {collection})", SIX) == 2
    else:
        assert ranks(collection, SIX) == cards.split()


def test_empty_groups_are_filtered_out():
    """A filter over lists drops the empty ones, whatever its condition says."""
    assert value("(size (filter (subsets (game vloc STOCK)) 'S (== 1 1)))", SIX) == 63


def test_points_add_up():
    """Awards with one key add to each other and to those with several, of which every part must match."""
    points = "(((RANK : A) 1) ((SUIT : HEARTS) 10) ((RANK : A) (SUIT : HEARTS) 100) ((RANK : A) 1000))"
    steps = f"(do ((set (game points P) {points})))"
    assert value("(score (bottom (game vloc STOCK)) using (game points P))", steps) == 1001
    assert value("(score (1 (game vloc STOCK)) using (game points P))", steps) == 1111


def test_the_first_attribute_is_the_outermost():
    """A deck is the cross product; nested attributes carry every key on their path."""
    colors = "(COLOR (RED (SUIT (HEARTS, DIAMONDS))) (BLACK (SUIT (CLUBS))))"
    deck = f"(create deck (game vloc STOCK) (deck (RANK (A, K)) {colors}))"
    cards = begin(program(setup=deck)).table.deck.cards
    assert [(card["RANK"], card["COLOR"], card["SUIT"]) for card in cards] == [
        ("A", "RED", "HEARTS"),
        ("A", "RED", "DIAMONDS"),
        ("A", "BLACK", "CLUBS"),
        ("K", "RED", "HEARTS"),
        ("K", "RED", "DIAMONDS"),
        ("K", "BLACK", "CLUBS"),
    ]


def test_plain_decks_come_before_repeated_ones():
    """Decks are made in the order of the language, not of the text; cards are numbered through."""
    deck = (
        "(repeat 2 (create deck (game vloc S) (deck (RANK (TWO))))) (create deck BLUE (game vloc S) (deck (RANK (A))))"
    )
    game = begin(program(setup=deck))
    assert [card["RANK"] for card in game.table.deck.cards] == ["A", "TWO", "TWO"]
    assert game.table.deck.backs == ["BLUE", "DEFAULT", "DEFAULT"]


def test_declared_names_stand_for_values():
    """A declared list may be a key's values, and a declared number the players."""
    deck = "(create deck (game vloc S) (deck (RANK ('R))))"
    game = begin(program(setup=deck, players="'N", declare="(declare (A, TWO) 'R) (declare 3 'N)"))
    assert len(game.players) == 3
    assert [card["RANK"] for card in game.table.deck.cards] == ["A", "TWO"]


def test_the_kind_is_part_of_what_a_list_is_called():
    """Vloc X and iloc X are two lists."""
    assert value("(size (game iloc STOCK))", SIX) == 0


def test_a_list_may_have_a_number_and_a_name_that_is_worked_out():
    """Numbered lists of a name are apart; indexed is all of them that hold cards."""
    steps = "(do ((all (range 1..3) 'N (move (top (game vloc STOCK)) (top (game vloc ROW 'N))))))"
    assert value("(size (indexed (game vloc ROW)))", steps) == 3
    assert value("(size (game vloc ROW 2))", steps) == 1
    assert value("(size (game vloc ROW))", steps) == 0
    named = "(do ((move (top (game vloc STOCK)) (top (game vloc (cardatt RANK (top (game vloc STOCK))))))))"
    assert value("(size (game vloc THREE))", named) == 1


def test_ties_are_decided_by_a_fair_coin_in_turn():
    """Of three equal cards the last is chosen half the time."""
    deck = "(create deck (game vloc S) (deck (RANK (A, TWO, THREE))))"
    points = "(set (game points P) (((RANK : A) 1) ((RANK : TWO) 1) ((RANK : THREE) 1)))"
    body = f"(do ({points} (set (game str WON) (cardatt RANK (max (game vloc S) using (game points P))))))"
    won = [begin(program(body, setup=deck), seed=seed).table.strings[2]["WON"] for seed in range(400)]
    assert 160 < won.count("THREE") < 240
    assert 60 < won.count("A") < 140


def test_no_tie_draws_no_chance():
    """A maximum that stands alone asks the deal for nothing, whatever ties below it."""
    highest = "(max (bottom 5 (game vloc STOCK)) using (game points PIPS))"
    game = begin(program(f"(do ({PIPS} (set (game sto X) (score {highest} using (game points PIPS)))))"))
    assert game.table.drawn == {}


def test_random_numbers_include_both_ends():
    """(random n) is 0 to n, (random a .. b) a to b."""
    body = "(do ((set (game sto A) (random 2)) (set (game sto B) (random 5 .. 6))))"
    drawn = [begin(program(body), seed=seed).table.numbers[2] for seed in range(60)]
    assert {numbers["A"] for numbers in drawn} == {0, 1, 2}
    assert {numbers["B"] for numbers in drawn} == {5, 6}


@pytest.mark.parametrize(
    ("expression", "about"),
    [
        ("(score (top (game vloc NOWHERE)) using (game points PIPS))", "no card to score"),
        ("(score (max (game vloc NOWHERE) using (game points PIPS)) using (game points PIPS))", "max of no card"),
        ("(sum (game vloc STOCK) using (game points OTHER))", "has not been set"),
        ("(pid (owner (top (game vloc STOCK))))", "belongs to no player"),
        ("(size (9 (subsets (top 2 (game vloc STOCK)))))", "no number 9"),
        ("(size (top 7 (game vloc STOCK)))", "there are no 7 cards"),
        ("(pid (7 player))", "no player 7"),
        ("(// 1 (game sto ZERO))", "division by zero"),
    ],
)
def test_what_cannot_be_ends_the_game_with_the_reason(expression, about):
    """A program that asks for the impossible counts for nobody, and says where it did."""
    game = begin(program(f"{SIX} (do ((set (game sto X) {expression})))", setup=DECK))
    assert game.turn is None
    assert game.outcome == "broken"
    assert about in game.void
    assert game.void.startswith("line 2, column ")
