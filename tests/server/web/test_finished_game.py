"""The review of a finished game: made while somebody waits for it, within a budget, once."""

import re
from contextlib import aclosing
from itertools import pairwise

import pytest
from games import play_locally

from croupier.server import games
from croupier.server.viewer.page import unpack
from croupier.server.web import finished_game
from croupier.server.web.finished_game import FinishedGame


@pytest.fixture
def finished(monkeypatch):
    """Play a game of Sedma, whose decisions get little time."""
    monkeypatch.setattr(finished_game, "MS", 1.0)
    return FinishedGame(play_locally("sedma", ["sedma"] * 4), games.find("sedma"))


@pytest.fixture
def judged(monkeypatch):
    """Count the decisions that were judged."""
    found, original = [], finished_game.reviews_so_far

    def counting(*words):
        for each in original(*words):
            found.append(each)
            yield each

    monkeypatch.setattr(finished_game, "reviews_so_far", counting)
    return found


async def test_the_progress_counts_to_the_end(finished, judged):
    """From none to all; a second page finds the review made."""
    told = [each async for each in finished.judge()]
    assert told[0].done == 0
    assert all(0 <= later.done - earlier.done <= 1 for earlier, later in pairwise(told))
    assert told[-1].done == told[-1].total > 20
    number = len(judged)
    assert len([each async for each in finished.judge()]) == 1
    assert len(judged) == number


async def test_a_page_that_leaves_ends_the_work(finished, judged):
    """Nothing more is judged, and the page of the game has no review."""
    before = await finished.page()
    async with aclosing(finished.judge()) as progress:
        told = [await anext(progress) for _ in range(4)]
    assert told[-1].done == len(judged) == 3
    assert await finished.page() == before


async def test_the_budget_is_shared_by_all_decisions(finished, monkeypatch):
    """Of a long game each gets less."""
    monkeypatch.setattr(finished_game, "MOST_SECONDS", 0.008)
    async with aclosing(finished.judge()) as progress:
        first = await anext(progress)
    assert first.ms == pytest.approx(8 / first.total)


async def test_a_review_that_takes_too_long_ends_with_the_first_decisions(finished, monkeypatch):
    """The page says how many there are."""
    clock = iter([0.0, *[1.0] * 5])
    monkeypatch.setattr(finished_game, "monotonic", lambda: next(clock, 61.0))
    told = [each async for each in finished.judge()]
    assert [each.done for each in told] == [0, 1, 2, 3, 4, 5]
    shown = re.search(r'<pre id="film" hidden>([^<]*)</pre>', await finished.page())[1]
    assert unpack(shown)["review"]["budget"] == f"1 ms a decision, the first 5 of {told[0].total}"
