"""Candidates: which of the legal plays are thought about, where there are too many for all."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

    from croupier.agents.search.world import World
    from croupier.protocol.views.view import Play

MOST = 10
FIRST = 2
"""Of too many, so many are taken in the order in which they are listed: the next bids."""
LISTED = 2_000


def candidates(world: World, best: Play | None, rng: Random) -> list[Play]:
    """List the plays to think about, the sensible bot's first: all, or some, first those that differ in one word."""
    plays = list(islice(world.legal(), LISTED))
    if best is not None:
        plays = [best, *[play for play in plays if not _same(play, best)]]
    if len(plays) <= MOST:
        return plays
    near = [play for play in plays[1:] if best is not None and _distance(play, best) <= 1]
    chosen = near[:FIRST] + rng.sample(near[FIRST:], min(len(near[FIRST:]), MOST - 1 - FIRST))
    rest = [play for play in plays[1:] if play not in chosen]
    return [plays[0], *chosen, *rng.sample(rest, MOST - 1 - len(chosen))]


def _same(one: Play, other: Play) -> bool:
    return one == other or (one[0] == other[0] and sorted(map(str, one)) == sorted(map(str, other)))


def _distance(one: Play, other: Play) -> int:
    """Count the words of one play that are not in the other."""
    if len(one) != len(other):
        return len(one) + len(other)
    return len(one) - len(set(one) & set(other))
