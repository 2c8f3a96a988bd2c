"""A build command is a stranger's too: it makes the bot's program, and nothing else."""

import contextlib
import shlex
import socket
import sys
from pathlib import Path

import needs
import pytest

from croupier.server.processes.sandbox import House, Level
from croupier.server.tournaments.building import run_build
from croupier.server.tournaments.config import Bot
from croupier.server.tournaments.store import StoreError

CONNECT = f"{shlex.quote(sys.executable)} -c 'import socket; socket.create_connection((\"127.0.0.1\", {{}}), 2)'"


@pytest.fixture
def desk(tmp_path):
    """Where a tournament is run: two bots' folders, and its own with a key."""
    for folder in ("bots/ann", "bots/ben", "cup"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "bots" / "ben" / "rival").write_text("")
    (tmp_path / "cup" / "key").write_text("secret")
    with contextlib.chdir(tmp_path):
        yield tmp_path


def built(desk, line, level=Level.BWRAP, **more):
    """Build ann's bot with a command line; return what it printed."""
    bot = Bot(name="ann", command=("bots/ann/run",), build=line, **more)
    run_build(bot, desk / "log", House(level.value, vault=desk / "cup"))
    return (desk / "log").read_text()


@needs.BUBBLEWRAP
def test_a_build_makes_a_program_in_the_bots_folder(desk):
    """From where the tournament is run, as its command names it."""
    assert built(desk, "pwd; cd bots/ann && echo '#!/bin/sh' > run && chmod +x run") == f"{desk}\n"
    assert (desk / "bots" / "ann" / "run").stat().st_mode & 0o100


@needs.BUBBLEWRAP
@pytest.mark.parametrize("line", ["echo mine > bots/ben/run", "echo mine > notes", "cat cup/key", "ls bots/ben"])
def test_a_build_finds_and_changes_nothing_else(desk, line):
    """Neither another bot's folder nor the tournament's."""
    with contextlib.suppress(StoreError):
        built(desk, line)
    assert "secret" not in (desk / "log").read_text()
    assert "rival" not in (desk / "log").read_text()
    assert sorted(path.name for path in desk.rglob("*")) == ["ann", "ben", "bots", "cup", "key", "log", "rival"]


@needs.BUBBLEWRAP
def test_a_build_reaches_the_network_only_where_that_is_asked_for(desk):
    """With ``build_network``, as what fetches its parts needs it."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        line = CONNECT.format(server.getsockname()[1])
        with pytest.raises(StoreError):
            built(desk, line)
        assert built(desk, line, build_network=True) == ""


@needs.BUBBLEWRAP
def test_a_build_hides_a_tournament_that_lies_in_the_bots_folder(desk):
    """A program in the very folder of the tournament file, as a beginner has it."""
    bot = Bot(name="ann", command=("./run",), build="ls cup; echo > run")
    run_build(bot, desk / "log", House("bwrap", vault=desk / "cup"))
    assert (desk / "log").read_text() == ""
    assert (desk / "run").exists()


@needs.BUBBLEWRAP
def test_a_build_does_not_get_a_home_to_write_to(tmp_path):
    """Where its program would lie among everything else, that is said."""
    bot = Bot(name="ann", command=(str(Path.home() / "run"),), build="true")
    with pytest.raises(StoreError, match="use another folder"):
        run_build(bot, tmp_path / "log", House("bwrap"))


def test_without_a_sandbox_a_build_runs_as_whoever_runs_it(desk):
    """Which is asked for."""
    built(desk, "echo mine > notes", Level.NONE)
    assert (desk / "notes").exists()
