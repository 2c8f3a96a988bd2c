"""`croupier review`: what a person and a script get, a run that was stopped, and wrong calls."""

import html
import json
import os
import re
import shlex
import signal
from typing import NamedTuple

import pytest
from click.testing import CliRunner
from command_line import croupier
from games import record_of

from croupier.server.cli import cli
from croupier.server.reviewing import run
from croupier.server.viewer.page import unpack


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
        (["--out", "{before}"], "holds reviews of another version of croupier: name another file"),
        (["--html", "{games}/no/page.html"], "--html {games}/no/page.html: there is no folder {games}/no"),
        (["--out", "{games}"], "line 1 is no review: name another file"),
    ],
)
def test_a_wrong_call_says_what_to_do(games, tmp_path, words, why):
    """In one line."""
    other = tmp_path / "other"
    (games / "reviews.jsonl").write_text("no review\n")
    croupier("review", games, "--playouts", "9", "--out", other)
    before = tmp_path / "before"
    before.mkdir()
    kept = [json.loads(line) for line in (other / "reviews.jsonl").read_text().splitlines()]
    (before / "reviews.jsonl").write_text("".join(json.dumps(each | {"version": 0}) + "\n" for each in kept))
    words = [word.format(other=other, games=games, before=before) for word in words]
    _, told = croupier("review", games, "--playouts", "40", *words, code=2)
    assert why.format(games=games) in told


def test_what_was_not_judged_is_not_told_apart_from_the_deal(games):
    """With --for nothing is said of others' mistakes, by themselves or by what they brought."""
    player = reviewed(games, "--for", "ann")["players"][0]
    assert {"worth", "own"} < player.keys()
    assert not {"deal", "others"} & player.keys()
    assert all("brought" not in each for each in player["opponents"].values())
    out, _ = croupier("review", games, "--playouts", "40", "--for", "ann")
    assert "mistakes +" not in out
    assert "its own" in out
    assert "without --for the rest is split into the deal and others' mistakes" in " ".join(out.split())


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
    done = CliRunner().invoke(cli, ["check", "duck", "--puzzles", str(puzzles), "--json"], standalone_mode=False)
    solved = [each["solved"] for each in json.loads(done.stdout)["bots"][0]["puzzles"]]
    assert len(solved) == len(mistakes)
    assert done.return_value == (not all(solved))


@pytest.fixture
def lost(tmp_path):
    """A folder with two games of Hearts in which points were lost."""
    folder = tmp_path / "lost"
    folder.mkdir()
    for deal in (1, 2):
        seats = ["duck", "random", "random", "duck"][deal:] + ["duck", "random", "random", "duck"][:deal]
        names = ["ann", "bob", "cleo", "dan"][deal:] + ["ann", "bob", "cleo", "dan"][:deal]
        (folder / f"{deal}.record").write_text(record_of("hearts", seats, deal=deal, names=names))
    return folder


def shown_in(file):
    """Return what a page of a game holds."""
    return unpack(re.search(r'<pre id="film" hidden>([^<]*)</pre>', file.read_text())[1])


def test_a_page_shows_one_game_with_its_review(lost, tmp_path):
    """With all cards for all players; for one player its own decisions by what it knew."""
    page = tmp_path / "game.html"
    [game] = reviewed(lost / "1.record", "--html", page)["games"]
    shown = shown_in(page)
    assert [each["at"] for each in shown["review"]["decisions"]] == [each["moment"] for each in game["decisions"]]
    assert shown["eyes"][0] == "table"
    assert all("open" in each for each in shown["review"]["decisions"])
    reviewed(lost / "1.record", "--html", page, "--for", "ann")
    shown = shown_in(page)
    assert shown["eyes"] == ["ann"]
    assert {shown["players"][each["seat"]] for each in shown["review"]["decisions"]} == {"ann"}
    assert not any("open" in each for each in shown["review"]["decisions"])


def test_the_worst_decisions_lead_to_their_games_and_can_be_asked_again(lost, tmp_path):
    """On a page with links to moments, and a command that ends with the question; people get it at the terminal too."""
    page = tmp_path / "worst.html"
    document = reviewed(lost, "--html", page)
    text = page.read_text()
    links = re.findall(r'<a href="(worst-\d\.html)#(\d+)">(\w+) at \d+</a>', text)
    again = re.findall(r"<code>(croupier replay .*? --sent .*?)</code>", text)
    decisions = {
        (record, each["moment"]): each
        for record, game in ((game["record"], game) for game in document["games"])
        for each in game["decisions"]
    }
    assert 0 < len(links) == len(again) <= 10
    for (file, moment, player), command in zip(links, again, strict=True):
        words = shlex.split(html.unescape(command))
        decision = decisions[words[2], int(moment)]
        shown = next(each for each in shown_in(tmp_path / file)["review"]["decisions"] if each["at"] == int(moment))
        assert (decision["player"], decision["label"]) == (player, shown["label"])
        sent, _ = croupier(*words[1:])
        assert decision["kind"] == "passing" or decision["play"] in sent.splitlines()[-1]
        assert sent.count("(request ") == decision["question"]
    out, _ = croupier("review", lost, "--playouts", "40")
    assert all(f": {html.unescape(command)}" in out for command in again)
    assert "what each player lost by opponent" in out


def test_totals_by_seat_and_by_opponent_add_up(lost):
    """The seats of a player have its games; what each other's losses brought adds up to what all of theirs did."""
    for player in reviewed(lost)["players"]:
        assert [each["games"] for each in player["seats"]] == [1, 1]
        assert sum(each["loss"] for each in player["seats"]) == pytest.approx(2 * player["loss"], abs=1e-3)
        assert {each["games"] for each in player["opponents"].values()} == {2}
        assert len(player["opponents"]) == 3
        brought = sum(each["brought"]["loss"] for each in player["opponents"].values())
        assert brought == pytest.approx(player["others"]["loss"], abs=1e-3)


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
