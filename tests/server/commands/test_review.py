"""`croupier review`: what a person and a script get, a run that was stopped, and wrong calls."""

import json
import os
import signal
from typing import NamedTuple

import pytest
from command_line import croupier
from games import record_of

from croupier.server.reviewing import run


@pytest.fixture
def games(tmp_path):
    """A folder with two games of Kuhn poker, and a file that is no record."""
    folder = tmp_path / "games"
    folder.mkdir()
    for deal in (1, 2):
        text = record_of("recycle:kuhn-poker", ["random", "random"], deal=deal, names=["ann", "bob"])
        (folder / f"{deal}.record").write_text(text)
    return folder


def reviewed(*words):
    """Return the document of a review."""
    return json.loads(croupier("review", *words, "--playouts", "40", "--json")[0])


def test_the_document_has_every_game_and_every_player(games):
    """A summary per player, and the decisions of each game."""
    found = reviewed(games)
    assert [player["name"] for player in found["players"]] == ["ann", "bob"]
    assert [game["record"] for game in found["games"]] == [str(games / f"{deal}.record") for deal in (1, 2)]
    decisions = sum(len(game["decisions"]) for game in found["games"])
    assert sum(player["decisions"] for player in found["players"]) == decisions > 0


def test_people_get_tables(games):
    """Of one game its mistakes, of several the worst; then what each player lost, and why it got its result."""
    out, _ = croupier("review", games / "1.record", "--playouts", "40")
    assert "what each player lost" in out
    assert "against the others' mean: the deal" in out
    out, _ = croupier("review", games, "--playouts", "40")
    assert "what each player lost" in out


def test_a_stopped_review_is_continued(games, tmp_path):
    """Games in the file are not reviewed again; a line that was cut off is."""
    out = tmp_path / "reviews"
    file = out / "reviews.jsonl"
    whole = reviewed(games, "--out", out)
    lines = file.read_text().splitlines(keepends=True)
    assert len(lines) == 2
    first = json.loads(lines[0])
    marked = json.dumps(first | {"game": "marked"}) + "\n"
    file.write_text(marked + lines[1][:40])
    again = reviewed(games, "--out", out)
    assert {game["record"]: game["game"] for game in again["games"]}[first["record"]] == "marked"
    assert len(file.read_text().splitlines()) == 2
    assert again["players"] == whole["players"]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--for", "carl"], "--for carl: nobody of that name plays in these games"),
        (["--out", "{other}"], "holds reviews with another budget or of other players: name another file"),
        (["--out", "{games}"], "line 1 is no review: name another file"),
    ],
)
def test_a_wrong_call_says_what_to_do(games, tmp_path, words, why):
    """In one line."""
    other = tmp_path / "other"
    (games / "reviews.jsonl").write_text("no review\n")
    croupier("review", games, "--playouts", "9", "--out", other)
    words = [word.format(other=other, games=games) for word in words]
    _, told = croupier("review", games, "--playouts", "40", *words, code=2)
    assert why in told


def test_a_folder_without_games_is_refused(tmp_path):
    """And so is a record that is no game, after the others were reviewed."""
    _, told = croupier("review", tmp_path, code=2)
    assert "no game is found in" in told


def test_mistakes_become_puzzles(tmp_path):
    """In each the best play is right, and the one that was made is wrong; a bot can be asked for them."""
    record = tmp_path / "hearts.record"
    record.write_text(record_of("hearts", ["duck", "random", "random", "duck"]))
    puzzles = tmp_path / "mistakes.jsonl"
    document = reviewed(record, "--puzzles", puzzles)
    mistakes = [each for each in document["games"][0]["decisions"] if each["label"] == "mistake"]
    lines = [json.loads(line) for line in puzzles.read_text().splitlines()]
    assert mistakes
    assert [(line["right"], line["wrong"]) for line in lines] == [([each["best"]], [each["play"]]) for each in mistakes]
    out, _ = croupier("check", "duck", "--puzzles", puzzles, "--json", code=0)
    assert len(json.loads(out)["bots"][0]["puzzles"]) == len(mistakes)


def test_a_worker_that_dies_ends_the_review_with_a_sentence(games, monkeypatch):
    """No traceback reaches anybody."""
    monkeypatch.setattr(run, "ReviewJob", DyingJob)
    _, told = croupier("review", games, "--playouts", "9", code=2)
    assert "a worker process died" in told


class DyingJob(NamedTuple):
    """The work of a worker that the kernel ends."""

    task: object
    budget: object
    players: object

    def play(self, stopped):
        os.kill(os.getpid(), signal.SIGKILL)
