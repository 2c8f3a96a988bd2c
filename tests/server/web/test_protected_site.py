"""The site: nobody comes in without the token, by another name, or from another page; every answer is sealed."""

import socket
from contextlib import closing
from http.client import HTTPConnection

import pytest
import trio

from croupier.server.web.protected_site import ProtectedSite
from croupier.server.web.serving import serve_pages

HOST = "127.0.0.1:8000"


@pytest.fixture
def failed():
    return []


@pytest.fixture
def site(failed):
    site = ProtectedSite(failed.append)
    site.open_at(8000)

    async def page(number=0):
        return f"<p>page {number}"

    async def broken():
        raise ValueError("the cards are marked")

    site.add("", page)
    site.add("pages/<int:number>", page)
    site.add("sent", page, ["POST"])
    site.add("broken", broken)
    site.give_out("croupier.server.viewer", "page.js", "page.css")
    return site


async def come(site, path, method="GET", **headers):
    """Ask for what is behind the token."""
    answer = await site.app.test_client().open(
        f"/{site.token}/{path}", method=method, headers={"Host": HOST, **headers}
    )
    return answer.status_code, await answer.get_data(as_text=True), answer.headers


async def test_who_knows_the_token_comes_in(site):
    """The address leads to every page behind it, by the machine's number or its name."""
    assert (await come(site, ""))[:2] == (200, "<p>page 0")
    assert (await come(site, "pages/17", Host="localhost:8000"))[:2] == (200, "<p>page 17")


@pytest.mark.parametrize("path", ["", "pages/1", "TOKEN", "TOKEN!/pages/1", "%ff/pages/1", "/pages/1"])
async def test_without_the_token_there_is_nothing(site, path):
    """A visitor who guesses is not even told which pages there are."""
    wrong = path.replace("TOKEN", site.token[:-1])
    answer = await site.app.test_client().get(f"/{wrong}", headers={"Host": HOST})
    assert answer.status_code == 404
    assert "page" not in await answer.get_data(as_text=True)


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8000", "127.0.0.1", "127.0.0.1:80", "[::1]:8000", ""])
async def test_another_name_is_refused(site, host):
    """A stranger's page whose name leads to this machine reads nothing, even if it knows the token."""
    status, text, _ = await come(site, "pages/1", Host=host)
    assert (status, "page 1" in text) == (421, False)


@pytest.mark.parametrize("origin", [None, "null", "http://evil.example", "https://127.0.0.1:8000"])
async def test_what_another_page_sends_is_refused(site, origin):
    """A form of a stranger's page plays no card here."""
    headers = {} if origin is None else {"Origin": origin}
    assert (await come(site, "sent", "POST", **headers))[0] == 403
    assert (await come(site, "sent", "POST", Origin=f"http://{HOST}"))[:2] == (200, "<p>page 0")


@pytest.mark.parametrize("path", ["", "page.js", "broken", "nowhere", "../secret"])
async def test_every_answer_is_sealed(site, path):
    """Whatever is answered runs no script that stands in it, is not sniffed at, framed, kept, or told of elsewhere."""
    _, _, headers = await come(site, path)
    policy = headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cache-Control"] == "no-store"


async def test_files_are_given_out_with_their_types(site):
    """A script is a script, and only what was named is given out."""
    assert (await come(site, "page.js"))[2]["Content-Type"].startswith("text/javascript")
    assert (await come(site, "page.css"))[2]["Content-Type"].startswith("text/css")
    assert (await come(site, "page.html"))[0] == 404


async def test_a_bug_is_told_here_and_not_there(site, failed):
    """The page says that something failed; what, is for the terminal."""
    status, text, _ = await come(site, "broken")
    assert status == 500
    assert "marked" not in text
    assert "Traceback" not in text
    assert [str(problem) for problem in failed] == ["the cards are marked"]


async def test_two_doors_have_two_tokens(site):
    """What one knows of one page says nothing of another."""
    assert ProtectedSite(print).token != site.token
    assert len(site.token) >= 32


def get(address, path):
    """Ask a real server, as a browser does."""
    host, _, token = address.removeprefix("http://").rstrip("/").partition("/")
    with closing(HTTPConnection(host, timeout=300)) as connection:
        connection.request("GET", f"/{token}/{path}")
        answer = connection.getresponse()
        return answer.status, answer.read().decode()


async def test_it_is_served_on_this_machine_alone(site):
    """The address is one of loopback, and what is behind it is there while it is served and no longer."""
    async with serve_pages(site) as address:
        assert address.startswith("http://127.0.0.1:")
        assert await trio.to_thread.run_sync(get, address, "pages/3") == (200, "<p>page 3")
    with pytest.raises(OSError, match=r"refused|reset"):
        await trio.to_thread.run_sync(get, address, "pages/3")


async def test_a_port_that_is_taken_is_said(site):
    """A port in use is reported in the system's own words."""
    with closing(socket.create_server(("127.0.0.1", 0))) as taken, pytest.raises(OSError, match="in use"):
        async with serve_pages(site, taken.getsockname()[1]):
            pass
