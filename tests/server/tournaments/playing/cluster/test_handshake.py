"""Which workers play: those that agree with this machine; the others are refused by name before a game is played."""

import json
import os
import platform
import subprocess
import sys

import contests
import needs
import pytest
from contests import FOUR, document, settings
from dask_cluster import Dask, copied

from croupier.server import entries, games
from croupier.server.games.hearts.game import Hearts
from croupier.server.processes import landlock, sandbox
from croupier.server.processes.sandbox import SandboxSettings, groups, seccomp
from croupier.server.tournaments.entering.fingerprint import fingerprint
from croupier.server.tournaments.playing.cluster import bot_files, handshake
from croupier.server.tournaments.playing.cluster.handshake import Needs, greet
from croupier.server.tournaments.playing.run import Run

pytest.importorskip("distributed", reason="needs the cluster extra")

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture
def dask(tmp_path):
    """Start a scheduler without any worker."""
    (tmp_path / "dask").mkdir()
    with Dask(tmp_path / "dask") as dask:
        yield dask


def other_rules(place):
    """Copy croupier with Hearts scored otherwise."""
    env = copied(place)
    rules = place / "croupier" / "server" / "games" / "hearts" / "cards.py"
    rules.write_text(rules.read_text().replace("13 if", "12 if"))
    return env


def older(place):
    """Copy croupier as it was before there was a handshake."""
    env = copied(place)
    for path in (place / "croupier" / "server" / "tournaments" / "playing" / "cluster").iterdir():
        path.unlink()
    return env


def events(folder):
    """Read the events of a tournament's folder."""
    return [json.loads(line) for line in (folder / "events.jsonl").read_text().splitlines()]


def test_workers_that_differ_are_refused_by_name_and_the_others_play(tmp_path, dask):
    """Other rules and an older croupier play nothing; the table is the one of a run at home."""
    dask.start("odd", **other_rules(tmp_path / "odd"))
    dask.start("old", **older(tmp_path / "old"))
    dask.work("good")
    dask.wait(["odd", "old"])
    said = []
    asked = settings(cluster=dask.address)
    run = Run(asked, games.find("hearts"), tmp_path / "there", say=said.extend)
    assert run.play()
    refused = [line for line in said if "does not play" in line]
    assert len(refused) == 2
    assert any(line.startswith("worker odd (tcp://") and "has another croupier" in line for line in refused)
    assert any(line.startswith("worker old (tcp://") and "one of another version" in line for line in refused)
    noted = {event["machine"]: event["why"] for event in events(tmp_path / "there") if event["event"] == "refused"}
    assert noted.keys() == {"odd", "old"}
    assert "has another croupier" in noted["odd"]
    contests.contest(tmp_path / "here", settings())
    assert document(tmp_path / "there") == document(tmp_path / "here")
    machines = [event["machines"] for event in events(tmp_path / "there") if event["event"] == "batch"]
    assert machines
    assert all(each.keys() == {"good"} for each in machines)


def test_without_a_worker_that_agrees_nothing_is_played(tmp_path, dask):
    """One sentence, and an empty folder."""
    dask.work("odd", **other_rules(tmp_path / "odd"))
    run = Run(settings(cluster=dask.address), games.find("hearts"), tmp_path / "cup")
    with pytest.raises(ConnectionError, match=r"no worker of tcp://.* is left to play"):
        run.play()
    assert run.store.counts()[0] == 0
    run.store.close()


def test_a_worker_that_joins_later_is_greeted_and_used(tmp_path, dask):
    """A run that began with one worker plays with two; and one that differs is refused then, too."""
    dask.work("first")
    said = []

    def join(progress):
        if progress.fresh and "second" not in dask.processes:
            dask.start("odd", **other_rules(tmp_path / "odd"))
            dask.work("second")
            dask.wait(["odd"])

    asked = settings(deals=40, cluster=dask.address, batch=2)
    run = Run(asked, games.find("hearts"), tmp_path / "there", tell=join, say=said.extend)
    assert run.play()
    machines = {name for event in events(tmp_path / "there") for name in event.get("machines", ())}
    assert machines == {"first", "second"}
    assert [line for line in said if line.startswith("worker odd")]


SCRIPT = """#!/bin/sh
exec "$1" -S -E "$2" first
"""


@needs.BUBBLEWRAP
def test_a_worker_that_lacks_the_bots_is_sent_them(tmp_path, dask):
    """Of a folder that the worker's machine does not have: a script that is started, and a program that it names."""
    home = tmp_path / "bots"
    home.mkdir()
    (home / "quick.py").write_bytes(contests.QUICK.read_bytes())
    (home / "start").write_text(SCRIPT)
    (home / "start").chmod(0o755)
    bots = [{"name": "ann", "command": [str(home / "start"), sys.executable, str(home / "quick.py")]}, *FOUR[1:]]
    hidden = ("bwrap", "--dev-bind", "/", "/", "--tmpfs", str(home), "--die-with-parent")
    dask.work("far", before=hidden)
    said = []
    asked = settings(bots, cluster=dask.address, sandbox="limits")
    assert Run(asked, games.find("hearts"), tmp_path / "there", say=said.extend).play()
    assert any(line.startswith("sent ann (2 files, ") for line in said)
    contests.contest(tmp_path / "here", settings(bots, sandbox="limits"))
    assert document(tmp_path / "there") == document(tmp_path / "here")
    assert '"event": "fault"' not in (tmp_path / "there" / "events.jsonl").read_text()
    assert not list((tmp_path / "dask").rglob("croupier-*"))


@needs.BUBBLEWRAP
def test_a_worker_without_bubblewrap_is_refused_by_name(tmp_path, dask):
    """Bots of strangers do not run there under less."""
    (tmp_path / "empty").mkdir()
    dask.work("bare", PATH=str(tmp_path / "empty"))
    said = []
    run = Run(settings(cluster=dask.address, sandbox="bwrap"), games.find("hearts"), tmp_path / "cup", say=said.extend)
    with pytest.raises(ConnectionError, match="is left to play"):
        run.play()
    run.store.close()
    assert [line for line in said if line.startswith("worker bare") and "bwrap is not installed" in line]


@needs.BUBBLEWRAP
@pytest.mark.skipif(not groups.parents(), reason="no control groups can be made here")
def test_a_worker_with_a_weaker_sandbox_is_refused_by_name(tmp_path, dask):
    """Of the same level, on a machine on which no control groups can be made."""
    dask.work("weak", before=("bwrap", "--dev-bind", "/", "/", "--tmpfs", "/sys/fs/cgroup", "--die-with-parent"))
    said = []
    asked = settings(cluster=dask.address, sandbox="limits")
    run = Run(asked, games.find("hearts"), tmp_path / "cup", say=said.extend)
    with pytest.raises(ConnectionError, match="is left to play"):
        run.play()
    assert run.store.counts()[0] == 0
    run.store.close()
    (line,) = [line for line in said if line.startswith("worker weak (tcp://")]
    assert "memory counted by the kernel (no control group can be made" in line


def test_an_installed_copy_is_the_same_code(tmp_path):
    """Wherever its files lie, links of an editable install or not; a rule that differs is not."""
    ask = (
        "from croupier.server.tournaments.playing.cluster import handshake; print(handshake.__file__, handshake.code())"
    )
    for make, same in ((copied, True), (other_rules, False)):
        env = make(tmp_path / make.__name__)
        done = subprocess.run(
            [sys.executable, "-c", ask], env=os.environ | env, capture_output=True, text=True, check=True
        )
        file, code = done.stdout.split()
        assert file.startswith(str(tmp_path))
        assert (code == handshake.code()) is same


def demand(game="hearts", rules="", level="none"):
    """Return what a run needs of a machine, with one bot."""
    entry = entries.of_command([sys.executable, str(contests.QUICK), "first"], "ann")
    return Needs(SandboxSettings(level), game, rules, {"ann": entry}, {"ann": fingerprint(entry)})


def answers(**other):
    """Return a worker's answers: this machine's own, except for some."""

    def ask(workers, question, *words):
        said = other[question.__name__] if question.__name__ in other else question(*words)
        return {} if said is None else dict.fromkeys(workers, said)

    return ask


@pytest.mark.parametrize(
    ("other", "why"),
    [
        ({"python_version": "3.11.99"}, f"has Python 3.11.99, not {platform.python_version()}"),
        ({"code": ModuleNotFoundError("croupier")}, "has no croupier, or one of another version"),
        ({"code": "0" * 64}, "has another croupier: its SHA-256 begins with 00000000"),
        ({"problem": "has other rules of hearts"}, "has other rules"),
        ({"settle": ValueError("odd")}, "failed when it was asked"),
        ({"settle": ["ann"], "take_in": "cannot have a bot's files: full"}, "cannot have a bot's files: full"),
    ],
)
def test_what_differs_is_said(other, why):
    """Each reason is one that a person can act on."""
    agree, refused = greet(answers(**other), demand(), {"w"}, print)
    assert not agree
    assert why in refused["w"]


@pytest.mark.parametrize("question", ["python_version", "code", "problem", "settle"])
def test_a_worker_that_does_not_answer_neither_agrees_nor_differs(question):
    """It may have gone; it is asked again."""
    assert greet(answers(**{question: None}), demand(), {"w"}, print) == (set(), {})


def test_a_worker_that_agrees_plays():
    """This very machine does."""
    needed = demand()
    assert greet(answers(), needed, {"w"}, print) == ({"w"}, {})
    bot_files.leave(needed.run)


def test_rules_of_a_package_are_compared(tmp_path, monkeypatch):
    """They are hashed with all that lies in the package, wherever it is installed."""
    for name in ("one", "two"):
        (tmp_path / name / "rummy").mkdir(parents=True)
        (tmp_path / name / "rummy" / "__init__.py").write_text("")
        (tmp_path / name / "rummy" / "table.json").write_text(name)
    rules = type("Rummy", (Hearts,), {"__module__": "rummy", "NAME": "rummy"})
    found = []
    for name in ("one", "two"):
        with monkeypatch.context() as here:
            here.syspath_prepend(tmp_path / name)
            found.append(handshake.rules_hash(rules))
            here.setattr(games, "find", lambda word: rules)
            assert handshake.problem(demand("rummy", found[-1])) == ""
            assert "has other rules of rummy" in handshake.problem(demand("rummy", "0" * 64))
    assert len({*found}) == 2
    assert handshake.rules_hash(Hearts) == ""


WEAKER = {
    "nothing written outside its folder": (landlock, "version", 0),
    "memory counted by the kernel": (groups, "parents", {}),
    "system calls filtered": (seccomp, "program", b""),
}
"""What a sandbox lacks, and what is not there then."""


@pytest.mark.parametrize("what", WEAKER)
def test_a_weaker_sandbox_of_the_same_level_is_said(what, monkeypatch):
    """What the system lends to it there is less than here; that it lends more is no reason."""
    module, name, nothing = WEAKER[what]
    here = Needs.of(Hearts, "hearts", SandboxSettings("limits"), {}, {})
    if what not in here.lent:
        pytest.skip(f"this machine lacks it too: {what}")
    with monkeypatch.context() as there:
        there.setattr(module, name, lambda **_: nothing)
        said = handshake.problem(here)
        less = Needs.of(Hearts, "hearts", SandboxSettings("limits"), {}, {})
    assert said.startswith("has a weaker sandbox limits than this machine; it lacks: ")
    assert f"{what} (" in said
    assert handshake.problem(here) == handshake.problem(less) == ""


def test_a_game_and_a_level_that_are_missing_are_said():
    """As on any machine."""
    assert "there is no game bezique" in handshake.problem(demand("bezique", "0" * 64))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sandbox.levels, "problem", lambda level: "bwrap is not installed")
        assert "bwrap is not installed" in handshake.problem(demand(level="bwrap"))
