"""The settings of the sandbox: one value, passed from the call or a tournament file to each process."""

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
    """How strictly a bot is confined, from not at all to as strictly as possible."""

    NONE = "none"
    LIMITS = "limits"
    BWRAP = "bwrap"


@dataclass(frozen=True)
class SandboxSettings:
    """The rules for every bot: the level (``auto`` is the strongest that works here), memory, and stops off turn.

    ``hidden`` lists folders and files that no bot may see, except its own, where its level can hide them: records, a
    wire, the programs of others. A ``vault`` is a tournament's folder, which even `Level.LIMITS` hides.
    """

    level: str = AUTO
    memory: str = "512M"
    freeze: bool = False
    hidden: tuple[Path, ...] = ()
    vault: Path | None = None

    def hiding(self, entries: Iterable[Entry]) -> SandboxSettings:
        """Return the same rules, with the programs of these entries hidden from each other."""
        programs = (path for entry in entries for path in entry.files)
        return replace(self, hidden=tuple(dict.fromkeys((*self.hidden, *programs))))


def memory_bytes(memory: str) -> int:
    """Return the number of bytes of an amount such as ``512M``."""
    return int(memory[:-1]) * _UNITS[memory[-1]]
