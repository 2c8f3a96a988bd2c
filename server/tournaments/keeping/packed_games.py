"""Packed games: what a worker sends to the process that keeps them, with compressed records (gzip)."""

from __future__ import annotations

import gzip
from itertools import chain
from typing import TYPE_CHECKING, Any

from croupier.server.table.played_game import PlayedGame
from croupier.server.tournaments.statistics.times import histograms

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

LEVEL = 3
"""The compression level: 5 would save a tenth of the bytes for half as much time again, 9 a fifth for twelve times."""


class PackedGames(list[PlayedGame]):
    """Games whose records, once packed, are in ``records``: a member of gzip for each part that was joined."""

    def __init__(self, games: Iterable[PlayedGame] = (), records: bytes = b"") -> None:
        super().__init__(games)
        self.records = records

    def pack(self, *, notes: bool = False) -> PackedGames:
        """Compress the games' records, and count their thinking times, which themselves stay only for ``notes``."""
        if self:
            fields: dict[str, Sequence[Any]] = dict(zip(PlayedGame._fields, zip(*self, strict=True), strict=True))
            text = "\n".join(chain.from_iterable(fields["record"])) + "\n"
            self.records = gzip.compress(text.encode("ascii"), LEVEL, mtime=0)
            fields["times"] = histograms(fields["thinking"])
            for emptied in ("record",) if notes else ("record", "thinking"):
                fields[emptied] = [()] * len(self)
            self[:] = map(PlayedGame._make, zip(*fields.values(), strict=True))
        return self

    @classmethod
    def join(cls, parts: Iterable[PackedGames]) -> PackedGames:
        """Join parts in their order."""
        several = list(parts)
        return cls(chain.from_iterable(several), b"".join([each.records for each in several]))

    def __reduce__(self) -> tuple[Callable[..., PackedGames], tuple[Any, ...]]:
        """Pickle one tuple per field, because pickling each game separately costs Python calls on both sides."""
        return _unpack, (self.records, *zip(*self, strict=True))


def _unpack(records: bytes, *columns: tuple[Any, ...]) -> PackedGames:
    return PackedGames(map(PlayedGame._make, zip(*columns, strict=True)), records)
