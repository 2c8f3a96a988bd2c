"""A connection that asks for nothing is closed, one that waits for an answer is not, and none delays the end."""

import socket
import threading
from contextlib import ExitStack, closing

import pytest
import trio
from games import play_locally
from web_table import at_web_table

from croupier.server.reviewing.review import Review
from croupier.server.web import finished_game, protected_site, serving
from croupier.server.web.protected_site import ProtectedSite
from croupier.server.web.serving import serve_pages

PATIENCE = 60
SHORT = 0.1


@pytest.fixture
def table(monkeypatch):
    """Serve a person's page whose idle connections are closed soon; yield its address."""
    monkeypatch.setattr(serving, "IDLE", SHORT)
    monkeypatch.setattr(protected_site, "IDLE", SHORT)
    with at_web_table("hearts", ["duck"] * 3) as (address, table):
        yield address
    assert not table.failed


def connected(address, data=b""):
    """Open a connection and send a request or the beginning of one, with the site's names in it."""
    host, _, token = address.removeprefix("http://").rstrip("/").partition("/")
    name, _, port = host.partition(":")
    line = socket.create_connection((name, int(port)), timeout=PATIENCE)
    line.sendall(data.replace(b"TOKEN", token.encode()).replace(b"HOST", host.encode()))
    return closing(line)


def read_to_end(line):
    """Return all that comes until the connection is closed."""
    return b"".join(iter(lambda: line.recv(1 << 16), b""))


GET = b"GET /TOKEN/ HTTP/1.1\r\nHost: HOST\r\n\r\n"
POST = b"POST /%b/play HTTP/1.1\r\nHost: HOST\r\nOrigin: http://HOST\r\nContent-Length: 10\r\n\r\n{"
IDLE = {
    "nothing": (b"", b""),
    "half a line": (b"GET /TOK", b""),
    "half a head": (GET[:-2], b""),
    "half a body": (POST % b"TOKEN", b"HTTP/1.1 408"),
    "half a body that is refused": (POST % b"nowhere", b"HTTP/1.1 404"),
    "nothing after an answer": (GET, b"HTTP/1.1 200"),
    "nothing after the preface of HTTP/2": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b""),
}


@pytest.mark.parametrize(("data", "answer"), IDLE.values(), ids=IDLE)
def test_an_idle_connection_is_closed(table, data, answer):
    """Whether nothing was sent, a part of a request, or nothing after an answer."""
    with connected(table, data) as line:
        assert read_to_end(line).startswith(answer)


def test_a_connection_that_waits_for_an_answer_stays_open(table):
    """A stream of events is longer silent than an idle connection may be."""
    with connected(table, b"GET /TOKEN/events HTTP/1.1\r\nHost: HOST\r\n\r\n") as events:
        read = b""
        while b"event: ask" not in read:
            read += events.recv(1 << 16)
        for _ in range(2):
            with connected(table) as idle:
                assert read_to_end(idle) == b""
        events.setblocking(False)
        with pytest.raises(BlockingIOError):
            read_to_end(events)


async def test_a_client_that_does_not_read_delays_no_end():
    """Serving ends though an answer can never be sent."""
    site = ProtectedSite(print)
    sending = trio.Event()

    async def endless():
        sending.set()
        return "x" * (1 << 26)

    site.add("endless", endless)
    with trio.fail_after(PATIENCE), ExitStack() as stack:
        async with serve_pages(site) as address:
            request = b"GET /TOKEN/endless HTTP/1.1\r\nHost: HOST\r\n\r\n"
            stack.enter_context(connected(address, request))
            await sending.wait()


def test_a_closed_page_ends_the_review_that_it_waited_for(monkeypatch):
    """A review that would never end by itself."""
    ended = threading.Event()

    def endless(*_):
        try:
            while True:
                yield Review("hearts", (), (), None)
        finally:
            ended.set()

    monkeypatch.setattr(finished_game, "reviews_so_far", endless)
    monkeypatch.setattr(finished_game, "MOST_SECONDS", 100 * PATIENCE)
    with at_web_table("hearts", ["duck"] * 3) as (address, table):
        table.person.keep(play_locally("hearts", ["duck"] * 4), table.rules)
        with connected(address, b"GET /TOKEN/judging HTTP/1.1\r\nHost: HOST\r\n\r\n") as line:
            while b"event: judged" not in line.recv(1 << 16):
                pass
            assert not ended.is_set()
        assert ended.wait(PATIENCE)
