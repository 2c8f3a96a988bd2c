"""The report: one page, complete, readable anywhere, and safe to open."""

from __future__ import annotations

import json
import re
import shutil
import struct
import subprocess
import zlib
from html.parser import HTMLParser

import pytest
from click.testing import CliRunner
from contests import FOUR, Here, bot, contest, settings

from croupier.server.cli import cli
from croupier.server.tournaments.report import gather, page
from croupier.server.tournaments.report.drawing import Scale, interval, number, tag
from croupier.server.tournaments.report.findings import Exchange
from croupier.server.tournaments.statistics.intervals import Interval
from croupier.server.tournaments.store import Store, StoreError

PARTS = ["standings", "cross", "convergence", "scores", "seats", "thinking", "faults"]
BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@pytest.fixture(scope="module")
def cup(tmp_path_factory):
    """Play a tournament in which one bot faults now and then."""
    folder = tmp_path_factory.mktemp("report") / "cup"
    sloppy = bot("sloppy", "mixed", 5)
    contest(folder, settings([sloppy, *FOUR[1:]], deals=12))
    return folder


def findings(folder, own=None):
    """Gather a folder's findings."""
    store = Store(folder, new=False)
    found = gather(store, own)
    store.close()
    return found


class Page(HTMLParser):
    """A page's tags, which must be balanced, and its text."""

    VOID = frozenset({"meta", "link", "br"})

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.ids, self.text, self.links = [], [], [], [], []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, name, attributes):
        self.tags.append(name)
        self.ids += [value for key, value in attributes if key == "id"]
        self.links += [value for key, value in attributes if key in {"href", "src", "action", "data", "xlink:href"}]
        if name not in self.VOID:
            self.open.append(name)

    def handle_endtag(self, name):
        assert self.open.pop() == name

    def handle_data(self, text):
        self.text.append(text)


def test_a_report_has_all_its_parts(cup):
    """Standings, cross table, convergence, scores, seats, thinking times and faults, balanced to the last tag."""
    read = Page(page(findings(cup)))
    assert read.ids == PARTS
    assert "sloppy" in "".join(read.text)


def test_a_report_needs_nothing_from_anywhere(cup):
    """No script, no link but data: it can be mailed, kept, and opened without a network."""
    text = page(findings(cup))
    read = Page(text)
    assert "script" not in read.tags
    assert all(link.startswith("data:") for link in read.links)
    assert not re.search(r"@import|url\(|https?://(?!www\.w3\.org/2000/svg)", text)
    assert "default-src 'none'" in text


def test_a_report_is_the_same_whenever_it_is_written(cup):
    """The same folder gives the same bytes."""
    assert page(findings(cup)) == page(findings(cup))


def test_faults_are_shown_with_their_exchange(cup):
    """What was asked, what came, and how to see it again."""
    found = findings(cup)
    assert found.exchanges
    assert all(exchange.received == "(nonsense)" and exchange.asked for exchange in found.exchanges)
    text = page(found)
    assert "(nonsense)" in text
    place = found.exchanges[0].place
    assert f"croupier replay {place} --show" in text
    result = CliRunner().invoke(cli, ["replay", str(cup / place)], standalone_mode=False)
    assert result.return_value == 0


def test_an_author_sees_his_own_faults_only(cup):
    """--for NAME shows that bot's faults and nobody else's."""
    assert all(exchange.name == "sloppy" for exchange in findings(cup, "sloppy").exchanges)
    text = page(findings(cup, "ben"))
    assert "ben committed no faults" in text
    assert "(nonsense)" not in text
    with pytest.raises(StoreError, match="nobody here is called zoe; the entries: "):
        findings(cup, "zoe")


def test_whatever_a_program_wrote_is_escaped(cup):
    """A bot's bytes are shown, never run."""
    found = findings(cup)
    evil = Exchange("sloppy", "malformed", "<b>why</b>", "(request &)", "<script>alert(1)</script>\x00", 1, "x:1")
    text = page(type(found)(**{**vars(found), "exchanges": [evil]}))
    assert "<script>" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;\\x00" in text
    assert "&lt;b&gt;why" in text


def test_attributes_are_escaped():
    """A quotation mark does not end an attribute."""
    assert tag("i", title='"><script>') == '<i title="&quot;&gt;&lt;script&gt;"></i>'


def test_numbers_are_written_for_people():
    """True minus signs, thousands apart, and no minus nought."""
    written = [number(-1.5, 1), number(12345, 0), number(-0.001), number(None)]
    assert written == ["\u22121.5", "12,345", "0.00", "\u2013"]
    assert interval(Interval(-2.0, -2.5, -1.5, 9), 1, "+") == "\u22122.0 ± 0.5"


@pytest.mark.parametrize("values", [[0], [1, 1], [-5, 1000], [0.001, 0.002], [None, 3.0]])
def test_a_scale_holds_its_values_and_some_ticks(values):
    """Whatever the numbers, they lie on the paper."""
    scale = Scale.around(values)
    assert all(0 < scale.at(value) < 100 for value in values if value is not None)
    assert 2 <= len(scale.ticks()) <= 12


def empty(job, stopped):
    """Play nothing."""
    return []


def test_a_tournament_without_games_has_a_report(tmp_path):
    """There may be nothing to show yet."""
    contest(tmp_path, settings(), Here(empty))
    assert "Nothing has been decided yet" in page(findings(tmp_path))


def picture(path):
    """Return the width, height and number of different rows of a PNG of eight bits a channel."""
    content = path.read_bytes()
    width, height, _, colour = struct.unpack(">IIBB", content[16:26])
    data, at = b"", 8
    while at < len(content):
        (size,) = struct.unpack(">I", content[at : at + 4])
        if content[at + 4 : at + 8] == b"IDAT":
            data += content[at + 8 : at + 8 + size]
        at += size + 12
    raw, row = zlib.decompress(data), 1 + width * {2: 3, 6: 4}[colour]
    return width, height, len({raw[start : start + row] for start in range(0, len(raw), row)})


@pytest.mark.skipif(BROWSER is None, reason="no browser is installed")
@pytest.mark.parametrize("width", [390, 1100])
def test_a_browser_draws_it(cup, tmp_path, width):
    """A real browser opens the page, on a phone's width too, and draws more than a blank sheet."""
    (tmp_path / "report.html").write_text(page(findings(cup)), encoding="utf-8")
    program = [BROWSER, "--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}"]
    shot = [f"--window-size={width},1600", f"--screenshot={tmp_path / 'shot.png'}", f"file://{tmp_path}/report.html"]
    try:
        subprocess.run([*program, *shot], capture_output=True, timeout=120, check=True)
    except (subprocess.SubprocessError, OSError) as problem:
        pytest.skip(f"the browser does not run here: {problem}")
    _, height, rows = picture(tmp_path / "shot.png")
    assert height == 1600
    assert rows > 200


def test_the_command_writes_it(cup, tmp_path):
    """``report`` says where the page is; a stranger's name is a wrong call."""
    runner = CliRunner()
    out = tmp_path / "page.html"
    result = runner.invoke(cli, ["report", str(cup), "--out", str(out), "--json"], standalone_mode=False)
    assert json.loads(result.stdout) == {"report": str(out)}
    assert out.read_text("utf-8").startswith("<!DOCTYPE html>")
    assert runner.invoke(cli, ["report", str(cup), "--for", "zoe"]).exit_code == 2
