"""The pages of a season in a browser: whole at every width, in light and in the dark, with long names."""

from random import Random

import pytest
from browser import MOST_BYTES, PHONE
from contests import Here, bot, contest, pretend, settings
from tests.browser.test_report_pages import LONG, MEASURE, TIMES, UNEXPLAINED

from croupier.server.season.folder import Author, Ledger, Night, SeasonFolder, Submission, Trial
from croupier.server.season.pages.writing import write_pages
from croupier.server.season.settings import read
from croupier.server.tournaments.report import findings
from croupier.server.tournaments.statistics.intervals import Interval
from croupier.server.tournaments.statistics.soft_play import Gift, SoftPlay

DESK = 1400
TERMS = """
title = "The autumn of all courses in the great hall of the north"
[[games]]
game = "hearts"
weight = 2.5
[[games]]
game = "hearts"
name = "hearts-without-passing-any-cards"
"""
NAMES = ("ann", LONG, "Team_Of_Three_Students_2026", *(f"student-{place}" for place in range(9)))
PAGES = ("index", f"author-{LONG}", "author-student-3", "game-hearts")


def submissions(dice):
    """Return what an author has handed in: two good states, then one that was sent back with long reasons."""
    good = {"hearts": Trial(entered=True), "hearts-without-passing-any-cards": Trial(entered=True)}
    bad = {"hearts": Trial(entered=False, reason="legal plays: illegal: " + "follow-suit-" * 12 + "!")}
    states = [good, good, bad] if dice.random() < 0.5 else [good]
    return tuple(
        Submission(number=number, file=f"{'long-' * 9}{number}.tar.gz", sha256="", at=86_400.0 * number, trials=trials)
        for number, trials in enumerate(states, 1)
    )


def gifts(*_):
    """Return a soft play with a pair that is named."""
    measure = Interval(1.25, 0.3, 2.2, 40)
    gift = Gift(LONG, "student-3", measure, measure)
    return SoftPlay((gift,), (gift,), 66)


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Write the pages of a season of two games and nine nights."""
    folder, dice = SeasonFolder(tmp_path_factory.mktemp("season")), Random(1)
    folder.settings.write_text(TERMS)
    names = ("hearts", "hearts-without-passing-any-cards")
    for game in names:
        scores = pretend(lambda name, deal: -26 if name == LONG and deal == 3 else max(0, len(name) + deal % 5), TIMES)
        asked = settings([bot(name) for name in NAMES], deals=2, rounds=9, format="balanced", max_fault_share=1.0)
        contest(folder.tournament(game), asked, Here(scores))
    authors = tuple(Author(name=name, stem=name, submissions=submissions(dice)) for name in NAMES)
    nights = tuple(
        Night(
            number=night, began=86_400.0 * night, ended=86_400.0 * night + 7_000, games=dict.fromkeys(names, 24 * night)
        )
        for night in range(1, 10)
    )
    folder.write_ledger(Ledger(authors=authors, nights=nights))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(findings, "soft_play", gifts)
        write_pages(folder, read(folder.settings))
    return {path.stem: path.as_uri() for path in folder.pages.iterdir()}


@pytest.mark.parametrize("width", [PHONE, DESK])
@pytest.mark.parametrize("name", PAGES)
def test_nothing_is_cut_and_nothing_collides(browser, pages, name, width):
    """Nothing leaves the page, is clipped or is fetched, and every color is explained."""
    browser.open(pages[name], width)
    assert browser.run("return document.documentElement.outerHTML.length") < MOST_BYTES
    assert browser.run(MEASURE) == []
    assert browser.run(UNEXPLAINED) == []
    assert browser.too_wide() <= 0
    assert browser.requests() == [pages[name]]


@pytest.mark.parametrize("light", ["light", "dark"])
@pytest.mark.parametrize(("name", "width"), [("index", PHONE), ("index", DESK), (f"author-{LONG}", DESK)])
def test_everybody_can_read_the_pages(browser, pages, name, width, light):
    """Names, roles, contrast: axe-core finds nothing to say."""
    browser.open(pages[name], width, light=light)
    assert browser.judged() == []


def test_a_link_leads_from_the_ranking_to_an_author_and_back(browser, pages):
    """The pages lie beside each other."""
    browser.open(pages["index"])
    browser.click("#ranking a[href='author-ann.html']")
    browser.until("document.title.endsWith('ann')")
    browser.click("header a")
    browser.until("document.querySelector('#ranking') && !document.title.endsWith('ann')")
