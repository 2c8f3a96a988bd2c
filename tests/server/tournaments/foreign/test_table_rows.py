"""Rows of tables from elsewhere: whatever separates cells, and one sentence for what cannot be read."""

import pytest

from croupier.server.tournaments.foreign.table_rows import BadTable, is_pgn, read_rows

CHESS = """[Event "x"]
[White "Ann \\"A\\" One"]
[Black "Ben"]
[Result "1-0"]
[Round "?"]

1. e4 {a comment that begins
[White "nobody"]
here} e5 ; and another { that opens nothing
1-0

[White "Ben"]
[Black "Ann"]
[Result "1/2-1/2"]
[White "Cat"]
[Black "Dan"]
[Result "*"]
*
"""


def cells(text, *columns):
    """Return the cells of these columns, row by row."""
    return [list(row.cells) for row in read_rows(text, columns)]


@pytest.mark.parametrize(
    "text",
    [
        "a,b\n1,x\n2,y\n",
        "a;b\r\n1;x\r\n\r\n2;y",
        "a\tb\n1\tx\n2\t y \n",
        '"a","b"\n1,"x"\n2,"y"\n',
        'a,"b, or\nc",b\n1,-,x\n2,-,y\n',
        '{"a": 1, "b": "x"}\n\n{"b": "y", "a": 2}\n',
    ],
)
def test_a_table_is_read_whatever_separates_its_cells(text):
    """Commas, semicolons and tabs, quotes, line breaks within cells, and lines of JSON."""
    assert cells(text, "b", "a") == [["x", "1"], ["y", "2"]]


def test_a_row_knows_the_line_where_it_begins():
    """Also after empty lines and line breaks within a cell."""
    assert [row.line for row in read_rows('a,b\n\n1,"x\ny"\n2,z\n', ["a"])] == [3, 5]


def test_chess_games_are_their_tags():
    """Comments are no tags, a repeated tag begins a game, what is unknown is empty, and a result is points."""
    assert is_pgn(CHESS)
    assert cells(CHESS, "White", "Black", "WhitePoints", "BlackPoints", "Round") == [
        ['Ann "A" One', "Ben", "1", "0", ""],
        ["Ben", "Ann", "0.5", "0.5", ""],
        ["Cat", "Dan", "", "", ""],
    ]
    assert [row.line for row in read_rows(CHESS, ["White"])] == [1, 12, 15]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "it is empty: write the names of the columns in the first line"),
        ("playr,score\n", "there is no column player (did you mean playr?); it has playr, score"),
        ("player,player\n", "2 columns are called player: give them different names"),
        ("player,score\nann,1\nben\n", "line 3 has 1 cells, not 2: quote a cell that has a separator"),
        ('player,score\nann,"1\n', "line 2: unexpected end of data; write a quote within quotes twice"),
        ('{"player": "ann"}\n[1]\n', "line 2 is not a JSON object: Expected `object`, got `array`"),
        ('{"player": "\\ud800"}\n', "line 1 is not a JSON object: Input data was truncated"),
        ("{" * 5000, "line 1 is not a JSON object"),
        ('[White "player"]\n[Result "2-0"]\n', "there is no column player; it has White, Result, WhitePoints"),
    ],
)
def test_what_is_no_table_is_refused_with_its_line(text, said):
    """In one sentence."""
    with pytest.raises(BadTable) as problem:
        cells(text, "player")
    assert str(problem.value).startswith(said)
    assert "\n" not in str(problem.value)


def test_a_result_that_is_none_is_refused():
    """With the line where the game begins, and what may be written."""
    with pytest.raises(BadTable, match=r"line 1: a game's Result is 2-0; write 1-0, 0-1, 1/2-1/2, \*"):
        cells('[White "ann"]\n[Result "2-0"]\n', "White")
