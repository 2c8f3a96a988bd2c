"""`croupier watch`: standings and games of a tournament, told as they come; read-only, and only games that are over."""

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime
from http.client import HTTPConnection
from unittest.mock import patch

import msgspec
import pytest
import trio
from command_line import croupier
from contests import FOUR, bot, contest, settings

from croupier.server import extras
from croupier.server.commands import json_documents
from croupier.server.tournaments.keeping.store import Store
from croupier.server.viewer.page import unpack
from croupier.server.web.protected_site import ProtectedSite
from croupier.server.web.watching import LAST, Watching

HOST = "127.0.0.1:8000"
BOTS = [bot("sloppy", "mixed", 5), *FOUR[1:]]


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Play a tournament without its last deals."""
    folder = tmp_path_factory.mktemp("watch") / "<img src=x onerror=alert(1)>"
    contest(folder, settings(BOTS, deals=2))
    return folder


@pytest.fixture(scope="module")
def later(played):
    """The same tournament when more of it has been played."""
    folder = played.parent / "later"
    shutil.copytree(played, folder)
    contest(folder, settings(BOTS, deals=3))
    return folder


@pytest.fixture
def cup(played, tmp_path):
    folder = tmp_path / played.name
    shutil.copytree(played, folder)
    return folder


def behind(folder):
    """Return a site with the tournament behind it."""
    site = ProtectedSite(lambda problem: pytest.fail(repr(problem)))
    site.open_at(8000)
    return site, Watching(folder, site)


async def come(site, path):
    answer = await site.app.test_client().get(f"/{site.token}/{path}", headers={"Host": HOST})
    return answer.status_code, await answer.get_data(as_text=True), answer.headers


def links(text):
    return re.findall(r'href="(games/[^"]+)"', text)


async def test_the_page_shows_how_it_stands(cup):
    """Everybody is in the standings, the games just played are links, and the page loads nothing from elsewhere."""
    site, _ = behind(cup)
    status, text, headers = await come(site, "")
    assert status == 200
    assert headers["Content-Security-Policy"].startswith("default-src 'none'; script-src 'self'; style-src 'self'")
    for name in ("sloppy", "ben", "cat", "dan"):
        assert f'data-sort="{name}">{name}<' in text
    assert len(links(text)) == len(set(links(text))) == 8
    assert not re.search(r"<script(?! src=\"watch.js\")|style=|\son\w+=\"|https?://(?!www.w3.org)", text)
    for file in ("watch.js", "watch.css", "report.css"):
        assert f'"{file}"' in text
        assert (await come(site, file))[0] == 200
    assert (await come(site, "now"))[1] in text


async def test_the_page_says_when_it_was_looked_at(cup):
    """A page that no longer changes by itself shows how old it is."""
    before = datetime.now(UTC).replace(microsecond=0)
    site, _ = behind(cup)
    [said] = re.findall(r"as of ([\d-]+ [\d:]+ UTC)", (await come(site, ""))[1])
    assert before <= datetime.strptime(said, "%Y-%m-%d %H:%M:%S %Z").replace(tzinfo=UTC) <= datetime.now(UTC)


async def test_what_a_folder_is_called_is_no_markup(cup):
    """Names are hostile text."""
    site, _ = behind(cup)
    for path in ("", "now"):
        text = (await come(site, path))[1]
        assert "<img" not in text
        assert "&lt;img" in text


async def test_each_game_opens_in_the_viewer(cup):
    """The page of a game is the viewer's, runs its own script alone, and is not framed."""
    site, _ = behind(cup)
    for link in links((await come(site, ""))[1]):
        status, text, headers = await come(site, link)
        assert status == 200
        [film] = re.findall(r'<pre id="film" hidden>(.+?)</pre>', text)
        assert unpack(film)["valid"]
        assert "<img" not in text
        policy = headers["Content-Security-Policy"]
        assert re.fullmatch(r".*script-src 'sha256-[^']{44}'.*frame-ancestors 'none'", policy)
        assert policy.partition(";")[0] == "default-src 'none'"


async def test_only_games_that_are_kept_are_shown(cup):
    """Neither a file beside the records nor one that no batch has, nor what a link leads to."""
    site, _ = behind(cup)
    [link, *_] = links((await come(site, ""))[1])
    folder, _, number = link.rpartition("/")
    kept = cup / "records" / folder.removeprefix("games/")
    shutil.copy(kept, cup / "records" / "000009-0123456789ab.records.gz")
    wrong = ["games/000009-0123456789ab.records.gz/1", f"{folder}/999", f"{folder}/0", f"{folder}/-1", "games/key/1"]
    wrong += ["games/..%2fkey/1", "games/%2e%2e/1", "games/tournament.db/1", "tournament.db", "key", "records"]
    for path in wrong:
        assert (await come(site, path))[0] == 404, path
    assert (await come(site, f"{folder}/{number}"))[0] == 200


async def test_what_is_new_is_told_and_shown(cup, later):
    """A page that waits for events is told of each look, and finds there what has been played since."""
    site, watching = behind(cup)
    assert "8 games" in (await come(site, "now"))[1]
    numbers = watching._numbers()
    assert await anext(numbers) == "data: 1\n\n"
    await watching.refresh()  # nothing has changed
    shutil.copytree(later, cup, dirs_exist_ok=True)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(watching.refresh)
        with trio.fail_after(60):
            assert await anext(numbers) == "data: 2\n\n"
    await numbers.aclose()
    after = (await come(site, "now"))[1]
    assert "12 games" in after
    assert 'data-number="2"' in after
    assert 8 < len(links(after)) <= LAST


async def test_the_run_goes_on_and_nothing_is_written(cup):
    """While it is watched the folder stays as it is, and another connection writes without waiting."""
    files = {path: path.read_bytes() for path in cup.rglob("*") if path.is_file()}
    site, watching = behind(cup)
    await come(site, links((await come(site, ""))[1])[0])
    await watching.refresh()
    assert {path: path.read_bytes() for path in cup.rglob("*") if path.is_file()} == files
    store = Store(cup)
    with store.lock(), store.transaction():
        assert (await come(site, ""))[0] == 200
        store.write_fact("watched", value=True)
    store.close()


async def test_what_cannot_be_read_just_now_stays_as_it_was(cup):
    """A page goes on showing what was seen, and looks again later."""
    site, watching = behind(cup)
    database = (cup / "tournament.db").read_bytes()
    (cup / "tournament.db").write_bytes(b"no database at all")
    await watching.refresh()
    assert "8 games" in (await come(site, ""))[1]
    (cup / "tournament.db").write_bytes(database)
    await watching.refresh()
    assert "8 games" in (await come(site, ""))[1]


def test_without_the_extra_one_line_says_what_to_install(cup):
    """No traceback, and a command that installs the libraries themselves: no index has to know croupier."""
    with patch.object(extras, "find_spec", lambda name: None):
        _, errors = croupier("watch", cup, code=2)
    assert errors.count("\n") == 1
    assert f"{shlex.quote(sys.executable)} -m pip install 'quart-trio>=0.12,<1' 'hypercorn[trio]>=0.17,<1'" in errors


def test_what_is_no_tournament_is_said(tmp_path):
    """Before anything is served."""
    _, errors = croupier("watch", tmp_path, code=2)
    assert "is no tournament's folder" in errors


def test_it_is_served_until_it_is_interrupted(cup):
    """The command prints an address that works, from this machine; Ctrl-C ends it in peace, streams of events too."""
    command = [sys.executable, "-m", "croupier", "watch", str(cup), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        said = [process.stdout.readline() for _ in range(4)]
        served = msgspec.json.decode("".join(said), type=json_documents.Address)
        host, _, path = served.address.removeprefix("http://").partition("/")
        assert host.startswith("127.0.0.1:")
        with closing(HTTPConnection(host, timeout=300)) as page, closing(HTTPConnection(host, timeout=60)) as events:
            page.request("GET", f"/{path}")
            answer = page.getresponse()
            assert answer.status == 200
            assert b"sloppy" in answer.read()
            events.request("GET", f"/{path}events")
            stream = events.getresponse()
            assert stream.getheader("Content-Type").startswith("text/event-stream")
            assert stream.readline() == b"data: 1\n"
            os.kill(process.pid, signal.SIGINT)
            assert process.wait(timeout=300) == 0
        assert process.stderr.read() == ""
