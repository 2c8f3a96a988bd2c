"""The rival of `python -m bench.rate`: what its engine answers, and how its moves are counted."""

import os
import subprocess
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import needs
import pytest
from tables import FIRST_LINE

BENCH = Path(__file__).parents[2] / "bench"
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
STAND_IN = (
    FIRST_LINE
    + """\
import sys
from pathlib import Path
after = lambda word: sys.argv[sys.argv.index(word) + 1]
assert Path(after("-each").removeprefix("cmd=")).is_file()
game = '[Termination "HOW"]\\n[PlyCount "104"]\\n\\n1. h4 Nh6\\n\\n'
Path(after("-pgn")).write_text(int(after("-games")) * game)
"""
)

pytestmark = [needs.COMPILER, needs.program("taskset")]


@pytest.fixture(scope="module")
def chess():
    """Load the part of the bench that plays chess."""
    spec = spec_from_file_location("chess", BENCH / "chess.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def ask(tmp_path_factory):
    """Say lines to the engine, and return its answers."""
    program = tmp_path_factory.mktemp("engine") / "chess"
    strict = ["-O2", "-Wall", "-Wextra", "-Werror"]
    subprocess.run(["cc", *strict, "-o", program, BENCH / "chess.c"], check=True)

    def ask(*lines):
        told = "".join(f"{line}\n" for line in (*lines, "quit"))
        return subprocess.run([program], input=told, capture_output=True, text=True, check=True).stdout.splitlines()

    return ask


def moves(answers):
    """Take the moves out of answers."""
    return [line.removeprefix("bestmove ") for line in answers]


@pytest.fixture(scope="module")
def game(ask):
    """Let the engine say the whole game."""
    questions = [line for made in range(104) for line in (f"position startpos moves{' a2a3' * made}", "go depth 1")]
    return moves(ask(*questions))


def test_the_engine_is_greeted_and_says_that_it_is_ready(ask):
    """UCI's two questions that are not about chess; a new game is not answered."""
    assert ask("uci", "ucinewgame", "isready") == ["id name null", "uciok", "readyok"]


def test_the_engine_moves_a_piece_of_its_own_side_each_time(game):
    """White and Black alternately, never onto one of their own, until 22 pieces are left."""
    board = {file + rank: rank in "12" for file in "abcdefgh" for rank in "1278"}
    for number, move in enumerate(game):
        white = board.pop(move[:2])
        assert white is (number % 2 == 0)
        assert board.get(move[2:]) is not white
        board[move[2:]] = white
    assert len(board) == 22


def test_the_engine_knows_where_a_game_stands_from_whole_moves_too(ask, game):
    """Whether the referee tells all moves or a position with the moves since."""
    later = START.replace(" w ", " b ").replace("0 1", "3 21")
    asked = ("position fen " + START, f"position fen {START} moves h2h4", f"position fen {later} moves a2a3 a7a6")
    assert moves(ask(*(line for position in asked for line in (position, "go")))) == [game[0], game[1], game[43]]


def test_nothing_is_known_after_the_end(ask):
    """UCI's move that is none."""
    assert moves(ask(f"position startpos moves{' a2a3' * 104}", "go")) == ["0000"]


@pytest.fixture
def rival(tmp_path):
    """Write a program that claims to have played."""

    def rival(how):
        program = tmp_path / "rival"
        program.write_text(STAND_IN.replace("HOW", how))
        program.chmod(0o755)
        return program

    return rival


def test_the_moves_of_all_matches_are_counted(chess, rival, monkeypatch):
    """Two matches of half the games each, and one of all of them, in the same time."""
    core = min(os.sched_getaffinity(0))
    counted = []
    count = chess.played
    monkeypatch.setattr(chess, "played", lambda pgn, games: counted.append(count(pgn, games)) or counted[-1])
    assert all(rate > 0 for rate in chess.rates(rival("checkmate"), 6, [core, core]))
    assert counted == [3 * 104, 3 * 104, 6 * 104]


def test_a_rival_that_breaks_off_is_not_measured(chess, rival):
    """A game that ended otherwise says that an engine was not answered for, and is no rate."""
    with pytest.raises(SystemExit, match="has not played 6 games"):
        chess.rates(rival("time forfeit"), 6, [min(os.sched_getaffinity(0))])
