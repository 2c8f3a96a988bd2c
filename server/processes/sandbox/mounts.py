"""Mounts: bubblewrap's arguments to show files and folders without the hidden parts.

Nothing is mounted over a hidden file: such a mount disappears, for everybody, when somebody replaces the file, and
cannot be made while there is none. Instead, a folder with a hidden part is rebuilt from its other parts.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping
    from pathlib import Path

    Words = tuple[str, ...]


def mounts(shown: Mapping[Path, Path], hidden: Collection[Path]) -> Iterator[Words]:
    """Yield arguments that show these paths, outer ones first, given with real paths, without the ``hidden`` ones."""
    before: dict[Path, Path] = {}
    for path, real in sorted(shown.items(), key=lambda pair: (len(pair[0].parts), pair[0])):
        if not _is_covered(path, real, before, hidden):
            yield from _show(path, real, hidden)
        before[path] = real


def _is_covered(path: Path, real: Path, before: Mapping[Path, Path], hidden: Collection[Path]) -> bool:
    """Return whether a path is already visible inside another one that is shown."""
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
    """Return the target of a link; empty if it is not one."""
    with suppress(OSError):
        return str(path.readlink())
    return ""


def holds(folder: Path, hidden: Iterable[Path]) -> bool:
    """Return whether a folder contains something hidden."""
    return any(lies_in(each, folder) for each in hidden)


def lies_in(path: Path, folder: Path) -> bool:
    """Return whether a path is a folder or inside it. `Path.is_relative_to` does the same in ten times the time."""
    return path.parts[: len(folder.parts)] == folder.parts


def parts(folder: Path) -> list[str]:
    """List the entries of a folder; empty if it is not one, or not readable."""
    with suppress(OSError):
        return sorted(path.name for path in folder.iterdir())
    return []
