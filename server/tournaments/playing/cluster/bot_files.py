"""The files of a bot on their way to a machine that lacks them, and on a worker, where they lie there."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from croupier.agents import bundled
from croupier.server.entries import INTERPRETER
from croupier.server.processes.temporary_folder import wipe
from croupier.server.tournaments.entering.fingerprint import files, fingerprint, hashes
from croupier.server.tournaments.entering.imports import content
from croupier.server.tournaments.keeping.store import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from croupier.server.entries import Entry
    from croupier.server.tournaments.keeping.packed_games import PackedGames
    from croupier.server.tournaments.playing.batch import Job


MOST_BYTES = 64 << 20
MOST_FILES = 2000
"""The most files of one bot that are sent; more have to be copied to the machines by hand."""
_EXECUTABLE, _PLAIN = 0o700, 0o600
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
_PARTS = re.compile(r"([=:])")
"""Separators of the paths in a word, as in ``-cp=lib:classes``."""


class File(NamedTuple):
    """A file of a bot: its path at home, its content, and whether it is executable."""

    path: Path
    content: bytes
    executable: bool


@dataclass(frozen=True)
class BotFiles:
    """A bot with its files, except the interpreters, of which equal ones must exist."""

    entry: Entry
    files: tuple[File, ...]
    interpreters: Mapping[Path, str]
    """The SHA-256 of each interpreter."""
    sha256: Mapping[str, str]
    """The SHA-256 of each file by its name, as in the manifest."""

    def size(self) -> str:
        """Return its size, for a person."""
        total = sum(len(file.content) for file in self.files)
        return f"{len(self.files)} file{'s' if len(self.files) != 1 else ''}, {-(-total // 1024):,} KiB"

    def unpack(self, place: Path) -> Entry:
        """Unpack the files into an empty folder and return the entry that runs there; StoreError if one differs."""
        moved: dict[str, str] = {}
        for file in self.files:
            moved[str(file.path)] = str(_put(file, place))
        for path, sha256 in self.interpreters.items():
            moved[str(path)] = str(_equal(path, sha256))
        for word in self._folders():
            moved[word] = str(_inside(Path(word), place))
        entry = _move(self.entry, moved)
        if hashes(entry) != dict(self.sha256):
            raise StoreError(
                f"{entry.name} is not the same program there: {_first_difference(hashes(entry), self.sha256)}"
            )
        return entry

    def _folders(self) -> Iterable[str]:
        """Yield the words of the command that are folders with some of the files."""
        for part in {part.removesuffix("/*") for word in self.entry.command for part in _PARTS.split(word)}:
            if Path(part).is_absolute() and any(Path(part) in file.path.parents for file in self.files):
                yield part


def pack(entry: Entry) -> BotFiles:
    """Read a bot's files; raise StoreError if they are too many, too large or no longer files."""
    paths = set(files(entry).values())
    if entry.builtin is not None:  # it is part of croupier, except for what its words name
        paths &= {Path(word) for word in entry.args}
    programs = {path for path in paths if _is_interpreter(path)}
    if len(paths) > MOST_FILES:
        raise StoreError(f"{entry.name} has {len(paths):,} files, and at most {MOST_FILES:,} are sent: copy them there")
    try:
        if sum(path.stat().st_size for path in paths - programs) > MOST_BYTES:
            raise StoreError(f"{entry.name} has more than {MOST_BYTES >> 20} MiB, which are not sent: copy them there")
        found = tuple(File(path, content(path), os.access(path, os.X_OK)) for path in sorted(paths - programs))
        interpreters = {path: hashlib.sha256(content(path)).hexdigest() for path in programs}
    except OSError as problem:
        raise StoreError(f"{entry.name}: its files cannot be read: {problem}") from None
    return BotFiles(entry, found, interpreters, hashes(entry))


def started_here(entry: Entry) -> Entry:
    """Return an entry from another machine as this one starts it, if it is part of croupier."""
    if entry.builtin is None:
        return entry
    command = tuple(bundled.command(entry.builtin, entry.args))
    kept = [path for path in entry.files if str(path) in entry.args]
    return replace(entry, command=command, files=(Path(command[0]), *kept))


def _is_interpreter(path: Path) -> bool:
    """Return whether a file is the system's, or runs other files: it would not work without its libraries."""
    return INTERPRETER.fullmatch(path.name) is not None or shutil.which(path.name) == str(path)


def _put(file: File, place: Path) -> Path:
    """Write a file in an empty place, keeping only the executable bit of its mode; return its path."""
    path = _inside(file.path, place)
    path.parent.mkdir(_EXECUTABLE, parents=True, exist_ok=True)
    with os.fdopen(os.open(path, _NEW, _EXECUTABLE if file.executable else _PLAIN), "wb") as new:
        new.write(file.content)
    return path


def _inside(path: Path, place: Path) -> Path:
    """Return the place of another machine's path inside a folder; raise StoreError for one that would leave it."""
    if not path.is_absolute() or ".." in path.parts:
        raise StoreError(f"{path} is no path that can be put into a folder")
    return place / path.relative_to(path.anchor)


def _equal(path: Path, sha256: str) -> Path:
    """Return the equal interpreter here: at the same path, or beside the one that runs this."""
    for each in (path, Path(sys.executable).parent / path.name):
        with suppress(OSError):
            if hashlib.sha256(content(each)).hexdigest() == sha256:
                return each
    raise StoreError(f"{path} is missing, or is a different program: install the same version")


def _move(entry: Entry, moved: Mapping[str, str]) -> Entry:
    """Return an entry whose files are in another place."""

    def word(text: str) -> str:
        return moved.get(text) or "".join(map(part, _PARTS.split(text)))

    def part(text: str) -> str:
        folder, star, _ = text.partition("/*") if text.endswith("/*") else (text, "", "")
        return moved.get(folder, folder) + star

    files = tuple(Path(moved.get(str(path), path)) for path in entry.files)
    there = replace(entry, command=tuple(map(word, entry.command)), args=tuple(map(word, entry.args)), files=files)
    return started_here(there)


def _first_difference(here: Mapping[str, str], sent: Mapping[str, str]) -> str:
    name = min(name for name in {*here, *sent} if here.get(name) != sent.get(name))
    return f"{name} differs"


class UnknownRun(Exception):
    """A worker received a batch of a run that it does not know, because it was restarted since it was greeted."""


@dataclass
class _WorkerBots:
    """The bots of one run by name, each with its fingerprint here, and the folders of what was sent."""

    bots: dict[str, tuple[Entry, str]] = field(default_factory=dict)
    folders: list[Path] = field(default_factory=list)


_of_run: dict[str, _WorkerBots] = {}


def settle(run: str, entries: Mapping[str, Entry], sha256: Mapping[str, str]) -> list[str]:
    """Find those of a run's bots whose files are here, as at home or as they were sent; return the others' names."""
    here = _of_run.setdefault(run, _WorkerBots())
    for name, entry in entries.items():
        known = here.bots.pop(name, None) or (started_here(entry), sha256[name])
        if _is(*known):
            here.bots[name] = known
    return [name for name in entries if name not in here.bots]


def _is(entry: Entry, sha256: str) -> bool:
    try:
        return fingerprint(entry) == sha256
    except (OSError, StoreError):
        return False


def take_in(run: str, sent: BotFiles, dask_worker: Any) -> str:
    """Unpack a bot into a folder of the worker's own; return why that is impossible."""
    here = _of_run.setdefault(run, _WorkerBots())
    try:
        place = Path(tempfile.mkdtemp(prefix="croupier-", dir=dask_worker.local_directory))
        here.folders.append(place)
        entry = sent.unpack(place)
        here.bots[entry.name] = entry, fingerprint(entry)
    except (OSError, StoreError) as problem:
        return f"cannot have a bot's files: {problem}"
    return ""


def play(run: str, job: Job) -> PackedGames:
    """Play a batch with the bots at their places here."""
    if run not in _of_run:
        raise UnknownRun
    bots = _of_run[run].bots
    entries = {name: bots[name][0] if name in bots else entry for name, entry in job.entries.items()}
    sha256 = {**job.sha256, **{name: found for name, (_, found) in bots.items()}}
    hidden = tuple(dict.fromkeys(path for entry, _ in bots.values() for path in entry.files))
    local = replace(job, entries=entries, sha256=sha256, sandboxing=replace(job.sandboxing, hidden=hidden))
    return local.play(lambda: False)


def leave(run: str) -> None:
    """Forget a run, and remove what was sent for it."""
    for folder in _of_run.pop(run, _WorkerBots()).folders:
        wipe(folder)
