"""Fairness: what the deals and seats of a table cancel, and whose games answer a question about two players."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from croupier.server.tournaments.statistics.columns import entries
from croupier.server.tournaments.statistics.credit import opposing_pairs

if TYPE_CHECKING:
    from croupier.server.tournaments.foreign.results import TableResults
    from croupier.server.tournaments.statistics.columns import Columns, Flags, Places
    from croupier.server.tournaments.statistics.scoring import Scoring


MOST_WORK = 1_000_000_000
"""Deals times the cube of the number of players; this much takes a quarter of a minute."""


class Fairness(NamedTuple):
    """What is known of the luck in a table."""

    sets: int
    uneven: int | None
    """The number of sets in which somebody had a seat, or a side, more often than another; None if it is unknown."""
    first_uneven: str
    """The deal of the first of them."""
    ranked_by: str
    """The mean if everybody met everybody equally often, else the score against the field.

    Where that would take minutes, because it fits all players again without each deal, it is the strength.
    """

    @classmethod
    def of(cls, results: TableResults) -> Fairness:
        """Return what is known of some results."""
        games, sets = results.games, int(results.games.sets.max(initial=-1)) + 1
        work = len(games.names) ** 3 * len(np.unique(games.deal))
        others = "field" if work <= MOST_WORK else "strength"
        ranked_by = "mean" if _all_met_alike(games, results.scoring) else others
        if not (results.deals and results.seats_known):
            return cls(sets, None, "", ranked_by)
        uneven = ~_even_sets(games, _side_of_seat(results))
        first = np.flatnonzero(uneven[games.sets])[:1]
        return cls(sets, int(uneven.sum()), "".join(results.deals[games.deal[at] - 1] for at in first), ranked_by)


def _side_of_seat(results: TableResults) -> Places:
    """Return the number of each seat, or of its side if there are partners, who share a score."""
    side = np.arange(results.games.width)
    for seats in results.scoring.PARTNERS:
        side[list(seats)] = min(seats)
    return side


def _even_sets(games: Columns, side: Places) -> Flags:
    """Return, for each set, whether each of its players had each side equally often, by its number of seats."""
    width, players = games.width, len(games.names)
    owner = (games.sets[:, None] * players + games.seats).ravel()
    owners, who = np.unique(owner, return_inverse=True)
    held = np.bincount(who * width + np.tile(side, len(games)), minlength=len(owners) * width).reshape(-1, width)
    size = np.bincount(side, minlength=width)
    even = (held * size.sum() == held.sum(axis=1, keepdims=True) * size).all(axis=1)
    return np.asarray(np.bincount(owners // players, ~even) == 0)


def _all_met_alike(games: Columns, scoring: Scoring) -> bool:
    """Return whether all pairs were at a table equally often, and opponents equally often if they ever were."""
    pairs = len(games.names) * (len(games.names) - 1) // 2
    at_table, opposed = (_meetings(games, each) for each in (scoring._replace(PARTNERS=()), scoring))
    return len(at_table) == pairs and len({*at_table}) == 1 and len({*opposed}) == 1


def _meetings(games: Columns, scoring: Scoring) -> list[int]:
    """Return how often each pair of opponents met."""
    found = entries(games, low_wins=scoring.LOW_WINS)
    one, other = opposing_pairs(found, scoring)
    numbers: list[int] = np.unique(found.who[one] * len(games.names) + found.who[other], return_counts=True)[1].tolist()
    return numbers


def games_of_two(results: TableResults, one: str, other: str) -> Columns:
    """Return the games that compare two players: those in which they were opponents, if they ever were, else all.

    A player's games with others say nothing about the two, because the other one did not play there.
    """
    games = results.games
    found = entries(games, low_wins=results.scoring.LOW_WINS)
    pairs = opposing_pairs(found, results.scoring)
    asked = np.isin(found.who, [games.names.index(one), games.names.index(other)])
    met = np.unique(found.game[pairs.one[asked[pairs.one] & asked[pairs.other]]])
    return games.take(met) if len(met) else games
