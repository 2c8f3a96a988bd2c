"""The settings of the sandbox: one value, from the command line or a tournament file to each process."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from croupier.server.entries import Entry

AUTO = "auto"
_UNITS = {"K": 2**10, "M": 2**20, "G": 2**30}


class Level(Enum):
    """How far a bot is shut in, from not at all to as far as we can."""

    NONE = "none"
    LIMITS = "limits"
    BWRAP = "bwrap"


@dataclass(frozen=True)
class SandboxSettings:
    """What holds for every bot: the level (``auto`` is the strongest that works here), its memory, and off turn a stop.

    ``hidden`` lists folders and files that no bot may see, its own apart, where its level can hide them: records, a
    wire, the programs of others. A ``vault`` is a tournament's folder: not even `Level.LIMITS` lets it be read.
    """

    level: str = AUTO
    memory: str = "512M"
    freeze: bool = False
    hidden: tuple[Path, ...] = ()
    vault: Path | None = None

    def hiding(self, entries: Iterable[Entry]) -> SandboxSettings:
        """Return the same rules, and that none of these entries sees the others' programs."""
        programs = (path for entry in entries for path in entry.files)
        return replace(self, hidden=tuple(dict.fromkeys((*self.hidden, *programs))))


def memory_bytes(memory: str) -> int:
    """Return how many bytes ``512M`` is."""
    return int(memory[:-1]) * _UNITS[memory[-1]]
