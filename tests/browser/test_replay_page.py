"""The page of a game in a browser: stepped through, opened at a moment, read by everybody, obeying no stranger."""

import pytest
from browser import DESK, PHONE
from games import record_of
from injections import INJECTIONS, injected

from croupier.server.records.replay import Replay
from croupier.server.viewer import page, page_data

NAMES = ("ada", "bob", "cleo", "dan")
READY = 'document.getElementById("where").textContent'


@pytest.fixture(scope="module")
def hearts():
    """Film a game of Hearts."""
    return page_data(Replay(record_of("hearts", ["duck"] * 4, names=NAMES)), "hearts.record")


@pytest.fixture(scope="module")
def written(hearts, tmp_path_factory):
    """Write that game, one of Dominion, and one full of injections; return their addresses."""
    folder = tmp_path_factory.mktemp("pages")
    dominion = page_data(Replay(record_of("dominion", ["smithy"] * 2, names=NAMES[:2])), "dominion")
    for name, shown in {"hearts": hearts, "dominion": dominion, "evil": injected(hearts)}.items():
        (folder / f"{name}.html").write_text(page(shown), encoding="utf-8", errors="surrogatepass")
    return {path.stem: path.as_uri() for path in folder.iterdir()}


STRANGE = """
  const names = ["img", "iframe", "object", "embed", "form", "base", "math", "video"];
  const strange = names.flatMap((name) => [...document.querySelectorAll(name)]);
  const attributes = [...document.querySelectorAll("*")].flatMap((one) => [...one.attributes]);
  const handlers = attributes.filter((each) => each.name.startsWith("on"));
  const links = [...document.querySelectorAll("a")].filter((one) => !one.getAttribute("href").startsWith("#"));
  return { strange: strange.length + handlers.length + links.length, scripts: document.scripts.length,
           title: document.title, said: document.getElementById("now").textContent };
"""


def test_no_injection_runs(browser, written):
    """The page shows what strangers wrote as words: no element comes of it, nothing runs, nothing is fetched."""
    browser.open(f"{written['evil']}#0,table")
    browser.until(READY)
    found = browser.run(STRANGE)
    assert (found["strange"], found["scripts"]) == (0, 1)
    assert found["title"] != "pwned"
    assert all(words.replace("\x00", "") in found["said"].replace("\x00", "") for words in INJECTIONS[:20])
    assert browser.requests() == [written["evil"]]


@pytest.mark.parametrize("width", [DESK, PHONE])
def test_a_page_is_stepped_through_by_keys_swipes_and_links(browser, hearts, written, width):
    """Card by card, trick by trick, hand by hand; from a link to a moment and a seat; no scores before the end."""
    browser.open(f"{written['hearts']}#17,cleo", width)

    def where():
        return browser.until(READY).split()[0]

    def pressed(key):
        browser.press(key)
        return where()

    assert (where(), browser.run('return document.getElementById("eyes").value')) == ("17", "cleo")
    keys = ("HOME", "ARROW_RIGHT", "ARROW_RIGHT", "ARROW_LEFT", "ARROW_DOWN", "ARROW_DOWN", "ARROW_UP", "END")
    last = str(len(hearts["moments"]) - 1)
    assert [pressed(key) for key in (*keys, "PAGE_UP")] == ["0", "1", "2", "1", "4", "8", "4", last, "0"]
    assert "finished" not in browser.text("body")
    browser.swipe("#table", -160)
    browser.until(f"{READY}.startsWith('1 ')")
    browser.swipe("#table", 160)
    browser.until(f"{READY}.startsWith('0 ')")
    browser.click("#on")
    assert where() == "1"
    browser.press("END")
    assert browser.text("#now").split()[:2] == ["finished", "ada"]
    assert browser.run("return location.hash") == f"#{last},cleo"
    assert browser.too_wide() <= 0
    assert browser.unnamed() == 0
    assert browser.requests() == [written["hearts"]]


@pytest.mark.parametrize("light", ["light", "dark"])
@pytest.mark.parametrize(("at", "width"), [("hearts#12,table", DESK), ("dominion#40,ada", PHONE)])
def test_everybody_can_read_the_page(browser, written, at, width, light):
    """Names, roles, contrast: axe-core finds nothing to say, on a desk and on a phone, in light and in the dark."""
    name, _, moment = at.partition("#")
    browser.open(f"{written[name]}#{moment}", width, light=light)
    browser.until(READY)
    assert browser.judged() == []
