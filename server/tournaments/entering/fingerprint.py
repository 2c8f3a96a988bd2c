"""Fingerprints: which program an entry is, by its files; checked again while it plays."""

from __future__ import annotations

import hashlib
import importlib.util
import os
from itertools import product
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from croupier import __version__
from croupier.agents import bundled, search
from croupier.protocol.notifications import OWN
from croupier.server.entries import is_folder
from croupier.server.tournaments.entering.imports import content, hidden_import, imported_files, scan
from croupier.server.tournaments.keeping.folder import is_ours
from croupier.server.tournaments.keeping.store import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from croupier.server.entries import Entry
    from croupier.server.tournaments.keeping.packed_games import PackedGames

LOOK = 0.01
"""Seconds between two checks of files during games; a check takes a hundredth of a fast game."""

_Stamp = tuple[int, ...]


class ProgramChanged(Exception):
    """An entry's files were changed during play; ``games`` were played before."""

    def __init__(self, name: str, games: PackedGames) -> None:
        super().__init__(name, games)
        self.name = name
        self.games = games


class Watched:
    """Entries whose files must not change; they are hashed again only when their inodes suggest a change."""

    def __init__(self, seated: Iterable[Entry], sha256: Mapping[str, str]) -> None:
        self.expected = [(entry, sha256[entry.name]) for entry in seated if entry.name in sha256]
        self._stamps: dict[str, _Stamp] = {}
        """The stats of all files at the last time when no program had changed."""
        self._due = 0.0
        self._sure = 0

    def look(self, played: PackedGames, *, soon: bool = False) -> None:
        """Raise ProgramChanged, with the games up to the last check, if an entry's program has changed.

        With ``soon`` nothing is checked within ``LOOK`` seconds of the last check; games since then depend on the next
        one.
        """
        if soon and monotonic() < self._due:
            return
        if name := self.changed_entry():
            del played[self._sure :]
            raise ProgramChanged(name, played)
        self._due, self._sure = monotonic() + LOOK, len(played)

    def changed_entry(self) -> str | None:
        """Return the name of an entry whose program has changed."""
        if self._stamps and all(_stamp(path) == stamp for path, stamp in self._stamps.items()):
            return None
        stamps: dict[str, _Stamp] = {}
        for entry, sha256 in self.expected:
            if _differs(entry, sha256, stamps):
                return entry.name
        self._stamps = stamps
        return None


def _differs(entry: Entry, sha256: str, stamps: dict[str, _Stamp]) -> bool:
    """Return whether an entry's program has changed; add its files with their stats from before they were read."""
    try:
        for path in map(str, files(entry).values()):
            stamps.setdefault(path, _stamp(path))
        return fingerprint(entry) != sha256
    except (OSError, StoreError):
        return True


def _stamp(path: str) -> _Stamp:
    """Return the stats that change with a file's content; empty for a missing file."""
    try:
        found = os.stat(path)  # noqa: PTH116  creating a Path for each game costs more than the check
    except OSError:
        return ()
    return (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)


def fingerprint(entry: Entry) -> str:
    """Return SHA-256 of an entry: of its files, of its command's words, and of its permissions."""
    granted = (entry.dialect, entry.lifetime, entry.cores, entry.memory, sorted(entry.env.items()))
    network = ["network"] if entry.network else []  # others keep the SHA-256 that they have in older folders
    sight = [entry.sight] if entry.sight != OWN else []
    what = (granted, sorted(hashes(entry).items()), _words(entry), *network, *sight)
    return hashlib.sha256(repr(what).encode()).hexdigest()


def hashes(entry: Entry) -> dict[str, str]:
    """Return SHA-256 of each file that an entry consists of."""
    found = {}
    for name, path in files(entry).items():
        try:
            found[name] = hashlib.sha256(content(path)).hexdigest()
        except OSError as problem:
            raise StoreError(f"{entry.name}: {path} cannot be read: {problem.strerror}") from None
    return found


def files(entry: Entry) -> dict[str, Path]:
    """Return the files that an entry's command names and those they import, by their names within their folders.

    Only their contents matter, not where they are.
    """
    if entry.builtin is not None:
        program = [Path(word) for word in entry.args if Path(word) in entry.files]
        return {path.name: path for path in (*bundled_files(entry.builtin), *program)}
    found: dict[str, Path] = {}
    for number, main in enumerate(entry.files):
        for path in (main, *imported_files(main)):
            name = str(path.relative_to(main.parent))
            found[name if found.get(name, path) == path else f"{number}/{name}"] = path
    return found


def blinding(seated: Iterable[Entry], folders: Iterable[Path]) -> str:
    """Return which of these folders, once hidden from bots, would hide a file that one of them names or imports.

    Empty if none would. A bot's program may be in such a folder, but it must not name what croupier writes there.
    """
    for entry, folder in product([entry for entry in seated if entry.builtin is None], folders):
        for program in entry.files:
            if is_ours(program, folder):
                return (
                    f"{entry.name} names {program}, and what croupier writes into {folder} is hidden from bots: "
                    "take it out of the command"
                )
            if (path := hidden_import(program, folder)) is not None:
                return (
                    f"{folder} holds {path.name}, which {entry.name} imports, and what is kept there is hidden from "
                    "bots: use another folder, or give the bot one of its own"
                )
    return ""


def unfollowed_imports(seated: Iterable[Entry]) -> list[str]:
    """Return a warning for each program that counts more files as its own than it imports, with the reason."""
    return [
        f"{entry.name}: its code names too many files to look for: a change of any *{program.suffix} of"
        f" {program.parent}, or of a folder below, makes it another program"
        for entry in seated
        for program in (entry.files if entry.builtin is None else ())
        if scan(program).cut_off
    ]


def bundled_files(bot: str) -> list[Path]:
    """Return the files of a bundled bot; the searching one has a package."""
    name = bundled.BUNDLED[bot][1]
    names = [name] if "." in name else [f"croupier.agents.{name}"]
    found = [importlib.util.find_spec(name) for name in names]
    own = [Path(module.origin) for module in found if module is not None and module.origin]
    return [*own, *sorted(Path(search.__file__).parent.glob("*.py"))] if bot == bundled.SEARCH else own


def source(module: str) -> str:
    """Return SHA-256 of a module's source."""
    found = importlib.util.find_spec(module)
    return hashlib.sha256(Path(found.origin).read_bytes()).hexdigest() if found is not None and found.origin else ""


def _words(entry: Entry) -> Sequence[str]:
    """Return a command's words, with only the names of its files and a mark for its folders."""
    if entry.builtin is not None:
        return [entry.builtin, __version__, *[word for word in entry.args if Path(word) not in entry.files]]
    paths = {str(path): path.name for path in entry.files}
    paths |= {word: "/" for word in entry.command if Path(word).is_absolute() and is_folder(word)}
    return [paths.get(word, word) for word in entry.command]
