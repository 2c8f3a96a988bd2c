"""The page for a bot's author: that bot first, its rivals, its faults by cause, its worst games; then the field."""

import json
import re
from contextlib import closing
from html import unescape

import pytest
from click.testing import CliRunner
from contests import FOUR, Here, bot, contest, pretend, settings

from croupier.server.cli import cli
from croupier.server.tournaments.keeping.store import Store
from croupier.server.tournaments.report.exchanges import Causes
from croupier.server.tournaments.report.findings import gather
from croupier.server.tournaments.report.page import page

POINTS = {"ann": 1, "ben": 13, "cat": 25, "dan": 25}
"""Low scores win."""


def by_points(name, deal):
    """Return a score by which ann is best and cat and dan are alike, with a little luck; ben is once unlucky."""
    if (name, deal) == ("ben", 7):
        return 23
    return POINTS[name] + deal * ord(name[0]) % 5


def shown(folder, own=None):
    """Return a page as it is written."""
    with closing(Store(folder, new=False)) as store:
        return page(gather(store, own))


def section(text, name):
    """Return a section of a page, without its marks."""
    [found] = re.findall(rf'<section id="{name}">(.*?)</section>', text)
    return unescape(re.sub("<[^>]+>", " ", found))


def headline(text):
    """Return the page's first sentence, without its marks."""
    return unescape(re.sub("<[^>]+>", "", re.search('<p class="verdict">(.*?)</p>', text)[1]))


@pytest.fixture(scope="module")
def clear(tmp_path_factory):
    """Pretend a tournament in which it is clear who is better."""
    folder = tmp_path_factory.mktemp("bot") / "cup"
    contest(folder, settings(deals=12), Here(pretend(by_points)))
    return folder


@pytest.fixture(scope="module")
def faulty(tmp_path_factory):
    """Play a tournament in which two bots fault."""
    folder = tmp_path_factory.mktemp("faulty") / "cup"
    bots = [bot("sloppy", "mixed", 5), bot("lazy", "mixed", 7), *FOUR[2:]]
    contest(folder, settings(bots, deals=8, max_fault_share=1.0))
    return folder


def test_the_page_begins_with_the_bot(clear):
    """Its place, and whom it is better and worse than; then the field."""
    text = shown(clear, "ben")
    assert re.match(
        r"ben is number 2 of 4, with \d+\.\d\d ± \d\.\d\d points a game."
        r" It is significantly better than dan and cat, and worse than ann\.",
        headline(text),
    )
    sections = re.findall('<section id="(.*?)">', text)
    assert sections[:4] == ["rivals", "faults", "hard", "standings"]
    assert "rivals" not in re.findall('<section id="(.*?)">', shown(clear))


def test_rivals_are_those_of_the_cross_table(clear):
    """With the sign turned where low scores win: more is better."""
    said = section(shown(clear, "ben"), "rivals")
    with closing(Store(clear, new=False)) as store:
        cross = {(each.one, each.other): each.score.mean for each in gather(store).standings.cross}
    for other in ("ann", "cat", "dan"):
        better = -cross["ben", other] if ("ben", other) in cross else cross[other, "ben"]
        assert re.search(rf"{other}.*?{better:+.2f}".replace("-", "\u2212").replace("+", r"\+"), said)


def test_nobody_is_beaten_for_certain_by_chance(tmp_path):
    """A bot that differs from nobody is told so."""
    contest(tmp_path, settings(deals=3), Here(pretend(lambda name, deal: 5 + (deal + ord(name[0])) % 3)))
    assert headline(shown(tmp_path, "ben")).endswith("It is not yet significantly better or worse than anybody.")


def test_its_worst_games_are_those_that_others_did_better_in_with_its_cards(clear):
    """Not those in which it scored worst: in the deal in which ben was unlucky it is far behind the others."""
    with closing(Store(clear, new=False)) as store:
        games = {(each.file, each.place): each.game for each in store.games()}
        hard = gather(store, "ben").hard
    assert hard[0].deal == 7
    gaps = [each.score - each.others for each in hard]
    assert gaps == sorted(gaps, reverse=True)
    assert min(gaps) > 0
    assert len({each.deal for each in hard}) == len(hard)
    for each in hard:
        game = games[each.file, each.place]
        seat = game.seating.index("ben")
        same = [other for other in games.values() if other.deal == each.deal and other.seating[seat] != "ben"]
        assert each.score == game.scores[seat]
        assert each.others == pytest.approx(sum(other.scores[seat] for other in same) / len(same))
        assert f"{each.file}:{each.place + 1} --show" in each.again
    assert f"deal {hard[0].deal}" in section(shown(clear, "ben"), "hard")


def test_games_with_a_fault_are_no_worst_games(faulty):
    """They are told of with the faults."""
    with closing(Store(faulty, new=False)) as store:
        faulted = {(each.file, each.place) for each in store.games() if each.game.faults}
        hard = gather(store, "sloppy").hard
    assert hard
    assert not faulted.intersection((each.file, each.place) for each in hard)


def test_faults_are_grouped_by_cause_with_one_example_each(faulty):
    """As many games as the table of standings counts, one exchange, and what to do about it."""
    with closing(Store(faulty, new=False)) as store:
        found = gather(store, "sloppy")
    [exchange] = found.exchanges
    [player] = [each for each in found.standings.players if each.name == "sloppy"]
    assert len(exchange.deals) == player.faults_committed > 1
    text = shown(faulty, "sloppy")
    assert text.partition("<main>")[2].count("<details>") == 1
    said = section(text, "faults")
    assert f"({len(exchange.deals)} games)" in said
    assert "croupier games GAME" in exchange.hint
    assert exchange.hint in said
    assert "<h3>lazy" not in text
    assert shown(faulty).partition("<main>")[2].count("<details>") == 2


def test_every_page_is_written_in_one_call(faulty, tmp_path):
    """The report leads to each bot's page, and that back to it; games too."""
    words = ["report", str(faulty), "--all", "--games", "3", "--html", str(tmp_path / "index.html"), "--json"]
    done = CliRunner().invoke(cli, words)
    assert done.exit_code == 0, done.output
    written = {tmp_path / name for name in ("index.html", *(f"report-{each}.html" for each in names(faulty)))}
    assert set(map(str, written)) == set(json.loads(done.stdout)["pages"])
    assert json.loads(done.stdout)["report"] == str(tmp_path / "index.html")
    for path in written:
        links = [link for link in re.findall('href="(.*?)"', path.read_text()) if not link.startswith(("#", "data:"))]
        assert all((tmp_path / link).is_file() for link in links)
        assert {tmp_path / link for link in links} >= written - {path}
        assert sum(link.startswith("pages/") for link in links) >= 3


def names(folder):
    """Return the names of a tournament's bots."""
    with closing(Store(folder, new=False)) as store:
        return [version.name for version in store.versions()]


def test_one_bot_and_all_bots_are_not_asked_for_at_once(faulty):
    """A wrong call is told so."""
    done = CliRunner().invoke(cli, ["report", str(faulty), "--all", "--for", "sloppy"])
    assert done.exit_code == 2
    assert "--all writes the page of every bot, and --for that of one" in done.output


def test_causes_are_the_same_in_whatever_order_games_ended(faulty, monkeypatch):
    """Workers finish in another order in each run: the deals and the example are chosen by deal."""
    with closing(Store(faulty, new=False)) as store:
        games = list(store.games("WHERE faults != '[]' "))
        found = []
        for order in (games, games[::-1]):
            monkeypatch.setattr(store, "games", lambda wanted, order=order: order)
            causes = Causes(store, faulty)
            found.append([causes.examples(name, 9) for name in causes.guilty(["sloppy", "lazy"])])
    assert len(games) > 1
    assert found[0] == found[1] != []
    assert all(
        list(each.deals) == sorted(each.deals) and each.deal == each.deals[0] for name in found[0] for each in name
    )
