"""A tournament is watched in a browser: it changes by itself, its games open, and everybody can read it."""

import shutil

import pytest
from browser import MOST_BYTES, PHONE
from contests import FOUR, bot, contest, settings
from web_table import served_meanwhile

from croupier.server.web.protected_site import ProtectedSite
from croupier.server.web.watching import Watching

BOTS = [bot("sloppy", "mixed", 5), *FOUR[1:]]


@pytest.fixture(scope="module")
def stages(tmp_path_factory):
    """Play a tournament of which two deals are over, and the same one a deal later."""
    first, second = (tmp_path_factory.mktemp("watch") / name for name in ("first", "second"))
    contest(first, settings(BOTS, deals=2))
    shutil.copytree(first, second)
    contest(second, settings(BOTS, deals=3))
    return first, second


@pytest.fixture
def watched(stages, tmp_path, browser):
    """Serve a copy of the first; yield its address and its folder."""
    cup, failed = tmp_path / "cup", []
    shutil.copytree(stages[0], cup)
    site = ProtectedSite(failed.append)
    with served_meanwhile(site, Watching(cup, site).follow) as address:
        yield address, cup
        assert browser.errors() == []
        browser.driver.get("about:blank")
    assert failed == []


def test_what_is_played_meanwhile_comes_by_itself(browser, watched, stages):
    """Neither a click nor another loading of the page is needed, and all comes from behind the site."""
    address, cup = watched
    browser.open(address)
    assert "8 games" in browser.text("header")
    assert browser.run("return document.querySelectorAll('.games a').length") == 8
    shutil.copytree(stages[1], cup, dirs_exist_ok=True)
    browser.until("document.querySelector('header').innerText.includes('12 games')")
    assert browser.run("return document.querySelectorAll('.games a').length") > 8
    assert all(asked.startswith(address) for asked in browser.requests())


def test_a_game_opens_in_the_viewer_by_a_key(browser, watched):
    """With Enter on its link; there one steps through it, and comes back."""
    address, _ = watched
    browser.open(address)
    browser.run("document.querySelector('.games a').focus()")
    browser.press("ENTER")
    browser.until("typeof film !== 'undefined' && film")
    browser.press("ARROW_RIGHT")
    browser.until("location.hash.startsWith('#1')")
    browser.driver.back()
    browser.until("document.querySelector('.games a')")


@pytest.mark.parametrize(("width", "light"), [(1920, "light"), (1100, "dark"), (PHONE, "dark"), (PHONE, "light")])
def test_everybody_can_read_it(browser, watched, width, light):
    """Names, roles and contrast are right, nothing is wider than the window, and the whole is small."""
    browser.open(watched[0], width, light=light)
    assert browser.judged() == []
    assert browser.too_wide() <= 0
    assert browser.unnamed() == 0
    assert 10_000 < browser.size() < MOST_BYTES
