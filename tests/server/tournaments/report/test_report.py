"""The report: one page, complete, readable anywhere, and safe to open."""

from __future__ import annotations

import json
import re
from contextlib import closing
from datetime import UTC, datetime
from html.parser import HTMLParser
from random import Random

import pytest
from click.testing import CliRunner
from contests import FOUR, Here, bot, contest, pretend, settings

from croupier.server.cli import cli
from croupier.server.pages.drawing import Scale, interval, labels, number, tag
from croupier.server.tournaments.keeping.store import Store, StoreError
from croupier.server.tournaments.proof.bond import Bond
from croupier.server.tournaments.report.exchanges import Exchange
from croupier.server.tournaments.report.findings import gather
from croupier.server.tournaments.report.page import page
from croupier.server.tournaments.statistics.intervals import Interval
from croupier.server.web.watching import look

PARTS = ["standings", "cross", "convergence", "scores", "seats", "later", "soft-play", "thinking", "faults"]


@pytest.fixture(scope="module")
def cup(tmp_path_factory):
    """Play a tournament in which one bot faults now and then."""
    folder = tmp_path_factory.mktemp("report") / "cup"
    sloppy = bot("sloppy", "mixed", 5)
    contest(folder, settings([sloppy, *FOUR[1:]], deals=12))
    return folder


def findings(folder, own=None):
    """Gather a folder's findings."""
    with closing(Store(folder, new=False)) as store:
        return gather(store, own)


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
    """No link but data, no script but its own: it can be mailed, kept, and opened without a network."""
    text = page(findings(cup))
    read = Page(text)
    assert read.tags.count("script") == 1
    assert all(link.startswith(("data:", "#")) for link in read.links)
    assert not re.search(r"@import|url\(|https?://(?!www\.w3\.org/2000/svg)", text)
    assert "default-src 'none'" in text
    assert "script-src 'sha256-" in text


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
    assert found.exchanges[0].again in text


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
    assert text.count("<script>") == 1
    assert "&lt;script&gt;alert(1)&lt;/script&gt;\\x00" in text
    assert "&lt;b&gt;why" in text


def test_attributes_are_escaped():
    """A quotation mark does not end an attribute."""
    assert tag("i", title='"><script>') == '<i title="&quot;&gt;&lt;script&gt;"></i>'


def test_numbers_are_written_for_people():
    """True minus signs, thousands apart, and no minus zero."""
    written = [number(-1.5, 1), number(12345, 0), number(-0.001), number(None)]
    assert written == ["\u22121.5", "12,345", "0.00", "\u2013"]
    assert interval(Interval(-2.0, -2.5, -1.5, 9), 1, "+") == "\u22122.0 ± 0.5"


@pytest.mark.parametrize("values", [[0], [1, 1], [-5, 1000], [0.001, 0.002], [None, 3.0]])
def test_a_scale_holds_its_values_and_some_ticks(values):
    """Whatever the numbers, they lie on the paper, which does not go below 0 where nothing is."""
    scale = Scale.around(values)
    assert all(0 <= scale.at(value) < 100 for value in values if value is not None)
    assert 2 <= len(scale.ticks()) <= 12
    assert (scale.low < 0) == (values == [-5, 1000])


def empty(job, stopped):
    """Play nothing."""
    return []


def test_a_tournament_without_games_has_a_report(tmp_path):
    """It says that there is nothing to show yet, and what to do; no part of it is there."""
    contest(tmp_path, settings(), Here(empty))
    text = page(findings(tmp_path))
    assert "No game has been played yet" in text
    assert not Page(text).ids


def test_the_page_says_which_tournament_it_is(cup):
    """Its name, its day, its game and its options."""
    text = page(findings(cup))
    event = json.loads((cup / "events.jsonl").read_text().splitlines()[0])
    assert "<h1>cup</h1>" in text
    assert datetime.fromtimestamp(event["at"], UTC).date().isoformat() in text
    assert "pass=none" in text
    (cup / "events.jsonl").rename(cup / "elsewhere")
    assert findings(cup).days == []
    (cup / "elsewhere").rename(cup / "events.jsonl")


@pytest.mark.parametrize("seed", range(6))
def test_the_headline_names_who_is_ahead_at_the_same_table(tmp_path, seed):
    """The leader by mean need not be ahead of the second where both sat."""
    dice = Random(seed)
    contest(tmp_path, settings(deals=8, max_fault_share=1), Here(pretend(lambda name, deal: dice.randrange(20))))
    found = findings(tmp_path)
    first, second = (player.name for player in found.standings.players[:2])
    direct = next(each for each in found.standings.cross if {each.one, each.other} == {first, second})
    better = direct.one if direct.score.mean < 0 else direct.other
    said = "is ahead of it" if better == second else f"Its lead over <strong>{second}</strong>"
    assert said in page(found)


def test_who_plays_no_more_is_marked(tmp_path):
    """As in the table on a terminal."""
    for bots in ([*FOUR, bot("eve")], FOUR):
        contest(tmp_path, settings(bots, deals=1), Here(pretend()))
    text = page(findings(tmp_path))
    assert "eve</span><small>withdrawn</small>" in text
    assert text.count("<small>withdrawn</small>") == 1


def test_a_title_is_shown_instead_of_the_name(tmp_path):
    """On every part of the page and in every table on a terminal; the name stays the key."""
    titled = [bot("ann", title="A & B <i>"), *FOUR[1:]]
    contest(tmp_path, settings(titled, deals=2), Here(pretend(lambda name, deal: -1 if name == "ann" else len(name))))
    text = page(findings(tmp_path, "ann"))
    assert "A &amp; B &lt;i&gt;" in text
    assert not re.search(r"\bann\b", text)
    shown = CliRunner().invoke(cli, ["standings", str(tmp_path)], standalone_mode=False).stdout
    assert "A & B <i>: " in shown
    assert not re.search(r"\bann\b", shown)
    told = json.loads(CliRunner().invoke(cli, ["standings", str(tmp_path), "--json"], standalone_mode=False).stdout)
    assert {player["name"]: player["title"] for player in told["players"]}["ann"] == "A & B <i>"
    assert look(tmp_path).markup.count("A &amp; B &lt;i&gt;") > 1


def test_a_title_that_was_changed_is_told(tmp_path):
    """A tournament is bound to it, as to the name that it stands for; nothing is played again."""
    crew = Here(pretend())
    for title in ("One", "Other", "Other"):
        contest(tmp_path, settings([bot("ann", title=title), *FOUR[1:]], deals=1), crew)
    assert len(crew.jobs) == 1
    with closing(Store(tmp_path, new=False)) as store:
        assert [amendment.changes[0] for amendment in Bond.of(store).amendments] == [
            "the title of ann was One and is Other, after the key was revealed"
        ]


def test_labels_of_an_axis_leave_each_other_room():
    """Of those that would collide the first is written, and at an end none sticks out."""
    written = labels(12, [(0, "1,000"), (10, "2,000"), (50, "3,000"), (99, "4,000")], 130)
    assert [re.search(r">(.*)<", each)[1] for each in written] == ["1,000", "3,000", "4,000"]
    assert [re.search(r'anchor="(\w+)"', each)[1] for each in written] == ["start", "middle", "end"]


MOST_BYTES = 400_000
SPREAD = tuple((place, 1 + place % 7) for place in range(120, 300, 4))


def test_a_page_of_fifty_bots_is_small(tmp_path):
    """Though everybody meets everybody, thinks for all times there are, and commits faults of its own."""
    dice = Random(1)
    bots = [bot(f"the-bot-number-{place}-of-fifty") for place in range(50)]
    crew = Here(pretend(lambda name, deal: dice.randrange(-1, 60), SPREAD))
    two = settings(bots, game="dominion", options={}, format="round-robin", deals=2, max_fault_share=1)
    contest(tmp_path, two, crew)
    for own, examples in ((None, 40), ("the-bot-number-7-of-fifty", 0)):
        found = findings(tmp_path, own)
        assert len(found.standings.cross) == 50 * 49 / 2
        assert len(found.exchanges) > examples
        long = [each._replace(asked="(" * 9999, received="x" * 9999) for each in found.exchanges]
        written = page(type(found)(**{**vars(found), "exchanges": long}))
        assert len(written.encode()) < MOST_BYTES


def test_the_command_writes_it(cup, tmp_path):
    """``report`` says where the page is; a stranger's name is a wrong call."""
    runner = CliRunner()
    out = tmp_path / "page.html"
    result = runner.invoke(cli, ["report", str(cup), "--out", str(out), "--json"], standalone_mode=False)
    assert json.loads(result.stdout)["report"] == str(out)
    assert out.read_text("utf-8").startswith("<!DOCTYPE html>")
    assert runner.invoke(cli, ["report", str(cup), "--for", "zoe"]).exit_code == 2


def test_a_report_of_two_sides_has_wins_elo_and_los(cup, tmp_path):
    """As the table of standings; where four play for themselves there is none."""
    two = settings([bot("ann", "first"), bot("ben", "last")], game="dominion", options={"turns": 2}, deals=30)
    contest(tmp_path / "two", two, Here(pretend(lambda name, deal: (deal + len(name) * (name == "ann")) % 5)))
    found = findings(tmp_path / "two")
    (told,) = found.standings.elo_pairs
    shown = page(found).partition('id="wins"')[2].partition("</section>")[0]
    assert f"{told.one} - {told.other}" in shown
    assert all(f">{number(count, 0)}<" in shown for count in (told.won, told.tied, told.lost))
    assert interval(told.elo.strength, 0, "+") in shown
    assert f"{told.elo.los:.1%}" in shown
    assert 'id="wins"' not in page(findings(cup))
