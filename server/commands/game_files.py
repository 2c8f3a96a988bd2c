"""Keeping: the files that ``croupier play --record`` writes, game by game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.protocol.record import Source
from croupier.server.records.notes import gather, write

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from croupier.server.commands.dealing import Dealing
    from croupier.server.games.game import Game
    from croupier.server.table.played_game import PlayedGame


class Keeping:
    """A folder with a record per game and each bot's standard error; with ``notes`` also a file of these.

    ``program`` is the RECYCLE program, if each record is to carry it.
    """

    def __init__(self, folder: Path, dealing: Dealing, program: type[Game] | None, *, notes: bool) -> None:
        self.folder = folder
        self.dealing = dealing
        self.program: Any = program
        self.notes = notes
        self.records: dict[int, Path] = {}
        """The records of finished games, by deal."""
        self.errors: dict[tuple[int, str], Path] = {}
        """The files of standard error, by deal and name."""
        self._thinking: dict[str, Sequence[float]] = {}
        """The seconds of each decision of the last game, by name."""
        self._written: dict[str, str] = {}
        """The standard error of the last game, by name."""

    def write(self, number: int, record: Sequence[str]) -> Path:
        """Write a game's record, even if the game was cut off."""
        return self._write(f"{self.dealing.file_stem(number)}.record", "\n".join(self._carrying(record)) + "\n")

    def write_game(self, game: PlayedGame) -> Path:
        """Write a game's record and notes; standard error comes later."""
        self.records[game.deal] = path = self.write(game.deal, game.record)
        self._thinking = dict(zip(game.seating, game.thinking, strict=True))
        self._written = {}
        self._write_notes(game.deal)
        return path

    def write_errors(self, number: int, name: str, text: str) -> None:
        """Write a bot's standard error in one game beside the game's record."""
        self.errors[number, name] = self._write(f"{self.dealing.file_stem(number)}.{name}.stderr", text)
        self._written[name] = text
        self._write_notes(number)

    def reveal(self) -> None:
        """Add the key to every record, because nobody will play these deals again."""
        for number, path in self.records.items():
            with path.open("a", encoding="ascii") as file:
                file.write(self.dealing.last_line(number))

    def _carrying(self, record: Sequence[str]) -> Iterator[str]:
        """Yield a record's lines, with the program's text after the line that names it if that was asked for."""
        carried = any(line.startswith("(source ") for line in record)
        for line in record:
            yield line
            if self.program is not None and line.startswith("(program ") and not carried:
                yield from map(str, Source.lines(self.program.PROGRAM, self.program.PROGRAM_BYTES))

    def _write_notes(self, number: int) -> None:
        if self.notes:
            text = write(gather(self._thinking, self._written))
            self._write(f"{self.dealing.file_stem(number)}.notes", text)

    def _write(self, name: str, text: str) -> Path:
        path = self.folder / name
        try:
            path.write_text(text, encoding="utf-8")
        except OSError as problem:
            path.unlink(missing_ok=True)
            raise OSError(problem.errno, problem.strerror, str(path)) from None
        return path
