"""The games of a report: pages of faults, close games and lopsided ones, and nobody's hands too early."""

import re
import sqlite3
from contextlib import closing
from dataclasses import replace
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from contests import FOUR, Here, bot, contest, settings

from croupier.server.cli import cli
from croupier.server.table.faults import Fault, Kind, PlayerFault
from croupier.server.table.played_game import PlayedGame
from croupier.server.tournaments.playing import batch
from croupier.server.tournaments.report.games import Candidate, choose
from croupier.server.viewer.page import unpack


@pytest.fixture(scope="module")
def cup(tmp_path_factory):
    """Play a tournament in which one bot faults now and then."""
    folder = tmp_path_factory.mktemp("games") / "cup"
    contest(folder, settings([bot("sloppy", "mixed", 5), *FOUR[1:]], deals=6))
    return folder


def reported(folder, out, *words):
    """Write a report with games; return its rows: link, seats and why."""
    done = CliRunner().invoke(cli, ["report", str(folder), "--out", str(out), *words])
    assert done.exit_code == 0, done.output
    [section] = re.findall(r'<section id="games">(.*?)</section>', out.read_text())
    rows = re.findall(r'<a href="(.*?)">(.*?)</a></th><td>(.*?)</td><td>(.*?)</td>', section)
    return [(out.parent / link, seats.split(", "), why) for link, _, seats, why in rows]


def film_of(path):
    [text] = re.findall(r'<pre id="film" hidden>(.+?)</pre>', path.read_text())
    return unpack(text)


def test_one_game_of_a_fault_comes_first_then_close_ones_then_lopsided_ones(cup, tmp_path):
    """Each link leads to a page of that game, whose players are those of the row."""
    rows = reported(cup, tmp_path / "report.html", "--games", "11")
    assert len(rows) == 11
    whys = [why for _, _, why in rows]
    assert re.match("sloppy: unknown: a play of Hearts is ", whys[0])  # it always says the same
    margins = [int("".join(filter(str.isdigit, why)) or 0) for why in whys[1:]]
    assert max(margins[:5]) <= min(margins[5:])
    for path, seats, _ in rows:
        assert film_of(path)["players"] == seats
    assert any("fault" in shot for each in film_of(rows[0][0])["shots"] for shot in each)


def made_up(deal, margin, why="", place=0, seating=("ann", "ben")):
    """Return a game that was won by this many points, or in which the first player committed a fault."""
    misdeeds = (PlayerFault(0, Fault(Kind.ILLEGAL, why)),) if why else ()
    return Candidate(deal, seating, margin, misdeeds, f"{deal}.records.gz", place)


@pytest.mark.parametrize(
    ("most", "deals"),
    [
        (1, [8]),
        (2, [8, 7]),
        (3, [8, 7, 1]),
        (4, [8, 7, 1, 4]),
        (6, [8, 7, 1, 2, 4, 3]),
        (9, [8, 7, 1, 2, 3, 5, 4, 3, 1]),
    ],
)
def test_games_are_chosen_by_cause_and_by_margin(most, deals):
    """The most frequent cause first, and a game of each deal before another of any; as many as there are."""
    close = [made_up(1, 0), made_up(1, 0, place=1), made_up(2, 1), made_up(3, 2), made_up(3, 9, place=1)]
    lopsided = [made_up(4, 40), made_up(5, 8)]
    faulted = [made_up(7, 0, "once"), made_up(8, 0, "often"), made_up(9, 0, "often")]
    chosen = choose([*close, *faulted, *lopsided], most)
    assert [each.deal for each, _ in chosen] == deals
    assert [misdeed.fault.why for _, misdeed in chosen if misdeed] == ["often", "once"][:most]


def test_an_author_is_shown_his_own_faults_and_his_worst_games():
    """Neither what others did wrong nor where they lost."""
    mine = [made_up(1, 0), made_up(2, 5), made_up(3, 9)]
    theirs = [made_up(4, 0, seating=("ann", "cat")), made_up(5, 0, "theirs")]
    hard = SimpleNamespace(file="2.records.gz", place=0)
    assert [each.deal for each, _ in choose([*mine, *theirs], 2, "ben", [hard])] == [1, 2]
    assert [each.deal for each, _ in choose([*mine, *theirs], 2, "ben")] == [1, 3]


def test_games_in_place_of_a_withdrawn_bot_are_not_chosen(tmp_path):
    """Nobody was asked there: of eight games four are worth a look."""
    contest(tmp_path / "cup", settings(deals=1))
    absent = {"ann": "a fault in more than 50% of its games"}
    contest(tmp_path / "cup", settings(deals=2), Here(lambda job, _: batch.play(replace(job, absent=absent))))
    rows = reported(tmp_path / "cup", tmp_path / "report.html", "--games", "8")
    assert len(rows) == 4
    assert all(why.startswith(("won by ", "a shared win")) for _, _, why in rows)
    section = re.search(r'<section id="faults">(.*?)</section>', (tmp_path / "report.html").read_text())[1]
    assert re.search(r"<th[^>]*>withdrawn</th>", section)
    assert "0.0%" in section
    assert "<details" not in section


def test_an_authors_pages_hold_what_his_bot_knew(cup, tmp_path):
    """--for NAME: only NAME's games, seen from its seat."""
    rows = reported(cup, tmp_path / "own.html", "--games", "5", "--for", "ben")
    assert rows
    assert all("ben" in seats and film_of(path)["eyes"] == ["ben"] for path, seats, _ in rows)


def test_no_hands_are_shown_while_deals_may_come_again(tmp_path):
    """The pages of a tournament that goes on would tell a bot's author what is to come."""
    cup = tmp_path / "cup"
    contest(cup, settings(FOUR, deals=1))
    with closing(sqlite3.connect(cup / "tournament.db")) as database:
        database.execute("DELETE FROM facts WHERE name = 'finished'")
        database.commit()
    done = CliRunner().invoke(cli, ["report", str(cup), "--games", "3"])
    assert done.exit_code == 2
    assert "the tournament is not finished: its deals may be played again" in done.output
    assert not (cup / "pages").exists()


def test_pages_are_not_written_through_links(cup, tmp_path):
    """A folder that leads elsewhere is refused; a page that leads elsewhere is replaced."""
    (tmp_path / "else").mkdir()
    (tmp_path / "pages").symlink_to(tmp_path / "else")
    done = CliRunner().invoke(cli, ["report", str(cup), "--out", str(tmp_path / "report.html"), "--games", "1"])
    assert done.exit_code == 2
    assert "pages is a link" in done.output
    assert not [*(tmp_path / "else").iterdir()]


@pytest.mark.parametrize(
    ("scores", "ranks", "least"),
    [((3, 5, 9, 4), (1, 3, 4, 2), 1), ((2, 0, 2, 0), (1, 3, 1, 3), 2), ((1, 1), (1, 1), 0), ((-4, 40), (2, 1), 44)],
)
def test_a_margin_is_between_the_winner_and_the_best_of_the_others(scores, ranks, least):
    """Partners win together, players who share a victory have no margin."""
    assert PlayedGame((), 1, ("a", "b", "c", "d")[: len(scores)], scores, ranks).margin == least
