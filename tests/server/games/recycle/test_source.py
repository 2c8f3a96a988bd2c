"""Source: the Python that a program becomes can be read, and no program is too deep or too long for it."""

import pytest
from tests.support.recycle import begin, program, value

from croupier.server.games.recycle.program import CompiledProgram
from croupier.server.games.recycle.reader import BadProgram, read
from croupier.server.games.recycle.scope import Scope


def text(expression):
    """Return the Python of an expression."""
    scope = Scope()
    scope.players = 2
    return scope.read(read(expression)[0]).text


@pytest.mark.parametrize(
    ("expression", "python"),
    [
        ("(== (game sto X) 3)", "(table.numbers[table.players].get('X', 0) == 3)"),
        ("(top ((current player) iloc HAND))", "top(table.lists[table.seat]['iloc HAND 0'])"),
        ("(and (> 2 1) (not (< 2 1)))", "((2 > 1) and (not (2 < 1)))"),
        ("(max (game vloc A) using (game points B))", "max_1_1(table, table.lists[table.players]['vloc A 0'])"),
        (
            "(all player 'P (== (size ('P iloc HAND)) 0))",
            "(len(table.lists[0]['iloc HAND 0']) == 0 and len(table.lists[1]['iloc HAND 0']) == 0)",
        ),
    ],
)
def test_an_expression_reads_in_python_as_in_the_program(expression, python):
    """What cannot be said in a word is called by its own and its place."""
    assert text(expression) == python


def test_a_long_expression_is_called():
    """It has a function of its own, and comes to the same."""
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
    """Whatever a program calls its stores, nothing of that is run."""
    assert text(f"(game sto {word})") == f"table.numbers[table.players].get({word!r}, 0)"


@pytest.mark.parametrize("word", ["a'b", "a\\", "{a}", "a']+[", "#a", "a\u00a0b", 'a"b'])
def test_a_word_that_could_end_a_literal_is_refused(word):
    """Quotes, backslashes and brackets are not part of the language."""
    with pytest.raises(BadProgram):
        read(f"(game sto {word})")
