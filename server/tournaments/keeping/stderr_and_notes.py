"""The files kept beside a batch's records: standard error (stderr), and thinking times (notes)."""

from __future__ import annotations

import gzip
import hashlib
from collections import defaultdict
from typing import TYPE_CHECKING

from croupier.server.entries import distinct_names
from croupier.server.records import notes
from croupier.server.tournaments.keeping.folder import ERRORS, NOTES, write_durably

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from croupier.server.table.played_game import PlayedGame

ERRORS_CAP = 16 << 20
"""The most bytes of standard error that are kept of a bot in a tournament."""
_ENDING = ".notes.gz"


def keep(folder: Path, games: Sequence[PlayedGame], batch: str) -> dict[str, str]:
    """Write the files to be kept for a batch's games; return the SHA-256 of each by its path in the folder."""
    files = [*_keep_errors(folder, games, batch), *_keep_notes(folder, games, batch)]
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def files(folder: Path) -> Iterator[Path]:
    """Yield every file that was kept beside records."""
    yield from (folder / ERRORS).glob("*/*.txt")
    yield from (folder / NOTES).glob(f"*{_ENDING}")


def batch_of(path: Path) -> str:
    """Return the name of the file of records to which a file belongs."""
    return f"{path.name.removesuffix(_ENDING).removesuffix('.txt')}.records.gz"


def errors_of(folder: Path, bot: str, records: str) -> Path:
    """Return the file of a bot's standard error in the games of a file of records."""
    return folder / ERRORS / bot / f"{records.removesuffix('.records.gz')}.txt"


def _keep_errors(folder: Path, games: Sequence[PlayedGame], name: str) -> Iterator[Path]:
    """Write each bot's standard error of a batch to ``stderr/BOT/NAME.txt``, within its limit.

    Yield the files that were written.
    """
    texts: defaultdict[str, list[str]] = defaultdict(list)
    for game in games:
        for entry, text in zip(game.seating, game.errors, strict=False):
            if text:
                texts[entry].append(f"== deal {game.deal}: {' '.join(game.seating)}\n{text}")
    for entry, said in texts.items():
        home = folder / ERRORS / entry
        home.mkdir(parents=True, exist_ok=True)
        kept = sum(file.stat().st_size for file in home.iterdir())
        content = "\n".join(said).encode()[: max(0, ERRORS_CAP - kept)]
        if content:
            (home / f"{name}.txt").write_bytes(content)
            yield home / f"{name}.txt"


def _keep_notes(folder: Path, games: Sequence[PlayedGame], batch: str) -> Iterator[Path]:
    if timed := [game for game in games if game.thinking]:
        (folder / NOTES).mkdir(exist_ok=True)
        text = "".join(map(_notes, timed)).encode()
        path = folder / NOTES / f"{batch}{_ENDING}"
        write_durably(path, gzip.compress(text, mtime=0))
        yield path


def _notes(game: PlayedGame) -> str:
    """Return how long each decision of a game took, headed by the seating in the record."""
    names = distinct_names(game.seating)
    told = notes.write(notes.gather(dict(zip(names, game.thinking, strict=True)), {}))
    return f"== deal {game.deal}: {' '.join(names)}\n{told}"
