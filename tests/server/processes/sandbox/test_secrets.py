"""A hostile bot looks for the deal: what it finds at each level, which docs/trust/sandbox.md promises."""

import ctypes
import os
import random
import socket
import sys
import threading
from contextlib import ExitStack, closing
from pathlib import Path

import contests
import needs
import pytest
from tables import BOTS, errors_of, misfit

from croupier.server import entries
from croupier.server.deals import Key
from croupier.server.games.dominion.game import Dominion
from croupier.server.games.game import Label
from croupier.server.processes import landlock
from croupier.server.processes.sandbox import Level, SandboxSettings, bwrap, levels, seccomp
from croupier.server.table.referee import Terms
from croupier.server.table.table import Table
from croupier.server.tournaments.keeping.store import Store

FENCED = not levels.hardening(Level.LIMITS)["other processes not ended"]
BOUND = "--disable-userns" in bwrap.isolation()
PAGE = Path(__file__).parents[4] / "docs" / "trust" / "sandbox.md"


@pytest.fixture
def listener():
    """Listen on this machine, as a database or a cluster's worker would: at ports, at a name and at a path."""
    with ExitStack() as stack:
        server = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        port = server.getsockname()[1]
        path = Path(f"/tmp/croupier-{port}")
        stack.callback(path.unlink)
        for name in (f"\0croupier-{port}", str(path)):
            named = stack.enter_context(socket.socket(socket.AF_UNIX))
            named.bind(name)
            named.listen()
        answers = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        answers.bind(("127.0.0.1", port))
        threading.Thread(target=answer, args=[answers], daemon=True).start()
        yield port
        answers.sendto(b"", ("127.0.0.1", port))


def answer(datagrams):
    """Send each datagram back until an empty one comes."""
    while (got := datagrams.recvfrom(1))[0]:
        datagrams.sendto(*got)


@pytest.fixture
def keyring():
    """Keep a key with the kernel, as a login does for files or tickets."""
    libc = ctypes.CDLL(None, use_errno=True)
    keyctl, add_key = {"x86_64": (250, 248)}.get(os.uname().machine, (219, 217))
    libc.syscall(keyctl, 1, None)
    libc.syscall(add_key, b"user", b"croupier-secret", b"ticket", 6, -3)


async def found(key, level, listener, folder):
    """Let the spy play against two others; return what it got."""
    home, records, vault = folder / "table", folder / "records", folder / "cup"
    for path in (records / "1.record", vault / "key"):
        path.parent.mkdir()
        path.write_text("(shuffle deal ...)")
    rival = folder / "rival.py"
    rival.write_text("secret = 'strategy'\n")
    left = entries.of_command([sys.executable, "-S", "-E", str(BOTS / "misfit.py"), "fair", str(rival)], "rival")
    seen = [records / "1.record", vault / "key", rival, home / "rival.stderr", Path("/etc/shadow"), Path("/etc/passwd")]
    words = [str(os.getpid()), str(listener), ":".join(map(str, seen))]
    spy = entries.of_command([sys.executable, "-S", "-E", str(BOTS / "spy.py"), *words], "spy")
    sandboxing = SandboxSettings(level.value, hidden=(records,), vault=vault)
    home.mkdir()
    async with Table([left, spy, misfit("fair", name="third")], home, sandboxing=sandboxing) as table:
        result = await table.play(Dominion, {"turns": 4}, key.deal(1), Terms(time=20))
    assert not result.faults, result.faults
    said = (home / "spy.stderr").read_text().splitlines()
    return {key: int(value) for key, value in map(str.split, said)}


NEVER = ("own-environ", "own-keys", "own-descriptors", "own-folder", "early")
"""What no level gives away."""
FENCE = ("memory", "trace", "descriptors", "environ", "bots-memory", "bots-trace", "bots-descriptors")
WALLS = (
    "kernel",
    "processes",
    "network",
    "abstract",
    "path",
    "system",
    "program",
    "file:1.record",
    "file:rival.py",
    "file:rival.stderr",
)


@pytest.mark.usefixtures("keyring")
@pytest.mark.parametrize("level", needs.levels(*Level))
async def test_the_spy_finds_no_more_than_the_page_says(key, level, listener, tmp_path, monkeypatch):
    """Nothing under bwrap; under limits no other process; and never the environment, a descriptor or an early word."""
    monkeypatch.setenv("CROUPIER_SECRET", "the key")
    got = await found(key, level, listener, tmp_path)
    assert [got[name] for name in NEVER] == [0] * len(NEVER)
    if level is Level.BWRAP or (level is Level.LIMITS and FENCED):
        assert {name: got[name] for name in FENCE} == dict.fromkeys(FENCE, 0)
        assert got["signal"] == got["bots-signal"] == got["abstract"] == got["own-groups"] == got["file:key"] == 0
    if level is Level.BWRAP:
        assert {name: got[name] for name in WALLS} == dict.fromkeys(WALLS, 0)
        assert got["file:shadow"] == 0
        assert not (BOUND and got["powers"])
    else:
        assert got["file:1.record"] == 1
        assert got["network"] == (level is Level.NONE or bool(levels.hardening(Level.LIMITS)["no TCP"]))
        assert got["processes"] > 0
        assert got["path"] == 1
    assert not (got["multipath"] and level is not Level.NONE and seccomp.program())
    assert got["datagram"] == (level is Level.NONE or not seccomp.program())
    if level is Level.NONE:
        assert got["signal"] == got["bots-signal"] == got["file:key"] == got["abstract"] == 1
        assert got["bots-memory"] or os.getuid()


@pytest.mark.parametrize("level", needs.levels(Level.LIMITS, Level.BWRAP))
def test_a_bot_of_a_tournament_finds_neither_its_key_nor_who_else_plays(level, tmp_path):
    """Its last words tell what it could read: under bwrap nothing, not even the program of one who sits elsewhere."""
    (tmp_path / "bots").mkdir()
    secrets = {"key": "cup/key", "db": "cup/tournament.db", "rival": "bots/rival", "self": "bots/snitch"}
    looks = "".join(
        f'test -n "$(head -c 1 {tmp_path / path} 2> /dev/null)" && got="$got {name}"\n'
        for name, path in secrets.items()
    )
    for name, script in {"snitch": f"{looks}echo it read:$got >&2\n", "rival": "echo sorry >&2\n"}.items():
        program = tmp_path / "bots" / name
        program.write_text(f"#!/bin/sh\n{script}")
        program.chmod(0o755)
    bots = [contests.bot(name, command=[str(tmp_path / "bots" / name)]) for name in ("snitch", "rival")]
    asked = contests.settings(
        [*bots, {"name": "other", "builtin": "random"}], game="dominion", options={}, deals=1, sandbox=level.value
    )
    assert contests.contest(tmp_path / "cup", asked).complete
    with closing(Store(tmp_path / "cup")) as store:
        faults = [fault for stored in store.games() for _, fault in stored.game.faults]
    told = {fault.why for fault in faults if "it read:" in fault.why}
    hidden = "" if level is Level.BWRAP else "rival " if landlock.version() else "key db rival "
    assert {why.partition("it read: ")[2] for why in told} == {f"{hidden}self"}


def test_no_other_user_can_read_the_deals(tmp_path):
    """The key, the records and the database, where a seed stands, are their owner's alone."""
    contests.contest(tmp_path, contests.settings(deals=1), contests.Here(contests.pretend()))
    for name in ("key", "records", "tournament.db"):
        assert (tmp_path / name).stat().st_mode & 0o077 == 0, name


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
        assert Key.from_seed(str(number)).deal(1).shuffle(Label("deal"), pack) not in deals


@pytest.mark.parametrize("level", needs.levels(Level.LIMITS, Level.BWRAP))
async def test_reading_a_file_leaves_no_note_in_it_under_bubblewrap(level, tmp_path):
    """It moves st_atime, once a day, unless the file is mounted read-only; then what others see of it stays."""
    (note := tmp_path / "bot" / "note").parent.mkdir()
    note.write_text("x")
    (named := note.with_name("named")).touch()  # what a command names the referee reads, too
    long_ago = 1_000_000_000
    os.utime(note, (long_ago, long_ago))
    reads = "import pathlib, sys; sys.stderr.write(pathlib.Path(sys.argv[1]).with_name('note').read_text())"
    assert await errors_of(level, tmp_path / "table", reads, str(named)) == "x"
    if level is Level.BWRAP:
        assert note.stat().st_atime == long_ago
    elif note.stat().st_atime == long_ago:
        pytest.skip("nothing is noted here: noatime")
