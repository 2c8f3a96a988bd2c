"""A thousand games a game at 20 ms, on a machine that is busy otherwise: the bot that thinks commits no fault."""

import json
import os
import subprocess
import sys
from contextlib import ExitStack

import pytest
from tests.support.command_line import croupier

from croupier.server import games
from croupier.server.games.recycle import library, load

GAMES = 1000
TABLES = {
    "dominion": ("search --ms 20", "smithy"),
    "hearts": ("search --ms 20", "search --ms 20", "duck", "duck"),
    "skat": ("search --ms 20", "skat-club", "skat-club"),
    "doppelkopf": ("search --ms 20", "doko", "doko", "doko"),
    "jass": ("search --ms 20", "jass", "search --ms 20", "jass"),
    "sedma": ("search --ms 20", "sedma", "search --ms 20", "sedma"),
}
PROGRAMS = {f"recycle:{name}": ("search --ms 20", *("random",) * (load(name).SEATS[0] - 1)) for name in library()}


@pytest.mark.soak
@pytest.mark.parametrize(("game", "bots"), [*TABLES.items(), *PROGRAMS.items()])
def test_it_commits_no_fault_on_a_busy_machine(game, bots):
    """Every core has a process that never rests, and a reply has 200 ms."""
    assert TABLES.keys() == games.BUNDLED.keys()
    with ExitStack() as stack:
        for _ in range(os.cpu_count() or 1):
            busy = stack.enter_context(subprocess.Popen([sys.executable, "-c", "while True: pass"]))
            stack.callback(busy.kill)
        out, _ = croupier("play", game, *bots, "--deals", GAMES, "--time", 200, "--json")
    assert [played["faults"] for played in json.loads(out)["games"]] == [[]] * GAMES
