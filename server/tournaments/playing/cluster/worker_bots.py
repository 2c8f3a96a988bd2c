"""On a worker: the bots of the runs for which it plays, at their places on this machine."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from croupier.server.processes.workplace import wipe
from croupier.server.tournaments.entering.fingerprint import fingerprint
from croupier.server.tournaments.keeping.store import StoreError
from croupier.server.tournaments.playing.cluster.bot_files import started_here

if TYPE_CHECKING:
    from collections.abc import Mapping

    from croupier.server.entries import Entry
    from croupier.server.tournaments.keeping.packed_games import PackedGames
    from croupier.server.tournaments.playing.batch import Job
    from croupier.server.tournaments.playing.cluster.bot_files import BotFiles


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
    local = replace(job, entries=entries, sha256=sha256, house=replace(job.house, hidden=hidden))
    return local.play(lambda: False)


def leave(run: str) -> None:
    """Forget a run, and remove what was sent for it."""
    for folder in _of_run.pop(run, _WorkerBots()).folders:
        wipe(folder)
