"""Verdicts on results from elsewhere: the command, what it says of luck, its verdict and its status."""

import gzip
import json
from pathlib import Path

import pytest
from command_line import croupier

TABLES = Path(__file__).parents[3] / "examples" / "results"
CHESS = TABLES / "cutechess.pgn"
CARDS = (TABLES / "duplicate.csv", "--player", "player", "--score", "points", "--seat", "seat", "--low-wins")
BOARDS = (*CARDS, "--deal", "board")
PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "verdict.md"
SHOWN = PAGE.read_text("utf-8").partition("prints\n\n```text\n")[2].partition("```")[0]
"""The output that the manual shows."""


def document(*words, code=0):
    """Return the JSON of a call."""
    return json.loads(croupier("verdict", *words, "--json", code=code)[0])


def test_deals_that_everybody_had_in_every_seat_cancel_their_luck():
    """And the table has the intervals of standings, without faults and times, which nobody knows."""
    said, _ = croupier("verdict", *BOARDS)
    assert said.startswith("192 games, 48 deals: in every set everybody had every seat equally often. So the luck of")
    assert "duplicate.csv: games 192; ranked by mean" in said
    assert "faults" not in said
    assert "ms" not in said
    assert "-2.84 ±0.25*" in said


@pytest.mark.parametrize(
    ("words", "begin"),
    [
        (CARDS, "192 games, no deals: each game counts as a deal of its own, because --deal names none"),
        (
            (*CARDS[:5], "--deal", "board", "--low-wins"),
            "192 games, 48 deals: without --seat it is unknown whether everybody had every seat",
        ),
        (
            (CHESS, "--deal", "Date", "--deal", "Round"),
            "96 games, 47 deals: in 2 of 47 sets, first in deal 2023.11.24 2, not everybody had every seat",
        ),
    ],
)
def test_what_deals_and_seats_do_not_cancel_is_said_first(words, begin, tmp_path):
    """No deal, no seat, or sets in which one is missing."""
    if "--seat" not in words and words[0] != CHESS:
        numbered = tmp_path / "numbered.csv"
        head, *lines = words[0].read_text().splitlines()
        numbered.write_text(f"game,{head}\n" + "\n".join(f"{at // 4},{line}" for at, line in enumerate(lines)))
        words = (numbered, *words[1:], "--game-id", "game")
    assert croupier("verdict", *words)[0].startswith(begin)


def test_unfinished_games_are_counted():
    """They count for nobody."""
    assert "6 games count for nobody: they are not finished\n" in croupier("verdict", CHESS)[0]
    assert document(CHESS)["void"] == {"they are not finished": 6}


def test_players_who_met_different_opponents_are_ranked_by_the_field(tmp_path):
    """Their means are against different opponents, so they have no bounds."""
    table = tmp_path / "league.csv"
    meetings = [("a", "b"), ("b", "a"), ("b", "c"), ("c", "b"), ("a", "b"), ("b", "a")] * 20
    table.write_text("x,y,i,j\n" + "".join(f"{one},{two},{n % 3},{n % 5}\n" for n, (one, two) in enumerate(meetings)))
    columns = (table, "--player", "x", "--player", "y", "--score", "i", "--score", "j")
    said = croupier("verdict", *columns)[0].splitlines()
    assert said[1].startswith("Not all players met equally often: the score against the field ranks")
    found = document(*columns)
    assert found["ranked_by"] == "field"
    assert {player["low"] for player in found["players"]} == {None}


def test_a_row_per_player_a_row_per_game_and_chess_are_the_same_games(tmp_path):
    """All numbers are equal, to the last digit."""
    results = [(1, 1, 0), (0, 0.5, 0.5), (1, 0.5, 0.5), (0, 0, 1), (1, 1, 0), (1, 0, 1), (0, 1, 0), (0, 1, 0)] * 3
    long, wide, chess = ["round,colour,player,points"], ["round,white,black,w,b"], []
    for number, (side, *points) in enumerate(results):
        names = ["old", "new"][:: 1 if side else -1]
        deal, result = number // 2, {1: "1-0", 0.5: "1/2-1/2", 0: "0-1"}[points[0]]
        wide.append(f"{deal},{','.join(names)},{points[0]},{points[1]}")
        long += [f"{deal},{colour},{name},{point}" for colour, name, point in zip("wb", names, points, strict=True)]
        chess.append(
            f'[White "{names[0]}"]\n[Black "{names[1]}"]\n[Result "{result}"]\n[Round "{deal}"]\n\n{result}\n\n'
        )
    columns = {
        "long.csv": ("--player", "player", "--score", "points", "--seat", "colour", "--deal", "round"),
        "wide.csv": ("--player", "white", "--player", "black", "--score", "w", "--score", "b", "--deal", "round"),
        "chess.pgn": ("--deal", "Round"),
    }
    for name, text in zip(columns, ("\n".join(long), "\n".join(wide), "".join(chess)), strict=True):
        (tmp_path / name).write_text(text)
    one, *others = (
        document(tmp_path / name, *words, "--old", "old", "--new", "new", code=1) | {"game": ""}
        for name, words in columns.items()
    )
    assert one["comparison"]["sets"] == 12
    assert others == [one, one]


@pytest.mark.parametrize(
    ("old", "new", "words", "begin", "code"),
    [
        ("low", "duck", (), "better: duck has +2.", 0),
        ("duck", "low", (), "worse: low has -2.", 1),
        ("low", "high", ("--margin", "1"), "same: high has -0.", 1),
        ("low", "high", (), "undecided: high has -0.03 a game over 48 sets, between -0.", 1),
        ("low", "duck", ("--sprt", "0", "2"), "better: duck has +2.", 0),
        ("duck", "low", ("--sprt", "-50", "0", "--sprt-in", "strength"), "worse: low has -", 1),
    ],
)
def test_the_verdict_on_two_is_a_word_and_a_status(old, new, words, begin, code):
    """As that of improve; more is better, though low scores win."""
    said, _ = croupier("verdict", *BOARDS, "--old", old, "--new", new, *words, code=code)
    assert said.splitlines()[-1].startswith(begin)
    found = document(*BOARDS, "--old", old, "--new", new, *words, code=code)
    assert found["comparison"]["verdict"] == begin.partition(":")[0]
    assert ("llr" in found["comparison"]) == ("--sprt" in words)


def test_two_that_cannot_be_compared_are_undecided(tmp_path):
    """They neither met nor sat in the same seat with the same others."""
    table = tmp_path / "apart.csv"
    table.write_text("x,y,i,j\n" + "a,c,1,0\nc,b,0,1\n" * 20)
    columns = ("--player", "x", "--player", "y", "--score", "i", "--score", "j", "--old", "a", "--new", "b")
    said, _ = croupier("verdict", table, *columns, code=1)
    assert said.endswith("undecided: they were never opponents, nor in the same seat with the same others\n")


@pytest.mark.parametrize(
    ("words", "said", "code"),
    [
        (
            ("17", "253", "1042", "337", "39"),
            "better: the new has +13.18 strength over 1688 sets, between +3.95 and +",
            0,
        ),
        (("487", "2530", "359"), "better: the new has +13.18 strength over 3376 sets, between +3.", 0),
        (("359", "2530", "487"), "worse: the new has -13.18 strength", 1),
        (("17", "253", "1042", "337", "39", "--sprt", "0", "2.5"), SHOWN, 0),
        (
            ("17", "253", "1042", "337", "39", "--sprt-in", "points"),
            "better: the new has +0.04 a game over 1688 sets",
            0,
        ),
        (("1", "0", "0"), "undecided: one of them has won all games of 1 sets", 1),
    ],
)
def test_counts_have_a_verdict_without_a_file(words, said, code):
    """Games won, drawn and lost, or pairs from both lost to both won; in strength unless told."""
    assert said
    assert said in croupier("verdict", "--counts", *words, code=code)[0]
    assert document("--counts", *words, code=code)["sets"] in {1, 1688, 3376}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("no.csv", *CARDS[1:]), "no.csv: No such file or directory"),
        ((TABLES, *CARDS[1:]), "results: Is a directory"),
        (("/dev/null", *CARDS[1:]), "/dev/null: it is a pipe, a device or a socket, and only files are read"),
        (CARDS[:1], "name as many columns with --player as with --score"),
        ((*CARDS, "--score", "board"), "name as many columns with --player as with --score"),
        (CARDS[:5], "name --seat or --game-id: without them it is unknown where a game ends"),
        ((*CARDS, "--player", "board", "--score", "board"), "--seat, --game-id and --side are for a table with a row"),
        (
            (*CARDS, "--deal", "bord"),
            "duplicate.csv: there is no column bord (did you mean board?); it has board, seat",
        ),
        ((*BOARDS, "--new", "duck"), "name the two to compare: --old PLAYER --new PLAYER"),
        ((*BOARDS, "--margin", "1"), "name the two to compare: --old PLAYER --new PLAYER"),
        (
            (*BOARDS, "--old", "lo", "--new", "duck"),
            "nobody is called lo (did you mean low?); the table has duck, high",
        ),
        ((*BOARDS, "--old", "low", "--new", "low"), "--old and --new are both low: name two players"),
        ((*BOARDS, "--old", "low", "--new", "duck", "--sprt", "2", "0"), "--sprt A B: A is to be the lower of the two"),
        ((CHESS, CHESS), "name one FILE; numbers of games go with --counts"),
        (("1", "2", "3"), "name one FILE; numbers of games go with --counts"),
        (("--counts", "1", "2"), "--counts: write the games won, drawn and lost, or five numbers of pairs"),
        (("--counts", "1", "2", "x"), "--counts: write the games won, drawn and lost, or five numbers of pairs"),
        (("--counts", "0", "0", "0"), "--counts: all numbers are 0, so there is nothing to judge"),
        (("--counts", "9" * 5000, "0", "0"), "--counts: write the games won, drawn and lost"),
        (("--counts", "1", "2", "3", "--low-wins"), "--counts goes with --margin, --sprt, --sprt-in and --json alone"),
    ],
)
def test_a_wrong_call_is_refused_in_a_sentence(words, said):
    """With what to write instead, and status 2."""
    _, errors = croupier("verdict", *words, code=2)
    assert said in errors
    assert errors.count("\n") == 1


def test_a_table_may_be_compressed_and_have_a_mark(tmp_path):
    """As spreadsheets and archives write it."""
    table = tmp_path / "duplicate.csv"
    table.write_bytes(gzip.compress(b"\xef\xbb\xbf" + CARDS[0].read_bytes()))
    assert document(table, *BOARDS[1:]) == document(*BOARDS)


def test_a_name_controls_no_terminal(tmp_path):
    """It is refused with its line."""
    table = tmp_path / "results.csv"
    table.write_text('x,y,i,j\na,"b\x1b[2J",1,0\n')
    _, errors = croupier("verdict", table, "--player", "x", "--player", "y", "--score", "i", "--score", "j", code=2)
    assert "results.csv: line 2: the player in y is longer than 100 characters or has an invisible one" in errors
