"""Bubblewrap: a bot sees the system read-only, its own program, an empty folder, and nothing else of this machine."""

from __future__ import annotations

import functools
import shutil
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import croupier

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from croupier.server.entries import Entry

ISOLATION = (
    "--die-with-parent",
    "--unshare-user",
    "--unshare-pid",
    "--unshare-net",
    "--unshare-ipc",
    "--unshare-uts",
    "--unshare-cgroup-try",
    "--hostname",
    "table",
    "--cap-drop",
    "ALL",
)
"""No network, processes of its own, no powers, and an end with whoever started it."""
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store")
_SETTINGS = (
    "alternatives",
    "fonts",
    "group",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "localtime",
    "nsswitch.conf",
    "passwd",
    "ssl/certs",
)
"""What of /etc programs need to start; the rest may hold secrets."""
_TMP_BYTES = 64 << 20


def program() -> str | None:
    """Return where bwrap is."""
    return shutil.which("bwrap")


@functools.cache
def system() -> tuple[str, ...]:
    """Return the arguments that show the system, read-only, and nothing of anybody's."""
    words: list[str] = []
    for folder in _SYSTEM:
        if Path(folder).is_symlink():
            words += ["--symlink", str(Path(folder).readlink()), folder]
        elif Path(folder).is_dir():
            words += ["--ro-bind", folder, folder]
    for name in [*_SETTINGS, *(path.name for path in Path("/etc").glob("java*"))]:
        words += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
    return (*words, "--proc", "/proc", "--dev", "/dev", "--size", str(_TMP_BYTES), "--tmpfs", "/tmp")


def command(entry: Entry, folder: Path, covered: Iterable[Path] = (), masked: Iterable[Path] = ()) -> list[str]:
    """Return the command line that runs an entry's in ``folder``.

    ``covered`` are folders, ``masked`` files that it must not see though they lie where it may look.
    """
    shown = _without_nested(readable(entry))
    words = [program() or "bwrap", *ISOLATION, *system()]
    for path in shown:
        words += ["--ro-bind", str(path), str(path)]
    for path in covered:
        if (
            path.is_dir()
            and _inside(path, shown)
            and not any(word.is_relative_to(path) for word in _paths(entry.command))
        ):
            words += ["--tmpfs", str(path)]
    for path in {path.resolve() for path in masked} - {Path(sys.executable).resolve()}:
        if path.is_file() and _inside(path, shown):
            words += ["--ro-bind", "/dev/null", str(path)]
    return [*words, "--bind", str(folder), str(folder), "--chdir", str(folder), "--", *entry.command]


def readable(entry: Entry) -> Iterator[Path]:
    """Yield what a program consists of: the folders of its files, its interpreter, and where they really lie."""
    for path in _paths(entry.command):
        if path.is_file():
            yield from (_around(path), _around(path.resolve()))
            if path.resolve().parent.name == "bin":
                yield path.resolve().parent.parent
        elif path.is_dir() and path not in _too_much():
            yield path
    yield from _ours()


def _paths(command: Iterable[str]) -> Iterator[Path]:
    """Yield the absolute paths among the words of a command, and in those that are a command line for a shell."""
    for word in command:
        for part in (word, *word.split()) if " " in word else (word,):
            if part.startswith("/"):
                yield Path(part.rstrip(";"))


def _around(path: Path) -> Path:
    """Return the folder of a file, or the file alone where the folder would show too much."""
    return path if path.parent in _too_much() else path.parent


@functools.cache
def _too_much() -> frozenset[Path]:
    return frozenset({Path("/"), Path("/tmp"), Path("/etc"), Path(tempfile.gettempdir()), Path.home()})


@functools.cache
def _ours() -> tuple[Path, ...]:
    """List where this Python and what bots import of this package lie."""
    package = Path(croupier.__file__).parent
    rooms = [room for name in ("agents", "protocol", "server") if (room := (package / name).resolve()).is_dir()]
    prefixes = [Path(sys.prefix), Path(sys.base_prefix), Path(sysconfig.get_paths()["purelib"])]
    return (*prefixes, package.parent if package.parent.name == "src" else package, *rooms)


def _without_nested(paths: Iterable[Path]) -> list[Path]:
    """Leave out what lies inside another path or is part of the system, so that nothing is shown twice."""
    kept: list[Path] = []
    for path in sorted({path for path in paths if path.exists()}, key=lambda path: len(path.parts)):
        if not _inside(path, kept) and not _inside(path, map(Path, _SYSTEM)):
            kept.append(path)
    return kept


def _inside(path: Path, folders: Iterable[Path]) -> bool:
    return any(path.is_relative_to(folder) for folder in folders)
