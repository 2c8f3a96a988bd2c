"""Puzzles: positions from games; bots are asked as their seat was, and their plays are compared with known ones."""

import json
import shlex
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from command_line import croupier
from contests import QUICK

from croupier.protocol.sexp import write
from croupier.server import games
from croupier.server.conformance.solving import is_same, position_of
from croupier.server.records import puzzles
from croupier.server.records.files import read_records
from croupier.server.records.replay import Replay
from croupier.server.records.sent import Wire

GOLDEN = Path(__file__).parents[2] / "golden"
FIRST = f"first={shlex.join([sys.executable, '-S', '-E', str(QUICK), 'first'])}"


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Record a game of Hearts whose first player is deterministic."""
    folder = tmp_path_factory.mktemp("puzzles")
    words = [FIRST, "duck", "random", "random", "--seed", "p", "-o", "pass=none"]
    croupier("play", "hearts", *words, "--record", folder)
    return folder / "deal-1.record"


def found(played, *words):
    """Return the puzzles that `find` writes."""
    path = played.with_suffix(".puzzles")
    croupier("find", played, *words, "--puzzles", path)
    return [*puzzles.read(path)]


def test_find_writes_the_positions_of_a_player(played):
    """Each play of the player with a choice, with the lines before it; with play=... only that one."""
    text = played.read_text()
    mine = found(played, "--where", "player=duck")
    assert len(mine) > 5
    for puzzle in mine:
        before = "".join(f"{line}\n" for line in puzzle.record)
        assert text.startswith(before)
        assert text[len(before) :].startswith(f"(play duck {puzzle.right[0]})\n")
        position = position_of(puzzle, games.find)
        assert position.begun.game.players[puzzle.seat] == "duck"
        assert len(list(position.begun.game.legal())) > 1
    one = mine[3].right[0]
    assert found(played, "--where", "player=duck", "--where", f"play={one}") == [mine[3]]
    (wrong,) = found(played, "--where", "player=duck", "--where", f"play={one}", "--wrong")
    assert (wrong.right, wrong.wrong) == ([], [one])


def test_a_player_solves_its_own_puzzles(played):
    """It plays again what it played; a fault, or another play, is not solved, and the status says so."""
    found(played, "--where", "player=first")
    out, _ = croupier("check", FIRST, "--puzzles", played.with_suffix(".puzzles"), "--json")
    (bot,) = json.loads(out)["bots"]
    assert bot["solved"] == len(bot["puzzles"]) > 5
    found(played, "--where", "player=first", "--wrong")
    out, _ = croupier("check", FIRST, "--puzzles", played.with_suffix(".puzzles"), "--json", code=1)
    (bot,) = json.loads(out)["bots"]
    assert bot["solved"] == 0


def test_a_bot_is_asked_what_its_seat_was_sent(played, tmp_path):
    """The last question is the one that the player of the record had, to the byte; no other seat's cards are in it."""
    told = tmp_path / "told"
    spy = tmp_path / "spy.py"
    spy.write_text(
        "import sys\n"
        "for line in sys.stdin:\n"
        f"    with open({str(told)!r}, 'a') as file: file.write(line)\n"
        "    if line.startswith('(request'): print('(pass)', flush=True)\n"
    )
    puzzle = found(played, "--where", "player=duck")[4]
    path = tmp_path / "one.puzzles"
    path.write_text(puzzles.write(puzzle))
    _, errors = croupier(
        "check", shlex.join([sys.executable, str(spy)]), "--puzzles", path, "--sandbox", "none", code=1
    )
    assert not errors
    replay = Replay(played.read_text())
    sent = [line for line in Wire(replay, "duck").lines() if line.startswith("(request")]
    last = told.read_text().splitlines()[-1]
    assert last in sent
    before = sum(line.startswith("(play duck ") for line in puzzle.record)
    assert sent.index(last) == before


def test_the_table_and_junit_have_each_bot_and_puzzle(played, tmp_path):
    """A row per puzzle, a suite per bot; a failure says what was played and what is right."""
    mine = found(played, "--where", "player=duck")
    path, report = played.with_suffix(".puzzles"), tmp_path / "results.xml"
    out, _ = croupier("check", "duck", FIRST, "--puzzles", path, "--junit", report, code=1)
    assert f"duck: {len(mine)} of {len(mine)} puzzles solved" in out
    duck, first = ET.parse(report).getroot()
    assert [suite.get("name") for suite in (duck, first)] == ["duck", "first"]
    assert [case.get("name") for case in duck] == [case.get("name") for case in first] == [each.name for each in mine]
    assert duck.get("failures") == "0"
    failures = [case.find("failure").get("message") for case in first if case.find("failure") is not None]
    assert len(failures) == int(first.get("failures")) > 0
    assert all("; right is (" in failure for failure in failures)


def test_a_puzzle_with_wrong_plays_is_solved_by_any_other(played, tmp_path):
    """An illegal answer solves nothing."""
    puzzle = found(played, "--where", "player=duck")[4]
    game = position_of(puzzle, games.find).begun.game
    first = next(iter(game.legal()))
    known = [write(play) for play in game.legal() if play != first]
    path = tmp_path / "other.puzzles"
    path.write_text(puzzles.write(puzzles.Puzzle(1, "other", puzzle.record, puzzle.seat, wrong=known)))
    assert "1 of 1 puzzles solved" in croupier("check", FIRST, "--puzzles", path)[0]
    bad = f"bad={shlex.join([sys.executable, '-S', '-E', str(QUICK), 'first', '1'])}"
    out, _ = croupier("check", bad, "--puzzles", path, "--json", code=1)
    (solution,) = json.loads(out)["bots"][0]["puzzles"]
    assert not solution["solved"]
    assert solution["play"] is None
    assert solution["fault"]


def test_plays_that_change_nothing_else_are_the_same(tmp_path):
    """Three cards given away in another order; three others are another play."""
    croupier("play", "hearts", "duck", "random", "random", "random", "--record", tmp_path)
    puzzle = found(tmp_path / "deal-1.record", "--where", "player=duck")[0]
    position = position_of(puzzle, games.find)
    (given,) = position.right
    head, *cards = given
    assert head == "give"
    game = position.begun.game
    assert is_same(game, given, (head, *reversed(cards)))
    other = next(play for play in game.legal() if set(play) != set(given))
    assert not is_same(game, given, other)


def test_a_defense_is_a_puzzle(tmp_path):
    """The bot is asked as one that is attacked."""
    for number in range(1, 40):
        folder = tmp_path / str(number)
        croupier("play", "dominion", "siege", "siege", "--seed", number, "--record", folder)
        text = (folder / "deal-1.record").read_text()
        if "\n(defense " in text:
            break
    defense = next(line for line in text.splitlines() if line.startswith("(defense "))
    _, name, play = defense[:-1].split(" ", 2)
    path = tmp_path / "defense.puzzles"
    conditions = ["--where", f"player={name}", "--where", f"play={play}"]
    croupier("find", folder, *conditions, "--puzzles", path)
    assert next(puzzles.read(path)).record[-1].startswith("(attack ")
    assert "puzzles solved" in croupier("check", "siege", "--puzzles", path)[0]


def changed(puzzle, /, **how):
    """Return a line with some fields changed."""
    return json.dumps(json.loads(puzzles.write(puzzle)) | how)


def test_what_is_no_puzzle_is_one_sentence(played, tmp_path):
    """Which line or puzzle, and what is wrong with it; never a traceback."""
    puzzle = found(played, "--where", "player=duck")[4]
    path = tmp_path / "bad.puzzles"
    whole = read_records(played)[0].text.splitlines()
    for line, why in [
        ("{", "line 1: no puzzle"),
        ("[" * 100_000, "line 1: no puzzle"),
        (changed(puzzle, puzzle=2), "line 1: no puzzle"),
        (changed(puzzle, weather="fine"), "unknown field `weather`"),
        (changed(puzzle, record=["(record 1)", "(game chess)"]), "its record is no game"),
        (changed(puzzle, record=whole), "the game is over after its record"),
        (changed(puzzle, seat=(puzzle.seat + 1) % 4), f"seat {puzzle.seat} is on turn"),
        (changed(puzzle, right=["(play"]), "is no play"),
        (changed(puzzle, right=["sQ"]), "is no play"),
        (changed(puzzle, right=["(play s1)"]), "is not legal"),
        (changed(puzzle, right=[]), "it names no right or wrong plays"),
        ("", "there is no puzzle in the file"),
        (
            puzzles.write(puzzle) + puzzles.write(puzzles.Puzzle(1, "s", sedma(), 0, wrong=[sedma_play()])),
            "are of different games",
        ),
    ]:
        path.write_text(line)
        _, errors = croupier("check", "duck", "--puzzles", path, code=2)
        assert why in errors, (line[:80], errors)
        assert "Traceback" not in errors


def sedma():
    """Return the lines of a record of Sedma before the first play of seat 0."""
    text = (GOLDEN / "sedma.record").read_text().splitlines()
    first = text[2].split()[1]
    return text[: next(number for number, line in enumerate(text) if line.startswith(f"(play {first} "))]


def sedma_play():
    """Return the play that follows."""
    text = (GOLDEN / "sedma.record").read_text().splitlines()
    return text[len(sedma())][:-1].split(" ", 2)[2]


def test_a_wrong_call_is_one_sentence(played, tmp_path):
    """Options that say what the file says, and those that have nothing to be about."""
    found(played, "--where", "player=duck")
    path = played.with_suffix(".puzzles")
    for words, why in [
        (["check", "duck", "--puzzles", path, "--positions", 3], "--positions: --puzzles says"),
        (["check", "hearts", "duck", "--junit", tmp_path / "x.xml"], "--junit writes the results of --puzzles"),
        (["check", "human", "--puzzles", path], "people are not checked"),
        (["check", "hal", "--puzzles", path], "hal"),
        (["check", "duck", "--puzzles", path, "--junit", tmp_path / "no" / "x.xml"], "No such file"),
        (["find", played, "--wrong"], "--wrong is about the plays of --puzzles"),
        (["find", played, "--puzzles", tmp_path / "no" / "x"], "No such file"),
    ]:
        _, errors = croupier(*words, code=2)
        assert why in errors, errors
