"""Which level bots are under where not every one works."""

import json
import shlex
import sys
from contextlib import closing

import contests
import needs
import pytest
from click.testing import CliRunner
from tables import misfit

from croupier.server.cli import cli
from croupier.server.games.dominion.game import Dominion
from croupier.server.processes import sandbox
from croupier.server.processes.sandbox import Level, NoSuchLevel, SandboxSettings, bwrap, launch, levels, seccomp
from croupier.server.table.referee import Terms
from croupier.server.table.table import Table
from croupier.server.tournaments.keeping.store import Store
from croupier.server.tournaments.proof.bond import Confinement
from croupier.server.tournaments.report.findings import gather
from croupier.server.tournaments.report.page import page


@pytest.fixture
def no_bwrap(monkeypatch):
    """A machine on which bubblewrap does not work."""
    monkeypatch.setattr(levels, "problem", lambda level: "bwrap is not there" if level is Level.BWRAP else "")


@pytest.mark.usefixtures("no_bwrap")
def test_auto_takes_the_strongest_level_that_works_and_bwrap_refuses():
    """A sentence tells those who left it to us what is missing; those who asked for less know."""
    assert levels.choose_level(SandboxSettings()) is Level.LIMITS
    assert "limits, not under bwrap: bwrap is not there. So a bot can read what you" in levels.shortfall(
        SandboxSettings()
    )
    assert levels.shortfall(SandboxSettings("limits")) == ""
    with pytest.raises(NoSuchLevel, match="bwrap is not there"):
        levels.choose_level(SandboxSettings("bwrap"))


def test_nobody_is_told_of_less_where_bubblewrap_works(monkeypatch):
    """There auto is bwrap."""
    monkeypatch.setattr(levels, "problem", lambda _: "")
    assert levels.shortfall(SandboxSettings()) == ""


def tournament(folder, *words):
    """Play no game of a tournament, by the command; return its standings and what standard error says."""
    runner = CliRunner()
    play = runner.invoke(cli, ["tournament", *words, "--out", str(folder), "--deals", "1"], standalone_mode=False)
    shown = runner.invoke(cli, ["standings", str(folder), "--json"], standalone_mode=False)
    return json.loads(shown.stdout), play.stderr


@pytest.mark.usefixtures("no_bwrap")
def test_a_tournament_says_once_what_is_missing_and_its_table_the_level(tmp_path):
    """Of bundled bots alone nobody has to be warned."""
    mine = shlex.join([sys.executable, str(contests.BOTS / "misfit.py"), "fair"])
    table, said = tournament(tmp_path / "a", "--game", "hearts", mine, "duck", "random", "random")
    assert said.count("bots run under limits, not under bwrap: bwrap is not there.") == 1
    assert table["sandbox"] == ["limits"]
    _, said = tournament(tmp_path / "b", "--game", "hearts", "duck", "random", "random", "random")
    assert "bwrap" not in said


def test_the_table_and_the_report_name_each_level_that_was_taken(tmp_path):
    """In the order of the runs."""
    for number, level in enumerate(["none", "limits", "none"], 1):
        run = contests.contest(
            tmp_path, contests.settings(sandbox=level, deals=number), contests.Here(contests.pretend())
        )
        assert run.sandboxing.level == level
    with closing(Store(tmp_path, new=False)) as store:
        assert Confinement.of(store).lines() == ["sandbox: none, then limits"]
        assert "sandbox: none, then limits" in page(gather(store))


@pytest.mark.skipif(not seccomp.program(), reason="no filter for this architecture")
@pytest.mark.parametrize("level", [Level.LIMITS, Level.BWRAP])
def test_a_level_whose_filter_the_kernel_cannot_have_is_not_offered(level, monkeypatch):
    """Neither asked for nor as the best one; `doctor` says what it finds here."""
    monkeypatch.setattr(levels, "problem", levels.problem.__wrapped__)
    monkeypatch.setattr(levels, "read", lambda path: b"Name:\tpython")
    assert "takes no seccomp filter" in levels.problem(level)
    assert levels.best() is Level.NONE
    with pytest.raises(NoSuchLevel, match="takes no seccomp filter"):
        levels.choose_level(SandboxSettings(level.value))


@pytest.mark.skipif(not seccomp.program(), reason="no filter for this architecture")
async def test_where_the_fence_is_refused_no_bot_is_started(key, tmp_path, monkeypatch):
    """The kernel takes no such filter: nobody is at fault, and nobody plays without it."""
    assert not sandbox.problem(Level.LIMITS)
    monkeypatch.setattr(launch.seccomp, "program", lambda **_: bytes(8))
    async with Table([misfit("fair"), misfit("fair")], tmp_path, sandboxing=SandboxSettings("limits")) as table:
        with pytest.raises(OSError, match="seccomp cannot be set up here, and under limits no bot is started without"):
            await table.play(Dominion, {"turns": 1}, key.deal(1), Terms(time=20))


@needs.BUBBLEWRAP
def test_bubblewrap_is_tried_with_the_filter(monkeypatch):
    """What it cannot have it does not run without."""
    monkeypatch.setattr(bwrap.seccomp, "program", lambda: bytes(8))
    assert "PR_SET_SECCOMP" in bwrap.refusal.__wrapped__(bwrap.isolation())
