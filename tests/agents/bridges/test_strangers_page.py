"""The page that measures players of others: its commands for jass-kit are run, a deal each."""

import importlib.util
import json
import re
import shlex
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import croupier

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "reference" / "strangers.md").read_text("utf-8")
COMMANDS = re.findall(r"^(croupier tournament jass .*)$", PAGE, re.MULTILINE)
PORT = "8888"
PATIENT = ("--time", "60000", "--start", "120000")


def installed(library, name):
    """Mark a test that needs a library of others."""
    there = importlib.util.find_spec(library.partition(".")[0]) and importlib.util.find_spec(library)
    return pytest.mark.skipif(not there, reason=f"{name} is not installed here")


@pytest.fixture
def port():
    """The port at which the program of the page serves."""
    (line,) = re.findall(r"^python (examples/bridges/.*)$", PAGE, re.MULTILINE)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    words = [sys.executable, str(ROOT / line), str(port)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert any("Running on" in said for said in process.stdout)
        yield str(port)
        process.terminate()
        process.communicate(timeout=120)


@installed("jass.service", "jass-kit")
def test_the_commands_measure_the_player(port, tmp_path):
    """Without a fault, and the probe finds that it plays at random."""
    assert len(COMMANDS) == 2
    for command in COMMANDS:
        own = command.replace(PORT, port).replace("=croupier", f"={shlex.quote(sys.executable)} -m croupier")
        words = shlex.split(own.replace("--deals 30", "--deals 2"))[1:]
        table = json.loads(croupier(*words, *PATIENT, "--json", cwd=tmp_path)[0])
        players = {player["name"]: player for player in table["players"]}
        assert not any(sum(player["faults"].values()) for player in players.values())
        assert players["kit"]["probe"]["verdict"] == "at random"


@installed("pyspiel", "OpenSpiel")
def test_the_command_measures_openspiel(tmp_path):
    """Over one deal, with fewer simulations, without a fault."""
    (command,) = re.findall(r"^(croupier tournament hearts .*)$", PAGE, re.MULTILINE)
    own = command.replace("=croupier", f"={shlex.quote(sys.executable)} -m croupier").replace("--deals 50", "--deals 1")
    words = shlex.split(own.replace("--simulations 100", "--simulations 2"))[1:]
    table = json.loads(croupier(*words, "--json", cwd=tmp_path)[0])
    assert [sum(player["faults"].values()) for player in table["players"]] == [0, 0]
