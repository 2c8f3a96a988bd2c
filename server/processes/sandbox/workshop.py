"""Workshop: the bubblewrap command line (--bind) of what builds a bot, which may write where the bot's program lies."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from croupier.server.entries import Entry
from croupier.server.processes.sandbox import bwrap

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


class NoWorkshop(ValueError):
    """A build has no folder of its own to write to; the message says what to do."""


def command(line: str, program: Sequence[str], scratch: Path, hidden: Iterable[Path], *, network: bool) -> list[str]:
    """Return what runs a shell's command line here, but can write to the folders of a bot's ``program`` alone."""
    own = list(_folders(program))
    words = bwrap.command(Entry("build", ("/bin/sh", "-c", line), network=network), scratch, hidden)
    binds = [word for folder in own for word in ("--bind", folder, folder)]
    covers = [word for path in map(str, hidden) if _within(path, own) for word in ("--tmpfs", path)]
    place = words.index("--chdir")
    words[place : place + 2] = [*binds, *covers, "--dir", str(Path.cwd()), "--chdir", str(Path.cwd())]
    return words


def _folders(program: Sequence[str]) -> Iterator[str]:
    """Yield where the files lie, or will lie, that a command names."""
    named = [Path(word).absolute().parent for word in program if "/" in word or Path(word).exists()]
    own = [folder for folder in dict.fromkeys(named or [Path.cwd()]) if not bwrap.is_the_systems(folder)]
    for folder in own:
        if bwrap.holds_too_much(folder):
            raise NoWorkshop(f"{folder} holds more than one program, and a build can write there: use another folder")
        if folder.is_dir():
            yield str(folder)


def _within(path: str, folders: Iterable[str]) -> bool:
    return Path(path).is_dir() and any(Path(path).is_relative_to(folder) for folder in folders)
