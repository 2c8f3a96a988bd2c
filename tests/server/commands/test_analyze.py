"""``croupier analyze``: one game, two of them, and what may go wrong."""

import contextlib
import json
import os
import re
import shlex
from pathlib import Path
from unittest.mock import patch

import pytest
from command_line import croupier
from contests import Here
from recycle import program

from croupier.server.analysis import run
from croupier.server.tournaments.keeping.store import Store

PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "analyze.md"
KUHN, AGRAM = "recycle:kuhn-poker", "recycle:agram"
FEW = ("--deals", 30, "--thinking", 4, "--worlds", 2, "--searching", 2, "--playouts", 5, "--workers", 1)


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch):
    """Start no worker, which takes longer than these few games: `tests/server/analysis/test_run.py` has them."""
    monkeypatch.setattr(run, "Workers", lambda number: Here(lambda job, stopped: job.play(stopped)))


def analyze(*words, code=0):
    """Return what ``croupier analyze`` prints and says, with few games."""
    return croupier("analyze", *words, *FEW, code=code)


def test_a_game_is_told_in_numbers_and_pictures(tmp_path):
    """Each number with its bounds and what it says; pictures of seats, options, leads and luck."""
    out, _ = analyze("sedma")
    for name in ("length", "order", "sensible-order", "spread", "luck-deal"):
        assert f"│ {name} " in out
    assert (
        "4 players, 30 deals at random, 30 by sedma, 4 thought about in 2 worlds an option, 2 searched with 5 playouts"
        in out
    )
    assert out.count("Wins by seat") == 3
    assert "Options a choice from the first to the last" in out
    assert "Expected place over a game" in out
    assert "What the scores' variance comes from" in out


def test_json_has_the_shape_that_scripts_rely_on():
    """``{"game": ..., "measures": {"order": {"value", "low", "high"}}, "deals": N}`` and the tables beside it."""
    out = json.loads(analyze(KUHN, "--json")[0])
    assert (out["game"], out["deals"], out["thinking"], out["worlds"], out["players"]) == (KUHN, 30, 4, 2, 2)
    order = out["measures"]["order"]
    assert order["low"] <= order["value"] <= order["high"]
    assert (out["searching"], out["playouts"]) == (2, 5)
    assert set(out["tables"]) == {"random", "thinking", "one thinking", "one searching"}
    assert out["tables"]["one thinking"]["games"] == 8
    assert len(out["tables"]["random"]["seats"]) == 2


def test_the_same_seed_gives_the_same_bytes(tmp_path):
    """Printed, as JSON and on the page; another seed gives others."""
    for how in ((), ("--json",)):
        assert analyze(KUHN, *how) == analyze(KUHN, *how) != analyze(KUHN, "--seed", "other", *how)
    pages = []
    for name in ("one.html", "two.html"):
        analyze(KUHN, "--html", tmp_path / name)
        pages.append((tmp_path / name).read_bytes())
    assert pages[0] == pages[1]


def test_two_variants_stand_side_by_side(tmp_path):
    """Called by what differs, with the difference of each number and its bounds; on the page, too."""
    out, _ = analyze(AGRAM, "-o", "single=ask", "--beside", "single=auto", "--html", tmp_path / "both.html")
    assert "Agram (single ask) beside Agram (single auto)" in out
    head = next(line for line in out.splitlines() if "difference" in line)
    assert [cell.strip() for cell in head.split("┃")[2:5]] == [
        "Agram (single ask)",
        "Agram (single auto)",
        "difference",
    ]
    options = next(line for line in out.splitlines() if line.startswith("│ options")).split("│")[4].strip()
    assert options.startswith("+")
    assert options.endswith("*")
    page = (tmp_path / "both.html").read_text()
    assert "<h1>Agram (single ask) beside Agram (single auto)</h1>" in page
    assert "<dt><code>single=auto</code></dt><dd>what is done with a choice of one: " in page


def test_two_games_of_one_title_keep_their_names_apart(tmp_path):
    """Two files in two folders, as the bundled Hearts and that of the library."""
    for folder in ("one", "other"):
        (tmp_path / folder).mkdir()
        more = "(inc (game sto S) 1)" * (folder == "other")
        text = program(f"(choice ((inc ((0 player) sto S) 1) {more}(inc (game sto S) 1)))", "((current player) sto S)")
        (tmp_path / folder / "mine.gdl").write_text(text)
    out, _ = croupier("analyze", "one/mine.gdl", "other/mine.gdl", *FEW, cwd=tmp_path)
    assert "one/mine.gdl beside other/mine.gdl" in out


def test_the_pages_examples_work_as_they_stand_there(tmp_path):
    """With fewer games, for the time's sake."""
    for name in ("mine", "other"):
        text = program(
            f"(choice ((inc ((0 player) sto S) {len(name)}) (inc (game sto S) 1)))", "((current player) sto S)"
        )
        (tmp_path / f"{name}.gdl").write_text(text)
    (examples,) = re.findall(r"```sh\n(.*?)```", PAGE.read_text(), re.DOTALL)
    few = ("--deals", 5, "--thinking", 1, "--searching", 1, "--worlds", 1, "--playouts", 2, "--workers", 1)
    for line in examples.splitlines():
        assert croupier(*shlex.split(line)[1:], *few, cwd=tmp_path)[0], line
    assert (tmp_path / "both.html").exists()
    assert all((tmp_path / "hearts-moon" / side / "tournament.db").exists() for side in "12")


def test_two_games_stand_side_by_side():
    """Programs or native ones, with options that both have."""
    found = json.loads(analyze(KUHN, "recycle:cuckoo", "-o", "single=auto", "--json")[0])
    assert [(each["game"], each["options"]) for each in found["games"]] == [
        (KUHN, {"single": "auto"}), ("recycle:cuckoo", {"single": "auto"}),
    ]  # fmt: skip
    assert found["differences"]["length"]["value"] > 5


def test_the_page_needs_nothing_else(tmp_path):
    """One file with all pictures, and nothing from anywhere."""
    analyze("sedma", "--html", tmp_path / "sedma.html")
    page = (tmp_path / "sedma.html").read_text()
    assert page.startswith("<!DOCTYPE html>")
    for part in ("numbers", "seats", "luck", "leads", "options", "lengths", "scores"):
        assert f'id="{part}"' in page
    assert "http:" not in page.replace("http://www.w3.org/2000/svg", "")
    assert "https:" not in page


def test_who_stops_it_is_told_how_to_go_on(tmp_path):
    """With --out by the same command, to the same as in one go; without that nothing is kept."""
    whole = analyze(KUHN, "--json")
    commit = Store.commit

    def interrupted(self, *what):
        commit(self, *what)
        raise KeyboardInterrupt

    with patch.object(Store, "commit", interrupted):
        said = analyze(KUHN, "--json", "--out", tmp_path / "kept", code=130)[1]
        assert "stopped; the same command continues: croupier analyze recycle:kuhn-poker --json --out" in said
        assert "with --out DIR it could be continued" in analyze(KUHN, code=130)[1]
    with contextlib.closing(Store(tmp_path / "kept" / "1", new=False)) as kept:
        assert kept.counts() == (25, 0)
    assert analyze(KUHN, "--json", "--out", tmp_path / "kept") == whole


def test_when_time_is_up_it_is_told_how_far_it_came(tmp_path):
    """And that this is the machine's doing; the same command goes on to the same as in one go."""
    out, said = analyze(KUHN, "--out", tmp_path, "--minutes", 1e-9)
    assert "2 players, 30 deals at random; with" in out
    assert "time was up after 0 of 4 deals at thinking tables and 0 of 2 at the searching one; the same command" in said
    assert "--thinking 0 --searching 0 is the same everywhere" in said
    assert analyze(KUHN, "--out", tmp_path) == analyze(KUHN)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("bridge",), "there is no game bridge"),
        (("no-such.gdl",), "there is no file no-such.gdl"),
        (("hearts", "-o", "moon=down"), "moon is one of others-up, shooter-down, not down"),
        (("hearts", "--against", "moon=down"), "moon is one of others-up, shooter-down, not down"),
        (("hearts", "jass", "sedma"), "name one game, two of them, or one with -o and --beside"),
        (("hearts", "jass", "--against", "moon=others-up"), "name one game, two of them"),
        (("hearts", "hearts"), "both are the same"),
        (("hearts", "--players", 3), "hearts is played by 4, not by 3"),
        (("hearts", "--ms", 5), "for --playouts or for --ms, not for both"),
        (("hearts", "--html", "/nowhere/at/all.html"), "there is no folder /nowhere/at"),
        (("hearts", "--out", "/dev/null/there"), "Not a directory"),
    ],
)
def test_a_wrong_call_is_refused_in_a_sentence(words, why):
    """Before anything is played."""
    said = analyze(*words, code=2)[1]
    assert why in said
    assert said.count("\n") == 1


def test_a_file_may_be_called_as_it_likes(tmp_path):
    """What would be a color on a terminal, an element on a page or no UTF-8 is its name and no more."""
    (tmp_path / "a[").mkdir()
    names = ["a[/b].gdl", os.fsdecode(b"<b>c<b\xff.gdl")]
    text = program("(choice ((inc ((0 player) sto S) 1) (inc (game sto S) 1)))", "((current player) sto S)")
    for name in names:
        (tmp_path / name).write_text(text)
    out, _ = croupier("analyze", *names, *FEW, "--html", "page.html", cwd=tmp_path)
    assert "B] beside <b>c<b?" in out
    assert "<h1>B] beside &lt;b&gt;c&lt;b?</h1>" in (tmp_path / "page.html").read_text()


def test_a_broken_program_is_refused_with_what_is_broken(tmp_path):
    """A syntax error by its place; one that never ends by the limit."""
    file = tmp_path / "broken.gdl"
    file.write_text("(game (setup (create players 2)")
    assert "2 parentheses are never closed" in analyze(file, code=2)[1]
    file.write_text(program("(stage player (end (== 1 2)) (choice ((inc (game sto S) 1))))"))
    assert "comes to an end: more than 500 choices" in analyze(file, code=2)[1]
    file.write_text(program("(stage player (end (== 1 2)) (do ((inc (game sto S) 1))))"))
    assert "comes to an end: 200 steps of the program without a choice" in analyze(file, code=2)[1]


def test_a_game_for_one_is_refused(tmp_path):
    """There is nobody to be better than."""
    file = tmp_path / "alone.gdl"
    file.write_text(program("(choice ((inc (game sto S) 1)))", players=1))
    assert "is played by one" in analyze(file, code=2)[1]


def test_a_full_disk_is_told_and_what_was_kept_is_safe(tmp_path):
    """The store says what SQLite says; with more room the same command goes on."""
    commit, words = Store.commit, ("analyze", KUHN, "--deals", 300, "--thinking", 0, "--searching", 0, "--workers", 1)

    def full(self, *what):
        self._db.execute("PRAGMA max_page_count = 1")  # what there is stays
        return commit(self, *what)

    with patch.object(Store, "commit", full):
        said = croupier(*words, "--out", tmp_path, code=2)[1]
    assert "database or disk is full; what was kept before is safe" in said
    assert "name another folder" in analyze(AGRAM, "--out", tmp_path, code=2)[1]
    assert croupier(*words, "--out", tmp_path) == croupier(*words)


def test_two_analyses_in_one_folder_are_kept_apart(tmp_path):
    """The second is told that another is at work there."""
    with contextlib.closing(Store(tmp_path / "1")) as store, store.lock():
        assert "another run is at work in" in analyze(KUHN, "--out", tmp_path, code=2)[1]
