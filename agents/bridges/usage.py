"""Usage: the provider's charges for a bot's decisions, as a line of its notes and as a sum of such lines."""

from __future__ import annotations

import re
from functools import reduce
from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

OF_DECISION, OF_GAME = "usage: ", "usage of the game: "
"""What precedes the usage of a decision in a note, and that of the game so far."""
_NUMBER = r"(\d{1,15})"
_LINE = re.compile(
    rf"decisions {_NUMBER}, calls {_NUMBER}, retries {_NUMBER},"
    rf" tokens in {_NUMBER} \(cached {_NUMBER}\), out {_NUMBER}(?:, cost (\d{{1,12}}\.\d{{6}}))?"
)


class Usage(NamedTuple):
    """Counts, and the cost in the currency of the prices; None without prices.

    ``cached`` are those of ``tokens_in`` that were in the provider's cache.
    """

    decisions: int = 0
    calls: int = 0
    retries: int = 0
    tokens_in: int = 0
    cached: int = 0
    tokens_out: int = 0
    cost: float | None = None

    @property
    def tokens(self) -> int:
        """All tokens, sent and answered."""
        return self.tokens_in + self.tokens_out

    @classmethod
    def parse(cls, text: str) -> Usage | None:
        """Return the usage that a text states, None for any other text."""
        found = _LINE.fullmatch(text)
        if found is None:
            return None
        *counts, cost = found.groups()
        return cls._make([*map(int, counts), None if cost is None else float(cost)])

    def __str__(self) -> str:
        """Write the text."""
        cost = "" if self.cost is None else f", cost {self.cost:.6f}"
        return (
            f"decisions {self.decisions}, calls {self.calls}, retries {self.retries},"
            f" tokens in {self.tokens_in} (cached {self.cached}), out {self.tokens_out}{cost}"
        )

    def with_tokens(self, tokens_in: int, cached: int, tokens_out: int) -> Usage:
        """Return the usage plus that of one answered call."""
        return self._replace(
            tokens_in=self.tokens_in + tokens_in, cached=self.cached + cached, tokens_out=self.tokens_out + tokens_out
        )

    def priced(self, price_in: float | None, price_out: float | None) -> Usage:
        """Return the usage with its cost, by prices per million tokens; a cached token costs the same."""
        if price_in is None and price_out is None:
            return self
        cost = self.tokens_in * (price_in or 0) + self.tokens_out * (price_out or 0)
        return self._replace(cost=cost / 1_000_000)

    def plus(self, other: Usage) -> Usage:
        """Return the sum of both."""
        costs = [cost for cost in (self.cost, other.cost) if cost is not None]
        return Usage(
            self.decisions + other.decisions,
            self.calls + other.calls,
            self.retries + other.retries,
            self.tokens_in + other.tokens_in,
            self.cached + other.cached,
            self.tokens_out + other.tokens_out,
            sum(costs) if costs else None,
        )

    def document(self) -> dict[str, int | float | None]:
        """Return the form that scripts rely on; the cost of a whole decision is rounded to millionths."""
        return self._asdict() | {"cost": None if self.cost is None else round(self.cost, 6)}


def total(lines: Iterable[str]) -> Usage | None:
    """Return the sum over the games in these notes of one bot, None if they state no usage.

    Of each game the last line counts. The notes of a long game lack its middle, so the decisions cannot be added up.
    """
    games: list[Usage] = []
    for line in lines:
        said = Usage.parse(line.removeprefix(OF_GAME)) if line.startswith(OF_GAME) else None
        if said is None:
            continue
        if games and said.decisions > games[-1].decisions:
            games[-1] = said
        else:
            games.append(said)
    return reduce(Usage.plus, games) if games else None
