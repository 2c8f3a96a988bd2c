"""Mounts: bubblewrap's arguments that show files and folders, and nothing of them that is hidden.

Nothing is laid over what is hidden: a mount over a file is gone, for everybody, when somebody puts another file in its
place, and cannot be made while there is none. A folder that holds something hidden is made anew of its other parts.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping
    from pathlib import Path

    Words = tuple[str, ...]


def mounts(shown: Mapping[Path, Path], hidden: Collection[Path]) -> Iterator[Words]:
    """Yield what shows these, outer ones first, given with their real paths; nothing of the real paths ``hidden``."""
    before: dict[Path, Path] = {}
    for path, real in sorted(shown.items(), key=lambda pair: (len(pair[0].parts), pair[0])):
        if not _is_covered(path, real, before, hidden):
            yield from _show(path, real, hidden)
        before[path] = real


def _is_covered(path: Path, real: Path, before: Mapping[Path, Path], hidden: Collection[Path]) -> bool:
    """Return whether it is seen already, inside of another that is shown."""
    return any(
        lies_in(path, around) and not any(lies_in(real, each) and lies_in(each, theirs) for each in hidden)
        for around, theirs in before.items()
    )


def _show(path: Path, real: Path, hidden: Collection[Path]) -> Iterator[Words]:
    if real in hidden:
        return
    if not holds(real, hidden):
        yield "--ro-bind-try", str(real), str(path)
        return
    yield "--tmpfs", str(path)
    for name in parts(real):
        if target := _target(real / name):
            yield "--symlink", target, str(path / name)
        else:
            yield from _show(path / name, real / name, hidden)


def _target(path: Path) -> str:
    """Return where a link leads; nothing for what is none."""
    with suppress(OSError):
        return str(path.readlink())
    return ""


def holds(folder: Path, hidden: Iterable[Path]) -> bool:
    """Return whether something hidden lies in a folder."""
    return any(lies_in(each, folder) for each in hidden)


def lies_in(path: Path, folder: Path) -> bool:
    """Return whether a path is a folder or lies in it: as `Path.is_relative_to`, which takes ten times as long."""
    return path.parts[: len(folder.parts)] == folder.parts


def parts(folder: Path) -> list[str]:
    """List what lies in a folder; nothing if it is none, or not ours to read."""
    with suppress(OSError):
        return sorted(path.name for path in folder.iterdir())
    return []
