"""Sets of games, as an adaptive format and the search for an early end see them."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from croupier.server.table.played_game import Names, PlayedGame


class Sets:
    """Games by pairing and deal."""

    def __init__(self, games: Iterable[PlayedGame], seatings: int, *, low_wins: bool = False) -> None:
        self.seatings = seatings
        self.sign = -1 if low_wins else 1
        self.games: dict[tuple[Names, int], list[PlayedGame]] = defaultdict(list)
        for game in games:
            self.games[game.pairing, game.deal].append(game)

    def scores(self, pairing: Names, deals: Sequence[int]) -> dict[str, float] | None:
        """Return each entry's mean score over these sets, turned so that more is better; None if one is missing."""
        sets = [self.games.get((pairing, deal), []) for deal in deals]
        if any(len(games) < self.seatings for games in sets):
            return None
        totals: dict[str, float] = defaultdict(float)
        games = [game for games in sets for game in games]
        for game in sorted(games, key=lambda game: (game.deal, game.seating)):
            for name, score in game.entries(low_wins=self.sign < 0):
                totals[name] += self.sign * score
        return {name: total / len(games) for name, total in totals.items()}
