"""Trials: each program's first games are a batch of their own, so that one that faults at every game plays few."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from croupier.server.tournaments.withdrawals import LEAST_GAMES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from croupier.server.tournaments.formats.schedule import Batch


def trials_first(batches: Iterable[Batch], untried: set[str]) -> Iterator[Batch]:
    """Yield the trials of a round, then the rest of it.

    A trial is the first deals at a table of somebody ``untried``, as many as `LEAST_GAMES` take, or all of them where
    fewer than as many again would be left. Those who sit there are taken out of ``untried``.
    """
    rest = iter(batches)
    put_off: list[Batch] = []
    while untried and (batch := next(rest, None)):
        if untried.isdisjoint(batch.pairing):
            put_off.append(batch)
            continue
        untried.difference_update(batch.pairing)
        few = -(-LEAST_GAMES // len(batch.seatings[0]))
        trial, *later = batch.split(few) if len(batch.deals) >= 2 * few else [batch]
        yield trial._replace(trial=True)
        put_off += later
    yield from chain(put_off, rest)
