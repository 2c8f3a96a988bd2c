"""Fingerprints: which program an entry is, by the files that it consists of; looked at again while it plays."""

from __future__ import annotations

import hashlib
import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING

from croupier import __version__
from croupier.agents import bundled
from croupier.server import entries
from croupier.server.tournaments.store import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from croupier.server.entries import Entry
    from croupier.server.table.played import PlayedGame


class ProgramChanged(Exception):
    """An entry's files were changed while it played; ``games`` were played before."""

    def __init__(self, name: str, games: Sequence[PlayedGame]) -> None:
        super().__init__(name, games)
        self.name = name
        self.games = games


class Watched:
    """Entries whose files are to stay what they were entered as: hashed again whenever their inodes say otherwise."""

    def __init__(self, seated: Iterable[Entry], sha256: Mapping[str, str]) -> None:
        self.expected = [(entry, sha256[entry.name]) for entry in seated if entry.name in sha256]
        self._stamps: dict[str, list[tuple[int, ...]]] = {}

    def changed(self) -> str | None:
        """Return the name of an entry that is another program by now."""
        return next((entry.name for entry, sha256 in self.expected if self._differs(entry, sha256)), None)

    def _differs(self, entry: Entry, sha256: str) -> bool:
        try:
            stamps = [_stamp(path) for path in _files(entry)]
            if self._stamps.get(entry.name) == stamps:
                return False
            self._stamps[entry.name] = stamps
            return fingerprint(entry) != sha256
        except (OSError, StoreError):
            return True


def _stamp(path: Path) -> tuple[int, ...]:
    found = path.stat()
    return (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)


def fingerprint(entry: Entry) -> str:
    """Return SHA-256 of the files that an entry's command names, of the command itself, and of what it is granted."""
    granted = (entry.dialect, entry.lifetime, entry.cores, entry.memory, sorted(entry.env.items()))
    digest = hashlib.sha256(repr(granted).encode())
    for path in _files(entry):
        try:
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
        except OSError as problem:
            raise StoreError(f"{entry.name}: {path} cannot be read: {problem.strerror}") from None
    digest.update(repr(_words(entry)).encode())
    return digest.hexdigest()


def _files(entry: Entry) -> Sequence[Path]:
    if entry.builtin is None:
        return entry.files
    module = importlib.util.find_spec(f"croupier.agents.{bundled.BUNDLED[entry.builtin][1]}")
    return [Path(module.origin)] if module is not None and module.origin else []


def _words(entry: Entry) -> Sequence[str]:
    """Return what of a command is no file: where a file lies does not matter, what is in it does."""
    if entry.builtin is not None:
        return [entry.builtin, __version__]
    return [word for word in entry.command if not entries.is_file(word)]
