"""Let a bot commit faults in its worst, or best, games, and measure the effect on its opponent.

    python -m bench.faults

Two equal players, sets of two games of normally distributed luck. Prints the table of
docs/trust/statistics-evidence.md: by how much the means of both change, in spreads of a game's score, if a share of the
first one's games is chosen for a fault.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from croupier.server.games.game import Game
from croupier.server.table.faults import Fault, Kind, PlayerFault
from croupier.server.table.played_game import PlayedGame
from croupier.server.tournaments.statistics.credit import credit_games

if TYPE_CHECKING:
    from numpy.typing import NDArray

SETS = 5_000
SHARES = (0.01, 0.05, 0.1, 0.2, 0.4)
SPREAD = 1_000
"""The spread of a game, large because scores are whole numbers."""


class Two(Game):
    """A game for two, in which a fault costs three spreads."""

    NAME, PENALTY, AWARD = "two", -3 * SPREAD, 3 * SPREAD


def moved(share: float, sign: int, seed: int = 0) -> tuple[float, float]:
    """Return by how much the means of the offender and of the other change if it chooses its worst or best games."""
    luck = np.random.default_rng(seed).normal(size=(SETS, 2)) * SPREAD
    chosen = sign * luck < np.quantile(sign * luck, share)
    means = [_means(luck, faults) for faults in (chosen, np.zeros_like(chosen))]
    with_faults, without = means
    return tuple((mine - honest) / SPREAD for mine, honest in zip(with_faults, without, strict=True))


def _means(luck: NDArray[np.float64], chosen: NDArray[np.bool_]) -> tuple[float, float]:
    fault = Fault(Kind.CRASHED, "on purpose")
    games = []
    for deal, (scores, spoilt) in enumerate(zip(luck.tolist(), chosen.tolist(), strict=True), 1):
        for turn, (score, guilty) in enumerate(zip(scores, spoilt, strict=True)):
            seating = ("one", "two")[:: 1 - 2 * turn]
            mine, yours = (Two.PENALTY, Two.AWARD) if guilty else (round(score), -round(score))
            by = (PlayerFault(turn, fault),) if guilty else ()
            pair = (mine, yours)[:: 1 - 2 * turn]
            games.append(PlayedGame(("one", "two"), deal, seating, pair, (1, 1), by))
    counted = credit_games(games, Two)
    one, two = (float(counted.score[counted.entries.who == number].mean()) for number in range(2))
    return one, two


def main() -> None:
    """Print the table."""
    print("| faults in | of its worst games: its mean | the other's | of its best games: its mean | the other's |")
    print("|---|---|---|---|---|")
    for share in SHARES:
        cells = " | ".join(f"{each:+.2f}" for sign in (1, -1) for each in moved(share, sign))
        print(f"| {share:.0%} of games | {cells} |", flush=True)


if __name__ == "__main__":
    main()
