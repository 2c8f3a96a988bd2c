"""Files: finds programs, and makes a Game of one."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from croupier.server.games import LIBRARY, PROGRAM_ENDINGS, BadGame, NoSuchGame, library
from croupier.server.games.recycle.game import RecycleGame
from croupier.server.games.recycle.program import CompiledProgram, digest
from croupier.server.games.recycle.reader import MAX_BYTES, BadProgram, decode
from croupier.server.suggestions import did_you_mean
from croupier.server.texts import open_file

if TYPE_CHECKING:
    from collections.abc import Iterable

    from croupier.server.games.game import Game

_loaded: dict[tuple[str, str], type[RecycleGame]] = {}


def load(file: str, near: Iterable[Path] = ()) -> type[Game]:
    """Return the game of a program: a file, else a game of the library by name, else either by its SHA-256.

    Raise NoSuchGame or BadProgram.
    """
    path = find(file, near)
    return of_bytes(path.stem, read_bytes(path))


def of_bytes(name: str, data: bytes) -> type[Game]:
    """Return the game of a program's bytes. Cached, so that a program is compiled once."""
    key = (name, digest(data))
    if key not in _loaded:
        _loaded[key] = game_of(name, data)
    return _loaded[key]


def find(file: str, near: Iterable[Path] = ()) -> Path:
    """Return a program's path, or raise NoSuchGame."""
    path = Path(file)
    if path.exists():
        return path
    if file.lower() in library():
        return LIBRARY / f"{file.lower()}.gdl"
    if re.fullmatch(r"[0-9a-f]{64}", file):
        return _find_by_digest(file, near)
    meant = did_you_mean(file, library())
    raise NoSuchGame(f"there is no file {file}, and no game of that name in the library{meant}")


def _find_by_digest(wanted: str, near: Iterable[Path]) -> Path:
    """Find the program of a record by its hash: in the library, in the current folder, else in these places."""
    for place in (LIBRARY, Path(), *near):
        for path in _programs(place):
            if path.stat().st_size <= MAX_BYTES and digest(read_bytes(path)) == wanted:
                return path
    raise NoSuchGame(f"no program here has the SHA-256 {wanted}: name its file, --program FILE")


def _programs(place: Path) -> list[Path]:
    """List the programs of a folder, or the file itself."""
    if not place.is_dir():
        return [place]
    return [path for suffix in PROGRAM_ENDINGS for path in sorted(place.glob(f"*{suffix}")) if path.is_file()]


def read_bytes(path: Path) -> bytes:
    """Return a program's bytes, or raise BadProgram; an endless file is read only until it is too long."""
    try:
        with open_file(path) as file:
            return file.read(MAX_BYTES + 1)
    except OSError as problem:
        raise BadGame(f"{path} cannot be read: {problem.strerror}") from None


def game_of(name: str, data: bytes, program: CompiledProgram | None = None) -> type[RecycleGame]:
    """Return the Game of a program's bytes, or raise BadProgram with all its problems."""
    try:
        text = decode(data)
        program = program or CompiledProgram(text)
    except BadProgram as bad:
        raise BadProgram(bad.problems, name) from None
    if errors := program.errors():
        raise BadProgram(errors, name)
    called = re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-") or "program"
    attributes = {
        "__doc__": f"The game of {name.encode(errors='replace').decode()}, from a file.",
        "SEATS": (program.players,),
        "LOW_WINS": program.low_wins,
        "PARTNERS": partners(program),
        "PROGRAM": called,
        "PROGRAM_SHA256": digest(data),
        "PROGRAM_BYTES": data,
        "TEXT": text,
        "PROGRAMS": {"plain": program},
    }
    return type(called, (RecycleGame,), attributes)


def partners(program: CompiledProgram) -> tuple[tuple[int, ...], ...]:
    """Return the teams with several members if the scoring depends on a player only through the team."""
    assert program.start is not None
    scoring = str(program.tree.items[-1])
    if "(current player)" in scoring.replace("(team (current player))", ""):
        return ()
    return tuple(tuple(team) for team in program.start.teams if len(team) > 1)
