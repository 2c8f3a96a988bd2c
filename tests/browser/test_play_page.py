"""A person plays in a browser: whole deals by clicks, by keys alone, taken up again, at a pace, and deal after deal."""

from contextlib import contextmanager

import pytest
from browser import DESK, MOST_BYTES, PHONE
from web_table import at_web_table

TURN = "typeof asked !== 'undefined' && asked && atEnd() && !waiting.length && drawing === null"
AT_ONCE = "byId('pace').value = '0'; byId('pace').dispatchEvent(new Event('change'));"
DEALS = {
    "hearts": ["duck"] * 3,
    "skat": ["skat-club"] * 2,
    "doppelkopf": ["doko"] * 3,
    "jass": ["jass"] * 3,
    "sedma": ["sedma"] * 3,
    "dominion": ["smithy"],
    "recycle:agram": ["random"] * 3,
}
CLICKING = """
const [which, done] = arguments;
let clicks = 0;
const step = () => {
  if (drawing !== null || waiting[0]?.[0] === "shot") return setTimeout(step, 2);
  if (ended) return done(clicks);
  if (asked && atEnd()) {
    const cards = [...document.querySelectorAll("#table [data-card]:not(.chosen)")];
    const plays = [...document.querySelectorAll("#may button:not(#undo)")];
    const one = chosen.length && plays.length ? plays[0] : cards.at(which) ?? plays[0];
    clicks += 1;
    one.click();
  }
  setTimeout(step, 2);
};
step();
"""

ONE_PLAY = """
const [done] = arguments, before = asked.number;
const step = () => {
  if (ended || (asked && asked.number > before && atEnd() && drawing === null && !waiting.length)) return done();
  if (asked?.number === before && atEnd() && drawing === null) {
    const cards = [...document.querySelectorAll("#table [data-card]:not(.chosen)")];
    const plays = [...document.querySelectorAll("#may button:not(#undo)")];
    (chosen.length && plays.length ? plays[0] : cards[0] ?? plays[0]).click();
  }
  setTimeout(step, 2);
};
step();
"""


@contextmanager
def table_of(browser, game, **how):
    """Serve a table until the page has left it."""
    with at_web_table(game, DEALS[game], **how) as (address, table):
        try:
            yield address, table
            assert browser.errors() == []
        finally:
            browser.driver.get("about:blank")


def at(browser, address, width=DESK, pace=AT_ONCE):
    """Open the page of a person whose turn it is."""
    browser.open(address, width)
    browser.until("typeof film !== 'undefined' && film")
    browser.run(pace)
    browser.until(TURN)


@pytest.mark.parametrize("game", DEALS)
def test_a_whole_deal_is_played_by_clicks(browser, game):
    """A card that can be clicked, else the first button: each is legal; what the others did and the end are told.

    In Dominion the last card, which most often ends a turn at once.
    """
    with table_of(browser, game) as (address, table):
        at(browser, address)
        clicks = browser.driver.execute_async_script(CLICKING, -1 if game == "dominion" else 0)
        assert browser.text("#now").startswith("finished")
        browser.until("document.getElementById('may').childElementCount === 0")
        assert all(f"bot-{at}" in browser.text("#log") for at in range(len(DEALS[game])))
        assert all(asked.startswith(address) for asked in browser.requests())
    [result] = table.results
    assert not result.faults
    assert clicks >= len(result.thinking[0]) > 3


ALL_QUESTIONS = {
    "skat": {
        "Do you bid, hold or pass?",
        "Do you pick up the skat, or play from the hand?",
        "Which game do you play? With the skat in hand, choose two cards to put away.",
        "Which card do you play?",
    },
    "hearts": {"Choose three cards to pass to the left.", "Which card do you play?"},
}


@pytest.mark.parametrize("game", ALL_QUESTIONS)
def test_a_whole_hand_is_played_by_the_questions_that_are_shown(browser, game):
    """From the auction or the passing to the scores, reloaded in the middle; the others' names and plays are told."""
    with table_of(browser, game) as (address, _):
        at(browser, address)
        asked, reloaded = set(), False
        while not browser.run("return ended"):
            asked.add(browser.run("return asked.question"))
            browser.driver.execute_async_script(ONE_PLAY)
            if not reloaded and browser.run("return asked?.number") == 6:
                log = browser.text("#log")
                at(browser, address)
                reloaded = browser.text("#log") == log and browser.run("return asked.number") == 6
        browser.until("document.querySelector('#table .scores')")
        assert asked == ALL_QUESTIONS[game]
        assert reloaded
        others = [f"bot-{at}" for at in range(len(DEALS[game]))]
        assert all(name in browser.text("#log") for name in others)
        rows = browser.text("#table .scores").splitlines()
        assert {row.split()[0] for row in rows} == {"ada", *others}
        assert any(row.endswith(("wins", "win")) for row in rows)


@pytest.mark.parametrize("game", DEALS)
def test_every_kind_of_table_can_be_played_at_three_widths(browser, game):
    """Nothing is wider than the window or runs out of the table, and everybody can read it."""
    with table_of(browser, game) as (address, _):
        for width in (PHONE, 1100, 1920):
            at(browser, address, width)
            assert browser.too_wide() <= 0
            assert browser.run("return byId('table').scrollWidth - byId('table').clientWidth") <= 0
            assert browser.judged() == []
            assert browser.unnamed() == 0
            assert 10_000 < browser.size() < MOST_BYTES


def test_after_a_game_there_are_scores_a_review_and_another_deal(browser):
    """The review opens the finished game with all hands open; another deal is played at once; leaving ends it."""
    with table_of(browser, "sedma", endless=True) as (address, table):
        at(browser, address)
        browser.driver.execute_async_script(CLICKING, 0)
        browser.until("document.getElementById('leave')")
        assert len(browser.text("#table .scores").splitlines()) == 4
        assert browser.judged() == []
        review = browser.run("return document.getElementById('review').href")
        browser.click("#another")
        browser.until(TURN)
        assert browser.run("return document.getElementById('review')") is None
        browser.open(review)
        browser.until("typeof film !== 'undefined' && film")
        assert browser.run("return [film.eyes[0], film.valid]") == ["table", True]
        at(browser, address)
        browser.driver.execute_async_script(CLICKING, 0)
        browser.until("document.getElementById('leave')")
        browser.click("#leave")
        browser.until("document.getElementById('may').childElementCount === 0")
    assert len(table.results) == 2


def test_after_a_game_the_page_finds_where_points_were_lost(browser):
    """It says how far it is, and can be stopped; then the review shows what each play was worth."""
    with table_of(browser, "sedma", endless=True) as (address, _):
        at(browser, address)
        browser.driver.execute_async_script(CLICKING, 0)
        browser.until("document.getElementById('judge')")
        browser.click("#judge")
        browser.until("document.querySelector('#judging progress')?.value > 0")
        assert "decisions are judged, each for" in browser.text("#judging")
        assert browser.judged() == []
        assert browser.unnamed() == 0
        browser.click("#stop")
        browser.until("judging === null && document.getElementById('judge')")
        browser.click("#judge")
        browser.until("document.getElementById('review').innerText.includes('what each play was worth')")
        assert browser.run("return document.getElementById('judge')") is None
        browser.open(browser.run("return document.getElementById('review').href"))
        browser.until("typeof film !== 'undefined' && film")
        assert browser.run("return film.review.decisions.length") > 20
        at(browser, address)
        browser.until("document.getElementById('leave')")
        browser.click("#leave")


def test_a_refused_click_says_why_and_nothing_stale_can_be_clicked(browser):
    """A question that was answered elsewhere is not answered again; at an earlier moment no card is a button."""
    with table_of(browser, "sedma") as (address, table):
        at(browser, address)
        browser.driver.execute_async_script(ONE_PLAY)
        browser.run("window.before = { ...asked, number: asked.number - 1 }; asked = window.before; show();")
        browser.click("#table [data-card]")
        browser.until("document.querySelector('.refused')")
        assert "not asked any more" in browser.text(".refused")
        assert browser.run("return document.querySelectorAll('[data-card], #may button').length") == 0
        at(browser, address)
        browser.press("ARROW_LEFT")
        assert browser.run("return document.querySelectorAll('[data-card], #may button').length") == 0
        assert table.person._asked == 2


def test_a_window_that_changes_before_the_game_has_come_is_no_error(browser):
    """As on a slow line: nothing is there to be drawn yet, and a key has nowhere to go."""
    silent = {"source": "window.EventSource = class { addEventListener() {} close() {} };"}
    with table_of(browser, "sedma") as (address, _):
        script = browser.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", silent)
        try:
            browser.open(address)
            assert browser.run("return film === undefined")
            browser.run("window.dispatchEvent(new Event('resize'))")
            browser.press("ARROW_LEFT")
        finally:
            browser.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)


@pytest.mark.parametrize("width", [DESK, PHONE])
def test_a_play_of_several_cards_is_chosen_card_by_card(browser, width):
    """Each narrows down what is left, undo takes all back, a button sends it; everybody can read the page."""
    with table_of(browser, "hearts") as (address, table):
        at(browser, address, width)
        assert browser.text("#may") == "Choose three cards to pass to the left."
        assert browser.judged() == []
        hand = browser.run("return [...document.querySelectorAll('[data-card]')].map((one) => one.dataset.card)")
        assert len(hand) == 13
        for card in (hand[4], hand[8]):
            browser.click(f"[data-card={card}]")
        assert "2 chosen" in browser.text("#may")
        browser.click("#undo")
        assert browser.run("return document.querySelectorAll('.chosen').length") == 0
        for card in (hand[2], hand[5], hand[7]):
            browser.click(f"[data-card={card}]")
        browser.click("#may button:not(#undo)")
        browser.until(f"{TURN} && moments.length > 3")
        assert browser.too_wide() <= 0
        assert browser.judged() == []
        assert not set(browser.run("return film.shots.at(-1)[0]['place 0 ']?.[3] ?? []")) & {hand[2], hand[5], hand[7]}
        assert table.person._asked == 2


def test_a_card_is_played_by_keys_and_a_page_that_comes_again_goes_on(browser):
    """Tab and Enter suffice; reloaded, the page shows the game so far and asks the same question; back is no play."""
    with table_of(browser, "sedma") as (address, table):
        at(browser, address)
        browser.run("document.querySelector('[data-card]').focus()")
        browser.press("ENTER")
        browser.until(f"{TURN} && asked.number === 2")
        shown = browser.run("return moments.length")
        at(browser, address)
        assert browser.run("return [moments.length, asked.number]") == [shown, 2]
        browser.press("ARROW_LEFT")
        assert browser.run("return document.querySelectorAll('[data-card]').length") == 0
        browser.press("END")
        assert browser.run("return document.querySelectorAll('[data-card]').length") > 0
        assert table.person._asked == 2


def test_the_next_deal_waits_until_one_is_through_with_the_last(browser):
    """The end of a deal stays until its button is clicked; at a pace moments come one after the other."""
    with table_of(browser, "sedma", deals=2) as (address, table):
        at(browser, address)
        browser.driver.execute_async_script(CLICKING, 0)
        browser.until("document.getElementById('deal')")
        assert browser.text("#now").startswith("finished")
        browser.click("#deal")
        browser.until(TURN)
        assert not browser.text("#now").startswith("finished")
        browser.driver.execute_async_script(CLICKING, 0)
    assert len(table.results) == 2
