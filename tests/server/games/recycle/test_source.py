"""Source: the Python that a program becomes can be read, and no program is too deep or too long for it."""

import pytest
from tests.support.recycle import begin, program, value

from croupier.server.games.recycle.program import CompiledProgram
from croupier.server.games.recycle.reader import BadProgram, read
from croupier.server.games.recycle.scope import Scope
from croupier.server.games.recycle.source import Source


def text(expression):
    """Return the Python of an expression, in which 'P may stand for a player."""
    scope = Scope()
    scope.players = 2
    scope.declare("P", "player", "any")
    return scope.read(read(expression)[0]).text


@pytest.mark.parametrize(
    ("expression", "python"),
    [
        ("(== (game sto X) 3)", "(table.numbers[table.players].get('X', 0) == 3)"),
        ("(top ((current player) iloc HAND))", "top(table.lists[table.seat]['iloc HAND 0'])"),
        ("(and (> 2 1) (not (< 2 1)))", "((2 > 1) and (not (2 < 1)))"),
        (
            "(max (game vloc A) using ('P points B))",
            "max_1_1(table, table.lists[table.players]['vloc A 0'], points_1_26(table, 'B', table.env[0]))",
        ),
        (
            "(all player 'P (== (size ('P iloc HAND)) 0))",
            "((len(table.lists[0]['iloc HAND 0']) == 0) and (len(table.lists[1]['iloc HAND 0']) == 0))",
        ),
    ],
)
def test_an_expression_reads_in_python_as_in_the_program(expression, python):
    """What cannot be said in a word is called by its own and its place."""
    assert text(expression) == python


@pytest.mark.parametrize(
    ("collection", "steady"),
    [
        ("(filter (game vloc A) 'C (== (cardatt RANK 'C) K))", True),
        ("(union (all player 'P ('P iloc HAND)))", True),
        ("(filter (game vloc A) 'C (== (cardatt RANK 'C) (cardatt RANK 'X)))", False),
        ("(filter (game vloc A) 'C (== (random 6) 3))", False),
        ("(filter (game vloc A) 'C (== 'C (max (game vloc A) using (game points B))))", False),
        ("(game vloc A)", False),
    ],
)
def test_what_hangs_on_no_variable_and_no_chance_is_steady(collection, steady):
    """It is the same for every option of a choice; a list in which cards lie need not be put together at all."""
    scope = Scope()
    scope.declare("X", "card", "any")
    assert (scope.read(read(collection)[0]).text in scope.source.steady) == steady


def test_what_is_steady_is_worked_out_once_when_it_is_wanted():
    """It may stand in two conditions; where neither is asked, it is not worked out."""
    source = Source()
    source.steady = {"next(given)"}
    twice = source.function_doing(
        source.once_each(["if wanted:", "    return [next(given), next(given)]"]), "given", "wanted"
    )
    numbers = iter((1, 2))
    assert (twice(None, numbers, False), twice(None, numbers, True)) == (None, [1, 1])


@pytest.mark.parametrize(
    ("store", "always"),
    [
        ("(game sto X)", True),
        ("((next player) str WORD)", True),
        ("((7 player) sto X)", False),
        ("('P sto X)", False),
        ("(game sto (cardatt RANK (top (game vloc A))))", False),
    ],
)
def test_a_store_that_is_always_there_is_asked_for_once(store, always):
    """Whatever an option is for, it is the same; one that may not be there is not asked for before its condition."""
    scope = Scope()
    scope.players = 2
    scope.declare("P", "player", "any")
    asked = scope.read(read(store)[0]).text
    once = [line for line in scope.source.once_each([f"if {asked}:", f"    {asked}"]) if asked in line]
    assert len(once) == (1 if always else 2)


def test_a_long_expression_is_called():
    """It has a function of its own, with the same result."""
    many = "(+ 1 " * 90 + "0" + ")" * 90
    assert len(text(many)) < 300
    assert value(many) == 90


def test_loops_within_loops_are_not_too_deep():
    """Python stops at twenty; a program may go on."""
    loops = "".join([f"(all (range 1..1) '{'X' * (level + 1)} " for level in range(40)])
    assert value("(game sto N)", f"(do ({loops}(inc (game sto N) 1){')' * 40}))") == 1
    branches = "".join([f"(any (range 1..1) '{'X' * (level + 1)} " for level in range(40)])
    game = begin(program(f"(choice ({branches}(inc (game sto N) 1){')' * 40}))", "(game sto N)"))
    game.play(game.turn, ("choose", 1))
    assert game.scores() == (1, 1)


def test_programs_share_no_names():
    """Forms at the same place of two programs are not taken for one another."""
    one, other = (CompiledProgram(program("", f"(+ {number} 1)")) for number in (1, 5))
    assert [compiled.score(compiled.start) for compiled in (one, other)] == [2, 6]


@pytest.mark.parametrize("word", ["NONE", "LAMBDA", "TABLE", "EVAL"])
def test_a_word_stands_in_the_text_as_a_literal(word):
    """Whatever a program calls its stores, those names are never run."""
    assert text(f"(game sto {word})") == f"table.numbers[table.players].get({word!r}, 0)"


@pytest.mark.parametrize("word", ["a'b", "a\\", "{a}", "a']+[", "#a", "a\u00a0b", 'a"b'])
def test_a_word_that_could_end_a_literal_is_refused(word):
    """Quotes, backslashes and brackets are not part of the language."""
    with pytest.raises(BadProgram):
        read(f"(game sto {word})")
