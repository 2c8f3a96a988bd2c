"""Candidates: the legal plays to think about, where there are too many to think about all."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from croupier.agents.search.world import World
    from croupier.protocol.views.view import Play

MOST = 10
FIRST = 2
"""Of too many plays, this many are taken in the order in which they are listed: the next bids."""
LISTED = 2_000


def candidates(world: World, proposed: Sequence[Play], rng: Random, most: int = MOST) -> list[Play]:
    """List the plays to think about, proposals first. If there are too many, prefer those near the first proposal.

    Without proposals the order is random, because the first play wins if all turn out equal.
    """
    plays = world.distinct([*proposed, *islice(world.game.legal(), LISTED)])
    others = [play for play in plays if not any(_same(play, known) for known in proposed)]
    room = most - len(proposed)
    if not proposed:
        return rng.sample(others, min(room, len(others)))
    if len(others) <= room:
        return [*proposed, *others]
    near = [play for play in others if _distance(play, proposed[0]) <= 1]
    chosen = near[: min(FIRST, max(0, room))]
    chosen += rng.sample(near[FIRST:], max(0, min(len(near[FIRST:]), room - len(chosen))))
    rest = [play for play in others if play not in chosen]
    return [*proposed, *chosen, *rng.sample(rest, max(0, room - len(chosen)))]


def _same(one: Play, other: Play) -> bool:
    return one == other or (one[0] == other[0] and sorted(map(str, one)) == sorted(map(str, other)))


def _distance(one: Play, other: Play) -> int:
    """Count the words of one play that are not in the other."""
    if len(one) != len(other):
        return len(one) + len(other)
    return len(one) - len(set(one) & set(other))
