"""Reading programs: tokens, places, parentheses."""

import pytest

from croupier.server.games.recycle.original.generations import Translation
from croupier.server.games.recycle.reader import BadProgram, decode, read


def refused(text):
    """Return the one problem for which a text is no tree."""
    with pytest.raises(BadProgram) as caught:
        read(text)
    (problem,) = caught.value.problems
    return problem


def normal(text):
    """Return a text as the compiler reads it."""
    return str(Translation(read(text)[0]).tree)


def test_tokens_need_no_blanks():
    """Names, words, numbers and signs part by themselves; commas and comments are blank."""
    tree, _ = read("(game(A,TWO)'P 1..8 ' Q(SUIT:HEARTS);; a remark\n(== 2 10))")
    assert str(tree) == "(game (A TWO) 'P 1 .. 8 'Q (SUIT : HEARTS) (== 2 10))"


def test_every_node_knows_its_place():
    """Lines and columns count from 1."""
    tree, _ = read("(game\n  (do ((turn\n pass))))")
    places = [(str(node), node.line, node.column) for node in tree.walk() if node.kind == "word"]
    assert places == [("game", 1, 2), ("do", 2, 4), ("turn", 2, 9), ("pass", 3, 2)]


def test_a_byte_order_mark_is_no_part_of_the_program():
    """Files from some editors begin with one."""
    assert read(decode(b"\xef\xbb\xbf(game)"))[0].head == "game"


def test_a_comment_needs_no_line_end():
    """The last line may be a remark without a newline."""
    assert read("(game) ;; done")[1] == []


@pytest.mark.parametrize(
    ("text", "line", "column", "about"),
    [
        ("(game (do", 1, 7, "2 parentheses are never closed"),
        ("(game", 1, 1, "a parenthesis is never closed"),
        ("game)", 1, 1, "begins with (game"),
        (";; nothing", 1, 1, "only comments"),
        ("(game\n (do #))", 2, 6, "the character #"),
        ("(game ; no)", 1, 7, "two semicolons"),
        ("(game 'x)", 1, 7, "a variable is a quote and capitals"),
        ("(" * 200, 1, 101, "levels of parentheses"),
        ("(game é)", 1, 7, "U+00E9"),
    ],
)
def test_what_is_no_tree_is_refused_at_its_place(text, line, column, about):
    """The first thing wrong is named with line and column."""
    problem = refused(text)
    assert (problem.line, problem.column) == (line, column)
    assert about in problem.message


def test_a_parenthesis_too_many_is_told_and_forgiven():
    """The program ends where game is closed; what follows is a warning."""
    _, (problem,) = read("(game)\n )")
    assert (problem.line, problem.column, problem.severity) == (2, 2, "warning")
    assert "too many" in problem.message


def test_text_after_the_program_is_told():
    """A parenthesis too many in the middle closes the program early."""
    _, (problem,) = read("(game)) (scoring)")
    assert "too many" in problem.message
    _, (problem,) = read("(game) (scoring)")
    assert "line 1, column 6" in problem.message


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("(put points 'P (((SUIT (HEARTS)) 1)))", "(set (game points P) (((SUIT : HEARTS) 1)))"),
        (
            "(put points 'P (((SUIT (cardatt SUIT (top (game mem L)))) 1)))",
            "(set (game points P) (((SUIT : (cardatt SUIT (top (game mem L)))) 1)))",
        ),
        ("(set (game points P) (((RANK (A)) (SUIT ('S)) 1)))", "(set (game points P) (((RANK : A) (SUIT : 'S) 1)))"),
        ("(max (game vloc L) using 'P)", "(max (game vloc L) using (game points P))"),
        ("(inc (game sto A))", "(inc (game sto A) 1)"),
        ("(dec (game sto A))", "(dec (game sto A) 1)"),
        ("(indexed game vloc RUN)", "(indexed (game vloc RUN))"),
    ],
)
def test_generations_of_the_language_become_one(older, newer):
    """What older and shorter programs write is the same to the compiler."""
    assert normal(f"(game {older})") == normal(f"(game {newer})")


def test_the_dialect_is_told_by_its_point_maps():
    """A program with the old awards is old: there, forgetting nothing is no error."""
    assert Translation(read("(game (put points 'P (((SUIT (HEARTS)) 1))))")[0]).old
    assert not Translation(read("(game (set (game points P) (((SUIT : HEARTS) 1))))")[0]).old
