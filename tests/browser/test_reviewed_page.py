"""The page of a reviewed game in a browser: the curve, the better plays, and what one seat is shown of all that."""

import pytest
from browser import DESK, PHONE
from games import record_of

from croupier.agents.search.budget import Budget
from croupier.server import games
from croupier.server.records.replay import Replay
from croupier.server.reviewing.overview import overview_page
from croupier.server.reviewing.review import review
from croupier.server.reviewing.reviewed_page import reviewed_data
from croupier.server.viewer import page, page_data

NAMES = ("ada", "bob", "cleo", "dan")
TABLES = {"hearts": ["duck", "random", "random", "duck"], "dominion": ["big-money", "random"]}
PLAYOUTS = {"hearts": 240, "dominion": 40}
READY = 'document.getElementById("where").textContent'
SHOWN = """
  return { moment: now, words: byId("now").innerText, plays: byId("may").innerText,
    marks: document.querySelectorAll("#curve a").length, lines: document.querySelectorAll("#curve .of").length,
    keys: [...document.querySelectorAll(".key")].map((one) => one.innerText),
    made: document.querySelectorAll("#table .made").length };
"""
STAGES = """
  const tops = new Set(), wrong = [];
  for (now = 0; now < Math.min(moments.length, 150); now++) {  // Chromium allows no more changes of the address
    show();
    tops.add(byId("on").getBoundingClientRect().top + scrollY);
    const stage = byId("table"), nav = document.querySelector("nav").getBoundingClientRect();
    if (nav.bottom > innerHeight || stage.getBoundingClientRect().bottom > nav.top) wrong.push(`buttons at ${now}`);
    if (document.documentElement.scrollWidth > window.innerWidth) wrong.push(`page at ${now}`);
    if (stage.scrollWidth > stage.clientWidth || stage.scrollHeight > stage.clientHeight) wrong.push(`table at ${now}`);
  }
  return [tops.size, wrong];
"""


@pytest.fixture(scope="module")
def reviewed():
    """Review a game of each kind."""
    found = {}
    for game, bots in TABLES.items():
        text = record_of(game, bots, names=NAMES[: len(bots)])
        document = review(text, games.find, Budget(iterations=PLAYOUTS[game])).document()
        found[game] = text, {"budget": {"iterations": PLAYOUTS[game]}, **document}
    return found


@pytest.fixture(scope="module")
def written(reviewed, tmp_path_factory):
    """Write the pages of the games, and of Hearts the one for bob; return their addresses."""
    folder = tmp_path_factory.mktemp("reviewed")
    for game, (text, document) in reviewed.items():
        (folder / f"{game}.html").write_text(page(reviewed_data(document, text, games.find)), "utf-8")
    text, document = reviewed["hearts"]
    (folder / "bob.html").write_text(page(reviewed_data(document, text, games.find, seat=1)), "utf-8")
    return {path.stem: path.as_uri() for path in folder.iterdir()}


def losses(reviewed, name=None, *, passing=False):
    """Return the decisions of Hearts that lost something, on request those of passing too."""
    decisions = reviewed["hearts"][1]["decisions"]
    lossy = [each for each in decisions if each["label"] in {"mistake", "inaccuracy"}]
    return [each for each in lossy if name in {None, each["player"]} and (passing or each["kind"] != "passing")]


def in_words(play):
    """Return the rank of a card that is played, as the page writes it."""
    rank = play.strip("()")[-1]
    return {"T": "10"}.get(rank, rank)


def test_a_loss_is_shown_with_the_better_play(browser, written, reviewed):
    """Before the play all that were compared, both cards marked; after it what was lost, and which was better."""
    loss = losses(reviewed)[0]
    browser.open(f"{written['hearts']}#{loss['moment']},table")
    browser.until(READY)
    shown = browser.run(SHOWN)
    assert shown["plays"].startswith(f"{loss['player']}'s plays, and what each was worth")
    assert shown["plays"].count("±") == len(loss["plays"])
    rows = browser.run("return [...document.querySelectorAll('.compared li')].map((one) => one.innerText)")
    [played] = [row for row in rows if row.endswith("played")]
    [better] = [row for row in rows if row.endswith("better")]
    assert (played.startswith(in_words(loss["play"])), better.startswith(in_words(loss["best"]))) == (True, True)
    assert shown["made"] == 2
    browser.press("ARROW_RIGHT")
    words = browser.run(SHOWN)["words"]
    assert f"{loss['label']}: \u2212" in words
    assert f"better was {in_words(loss['best'])}" in words
    assert browser.run("return document.querySelectorAll(`#log .${arguments[0]}`).length", loss["label"])


def test_a_click_on_the_curve_jumps_there(browser, written, reviewed):
    """Its marks lead to the losses, anywhere else the nearest moment is shown; two buttons go from loss to loss."""
    browser.open(f"{written['hearts']}#0,table")
    browser.until(READY)
    found = sorted(
        each["moment"] for each in reviewed["hearts"][1]["decisions"] if each["label"] in {"mistake", "inaccuracy"}
    )
    assert browser.run(SHOWN)["marks"] == len(found)
    assert browser.run(SHOWN)["keys"] == [*NAMES]
    browser.run("document.querySelectorAll('#curve a')[1].click()")
    browser.until(f"{READY}.split(' ')[0] === '{found[1]}'")
    browser.click("#loss-on")
    browser.until(f"{READY}.split(' ')[0] === '{found[2]}'")
    browser.click("#loss-back")
    browser.until(f"{READY}.split(' ')[0] === '{found[1]}'")
    middle = browser.run("""
      const area = byId("curve"), box = area.getBoundingClientRect();
      const at = { clientX: box.left + box.width / 2, clientY: box.top + 1 };
      area.dispatchEvent(new MouseEvent("click", { bubbles: true, ...at }));
      return Math.abs(2 * now - moments.length) <= 2;
    """)
    assert middle


def test_open_cards_are_a_switch_for_those_who_see_all_cards(browser, written, reviewed):
    """It changes what plays were worth. Through a player's eyes it is gone, and so are the others' decisions."""
    loss = next(each for each in losses(reviewed) if each["loss_open"] > 2 * each["error_open"])
    browser.open(f"{written['hearts']}#{loss['moment']},table")
    browser.until(READY)
    known = browser.run(SHOWN)["plays"]
    browser.run("byId('sight').value = 'open'; byId('sight').dispatchEvent(new Event('change'));")
    assert browser.run(SHOWN)["plays"] != known
    browser.press("ARROW_RIGHT")
    assert "points with all cards open, better was" in browser.run(SHOWN)["words"]
    browser.run(f"byId('eyes').value = '{loss['player']}'; byId('eyes').dispatchEvent(new Event('change'));")
    browser.press("ARROW_LEFT")
    shown = browser.run(SHOWN)
    assert shown["plays"] == known
    assert shown["keys"] == [loss["player"]]
    assert browser.run("return byId('sight').parentElement.hidden")


def test_the_page_for_one_player_has_its_own_review(browser, written, reviewed):
    """Its decisions by what it knew; no switch, and no moment of another has a worth."""
    loss = losses(reviewed, "bob")[0]
    browser.open(f"{written['bob']}#{loss['moment']},bob")
    browser.until(READY)
    assert browser.run(SHOWN)["plays"].startswith("bob's plays")
    assert browser.run("return byId('sight').parentElement.hidden")
    assert browser.run("return film.review.decisions.every((each) => each.seat === 1 && !each.open)")


@pytest.mark.parametrize("light", ["light", "dark"])
@pytest.mark.parametrize("width", [PHONE, DESK, 1400])
@pytest.mark.parametrize("game", TABLES)
def test_everybody_can_read_a_reviewed_page(browser, written, reviewed, game, width, light):
    """Before and after a loss axe-core finds nothing to say; the buttons stay where they are during the game."""
    moment = next(each["moment"] for each in reviewed[game][1]["decisions"] if each["label"] == "mistake")
    for at in (moment, moment + 1):
        browser.open(f"{written[game]}#{at},table", width, light=light)
        browser.until(READY)
        assert browser.judged() == []
        assert browser.unnamed() == 0
    assert browser.run(STAGES) == [1, []]


@pytest.mark.parametrize("light", ["light", "dark"])
@pytest.mark.parametrize("width", [PHONE, 1400])
def test_everybody_can_read_the_overview_of_many_games(browser, reviewed, written, tmp_path, width, light):
    """A click on a decision opens its game at that moment."""
    (text, document), game = reviewed["hearts"], tmp_path / "game 1.html"
    game.write_text(page(reviewed_data(document, text, games.find)), "utf-8")
    overview = tmp_path / "worst.html"
    reviews = [document | {"record": f"{number}.record"} for number in (1, 2)]
    overview.write_text(overview_page(reviews, {f"{number}.record": game.name for number in (1, 2)}), "utf-8")
    browser.open(overview.as_uri(), width, light=light)
    assert browser.judged() == []
    assert browser.too_wide() <= 0
    worst = max(losses(reviewed, passing=True), key=lambda each: each["loss"])
    browser.click("#worst td a, #worst th a")
    assert browser.until(READY).split()[0] == str(worst["moment"])


def test_a_page_without_a_review_has_no_curve(browser, tmp_path):
    """Nothing of it is shown."""
    file = tmp_path / "game.html"
    file.write_text(page(page_data(Replay(record_of("hearts", ["duck"] * 4)))), "utf-8")
    browser.open(file.as_uri())
    browser.until(READY)
    assert browser.run("return [byId('worths').hidden, document.querySelectorAll('.compared').length]") == [True, 0]
