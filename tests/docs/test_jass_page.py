"""The page on Jass over HTTP: its bot is served, and asked by its table, with what it says of both."""

import json
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import croupier
from mock_jass import plays, serving
from served_jass import request

from croupier.server.web.protected_site import MOST_BYTES

pytest.importorskip("hypercorn", reason="needs the web extra")

PAGE = (Path(__file__).parents[2] / "docs" / "how-to" / "jass-over-http.md").read_text("utf-8")
SERVED, SEATED = [
    shlex.split(line.partition("#")[0])[1:]
    for block in re.findall(r"^```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    for line in block.splitlines()
    if line.startswith("croupier ")
]
ADDRESS = "http://127.0.0.1:8888/jass/players/jass"
PATIENT = ("--time", "60000", "--start", "120000")


@pytest.fixture
def service():
    """The page's service at any free port; its address. Ctrl-C ends it."""
    assert SERVED[-2:] == ["--port", "8888"]
    words = [sys.executable, "-m", "croupier", *SERVED[:-1], "0", *PATIENT, "--json"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        address = json.loads("".join(iter(process.stdout.readline, "}\n")) + "}")["address"]
        assert re.sub(r":\d+/", ":8888/", address) == ADDRESS
        yield address
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=120)


def seated(address):
    """Return the words of the page's table, with a service at this address."""
    assert sum(ADDRESS in word for word in SEATED) == 1
    own = f"{sys.executable} -m croupier bridge"
    return [word.replace(ADDRESS, address).replace("croupier bridge", own) for word in SEATED]


def test_the_bot_of_the_page_is_served_and_seated(service, tmp_path):
    """One command asks the other, for a whole game."""
    assert request(service, "GET") == (200, "jass plays here")
    played = json.loads(croupier(*seated(service), *PATIENT, "--json", cwd=tmp_path)[0])
    assert [(game["outcome"], game["faults"]) for game in played["games"]] == [("finished", [])]


def test_the_errors_of_the_page_are_those_of_the_service(service):
    """A status and a sentence; a body may not be long."""
    status, answer = request(service, "POST", "/action_trump", {"version": "V0.2"})
    assert (status, list(answer)) == (400, ["error"])
    assert request(f"{service}2", "GET")[0] == 404
    assert request(service, "POST", "/game_info", b" " * (MOST_BYTES + 1))[0] == 413


def test_the_tournament_of_the_page_seats_a_service(tmp_path):
    """As the page has it, with three bots beside it."""
    (entry,) = re.findall(r"^```toml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    with serving(plays) as server:
        others = "".join(f'[[bots]]\nname = "{name}"\nbuiltin = "jass"\n' for name in ("ada", "bea", "cleo"))
        own = entry.replace(ADDRESS, server.address).replace('"croupier"', f'"{sys.executable}", "-m", "croupier"')
        terms = 'game = "jass"\ndeals = 1\ntime = 60000\nstart = 120000\n'
        (tmp_path / "cup.toml").write_text(terms + own + others)
        croupier("tournament", "cup.toml", "--out", "cup", "--workers", "1", cwd=tmp_path)
        assert server.requests
    standings = json.loads(croupier("standings", "cup", "--json", cwd=tmp_path)[0])
    assert not any(sum(player["faults"].values()) for player in standings["players"])
