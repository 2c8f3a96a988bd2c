"""FinishedGame: a game whose page can be opened with all hands, and whose decisions are judged while a page waits."""

from __future__ import annotations

from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

import trio

from croupier.agents.search.budget import Budget
from croupier.server import viewer
from croupier.server.records.replay import Replay
from croupier.server.reviewing.review import count_decisions, reviews_so_far
from croupier.server.reviewing.reviewed_page import reviewed_data
from croupier.server.reviewing.run import said

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from croupier.server.games.game import Game
    from croupier.server.table.played_game import PlayedGame

MS = 200.0
"""Milliseconds for each decision, less if the whole would take longer than ``MOST_SECONDS``."""
MOST_SECONDS = 60.0
"""Then the review ends, and has only the first decisions."""


class Progress(NamedTuple):
    """How many of a game's decisions are judged, and the milliseconds that each gets."""

    done: int
    total: int
    ms: float


class FinishedGame:
    """A finished game. Its review is made once, by the first page that asks for it."""

    def __init__(self, game: PlayedGame, rules: type[Game]) -> None:
        self.text = "\n".join(game.record) + "\n"
        self._rules = rules
        self._review: dict[str, Any] | None = None
        self._about = ""
        self._one_at_a_time = trio.CapacityLimiter(1)

    async def page(self) -> str:
        """Return the viewer's page, with the review if it is made."""
        return await trio.to_thread.run_sync(self._write)

    async def judge(self) -> AsyncGenerator[Progress, None]:
        """Judge the decisions one by one, and yield how far that is; a caller that leaves ends the work.

        A thread does one decision at a time, so that nothing goes on for longer than that.
        """
        total = await trio.to_thread.run_sync(count_decisions, self.text, self._find)
        budget = Budget(ms=min(MS, 1000 * MOST_SECONDS / max(total, 1)))
        so_far = reviews_so_far(self.text, self._find, budget)
        step = partial(trio.to_thread.run_sync, next, so_far, None, limiter=self._one_at_a_time, abandon_on_cancel=True)
        ends = monotonic() + MOST_SECONDS
        found = None
        yield Progress(0, total, budget.ms)
        while self._review is None and monotonic() < ends and (latest := await step()) is not None:
            found = latest
            yield Progress(len(found.decisions), total, budget.ms)
        if self._review is None and found is not None:
            done = len(found.decisions)
            self._about = "" if done == total else f", the first {done} of {total}"
            self._review = {"budget": said(budget), **found.document()}

    def _find(self, name: str) -> type[Game]:
        return self._rules

    def _write(self) -> str:
        if self._review is None:
            return viewer.page(viewer.page_data(Replay(self.text, self._find)))
        shown = reviewed_data(self._review, self.text, self._find)
        shown["review"]["budget"] += self._about
        return viewer.page(shown)
