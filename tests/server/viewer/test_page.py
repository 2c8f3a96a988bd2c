"""The page of a game: one file that needs nothing else, obeys nobody but its own script, and can be stepped through."""

import base64
import hashlib
import json
import re

import pytest
from click.testing import CliRunner
from games import record_of
from injections import INJECTIONS, injected

from croupier.server.cli import cli
from croupier.server.records.replay import Replay
from croupier.server.viewer import page, page_data
from croupier.server.viewer.page import pack, unpack

NAMES = ("ada", "bob", "cleo", "dan")


@pytest.fixture(scope="module")
def hearts():
    """Film a game of Hearts."""
    return page_data(Replay(record_of("hearts", ["duck"] * 4, names=NAMES)), "hearts.record")


def test_a_page_needs_nothing_from_anywhere(hearts):
    """Its one style and its one script are those that its policy names by their hashes; it is small."""
    text = page(hearts)
    [policy] = re.findall(r'Content-Security-Policy" content="([^"]+)"', text)
    for tag in ("style", "script"):
        [inside] = re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        assert f"{tag}-src 'sha256-{base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()}'" in policy
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    assert not re.search(r"@import|url\(|innerHTML|outerHTML|insertAdjacent|eval\(|document\.write", text)
    assert set(re.findall(r"https?://[^\"' ]+", text)) == {"http://www.w3.org/2000/svg"}
    assert len(text) < 300_000


def test_a_page_holds_its_film(hearts):
    """What is packed is unpacked again."""
    [text] = re.findall(r'<pre id="film" hidden>([A-Za-z0-9+/=]+)</pre>', page(hearts))
    assert unpack(text) == json.loads(json.dumps(hearts))


def test_no_injection_is_markup(hearts):
    """A page is the same except for the title, which is escaped, and the film, which is letters and digits."""
    assert len(INJECTIONS) >= 50
    film_of = re.compile(r'(?<=<pre id="film" hidden>)[A-Za-z0-9+/=]+(?=</pre>)')
    title = re.compile(r"(?<=<title>)[^<>\"']*(?=</title>)")
    bare = [title.sub("", film_of.sub("", page(each))) for each in (hearts, injected(hearts))]
    assert bare[0] == bare[1]


def test_replay_writes_a_page_and_keeps_the_scores_to_itself(tmp_path):
    """--html says where the page is; --for puts into it only what that player knew."""
    record = tmp_path / "game.record"
    record.write_text(record_of("hearts", ["duck"] * 4, names=NAMES))
    out = tmp_path / "game.html"
    done = CliRunner().invoke(cli, ["replay", str(record), "--html", str(out), "--for", "bob"])
    assert (done.exit_code, done.output) == (0, f"{out}\n")
    [text] = re.findall(r'<pre id="film" hidden>(.+?)</pre>', out.read_text())
    assert unpack(text)["eyes"] == ["bob"]


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (
            ["game.record", "--html", "x.html", "--for", "zoe"],
            "nobody here is called zoe; the players: ada, bob, cleo, dan",
        ),
        (["game.record", "game.record", "--html", "x.html"], "a page shows one game; of 2 records name one"),
        (["game.record", "--html", "x.html", "--sent", "ada"], "--html shows a record by itself"),
        (["game.record", "--html", "x.html", "--show"], "--html shows a record by itself"),
        (["game.record", "--for", "ada"], "--for says who looks at the page of --html"),
        (["bad.record", "--html", "x.html"], "bad.record is no record to show: line 1: "),
        (["game.record", "--html", "no/x.html"], "no/x.html: No such file or directory"),
    ],
)
def test_wrong_calls_are_told_so(tmp_path, monkeypatch, words, problem):
    """One sentence, status 2, and no page."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "game.record").write_text(record_of("hearts", ["duck"] * 4, names=NAMES))
    (tmp_path / "bad.record").write_text("(nonsense)\n")
    done = CliRunner().invoke(cli, ["replay", *words])
    assert done.exit_code == 2
    assert problem in done.output
    assert not (tmp_path / "x.html").exists()


def test_packed_is_letters_and_digits():
    """Whatever is packed cannot end the element that it stands in."""
    assert re.fullmatch(r"[A-Za-z0-9+/=]+", pack({"title": "</pre><script>"}))
