"""The grant of the network is bound, and visible to everybody."""

import json
import shlex
import socket
import sys
from contextlib import closing
from pathlib import Path

import needs
import pytest
from click.testing import CliRunner
from contests import FOUR, Here, contest, pretend, settings

from croupier.server.cli import cli
from croupier.server.processes.sandbox import Level
from croupier.server.tournaments.keeping.store import Store
from croupier.server.tournaments.proof.bond import Confinement
from croupier.server.tournaments.proof.rerun import Rerun
from croupier.server.tournaments.report.findings import gather
from croupier.server.tournaments.report.page import page


@pytest.fixture
def store(tmp_path):
    """A tournament in which one bot may use the network, which it gets after a first run without."""
    contest(tmp_path, settings(deals=1), Here(pretend()))
    contest(tmp_path, settings([FOUR[0] | {"network": True}, *FOUR[1:]], deals=1), Here(pretend()))
    with closing(Store(tmp_path, new=False)) as store:
        yield store


def test_the_table_the_report_and_the_manifest_name_who_may_use_the_network(store):
    """It is a grant, so a bot that gets it becomes a new version, with results of its own."""
    granted = [
        {bot["name"] for bot in link.document["bots"] if bot.get("network")} for link in store.chain_state().manifests
    ]
    assert granted == [set(), {"ann-v2"}]
    assert Confinement.of(store).document()["network"] == ["ann-v2"]
    assert "may use the network: ann-v2" in page(gather(store))
    shown = CliRunner().invoke(cli, ["standings", str(store.folder)], standalone_mode=False)
    assert "may use the network: ann-v2\n" in shown.stdout


def test_a_bot_with_the_network_is_not_run_again(store):
    """The folder may be a stranger's, and nobody else has granted it."""
    again = Rerun(store, "auto")
    assert "ann-v2" not in again.runnable.entries
    assert again.bots["ann-v2"].line().startswith("ann-v2: not asked: it may use the network")


def test_at_ones_own_table_it_is_granted_by_name():
    """Repeated for several; who is not there is a wrong call; the JSON and the table say who has it."""

    def play(*words):
        return CliRunner().invoke(cli, ["play", "dominion", "smithy", "random", *words], standalone_mode=False)

    assert json.loads(play("--network", "smithy", "--network", "random", "--json").stdout)["network"] == [
        "smithy",
        "random",
    ]
    assert "may use the network: smithy\n" in play("--network", "smithy").stdout
    assert "may use the network" not in play().stdout
    assert "--network duck: nobody here is called so; they are smithy, random" in str(
        play("--network", "duck").exception
    )


@needs.level(Level.LIMITS)
def test_check_grants_the_network_to_a_bot_that_it_names(tmp_path, monkeypatch):
    """A bot that asks another machine is checked as it would play."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        monkeypatch.chdir(tmp_path)
        Path("asking.py").write_text(
            f"import socket\nsocket.create_connection(('127.0.0.1', {server.getsockname()[1]}))\n"
            "from croupier.agents import Agent, drive\ndrive(Agent())\n"
        )

        def check(*words):
            bot = f"asking={shlex.join([sys.executable, 'asking.py'])}"
            words = ["check", "hearts", bot, *words, "--sandbox", "limits", "--positions", "5", "--json"]
            return CliRunner().invoke(cli, words, standalone_mode=False)

        assert json.loads(check("--network", "asking").stdout)["passed"]
        assert not json.loads(check().stdout)["passed"]
        assert "--network duck: nobody here is called so" in str(check("--network", "duck").exception)
