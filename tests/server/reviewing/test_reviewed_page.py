"""The page of a reviewed game: each decision where it was made, and for one seat nothing that it could not know."""

import json
from functools import cache

import pytest
from games import record_of

from croupier.agents.search.budget import Budget
from croupier.server import games
from croupier.server.records.replay import Replay
from croupier.server.reviewing.review import count_decisions, review, reviews_so_far
from croupier.server.reviewing.reviewed_page import reviewed_data
from croupier.server.viewer import page_data

TABLES = {
    "hearts": ["duck", "random", "duck", "random"],
    "skat": ["skat-club", "random", "skat-club"],
    "dominion": ["big-money", "random"],
    "recycle:kuhn-poker": ["random", "random"],
}
BUDGET = Budget(iterations=40)


@cache
def reviewed(game):
    """Return a record of a game, and its review as a document."""
    text = record_of(game, TABLES[game], options={"turns": 8} if game == "dominion" else {})
    return text, {"budget": {"iterations": 40}, **review(text, games.find, BUDGET).document()}


@pytest.mark.parametrize("game", TABLES)
def test_each_decision_is_shown_where_it_was_made(game):
    """Its seat is on turn at that moment, and the play that was made is what that seat is said to do next."""
    text, document = reviewed(game)
    shown = reviewed_data(document, text, games.find)
    offered = {}
    for moment, [shot, *_] in enumerate(shown["shots"]):
        offered = {key: shot.get(key, offered.get(key)) for key in ("turn", "legal")}
        for each in (each for each in shown["review"]["decisions"] if each["at"] == moment):
            assert each["seat"] == offered["turn"]
            assert each["plays"][0] in (offered["legal"] or each["plays"])
            assert len(each["plays"]) == len(each["known"]["worths"]) == len(each["open"]["worths"])
    assert len(shown["review"]["decisions"]) == len(document["decisions"])
    assert shown["review"]["budget"] == "40 playouts a decision"


@pytest.mark.parametrize("game", TABLES)
def test_the_page_of_one_seat_has_no_worth_that_all_cards_decide(game):
    """Only its own decisions, by what it knew; two reviews that differ in all else give the same page."""
    text, document = reviewed(game)
    name = document["players"][1]["name"]
    page = reviewed_data(document, text, games.find, seat=1)
    changed = json.loads(json.dumps(document))
    for each in changed["decisions"]:
        each.update(loss_open=99.0, error_open=99.0, best_open=each["plays"][-1]["play"])
        for play in each["plays"]:
            play.update(worth_open=99.0, error_open=99.0)
        if each["player"] != name:
            each.update(loss=99.0, label="mistake")
    assert page == reviewed_data(changed, text, games.find, seat=1)
    assert page != reviewed_data(changed | {"decisions": []}, text, games.find, seat=1)
    assert {each["seat"] for each in page["review"]["decisions"]} == {1}
    assert {key: value for key, value in page.items() if key != "review"} == page_data(Replay(text), seat=1)


def test_a_review_grows_decision_by_decision():
    """After each there is a review of those so far; the last has all of them, and the result."""
    text, document = reviewed("hearts")
    *parts, whole = reviews_so_far(text, games.find, BUDGET)
    total = count_decisions(text, games.find)
    assert [len(part.decisions) for part in parts[:total]] == [*range(1, total + 1)]
    assert {len(part.decisions) for part in parts[total:]} == {total}
    assert all(part.worths is None for part in parts)
    assert whole.worths is not None
    assert whole.document()["decisions"] == document["decisions"]
