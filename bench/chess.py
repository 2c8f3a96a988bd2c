"""Measure another referee, one of chess in C: c-chess-cli, given by its path, between null engines."""

from __future__ import annotations

import re
import subprocess
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

ENGINE = Path(__file__).with_suffix(".c")
PLACED = ("a match on each core", "one match on all")


def rates(rival: Path, games: int, cores: Sequence[int]) -> tuple[float, float]:
    """Return the moves per second in both placements."""
    return moves(rival, games, *([core] for core in cores)), moves(rival, games, cores)


def moves(rival: Path, games: int, *places: Sequence[int]) -> float:
    """Return the moves per second of a match on each place at the same time, until the last of its games is written."""
    with tempfile.TemporaryDirectory() as name:
        engine = Path(name) / "engine"
        subprocess.run(["cc", "-O2", "-o", engine, ENGINE], check=True)
        each = games // len(places)
        pgns = [Path(name) / f"{number}.pgn" for number in range(len(places))]
        began = time.time()
        running = [match(rival, engine, each, pgn, cores) for pgn, cores in zip(pgns, places, strict=True)]
        for one in running:
            one.wait()
        made = sum(played(pgn, each) for pgn in pgns)
        return made / (max(pgn.stat().st_mtime for pgn in pgns) - began)


def match(rival: Path, engine: Path, games: int, pgn: Path, cores: Sequence[int]) -> subprocess.Popen[bytes]:
    """Begin a match on these cores, with as many games at once."""
    place = ["taskset", "-c", ",".join(map(str, cores)), rival.resolve()]
    engines = ["-each", f"cmd={engine}", "depth=1", "-engine", "name=one", "-engine", "name=other"]
    how = ["-games", str(games), "-concurrency", str(len(cores)), "-pgn", pgn]
    return subprocess.Popen([*place, *engines, *how], stdout=subprocess.DEVNULL)


def played(pgn: Path, games: int) -> int:
    """Return the number of moves in games that all came to their end."""
    told = pgn.read_text() if pgn.exists() else ""
    if told.count('[Termination "checkmate"]') != games:
        raise SystemExit(f"the rival has not played {games} games to their end:\n{told[:500]}")
    return sum(map(int, re.findall(r'^\[PlyCount "(\d+)"\]', told, re.MULTILINE)))
