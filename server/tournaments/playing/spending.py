"""Spending: what a run uses, and whether its budget allows another set."""

from __future__ import annotations

from itertools import groupby
from time import monotonic
from typing import TYPE_CHECKING

from croupier.server.tournaments.config.budget import SECONDS, TOKENS, Budget
from croupier.server.tournaments.keeping.store import RunFailed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from croupier.server.table.played_game import PlayedGame
    from croupier.server.tournaments.formats.schedule import Batch
    from croupier.server.tournaments.keeping.spent import Spent

_SHARE = 0.05
"""The part of a budget that the batches in play may use at most, if they have several deals."""
_LACK = {
    TOKENS: "no bot has reported tokens, so a budget of tokens would never end: take a time",
    "money": "no bot has reported a cost, so a budget of money would never end: give each bridge --price-in and"
    " --price-out, or take a budget of tokens",
}


class Spending:
    """The spending of a tournament: ``before`` in earlier runs, and since this one ``began``."""

    def __init__(self, before: Spent, budget: str | None, began: float | None = None) -> None:
        self._before = self._spent = before
        self._budget = None if budget is None else Budget.parse(budget)
        self._games = 0
        """The number of games of this run."""
        self._began = monotonic() if began is None else began

    @property
    def is_limited(self) -> bool:
        """Whether there is a budget."""
        return self._budget is not None

    def now(self) -> Spent:
        """Return what was spent so far."""
        return self._spent._replace(seconds=self._spent.seconds + monotonic() - self._began)

    def note(self, games: Iterable[PlayedGame]) -> None:
        """Add what bots report in games, whether these are kept or not."""
        played = list(games)
        self._spent = self._spent.with_games(played)
        self._games += len(played)

    def allows(self, in_play: int, *, all_have_played: bool) -> bool:
        """Return whether another set may begin while some games are in play.

        Games in play are expected to cost as much as others did. Nothing is known of the first, so it is waited for.
        Raise RunFailed if every bot has played and none has reported what the budget is of.
        """
        if self._budget is None:
            return True
        used = self.now().of(self._budget.kind)
        if used is None and all_have_played:
            raise RunFailed(_LACK[self._budget.kind])
        if self._budget.kind == SECONDS:
            in_play = 0
        elif not self._games:
            return not in_play and (used or 0) < self._budget.amount
        return (used or 0) + in_play * self._cost_of_a_game < self._budget.amount

    def in_portions(self, batches: Iterable[Batch], workers: Callable[[], int]) -> Iterator[Batch]:
        """Cut batches so that those in play use little of the budget, and those behind come first, deal by deal."""
        if self._budget is None:
            yield from batches
            return
        for _, a_round in groupby(batches, key=lambda batch: (batch.round, batch.trial)):
            rest = list(a_round)
            while rest:
                first, *later = sorted({batch.deals[0] for batch in rest})
                deals = min([self._portion(rest[0], workers()), *(deal - first for deal in later)])
                pieces = [batch.split(min(deals, len(batch.deals)) if batch.deals[0] == first else 0) for batch in rest]
                yield from (piece for piece, _ in pieces if piece.deals)
                rest = [left for _, left in pieces if left.deals]

    def _portion(self, batch: Batch, workers: int) -> int:
        """Return how many deals a batch may have."""
        a_deal = self._cost_of_a_game * len(batch.seatings[0]) * workers
        return max(1, int(_SHARE * self._budget.amount / a_deal)) if self._budget and a_deal else 1

    @property
    def _cost_of_a_game(self) -> float:
        """What a game of this run has used of the budget, on average; 0 before the first."""
        if self._budget is None or not self._games:
            return 0
        before, now = self._before.of(self._budget.kind), self.now().of(self._budget.kind)
        return ((now or 0) - (before or 0)) / self._games
