"""Bots run again on what is recorded of them: who would not have played so is named, who plays by chance is not."""

from __future__ import annotations

import json
import shlex
import shutil
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from contests import FOUR, QUICK, Here, bot, contest, pretend, settings

from croupier.server.cli import cli
from croupier.server.processes import sandbox
from croupier.server.processes.sandbox import Level, levels
from croupier.server.tournaments.keeping.packed_games import PackedGames
from croupier.server.tournaments.keeping.store import Store, StoreError
from croupier.server.tournaments.playing import batch
from croupier.server.tournaments.playing.withdrawals import Withdrawals
from croupier.server.tournaments.proof import rerun
from croupier.server.tournaments.proof.rerun import Recorded, Rerun, histories
from croupier.server.tournaments.proof.verify import verify

CHANCE = """import random, sys
for line in sys.stdin:
    if line.startswith("(request"):
        plays = line.partition("(legal (")[2].rstrip(")\\n").split(") (")
        print("(" + (random.choice(plays) if len(plays) > 3 else plays[0]) + ")", flush=True)
"""
# Of few plays it might take the same each time that it is run again.


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    """Do not wait between two runs."""
    monkeypatch.setattr(rerun, "BETWEEN", 0.0)


def run_again(folder, *, valid=True, **how):
    """Run the bots of a folder again, here; without them nothing else is wrong with it, if it is valid.

    They are ours, and run under the strongest level that works.
    """
    crew = Here(lambda job, stopped: job.play(stopped))
    with closing(Store(folder, new=False)) as store:
        assert verify(store).valid is valid
        again = Rerun(store, "auto", crew=lambda: crew, **how)
        again.run()
    return again


def forged(name, other):
    """Have another program play one game under a bot's name; all else, hashes and chain, is as it should be."""

    def play(job, stopped):
        entry = replace(job.entries[name], command=tuple(other["command"]))
        entries, sha256 = {**job.entries, name: entry}, {}
        jobs = [replace(job, games=games) for games in (job.games[:2], job.games[2:3], job.games[3:])]
        jobs[1] = replace(jobs[1], entries=entries, sha256=sha256)
        return PackedGames.join(batch.play(each, stopped) for each in jobs)

    return Here(play)


@pytest.fixture(scope="module")
def honest(tmp_path_factory):
    """Play a set, by bots that are what they say."""
    folder = tmp_path_factory.mktemp("honest") / "cup"
    contest(folder, settings(deals=1))
    return folder


def test_bots_that_answer_as_recorded_are_believed(honest):
    """Every decision of every game, each bot with its number of them."""
    again = run_again(honest)
    assert not again.problems
    assert again.has_compared
    counted = [
        (found.name, found.word.value, found.games, found.decisions, found.agreed) for found in again.bots.values()
    ]
    assert counted == [(name, "agrees", 4, 52, 52) for name in ("ann", "ben", "cat", "dan")]
    assert again.bots["ann"].line() == "ann: 52 of 52 decisions in 4 games answered as recorded"


@pytest.mark.parametrize(
    ("other", "recorded"), [(bot("x", "last"), "(play "), (bot("x", "first", 1), "the fault unknown")]
)
def test_plays_that_a_bot_would_not_have_made_are_found_though_all_is_hashed(tmp_path, other, recorded):
    """Another program's game, or a fault that never was: nothing else in the folder tells."""
    contest(tmp_path, settings(deals=1), forged("ann", other))
    again = run_again(tmp_path)
    (problem,) = again.problems
    first = again.bots["ann"].first
    assert problem.game == f"game 3, deal {first.deal}"
    assert first.recorded.startswith(recorded)
    assert first.now.startswith("(play ")
    assert f"the record has {first.recorded}" in problem.why
    assert {name: found.word.value for name, found in again.bots.items()} == {
        "ann": "differs", "ben": "agrees", "cat": "agrees", "dan": "agrees",
    }  # fmt: skip
    shown = CliRunner().invoke(cli, shlex.split(first.look)[1:], standalone_mode=False).stdout.splitlines()
    assert shown[-1].startswith("(request ")


def test_who_plays_by_chance_is_named_and_not_accused(tmp_path):
    """Run twice on the same, it answers differently each time."""
    path = tmp_path / "chance.py"
    path.write_text(CHANCE)
    chance = {"name": "ann", "command": [sys.executable, "-S", "-E", str(path)]}
    contest(tmp_path / "cup", settings([chance, *FOUR[1:]], deals=1))
    again = run_again(tmp_path / "cup")
    assert again.problems == []
    assert again.bots["ann"].word.value == "not deterministic"
    assert "nothing is proved" in again.bots["ann"].line()
    assert again.bots["ben"].word.value == "agrees"


def test_who_remembers_earlier_games_is_asked_them_first(tmp_path, monkeypatch):
    """A game is drawn from the middle of what one process played."""
    chance = {"name": "ann", "builtin": "random"}
    contest(tmp_path, settings([chance, *FOUR[1:]], deals=2))
    monkeypatch.setattr(rerun.random.SystemRandom, "sample", lambda self, games, number: [games[1]])
    again = run_again(tmp_path, most=1)
    assert again.problems == []
    assert [found.word.value for found in again.bots.values()] == ["agrees"] * 4
    assert [found.games for found in again.bots.values()] == [1] * 4


def test_another_version_is_not_asked_and_that_is_said(tmp_path):
    """Its files have another hash than the manifest's; who has gone cannot be started."""
    path = Path(shutil.copy(QUICK, tmp_path))
    mine = bot("ann", program=path)
    contest(tmp_path / "cup", settings([mine, *FOUR[1:]], deals=1))
    with path.open("ab") as file:
        file.write(b"\n")
    again = run_again(tmp_path / "cup")
    assert again.problems == []
    assert "its files here are another version" in again.bots["ann"].line()
    assert "stays open" in again.bots["ann"].line()
    assert again.bots["ben"].agreed == 52
    path.unlink()
    with closing(Store(tmp_path / "cup", new=False)) as store:
        assert "it cannot be started here" in Rerun(store, "auto").bots["ann"].line()


def test_who_had_been_withdrawn_is_not_asked(tmp_path):
    """The record has a fault where nobody was there any more."""
    gone = Withdrawals(0.5)
    for _ in range(10):
        gone.note(["ann"], [0])
    contest(tmp_path, settings(deals=1), Here(lambda job, _: batch.play(replace(job, absent=gone.absent(["ann"])))))
    again = run_again(tmp_path, valid=False)  # no faults have earned it
    assert again.problems == []
    assert again.bots["ann"].line().startswith("ann: not asked: ")
    assert again.bots["ben"].agreed == 52


@pytest.mark.parametrize("why", ["", "bwrap is not there"])
@pytest.mark.parametrize("played", ["none", "limits", "auto"])
def test_a_folder_does_not_decide_that_its_programs_read_what_its_reader_can(played, why, tmp_path, monkeypatch):
    """They run under bwrap or, where that does not work, when less is asked for: a stranger wrote the database."""
    contest(tmp_path, settings(deals=1, sandbox=played))
    monkeypatch.setattr(levels, "problem", lambda level: why if level is Level.BWRAP else "")
    monkeypatch.setattr(sandbox, "problem", levels.problem)
    monkeypatch.setattr(levels.bwrap, "needed_folder", lambda folders: None)
    with closing(Store(tmp_path, new=False)) as store:
        if why:
            with pytest.raises(StoreError, match=r"bwrap is not there; .* say --sandbox limits"):
                Rerun(store)
        else:
            assert Rerun(store).sandboxing.level == "bwrap"
        assert Rerun(store, "limits").sandboxing.level == "limits"


@pytest.mark.parametrize(("env", "level"), [({}, "auto"), ({"PYTHONPATH": "/tmp/theirs"}, "bwrap")])
def test_a_bundled_bot_with_a_strangers_environment_is_a_strangers(env, level, tmp_path, monkeypatch):
    """It can be told there to load any code."""
    bots = [{"name": name, "builtin": "random", "env": env} for name in "abcd"]
    contest(tmp_path, settings(bots, deals=1), Here(pretend()))
    monkeypatch.setattr(sandbox, "problem", lambda level: "")
    monkeypatch.setattr(sandbox, "choose_level", lambda sandboxing: sandboxing)
    with closing(Store(tmp_path, new=False)) as store:
        assert Rerun(store).sandboxing.level == level


def test_histories_are_what_a_process_had_in_order():
    """No deal twice; tables beside each other have a process each."""
    ab, ba = ("a", "b"), ("b", "a")

    def games(*played):
        return [Recorded(seating, deal, ab, "file", place) for place, (seating, deal) in enumerate(played)]

    one_after_another = games((ab, 1), (ab, 2), (ba, 2), (ba, 1))
    assert list(histories(one_after_another)) == [tuple(one_after_another[:2]), tuple(one_after_another[2:])]
    cut_short = games((ab, 1), (ab, 2), (ba, 2))
    assert list(histories(cut_short)) == [tuple(cut_short[:2]), tuple(cut_short[2:])]
    beside = games((ab, 1), (ba, 1), (ba, 2), (ab, 2))
    assert list(histories(beside)) == [(beside[0], beside[2]), (beside[1], beside[3])]


def test_the_command_says_it_all(honest, monkeypatch):
    """The bots, a document with them, the status; options of a rerun without one are a wrong call."""
    monkeypatch.setattr(rerun, "Workers", lambda _: Here(lambda job, stopped: job.play(stopped)))

    def said(*words):
        return CliRunner().invoke(cli, ["verify", str(honest), *words], standalone_mode=False)

    again = ("--replay-bots", "--sandbox", "auto")
    shown = said(*again)
    assert shown.return_value == 0
    assert "ben: 52 of 52 decisions in 4 games answered as recorded" in shown.stdout
    document = json.loads(said(*again, "--games", "2", "--json").stdout)
    assert document["valid"]
    assert [found["decisions"] for found in document["bots"]] == [26] * 4
    assert "bots" not in json.loads(said("--json").stdout)
    assert "--games goes with --replay-bots" in str(said("--games", "2").exception)
