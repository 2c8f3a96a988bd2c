"""What no browser sends: handshakes, headers, lengths and bodies. Each is refused, and none of them is our bug."""

import socket
from contextlib import closing, suppress

import pytest
from contests import Here, contest, pretend, settings
from web_table import at_web_table, served_meanwhile

from croupier.server.web.protected_site import ProtectedSite
from croupier.server.web.watching import Watching

SHAKES = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {}\r\n"
WEBSOCKET = SHAKES.format("dGhlIHNhbXBsZSBub25jZQ==")


@pytest.fixture(scope="module")
def table():
    """A table at which a person plays, its address, and what has failed behind its site."""
    with at_web_table("hearts", ["duck"] * 3) as (address, table):
        yield address, table.failed


@pytest.fixture(scope="module")
def watched(tmp_path_factory):
    """A tournament that is watched."""
    folder, failed = tmp_path_factory.mktemp("watched") / "cup", []
    contest(folder, settings(deals=1), Here(pretend()))
    watching = Watching(folder, site := ProtectedSite(failed.append))
    with served_meanwhile(site, watching.follow) as address:
        yield address, failed


def answer(address, head, body=b"", host=None, *, ends=False):
    """Send a request as it is, and perhaps nothing after it; return the status and the answer's headers."""
    real, _, own = address.removeprefix("http://").rstrip("/").partition("/")
    name, _, port = real.partition(":")
    head = head.replace("TOKEN", own)
    data = head.replace("\n", f"\nHost: {host or real}\r\nOrigin: http://{real}\r\n", 1).encode("latin-1")
    with closing(socket.create_connection((name, int(port)), timeout=300)) as line:
        with suppress(ConnectionError):  # it need not read on once it has refused
            line.sendall(data + b"\r\n" + body)
        if ends:
            line.shutdown(socket.SHUT_WR)
        got = line.recv(1 << 16)
        with suppress(ConnectionError):
            while not ends and b"\r\n\r\n" not in got and (piece := line.recv(1 << 16)):
                got += piece
    return int(got.split()[1]), got.decode("latin-1").lower()


def posted(address, body, length=None, more="", *, ends=False):
    """Send a body as a play; return the status."""
    head = f"POST /TOKEN/play HTTP/1.1\r\nContent-Length: {len(body) if length is None else length}\r\n{more}"
    return answer(address, head, body, ends=ends)[0]


@pytest.mark.parametrize("which", ["table", "watched"])
@pytest.mark.parametrize("path", ["/TOKEN/", "/TOKEN/events", "/TOKEN/play", "/nowhere", "/"])
@pytest.mark.parametrize("host", [None, "evil.example"])
def test_no_websocket_is_spoken(request, which, path, host):
    """With the token and without it, by whatever name: the answer is sealed as any other."""
    address, failed = request.getfixturevalue(which)
    status, text = answer(address, f"GET {path} HTTP/1.1\r\n{WEBSOCKET}", host=host)
    assert status == 400
    assert "content-security-policy: default-src 'none'" in text
    assert not failed


@pytest.mark.parametrize("shake", [SHAKES.format("x"), SHAKES.format(""), WEBSOCKET.replace("13", "12")])
def test_half_a_handshake_is_refused(table, shake):
    """One without a key, or of another version."""
    assert answer(table[0], f"GET /TOKEN/ HTTP/1.1\r\n{shake}")[0] in range(400, 500)
    assert not table[1]


BODIES = {
    "brackets": b"[" * 20_000,
    "braces": b'{"a":' * 10_000,
    "bytes": b"\0\xff\xfe" * 100,
    "utf-16": '{"ask":1,"play":"0"}'.encode("utf-16"),
    "digits": b'{"ask":1,"play":' + b"1" * 5_000 + b"}",
    "no number": b'{"ask":NaN,"play":1e999}',
    "truths": b'{"ask":true,"play":0}',
    "a list": b"[1,0]",
    "nothing": b"",
    "a form": b"ask=1&play=0",
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
@pytest.mark.parametrize("kind", ["application/json", "application/json; charset=rot13", "multipart/form-data", "x"])
def test_what_is_no_play_is_refused(table, body, kind):
    """Whatever it is called."""
    assert posted(table[0], body, more=f"Content-Type: {kind}\r\n") == 400
    assert not table[1]


@pytest.mark.parametrize(
    ("length", "status"),
    [
        (100, 400),
        (-5, 400),
        ("abc", 400),
        (10**18, 413),
        ("9" * 5_000, 400),
        (70_000, 413),
        ("2\r\nContent-Length: 3", 400),
    ],
)  # fmt: skip
def test_a_wrong_length_is_refused(table, length, status):
    """Longer than what comes, below zero, beyond what is taken, said twice."""
    assert posted(table[0], b"{}", length, ends=length == 100) == status
    assert not table[1]


@pytest.mark.parametrize(
    ("which", "head"),
    [
        ("table", f"GET /TOKEN/ HTTP/1.1\r\nX: {'a' * 300_000}\r\n"),
        ("table", "GET /TOKEN/ HTTP/1.1\r\n" + "X: a\r\n" * 100_000),
        ("table", f"GET /TOKEN/{'a' * 300_000} HTTP/1.1\r\n"),
        ("table", "GET /TOKEN/ HTTP/1.1\r\nX\0y: a\r\n"),
        ("table", "GET /TOKEN/ HTTP/1.1\r\nHost: evil.example\r\n"),
        ("table", "GET /TOKEN/%ff%00%0a HTTP/1.1\r\n"),
        ("table", "GET /TOKEN/\xff HTTP/1.1\r\n"),
        ("table", "BREW /TOKEN/play HTTP/1.1\r\n"),
        ("table", "POST /TOKEN/play HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n"),
        ("table", "CONNECT evil.example:80 HTTP/1.1\r\n"),
        ("watched", f"GET /TOKEN/games/x/{'9' * 5_000} HTTP/1.1\r\n"),
        ("watched", f"GET /TOKEN/games/{'x' * 5_000}/1 HTTP/1.1\r\n"),
        ("watched", "GET /TOKEN/games/..%2f..%2fkey/1 HTTP/1.1\r\n"),
        ("watched", "GET /TOKEN/games/%00/1 HTTP/1.1\r\n"),
    ],
)
def test_what_no_browser_asks_is_refused(request, which, head):
    """Headers without end, addresses that are none, numbers that are too long to be read."""
    address, failed = request.getfixturevalue(which)
    assert answer(address, head)[0] in range(400, 500)
    assert not failed


@pytest.mark.parametrize("last", ["\xb2", "9" * 5_000, "-1", "1e9", ""])
def test_any_last_event_is_taken(table, last):
    """A client that claims to have seen what never was gets the game from its beginning."""
    address, failed = table
    assert answer(address, f"HEAD /TOKEN/events HTTP/1.1\r\nLast-Event-ID: {last}\r\n")[0] == 200
    assert not failed


def test_a_connection_that_fails_ends_alone():
    """A client that hangs up while it is refused ends no table: sometimes two answers were then sent at once."""
    with at_web_table("hearts", ["duck"] * 3) as (address, table):
        for _ in range(60):
            for length in (70_000, 10**18, 100):
                with suppress(ConnectionError, IndexError):
                    posted(address, b"{}", length, ends=True)
        assert answer(address, "GET /TOKEN/ HTTP/1.1\r\n")[0] == 200
        assert not table.failed
