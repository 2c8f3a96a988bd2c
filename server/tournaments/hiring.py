"""Hiring: who plays a tournament's batches, processes of this machine or a cluster's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.server.tournaments.apart import Apart
from croupier.server.tournaments.store import StoreError
from croupier.server.tournaments.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from croupier.server.deals import Key
    from croupier.server.entries import Entry
    from croupier.server.games.game import Game
    from croupier.server.processes.sandbox import House
    from croupier.server.tournaments.config import Settings

    Bots = tuple[Mapping[str, Entry], Mapping[str, str]]
    """The entries and the SHA-256 of each, by name."""


def hired(settings: Settings, seats: int) -> Apart:
    """Return worker processes with at most ``max_warm`` bots alive."""
    cores = max(bot.cores for bot in settings.bots)
    most = max(1, settings.max_warm // seats)
    return Apart(Workers(settings.workers, cores, pinned=settings.affinity == "auto", most=most))


def machines(
    address: str,
    key: Key,
    rules: type[Game],
    game: str,
    house: House,
    bots: Bots,
    say: Callable[[Sequence[str]], None],
    note: Callable[..., None],
) -> Apart:
    """Return those workers of a Dask scheduler that agree with this machine; raise StoreError or ConnectionError.

    ``say`` tells a person of one that is refused, ``note`` writes it down as an event.
    """
    from croupier.server.tournaments.cluster.crew import Cluster  # noqa: PLC0415  nobody else pays for asyncio
    from croupier.server.tournaments.cluster.handshake import Needs  # noqa: PLC0415  as above

    if not key.by_deal:
        raise StoreError(
            "this tournament was begun by a croupier whose batches carry the key, which no other machine may see:"
            " continue it without --cluster"
        )
    return Apart(Cluster(address, Needs.of(rules, game, house, *bots), say, note))
