"""croupier: the referee for card games between programs."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from random import Random

    from croupier.protocol.full_deal import FullDeal
    from croupier.protocol.views.view import View
    from croupier.server.opened import Tournament

__version__ = "0.1.0"


def worlds(state: str | View, rng: Random, program: str | None = None) -> Iterator[FullDeal]:
    """Yield full deals that agree with the STATE of a player on turn, without end.

    ``state`` is a view, or text in either dialect: STATE alone, or a request. ``program`` is the file of a RECYCLE
    program that is not in the library. Raise BadState (a ValueError) if no game fits.
    """
    from croupier.server import imagining  # noqa: PLC0415  a bot that only plays must not load the rules

    return imagining.worlds(state, rng, program)


def open(folder: str | Path) -> Tournament:  # noqa: A001  called as croupier.open, where it hides nothing
    """Open a tournament's folder: its standings, games and records, each of which a notebook shows.

    Nothing is written there. Raise ValueError if the folder is not a tournament's.
    """
    from croupier.server import opened  # noqa: PLC0415  a bot that only plays must not load the statistics

    return opened.Tournament(folder)
