"""Handshake: what a worker must have in common with this machine, checked before its first game.

Each question is a function that the worker calls. The first two use only the standard library, so that a worker with an
older croupier, or with none, can be named and refused by a sentence.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import os
import platform
import secrets
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import croupier
from croupier.server import games
from croupier.server.processes import sandbox
from croupier.server.processes.sandbox.levels import hardening
from croupier.server.tournaments.keeping.store import StoreError
from croupier.server.tournaments.playing.cluster import bot_files
from croupier.server.tournaments.playing.cluster.bot_files import BotFiles, pack

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from croupier.server.entries import Entry
    from croupier.server.games.game import Game
    from croupier.server.processes.sandbox import Level, SandboxSettings

    Ask = Callable[..., Mapping[str, Any]]
    """Calls a function on these workers; returns each one's result, or the exception that it raised."""

_COMPILED = "__pycache__"
_SHOWN = 8
"""The number of characters of a hash that are shown."""


@dataclass(frozen=True)
class Needs:
    """What a run needs of each machine that plays for it."""

    sandboxing: SandboxSettings
    game: str
    rules: str
    """SHA-256 of the rules if a package adds them; a RECYCLE program is part of the batch."""
    entries: Mapping[str, Entry]
    sha256: Mapping[str, str]
    lent: frozenset[str] = frozenset()
    """The system's features that strengthen this machine's sandbox, by name."""
    run: str = field(default_factory=lambda: secrets.token_hex(8))
    """An identifier that no other run has."""

    @classmethod
    def of(
        cls,
        rules: type[Game],
        game: str,
        sandboxing: SandboxSettings,
        entries: Mapping[str, Entry],
        sha256: Mapping[str, str],
    ) -> Needs:
        """Return the needs of a run with these rules and entries, whose fingerprints are given."""
        return cls(sandboxing, game, rules_hash(rules), dict(entries), sha256, _lent(sandbox.choose_level(sandboxing)))


def _lent(level: Level) -> frozenset[str]:
    return frozenset(what for what, why in hardening(level).items() if not why)


# cached because it reads every module, and is asked for each worker
@functools.cache
def code() -> str:
    """Return SHA-256 of croupier's own Python source, wherever it is installed."""
    return _hash_of(Path(croupier.__file__).parent, only=".py")


def rules_hash(rules: type[Game]) -> str:
    """Return SHA-256 of the package that adds a game; empty for a bundled game."""
    top = rules.__module__.partition(".")[0]
    found = importlib.util.find_spec(top)
    if top == croupier.__name__ or found is None:
        return ""
    folders = found.submodule_search_locations
    if folders is None:
        return hashlib.sha256(Path(str(found.origin)).read_bytes()).hexdigest()
    return hashlib.sha256("".join(_hash_of(Path(folder)) for folder in folders).encode()).hexdigest()


def _hash_of(folder: Path, only: str = "") -> str:
    """Return SHA-256 of the files below a folder and their names, without Python's compiled ones."""
    total = hashlib.sha256()
    for path in _files(folder):
        if path.suffix.endswith(only):
            total.update(f"{path.relative_to(folder)}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return total.hexdigest()


def _files(folder: Path) -> Iterable[Path]:
    for place, folders, names in os.walk(folder, followlinks=True):  # an editable install has links to its rooms
        folders[:] = sorted(set(folders) - {_COMPILED})
        yield from (Path(place, name) for name in sorted(names))


def problem(needs: Needs) -> str:
    """Return why this machine cannot play as a run needs it; empty if it can. Called on a worker."""
    try:
        level = sandbox.choose_level(needs.sandboxing)
        if weaker := [f"{what} ({why})" for what, why in hardening(level).items() if why and what in needs.lent]:
            return f"has a weaker sandbox {level.value} than this machine; it lacks: {'; '.join(weaker)}"
        if needs.rules and (own := rules_hash(games.find(needs.game))) != needs.rules:
            return f"has other rules of {needs.game}: {_differ(own, needs.rules)}"
    except (sandbox.NoSuchLevel, games.NoSuchGame, games.BadGame, OSError) as trouble:
        return f"cannot play: {trouble}"
    return ""


def greet(
    ask: Ask, needs: Needs, workers: Collection[str], say: Callable[[str], None]
) -> tuple[set[str], dict[str, str]]:
    """Check workers for everything that must agree, and send them the bots that they lack.

    Return those that may play, and why each of the others may not. Workers that did not answer are in neither.
    """
    refused: dict[str, str] = {}
    left = set(workers)

    def keep(said: Mapping[str, Any], why: Callable[[Any], str]) -> None:
        refused.update({worker: reason for worker, answer in said.items() if (reason := why(answer))})
        left.intersection_update(said.keys() - refused.keys())

    keep(ask(left, platform.python_version), _wrong_python)
    keep(ask(left, code), _wrong_code)
    keep(ask(left, problem, needs), _failure)
    lacking = ask(left, bot_files.settle, needs.run, needs.entries, needs.sha256)
    keep(lacking, lambda said: "" if isinstance(said, list) else _failure(said))
    for name, entry in needs.entries.items():
        if without := {worker for worker in left if name in lacking[worker]}:
            others = dict.fromkeys(left - without, "")
            keep({**others, **_send(ask, needs.run, without, entry, say)}, _failure)
    return left, refused


def _send(ask: Ask, run: str, workers: set[str], entry: Entry, say: Callable[[str], None]) -> Mapping[str, Any]:
    """Send a bot's files to workers; return why a worker cannot have them."""
    try:
        packed: BotFiles = pack(entry)
    except StoreError as trouble:
        return dict.fromkeys(workers, f"lacks files of a bot: {trouble}")
    said = ask(workers, bot_files.take_in, run, packed)
    if came := [worker for worker, why in said.items() if why == ""]:
        say(f"sent {entry.name} ({packed.size()}) to {len(came)} worker{'s' if len(came) > 1 else ''}")
    return said


def _wrong_python(said: Any) -> str:
    mine = platform.python_version()
    return (
        "" if said == mine else _failure(said) if isinstance(said, BaseException) else f"has Python {said}, not {mine}"
    )


def _wrong_code(said: Any) -> str:
    if isinstance(said, BaseException):  # the worker lacks the function, however its library reports that
        return "has no croupier, or one of another version: install the version that this machine has"
    return "" if said == code() else f"has another croupier: {_differ(said, code())}"


def _differ(theirs: str, mine: str) -> str:
    return f"its SHA-256 begins with {theirs[:_SHOWN] or 'nothing'}, here with {mine[:_SHOWN] or 'nothing'}"


def _failure(said: Any) -> str:
    return f"failed when it was asked: {said!r}" if isinstance(said, BaseException) else str(said)
