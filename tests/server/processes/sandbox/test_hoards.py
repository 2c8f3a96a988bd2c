"""What a bot puts where no folder lists it: unlinked files on the disk, and TCP sockets that nobody reads."""

import os
import sys
from pathlib import Path

import needs
import pytest

from croupier.server.entries import Entry
from croupier.server.processes.host import Host
from croupier.server.processes.sandbox import Level, SandboxSettings, groups, launch

LEVELS = needs.levels(Level.LIMITS, Level.BWRAP)
MIB = 1 << 20

PUT = """
import mmap, os, socket, sys, time
def put(number, size=1 << 20):
    file = os.open(f"hoard-{number}", os.O_RDWR | os.O_CREAT)
    os.unlink(f"hoard-{number}")
    os.write(file, b"x" * size)
    return file
"""
HOARDS = {
    "open": "held = [put(n) for n in range(16)]",
    "one file": "held = put(0, 16 << 20)",
    "in children": "for n in range(16):\n    if os.fork() == 0: held = put(n); time.sleep(600)",
    "never listed": (
        "held = [os.open('.', os.O_TMPFILE | os.O_RDWR) for _ in range(16)]\n"
        "for each in held: os.write(each, b'x' * (1 << 20))"
    ),
    "beside listed ones": "open('listed', 'wb').write(b'x' * (6 << 20)); held = [put(n) for n in range(6)]",
}
MAPPED = """
held = []
for n in range(16):
    file = put(n)
    held.append(mmap.mmap(file, 4096))
    os.close(file)
"""


def why(level, code, folder, memory="512M"):
    """Run code as a bot's; return why it was ended, or what it printed."""
    (folder / "a").mkdir()
    with (
        Host(SandboxSettings(level.value, memory=memory)) as host,
        (folder / "out").open("ab") as out,
        Path(os.devnull).open("rb") as nothing,
    ):
        entry = Entry("a", (sys.executable, "-S", "-E", "-c", code))
        line, group = host.start(entry, folder / "a", nothing.fileno(), out.fileno(), out.fileno())
        assert line.wait(60, "over")
        host.end(line, group)
    return line.why or (folder / "out").read_text()


@pytest.fixture
def small(monkeypatch):
    """Let a bot keep 8 MiB on the disk."""
    monkeypatch.setattr(launch, "FOLDER_BYTES", 8 * MIB)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("hoard", HOARDS.values(), ids=HOARDS)
def test_unlinked_files_count(level, hoard, tmp_path):
    """As long as somebody has them open, they fill the disk."""
    assert why(level, f"{PUT}{hoard}\ntime.sleep(600)", tmp_path) == "it filled its folder with more than 8 MiB"


@pytest.mark.parametrize("level", LEVELS)
def test_descriptors_on_their_way_are_few(level, tmp_path):
    """A file that is open there alone cannot be looked at. Programs pass some, and receive them."""
    sends = (
        "a, b = socket.socketpair()\n"
        "for n in range({}): socket.send_fds(a, [b'x'], [file := put(n, 4096)]); os.close(file)\n"
    )
    said = why(level, f"{PUT}{sends.format(80)}time.sleep(600)", tmp_path)
    assert said == "it left more than 64 descriptors on their way between its processes"
    (tmp_path / "again").mkdir()
    few = f"{PUT}{sends.format(40)}time.sleep(1)\nfor n in range(40): socket.recv_fds(b, 1, 1)\nprint('fine')"
    assert why(level, few, tmp_path / "again") == "fine\n"


@pytest.mark.usefixtures("small")
@pytest.mark.skipif(os.getuid() != 0, reason="only root may follow /proc/PID/map_files")
@pytest.mark.parametrize("level", LEVELS)
def test_unlinked_files_that_are_only_mapped_count(level, tmp_path):
    """A page of each is enough to keep it."""
    said = why(level, f"{PUT}{MAPPED}\ntime.sleep(600)", tmp_path)
    assert said == "it filled its folder with more than 8 MiB"


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("level", LEVELS)
def test_what_is_closed_or_lies_in_memory_does_not_count_as_disk(level, tmp_path):
    """Temporary files come and go, and memory has a bound of its own."""
    code = "for n in range(40): os.close(put(n))\nheld = os.memfd_create('a'); os.write(held, b'x' * (16 << 20))\n"
    assert why(level, f"{PUT}{code}time.sleep(1); print('fine')", tmp_path) == "fine\n"


FLOODS = """
import socket
family, accepts = {family}, {accepts}
listening = socket.create_server(("::1" if family == socket.AF_INET6 else "127.0.0.1", 0), family=family, backlog=100)
held, kept = [], 0
for _ in range(40):
    client = socket.socket(family)
    held += [client]
    client.settimeout(1)
    try:
        client.connect(listening.getsockname()[:2])
    except OSError:
        break
    try:
        if accepts:
            held += [listening.accept()[0]]
            held[-1].setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4 << 20)
        client.setblocking(False)
        for _ in range(100):
            kept += client.send(b"x" * 65536)
    except OSError:
        pass
print(kept >> 20)
"""


@needs.BUBBLEWRAP
@pytest.mark.skipif("memory" not in groups.parents(), reason="no group counts memory here")
@pytest.mark.parametrize(
    ("family", "accepts"),
    [("socket.AF_INET", True), ("socket.AF_INET6", True), ("socket.AF_INET", False)],
    ids=["received", "by the other protocol", "nobody has accepted"],
)
def test_what_lies_in_tcp_sockets_counts(family, accepts, tmp_path):
    """Of the sandbox's own loopback: it takes no more than its part, or the bot is ended for it."""
    said = why(Level.BWRAP, FLOODS.format(family=family, accepts=accepts), tmp_path, memory="64M")
    assert "64 MiB of memory" in said or int(said) <= 64
