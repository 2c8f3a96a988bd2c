"""The checker: what is wrong with a program, in plain words, at its place."""

import re

import pytest
from tests.support.recycle import program

from croupier.server.games.recycle import load
from croupier.server.games.recycle.check import check, problems
from croupier.server.games.recycle.describe import describe

BREAKING = "(!= (size (filter (union (all player 'P ('P vloc TRICK))) 'H (== (cardatt SUIT 'H) HEARTS))) 0)"

SUMMED = "(set (game sto A) (sum (game vloc STOCK) using (game points P)))))"


def found(text):
    """Return the problems of a program as (line, column, severity, message)."""
    return [(each.line, each.column, each.severity, each.message) for each in problems(text.encode())]


def only(text):
    """Return the message of the only problem of a program."""
    (problem,) = found(text)
    return problem[3]


def test_hearts_with_the_two_faults_of_the_article():
    """Broken hearts: the test reads a variable that is not bound, and asks for no heart instead of any."""
    text = load("hearts").TEXT
    assert text.count(BREAKING) == 1
    wrong = BREAKING.replace("!=", "==", 1).replace("'H (==", "'PH (==")
    (around, unbound) = found(text.replace(BREAKING, wrong))
    line = text[: text.index(BREAKING)].count("\n") + 1
    assert (around[0], around[2]) == (line, "warning")
    assert "the wrong way round" in around[3]
    assert "with != instead of ==" in around[3]
    assert (unbound[0], unbound[2]) == (line, "error")
    assert unbound[3] == f"the variable 'H is not bound here: the filter around it at line {line} binds 'PH"


def test_hearts_with_each_fault_alone():
    """Each is told without the other, the second although the program plays."""
    text = load("hearts").TEXT
    assert "binds 'PH" in only(text.replace(BREAKING, BREAKING.replace("'H (==", "'PH (==")))
    assert "when there is no card with SUIT HEARTS" in only(text.replace(BREAKING, BREAKING.replace("!=", "==", 1)))


@pytest.mark.parametrize(
    ("body", "column", "about"),
    [
        ("(do ((inc (game sto A) 'N)))", 24, "the variable 'N is not bound here"),
        (
            "(do ((move (top (game vloc STOCK)) (top (filter (game vloc STOCK) 'C (== 1 1))))))",
            41,
            "no card can be put",
        ),
        ("(do ((move (top (game vloc STOCK)) (top (game mem STOCK)))))", 41, "not a mem"),
        ("(do ((move (game vloc STOCK) (top (game vloc B)))))", 12, "a card is needed here"),
        ("(do ((set (game sto A) TWO)))", 24, "a number is needed here, and TWO is a name"),
        ("(do ((set (game vloc A) 1)))", 6, "changes a store"),
        ("(do ((jump (game sto A))))", 6, "there is no such action"),
        ("(do (turn pass))", 5, "one more pair of parentheses"),
        ("(do ((cycle back current)))", 13, "next or current"),
        ("(do ((choice ((turn pass)))))", 6, "directly in the game or in a stage"),
        ("(do (((== 1 TWO) (turn pass))))", 7, "cannot be compared: number and string"),
        ("(turn pass)", 1, "a stage, a choice or a do is needed here"),
        ("(stage player (choice ((turn pass))))", 15, "when it ends"),
        ("(stage player simultaneous (end (== 1 1)))", 15, "simultaneous"),
        ("(do ((set (game points P) (((RANK) 1)))))", 29, "a part of an award"),
        ("(do ((shuffle faro (game vloc A) (game vloc B))))", 6, "no shuffle but the plain one"),
        ("(do ((set (game sto A) (size (sort (game vloc STOCK) using (game points P))))))", 30, "no such expression"),
        ("(do ((all 3 'X (turn pass))))", 11, "something with elements"),
        ("(do ((set (game sto A) (+ 1))))", 24, "+ takes two numbers or more"),
        ("(do ((set (game sto A) (- 1 2 3))))", 24, "this is written as (- NUMBER NUMBER), and not as (- 1 2 3)"),
        ("(stage player once (end (== 1 1)) (choice ((turn pass))))", 20, "has no end of its own"),
        ("(do ((update (game sto A) 1)))", 6, "update changes a point map"),
        ("(do ((set (game sto A) (size (subsets (game vloc STOCK) + 2)))))", 57, "the size of subsets"),
        ("(do ((set (game sto A) 99999999999)))", 24, "numbers end at"),
        ("(do ((set (game points) (((RANK : A) 1)))))", 6, "set changes a store"),
        ("(do ((repeat all (move (top) (top (game vloc B))))))", 6, "repeat all must know a list"),
        ("(do ((all (game vloc STOCK) 'C (forget 'C))))", 40, "a place in a mem list is needed here"),
        ("(do ((set (game sto A) (pid (owner)))))", 29, "this is written as (owner CARD), and not as (owner)"),
    ],
)
def test_errors_have_a_place_and_a_sentence(body, column, about):
    """Each is where its author must look."""
    first = next(problem for problem in found(program(body)) if problem[2] == "error")
    assert first[:3] == (2, column, "error")
    assert about in first[3]


def test_one_error_does_not_hide_another():
    """Every step of a do and every block of a stage is read."""
    body = "(stage player (end (== 'A 1)) (do ((inc (game sto A) 'B) (turn stay))) (choice ((set (game sto A) 'C))))"
    assert len([problem for problem in found(program(body)) if problem[2] == "error"]) == 4


@pytest.mark.parametrize(
    ("body", "about"),
    [
        ("(do ((any player 'P (inc ('P sto A) 1))))", "outside a choice, any does what all does"),
        ("(do ((repeat 3 (inc (game sto A) 1))))", "counts only once"),
        ("(do ((set (game sto A) (* 2 10))))", "misreads two literal numbers"),
        ("(do (((== 2 10) (turn pass))))", "misreads two literal numbers"),
        (
            "(do ((set (game sto A) (size (filter (game vloc STOCK) 'C (== (cardatt SUIT 'C) HAERTS))))))",
            "no card has a SUIT of HAERTS; did you mean HEARTS?",
        ),
        (
            "(do ((set (game sto A) (size (filter (game vloc STOCK) 'C (== HEARTS (cardatt SIUT 'C)))))))",
            "no card has a SIUT; did you mean SUIT?",
        ),
        ("(do ((set (game sto A) (size (partition COLOR (game vloc STOCK))))))", "no card has a COLOR"),
        (
            "(do ((set (game points P) (((RANK : A) 1) ((RANK : KING) 2))) SUMMED",
            "no card has a RANK of KING",
        ),
        ("(do ((set (game points P) (((RANK : A) 1)))))", "the point map P is set here and never used"),
        (
            "(do ((set (game points P) (((RANK : A) 1) ((RANK TWO) 2))) SUMMED",
            "a colon is missing here, as in (RANK : TWO)",
        ),
        (
            "(do ((set (game points P) (((RANK TWO) 2))) SUMMED",
            "a colon is missing here, as in (RANK : TWO)",
        ),
        ("(do ((set (game sto A) (game sto B))))", "the store B is used here and never set"),
        ("(do ((move (top (game vloc STOCK)) (top (game iloc STOCK)))))", "these are two different lists"),
        ("(choice ((turn pass) ((== 1 2) (turn pass))))", "this option was never offered"),
        ("(stage player (end (== 1 2)))", "every random game came to no good end in here: 200 steps"),
        (
            "(stage player (end (== 1 2)) (choice ((turn pass))))",
            "every random game came to no good end in here: more than 500 choices",
        ),
    ],
)
def test_warnings(body, about):
    """What is allowed, and hardly meant."""
    (problem,) = found(program(body.replace("SUMMED", SUMMED)))
    assert problem[2] == "warning"
    assert about in problem[3]


KEEPS = "(do ((set (game str LEAD) (cardatt SUIT (top (game vloc STOCK))))))"
"""The store LEAD holds a suit."""
MISSPELT = [
    ("(choice ((any (TWO, THREE, AA) 'R (set (game str R) 'R))))", "no card has a RANK of AA; did you mean A?"),
    (f"{KEEPS} (do ((set (game str LEAD) HAERTS)))", "no card has a SUIT of HAERTS; did you mean HEARTS?"),
    (f"{KEEPS} (do (((== (game str LEAD) CLUB) (turn pass))))", "no card has a SUIT of CLUB; did you mean CLUBS?"),
    (
        "(do ((set (game str T) HAERTS) (set (game points P) (((SUIT : (game str T)) 1))) SUMMED",
        "no card has a SUIT of HAERTS; did you mean HEARTS?",
    ),
]


@pytest.mark.parametrize(("body", "about"), MISSPELT)
def test_a_misspelt_value_is_found_where_it_is_only_named(body, about):
    """In a list of values of a key, and in a store that is set to one or compared with one."""
    assert about in [problem[3] for problem in found(program(body.replace("SUMMED", SUMMED)))]


@pytest.mark.parametrize(
    "body",
    [
        "(choice ((any (CLUBS, HEARTS, NOTRUMP) 'S (set (game str T) 'S))))",
        "(choice ((any (CLUBS, HEARTS, HEART) 'S (set (game str T) 'S))))",
        f"{KEEPS} (do ((set (game str LEAD) NONE) (set (game str LEAD) OPEN)))",
        f"{KEEPS} (do ((set (game str LEAD) CLUB) ((== (game str LEAD) CLUB) (turn pass))))",
    ],
)
def test_a_name_that_is_meant_is_none_misspelt(body):
    """One unlike all values, one beside its own value, and a mark that is set and asked for."""
    assert not [problem for problem in found(program(body)) if "no card has" in problem[3]]


@pytest.mark.parametrize(
    "body",
    [
        "(do ((set (game sto A) (^ 10 2)) (set (game sto B) (* 10 2)) (set (game sto C) (+ 123 4))))",
        "(do ((put points 'P (((RANK (A)) 1) ((RANK TWO) 2))) (set (game sto A) (sum (game vloc STOCK) using 'P))))",
        "(do ((set (game points P) (((RANK : A) 1))) (set (game str M) P)"
        " (set (game sto A) (sum (game vloc STOCK) using (game points (game str M))))))",
        "(do ((create deck (game vloc STOCK) (deck (HUE (RED))))"
        " (set (game sto A) (size (filter (game vloc STOCK) 'C (== (cardatt HUE 'C) RED))))))",
    ],
)
def test_no_warnings(body):
    """Nothing is said of what the original reads well, of the old language, of names worked out, of later cards."""
    assert found(program(body)) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (program(declare="(decalre 5 'MAX)"), "there is no decalre; did you mean declare?"),
        (program("(do ((set (game sto A) 'MAXX)))", declare="(declare 5 'MAX)"), "did you mean 'MAX?"),
        (
            program("(do ((all player 'P (set ('P sto A) 'MAXX))))", declare="(declare 5 'MAX)"),
            "the all around it at line 2 binds 'P; did you mean 'MAX?",
        ),
        (program("(stgae player (end (== 1 1)))"), "there is no stgae; did you mean stage?"),
        (program("(do ((shufle (game vloc STOCK))))"), "there is no shufle; did you mean shuffle?"),
        (program("(do ((set (game sto A) (siez (game vloc STOCK)))))"), "there is no siez; did you mean size?"),
        (program(declare="(declare 5 'MAX)"), "'MAX is declared here and never used"),
    ],
)
def test_a_misspelt_word_is_told_with_what_is_meant(text, said):
    """Also where the rest of the program goes by it."""
    assert any(said in problem[3] for problem in found(text))


def test_a_choice_of_nothing_has_a_cure():
    """It is the program's fault: some way must always be open."""
    ((*_, level, said),) = found(program("(choice (((== 1 2) (turn pass))))"))
    assert level == "error"
    assert "there is nothing to choose from" in said
    assert "such as (turn pass)" in said


def test_a_game_without_end_is_told_at_its_stage():
    """How many of the random games, and in which stage; the other warnings stand beside it."""
    stage = "(stage player (end (== (game sto N) 1)) (choice ((inc (game sto N) 1) (inc (game sto N) 100))))"
    rows = found(program(f"(do ((turn pass)))\n{stage}"))
    assert [row[:3] for row in rows] == [(3, 1, "warning")]
    assert re.search(r"^\d+ of \d+ random games came to no good end in here: more than 500 choices", rows[0][3])


def test_ties_that_chance_decides_are_told():
    """At the max or the min where they happen."""
    points = "(set (game points P) (((RANK : A) 1) ((RANK : TWO) 1)))"
    body = f"(do ({points} (move (max (game vloc STOCK) using (game points P)) (top (game vloc B)))))"
    assert "cards tie here" in only(program(body))


def test_an_error_in_play_is_an_error_of_the_program():
    """What a random game runs into is told at its place."""
    (problem,) = found(program("(do ((move (top (game vloc NONE)) (top (game vloc B)))))"))
    assert problem[:3] == (2, 6, "error")
    assert "there is no card to move" in problem[3]


def test_a_report_is_a_document():
    """For scripts: the program, whether it passed, and its problems."""
    document = check("whist").document()
    assert document == {"program": "whist", "passed": True, "problems": []}


def test_a_program_is_described():
    """Players, pack, stages, and what random games are like."""
    told = describe("whist")
    assert (told["players"], told["cards"], told["teams"], told["low_wins"]) == (4, 52, [[0, 2], [1, 3]], False)
    assert told["pack"]["SUIT"] == ["CLUBS", "DIAMONDS", "HEARTS", "SPADES"]
    assert [line["depth"] for line in told["stages"]] == [0, 1, 2]
    assert told["sample"]["choices_a_game"] == 52
    assert told["sample"]["outcomes"] == {"finished": told["sample"]["games"]}
    assert told["about"].startswith("Whist: ")
