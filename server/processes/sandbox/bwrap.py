"""Bubblewrap: a bot sees the system read-only, its own program, an empty folder, and nothing else of this machine."""

from __future__ import annotations

import functools
import os
import pwd
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import croupier

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from croupier.server.entries import Entry

_ISOLATION = (
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
_NO_MORE_NAMESPACES = "--disable-userns"
"""Since bubblewrap 0.8: inside of one more a bot would have all powers, such as to mount its own control group."""
_PROGRAMS = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store")
_SYSTEM = (*_PROGRAMS, "/opt")
_NO_FILES = ("/proc/", "/sys/", "/dev/")
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
def isolation() -> tuple[str, ...]:
    """Return the arguments that isolate as well as it goes here."""
    strict = (*_ISOLATION, _NO_MORE_NAMESPACES)
    return _ISOLATION if refusal(strict) else strict


@functools.cache
def refusal(isolation: tuple[str, ...]) -> str:
    """Say why nothing runs here with these arguments; nothing if it does."""
    words = [program() or "bwrap", *isolation, *system(), "--", "/bin/sh", "-c", "exit 0"]
    try:
        done = subprocess.run(words, capture_output=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired) as trouble:
        return f"bwrap does not run here: {trouble}"
    if done.returncode == 0:
        return ""
    said = done.stderr.decode("utf-8", "replace").strip().splitlines()
    return f"bwrap cannot make its namespaces here: {said[-1] if said else f'it left with {done.returncode}'}"


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
    # Who is root outside could write to /proc/sys.
    words += ["--proc", "/proc", "--ro-bind-try", "/proc/sys", "/proc/sys", "--dev", "/dev"]
    for folder in ("/dev/shm", "/tmp"):
        words += ["--size", str(_TMP_BYTES), "--tmpfs", folder]
    return tuple(words)


def command(entry: Entry, folder: Path, hidden: Iterable[Path] = ()) -> list[str]:
    """Return the command line that runs an entry's in ``folder``.

    ``hidden`` are folders and files that it must not see though they lie where it may look, its own apart.
    """
    own = {path.resolve() for path in (*entry.files, Path(sys.executable))}
    secret = {path.resolve() for path in hidden if path.exists() and not _is_common(path)} - own
    shown = {path for path in readable(entry, secret) if path.exists()}
    secret |= {
        link / path.relative_to(real)
        for link in shown
        for path in secret
        if path.is_relative_to(real := link.resolve())
    }
    words = [program() or "bwrap", *isolation(), *system()]
    bare = ["/dev", "/"]
    for path, seen in _layers(shown, secret):
        if seen or path.is_file():
            words += ["--ro-bind", str(path) if seen else "/dev/null", str(path)]
        else:
            words += ["--tmpfs", str(path)]
            bare.append(str(path))
    words += ["--bind", str(folder), str(folder), "--chdir", str(folder)]
    for name in bare:  # these lie in memory, and are not a bot's to fill
        words += ["--remount-ro", name]
    return [*words, "--", *entry.command]


def _layers(shown: set[Path], hidden: set[Path]) -> Iterator[tuple[Path, bool]]:
    """Yield each path and whether it is to be seen, where that differs from what it lies in: outer ones first."""
    seen = dict.fromkeys(map(Path, _SYSTEM), True)
    for path in sorted(shown | hidden, key=lambda path: len(path.parts)):
        around = next((seen[folder] for folder in (path, *path.parents) if folder in seen), False)
        if around != (path in shown):
            seen[path] = path in shown
            yield path, seen[path]


def _is_common(path: Path) -> bool:
    """Say whether this is a program of the system, which bots may share."""
    return path.is_file() and _inside(path, map(Path, _PROGRAMS))


def readable(entry: Entry, hidden: Iterable[Path] = ()) -> Iterator[Path]:
    """Yield what a program consists of: the folders of its files, its interpreter, and where they really lie.

    Of a folder that would show too much, or is hidden, only the file.
    """
    private = _too_much() | set(hidden)
    for path in _paths(entry.command):
        if path.is_file():
            real = path.resolve()
            yield from (each if _is_private(each.parent, private) else each.parent for each in (path, real))
            if real.parent.name == "bin":
                prefix = real.parent.parent
                yield prefix / "lib" if _is_private(prefix, private) else prefix
        elif path.is_dir() and not _is_private(path, private):
            yield path
    yield from _ours()


def _paths(command: Iterable[str]) -> Iterator[Path]:
    """Yield the absolute paths among the words of a command, and in those that are a command line for a shell."""
    for word in command:
        for part in (word, *word.split()) if " " in word else (word,):
            if part.startswith("/") and not part.startswith(_NO_FILES) and os.path.lexists(part.rstrip(";")):
                yield Path(part.rstrip(";"))


def _is_private(folder: Path, private: Iterable[Path]) -> bool:
    """Say whether a folder is one of these, or whoever it belongs to lives there."""
    with suppress(OSError, KeyError):
        return folder.resolve() in private or folder == Path(pwd.getpwuid(folder.stat().st_uid).pw_dir)
    return False


@functools.cache
def _too_much() -> frozenset[Path]:
    """List what holds more than a program: homes, where everybody's temporary files lie, and what these are in."""
    known = [Path.home(), Path("/tmp"), Path(tempfile.gettempdir())]
    whole = [around for path in map(Path.resolve, known) for around in (path, *path.parents)]
    return frozenset([*whole, Path("/etc"), (Path.home() / ".local").resolve()])


@functools.cache
def _ours() -> tuple[Path, ...]:
    """List where this Python and what bots import of this package lie."""
    package = Path(croupier.__file__).parent
    rooms = [room for name in ("agents", "protocol", "server") if (room := (package / name).resolve()).is_dir()]
    prefixes = [Path(sys.prefix), Path(sys.base_prefix), Path(sysconfig.get_paths()["purelib"])]
    return (*prefixes, package.parent if package.parent.name == "src" else package, *rooms)


def _inside(path: Path, folders: Iterable[Path]) -> bool:
    return any(path.is_relative_to(folder) for folder in folders)
