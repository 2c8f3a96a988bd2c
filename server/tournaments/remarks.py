"""Remarks: what is kept of a batch beside its records: standard error (stderr), and how long decisions took."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

from croupier.server.entries import distinct_names
from croupier.server.records import notes
from croupier.server.tournaments.folder import NOTES, keep_errors, write_durably

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from croupier.server.table.played import PlayedGame


def keep(folder: Path, games: Sequence[PlayedGame], batch: str) -> None:
    """Write what there is to keep of a batch's games."""
    keep_errors(folder, games, batch)
    if timed := [game for game in games if game.thinking]:
        (folder / NOTES).mkdir(exist_ok=True)
        text = "".join(map(_notes, timed)).encode()
        write_durably(folder / NOTES / f"{batch}.notes.gz", gzip.compress(text, mtime=0))


def _notes(game: PlayedGame) -> str:
    """Return how long each decision of a game took, headed by who sat there as the record says it."""
    names = distinct_names(game.seating)
    told = notes.written(notes.gathered(dict(zip(names, game.thinking, strict=True)), {}))
    return f"== deal {game.deal}: {' '.join(names)}\n{told}"
