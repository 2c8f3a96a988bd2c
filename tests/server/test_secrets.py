"""A hostile bot looks for the deal: what it finds at each level, which docs/security.md promises."""

import os
import random
import socket
import sys
from pathlib import Path

import pytest
from tables import BOTS, misfit

from croupier.server import entries, sandbox
from croupier.server.deals import Key
from croupier.server.games.dominion import Dominion
from croupier.server.games.game import Label
from croupier.server.match import Table
from croupier.server.referee import Terms
from croupier.server.sandbox import House, Level, levels

FENCED = not levels.hardening()["other processes out of reach"]
PAGE = Path(__file__).parents[2] / "docs" / "security.md"


def needs(level):
    """Skip where a level does not work."""
    why = sandbox.problem(level)
    return pytest.param(level, marks=pytest.mark.skipif(bool(why), reason=why))


@pytest.fixture
def door():
    """Listen on this machine, as a database or a mail server would: at a port, and at a name."""
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket(socket.AF_UNIX) as named:
        port = server.getsockname()[1]
        named.bind(f"\0croupier-{port}")
        named.listen()
        yield port


async def found(key, level, door, folder):
    """Let the spy play against two others; return what it got."""
    home, records = folder / "table", folder / "records"
    records.mkdir()
    (records / "1.record").write_text("(shuffle deal ...)")
    rival = folder / "rival.py"
    rival.write_text("secret = 'strategy'\n")
    left = entries.of_command([sys.executable, "-S", "-E", str(BOTS / "misfit.py"), "fair", str(rival)], "rival")
    seen = [records / "1.record", rival, home / "rival.stderr", Path("/etc/shadow"), Path("/etc/passwd")]
    words = [str(os.getpid()), str(door), ":".join(map(str, seen))]
    spy = entries.of_command([sys.executable, "-S", "-E", str(BOTS / "spy.py"), *words], "spy")
    house = House(level.value, hidden=(records,))
    home.mkdir()
    async with Table([left, spy, misfit("fair", name="third")], home, house=house) as table:
        result = await table.play(Dominion, {"turns": 4}, key.deal(1), Terms(time=8))
    assert result.faults == [], result.faults
    said = (home / "spy.stderr").read_text().splitlines()
    return {key: int(value) for key, value in map(str.split, said)}


NEVER = ("own-environ", "own-descriptors", "own-folder", "early")
"""What no level gives away."""
FENCE = ("memory", "trace", "descriptors", "environ", "bots-memory", "bots-trace", "bots-descriptors")
WALLS = ("processes", "network", "abstract", "system", "program", "file:1.record", "file:rival.py", "file:rival.stderr")


@pytest.mark.parametrize("level", [needs(level) for level in Level])
async def test_the_spy_finds_no_more_than_the_page_says(key, level, door, tmp_path, monkeypatch):
    """Nothing under bwrap; under limits no other process; and never the environment, a descriptor or an early word."""
    monkeypatch.setenv("CROUPIER_SECRET", "the key")
    got = await found(key, level, door, tmp_path)
    assert [got[name] for name in NEVER] == [0] * len(NEVER)
    if level is Level.BWRAP or (level is Level.LIMITS and FENCED):
        assert {name: got[name] for name in FENCE} == dict.fromkeys(FENCE, 0)
        assert got["signal"] == got["bots-signal"] == got["abstract"] == 0
    if level is Level.BWRAP:
        assert {name: got[name] for name in WALLS} == dict.fromkeys(WALLS, 0)
        assert got["file:shadow"] == 0
    else:
        assert got["file:1.record"] == got["network"] == 1
        assert got["processes"] > 0


def test_no_name_hides_an_expression():
    """A player's name is one symbol, whatever is tried."""
    for name in ("a)(request", "(a)", "a b", "a\n", "t", "nil", "NaN", "table", "-a", "", "a" * 33, "ä", "a;", "0a"):
        assert not entries.good_name(name)


def test_no_deal_follows_from_another():
    """A fresh key is 32 bytes of the system's; its deals are not those of a guessed seed, nor of one another."""
    one, other = Key.fresh(), Key.fresh()
    pack = [f"{suit}{rank}" for suit in "cdhs" for rank in "23456789TJQKA"]
    deals = {key.deal(number).shuffle(Label("deal"), pack) for key in (one, other) for number in range(1, 51)}
    assert len(deals) == 100
    for number in range(1, 51):
        guessed = list(pack)
        random.Random(number).shuffle(guessed)
        assert tuple(guessed) not in deals
        assert Key.seeded(str(number)).deal(1).shuffle(Label("deal"), pack) not in deals
