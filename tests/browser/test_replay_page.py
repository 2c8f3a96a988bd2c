"""The page of a game in a browser: stepped through, opened at a moment, read by everybody, obeying no stranger."""

import pytest
from browser import DESK, MOST_BYTES, PHONE
from games import record_of
from injections import INJECTIONS, injected

from croupier.server.records.replay import Replay
from croupier.server.viewer import page, page_data
from croupier.server.viewer.page import pack

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


def hearts_scores(hearts):
    """Return the scores that the film ends with."""
    return [int(words) for seat, words in hearts["shots"][-1][0]["said"] if seat is not None]


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
    """The page shows what strangers wrote as words: it creates no element, nothing runs, nothing is fetched."""
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
    assert browser.text("#now") == "finished"
    assert browser.text("#table .scores").split()[1:3] == [str(min(hearts_scores(hearts))), "wins"]
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


KINDS = {
    "hearts": ["duck"] * 4,
    "skat": ["skat-club"] * 3,
    "doppelkopf": ["doko"] * 4,
    "jass": ["jass"] * 4,
    "sedma": ["sedma"] * 4,
    "dominion": ["smithy"] * 2,
    "recycle:spades": ["random"] * 4,
    "recycle:gops": ["random"] * 2,
    "recycle:euchre": ["random"] * 4,
    "recycle:rummy": ["random"] * 2,
}
STAGES = """
  const heights = new Set(), tops = new Set(), wide = [], hidden = [], stage = byId("table"), small = new Set();
  for (now = 0; now < moments.length; now++) {
    show();
    heights.add(byId("table").offsetHeight);
    tops.add(byId("on").offsetTop);
    const nav = document.querySelector("nav").getBoundingClientRect();
    if (nav.bottom > innerHeight || stage.getBoundingClientRect().bottom > nav.top) hidden.push(now);
    if (document.documentElement.scrollWidth > window.innerWidth) wide.push(now);
    if (stage.scrollWidth > stage.clientWidth || stage.scrollHeight > stage.clientHeight) wide.push(`table at ${now}`);
    for (const one of stage.querySelectorAll("b, i, em, span, small, h2, h3, text")) {
      const box = one.getBoundingClientRect(), words = one.tagName === "text" ? one.ownerSVGElement : one;
      const scale = one.tagName === "text" ? words.getBoundingClientRect().width / 50 : 1;
      if (box.width && parseFloat(getComputedStyle(one).fontSize) * scale < 11) small.add(one.outerHTML);
    }
  }
  return [moments.length > 10, heights.size, tops.size, wide, hidden, [...small]];
"""


@pytest.mark.parametrize("game", KINDS)
def test_the_stage_stays_where_it_is_in_a_whole_game_of_every_kind(browser, game, tmp_path):
    """A button that steps on stays in sight under the pointer, and nothing is too wide or too small."""
    bots = KINDS[game]
    file = tmp_path / "page.html"
    film = page_data(Replay(record_of(game, bots, names=NAMES[: len(bots)])))
    file.write_text(page(film), "utf-8")
    assert len(page(film)) - len(pack(film)) < MOST_BYTES
    for width in (PHONE, 1100, 1920):
        browser.open(file.as_uri(), width)
        browser.until(READY)
        assert browser.judged() == []
        assert browser.run(STAGES) == [True, 1, 1, [], [], []]
        assert browser.requests() == [file.as_uri()]


def test_the_log_has_a_row_for_each_trick_and_leads_there(browser, written):
    """Each trick shows the cards with their players, the winner and the points; a click shows that moment."""
    browser.open(f"{written['hearts']}#14,table")
    browser.until(READY)
    rows = browser.run("return [...document.querySelectorAll('#log li a.cells')].map((one) => one.innerText)")
    rows = [row.split() for row in rows]
    assert [len(row) for row in rows[1:]] == [6] * (len(rows) - 1)
    assert {row[-1].rstrip("s") for row in rows[1:]} == {"point"}
    browser.run("document.querySelectorAll('#log li a.cells')[1].click()")
    browser.until(f"{READY}.split(' ')[0] < 14")
    assert browser.run("return document.querySelectorAll('#table .winner').length") == 1
    assert "score (" not in browser.run("return document.body.innerText")


def test_the_result_is_hidden_until_it_is_asked_for(browser, written):
    """A replay does not reveal the winner at once."""
    browser.open(written["hearts"])
    browser.until(READY)
    assert "wins" not in browser.text("body")
    browser.click("#result summary")
    assert "wins" in browser.text("#result")
