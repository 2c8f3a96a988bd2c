"""Spent: what a tournament has cost so far, in all its runs."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Any, NamedTuple

# msgspec reads the type of a fact when it is read
from croupier.agents.bridges.usage import Usage, total
from croupier.server.tournaments.config.budget import SECONDS, TOKENS, Budget

if TYPE_CHECKING:
    from collections.abc import Iterable

    from croupier.server.table.played_game import PlayedGame
    from croupier.server.tournaments.keeping.store import Store


class Spent(NamedTuple):
    """Seconds by the clock on the wall, and the usage of each bot that reports one, by name."""

    seconds: float
    usage: dict[str, Usage]

    @classmethod
    def read(cls, store: Store) -> Spent:
        """Return the cost of a tournament according to its folder; one of an older version knows nothing."""
        found: Spent | None = store.fact("spent")
        return found or cls(0.0, {})

    def with_games(self, games: Iterable[PlayedGame]) -> Spent:
        """Return the sum with what bots report in these games, in their standard error."""
        usage = dict(self.usage)
        for game in games:
            for name, text in zip(game.seating, game.errors, strict=False):
                if (used := total(text.splitlines())) is not None:
                    usage[name] = usage.get(name, Usage()).plus(used)
        return self._replace(usage=usage)

    @property
    def total(self) -> Usage:
        """The usage of all bots."""
        return reduce(Usage.plus, self.usage.values(), Usage())

    def of(self, kind: str) -> float | None:
        """Return the amount of a budget's kind; None if no bot has reported it, although it was asked to play."""
        if kind == SECONDS:
            return self.seconds
        return (self.total.tokens or None) if kind == TOKENS else self.total.cost

    def uses_up(self, budget: Budget) -> bool:
        """Return whether nothing of a budget is left."""
        return (self.of(budget.kind) or 0) >= budget.amount

    def document(self, budget: str | None) -> dict[str, Any]:
        """Return the form of ``--json``, beside the budget if there is one."""
        used = self.total
        cost = None if used.cost is None else round(used.cost, 6)
        known = {"seconds": round(self.seconds, 3), "calls": used.calls, "tokens": used.tokens, "cost": cost}
        if budget is None:
            return known
        return known | {"budget": budget, "used_up": self.uses_up(Budget.parse(budget))}

    def words(self, budget: str | None) -> str:
        """Return it in words."""
        used = self.total
        counts = [f"{used.calls:,} calls", f"{used.tokens:,} tokens"] if self.usage else []
        cost = [] if used.cost is None else [f"cost {used.cost:,.4f}"]
        asked = f", of a budget of {budget}" if budget else ""
        return ", ".join([_duration(self.seconds), *counts, *cost]) + asked


def _duration(seconds: float) -> str:
    """Return a duration in words."""
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(int(minutes), 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest:.0f} s" if minutes else f"{rest:.1f} s"
