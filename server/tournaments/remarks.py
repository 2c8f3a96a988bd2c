"""Remarks: what is kept of a batch beside its records: standard error (stderr), and how long decisions took."""

from __future__ import annotations

import gzip
import hashlib
from typing import TYPE_CHECKING

from croupier.server.entries import distinct_names
from croupier.server.records import notes
from croupier.server.tournaments.folder import ERRORS, NOTES, keep_errors, write_durably

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from croupier.server.table.played import PlayedGame

_ENDING = ".notes.gz"


def keep(folder: Path, games: Sequence[PlayedGame], batch: str) -> dict[str, str]:
    """Write what there is to keep of a batch's games; return the SHA-256 of each file, by its path in the folder."""
    files = [*keep_errors(folder, games, batch), *_keep_notes(folder, games, batch)]
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def kept(folder: Path) -> Iterator[Path]:
    """Yield every file that was kept beside records."""
    yield from (folder / ERRORS).glob("*/*.txt")
    yield from (folder / NOTES).glob(f"*{_ENDING}")


def batch_of(path: Path) -> str:
    """Return the name of the file of records beside which a file was kept."""
    return f"{path.name.removesuffix(_ENDING).removesuffix('.txt')}.records.gz"


def _keep_notes(folder: Path, games: Sequence[PlayedGame], batch: str) -> Iterator[Path]:
    if timed := [game for game in games if game.thinking]:
        (folder / NOTES).mkdir(exist_ok=True)
        text = "".join(map(_notes, timed)).encode()
        path = folder / NOTES / f"{batch}{_ENDING}"
        write_durably(path, gzip.compress(text, mtime=0))
        yield path


def _notes(game: PlayedGame) -> str:
    """Return how long each decision of a game took, headed by who sat there as the record says it."""
    names = distinct_names(game.seating)
    told = notes.written(notes.gathered(dict(zip(names, game.thinking, strict=True)), {}))
    return f"== deal {game.deal}: {' '.join(names)}\n{told}"
