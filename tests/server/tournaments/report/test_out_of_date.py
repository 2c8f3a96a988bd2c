"""A report says when it was made, and that it is out of date once its tournament has gone on."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from click.testing import CliRunner
from contests import FOUR, Here, bot, contest, pretend, settings

from croupier.server.cli import cli

HIDDEN, SHOWN = '<p class="outdated" hidden="">', '<p class="outdated">'


def report(folder, *words):
    """Write a report of a folder."""
    done = CliRunner().invoke(cli, ["report", str(folder), *words])
    assert done.exit_code == 0, done.output


@pytest.fixture
def cup(tmp_path):
    """Pretend a tournament with pages of all bots, and one elsewhere."""
    contest(tmp_path / "cup", settings(deals=2), Here(pretend()))
    report(tmp_path / "cup", "--all")
    return tmp_path / "cup"


def test_a_report_says_when_it_was_made(cup):
    """To the minute, in UTC."""
    [said] = re.findall(r"this page was made (\d{4}-\d\d-\d\d \d\d:\d\d) UTC", (cup / "report.html").read_text())
    made = datetime.strptime(said, "%Y-%m-%d %H:%M").replace(tzinfo=UTC)
    assert timedelta() <= datetime.now(UTC) - made < timedelta(hours=1)


def test_a_report_of_a_tournament_that_goes_on_says_so(cup):
    """All pages in its folder, from the first new game on; a new report does not."""
    pages = [*cup.glob("report*.html")]
    assert len(pages) == 1 + len(FOUR)
    assert all(HIDDEN in page.read_text() for page in pages)
    before = {page: page.read_text() for page in pages}
    contest(cup, settings(deals=3), Here(pretend()))
    for page in pages:
        assert page.read_text() == before[page].replace(HIDDEN, SHOWN)
    report(cup)
    assert HIDDEN in (cup / "report.html").read_text()


def test_a_report_made_during_a_run_is_out_of_date_after_it(cup):
    """Though the page had not been there when the run began."""
    play = pretend()

    def look(job, stopped):
        report(cup)
        assert HIDDEN in (cup / "report.html").read_text()
        assert "not finished: more games may have been played since" in (cup / "report.html").read_text()
        return play(job, stopped)

    contest(cup, settings(deals=3), Here(look))
    assert SHOWN in (cup / "report.html").read_text()


def test_a_report_stays_current_where_nothing_is_played(cup):
    """The same call again changes nothing; another bot does, though it has no game yet."""
    contest(cup, settings(deals=2), Here(pretend()))
    assert HIDDEN in (cup / "report.html").read_text()
    contest(cup, settings([*FOUR, bot("eve")], deals=2), Here(lambda job, stopped: []))
    assert SHOWN in (cup / "report.html").read_text()


def test_a_page_that_cannot_be_written_stops_no_run(cup):
    """Nor does a folder that is called as a report."""
    (cup / "report-of-mine.html").mkdir()
    contest(cup, settings(deals=3), Here(pretend()))
    assert SHOWN in (cup / "report.html").read_text()
