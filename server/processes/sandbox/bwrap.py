"""Bubblewrap: a bot sees the system read-only, its own program, an empty folder, and nothing else of this machine."""

from __future__ import annotations

import functools
import os
import pwd
import re
import shutil
import stat
import subprocess
import sys
import sysconfig
import tempfile
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import croupier
from croupier.server.executables import first_line
from croupier.server.processes.sandbox import modules, seccomp
from croupier.server.processes.sandbox.mounts import holds, lies_in, mounts, parts

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

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
_PROGRAMS = tuple(map(Path, ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store")))
_SYSTEM = (*_PROGRAMS, Path("/opt"))
_NO_FILES = tuple(map(Path, ("/proc", "/sys", "/dev")))
_SOCKETS = Path("/run").resolve()
"""Where services listen: of what lies there only files are shown, as a socket in a folder can be connected to."""
_SHARED = ("/etc", "/var", "/var/lib", "/var/tmp", "/srv", "/mnt", "/media", "/boot")
"""Folders that hold many things which have nothing to do with each other."""
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
_NETWORK = (
    "/etc/ca-certificates/extracted",
    "/etc/gai.conf",
    "/etc/hosts",
    "/etc/pki/ca-trust/extracted",
    "/etc/pki/tls/certs",
    "/etc/resolv.conf",
    "/etc/services",
    "/etc/ssl/openssl.cnf",
)
"""What of /etc a program with a network needs beside: to look up names and to check certificates."""
_RUNTIMES = (
    "/etc/R",
    "/etc/crypto-policies",
    "/etc/dotnet",
    "/etc/java*",
    "/etc/mono",
    "/etc/ocamlfind.conf",
    "/etc/perl",
    "/etc/python3*",
    "/etc/racket",
    "/var/lib/ghc",
)
"""Where distributions keep what interpreters read first: without it some take long to start, and some do not at all."""
_BETWEEN = re.compile(r"[\s=;]+")
"""What separates paths in a word of a command."""
_LISTED = {".jar", ".whl", ".zip"}
"""Files that a list of places to search, such as a class path, may name beside folders."""
_MANY = 256
"""Parts of a folder that can be shown one by one: twice as many take four times as long, 0.2 s here."""
_TMP_BYTES = 64 << 20


def program() -> str | None:
    """Return where bwrap is."""
    return shutil.which("bwrap")


@functools.cache
def isolation() -> tuple[str, ...]:
    """Return the arguments that isolate as well as it goes here."""
    strict = (*_ISOLATION, _NO_MORE_NAMESPACES)
    return _ISOLATION if refusal(strict) else strict


def needed(folders: Iterable[Path]) -> Path | None:
    """Return the first of these folders without which no bot starts: it holds programs, libraries or our Python."""
    common = {*_PROGRAMS, *_ours().values()}
    ask = (sys.executable, "-c", "import croupier.agents")
    near = (path for path in folders if path.is_dir() and _inside(path.resolve(), common))
    return next((path for path in near if refusal(isolation(), (path.resolve(),), ask)), None)


@functools.cache
def refusal(
    isolation: tuple[str, ...], hidden: tuple[Path, ...] = (), runs: tuple[str, ...] = ("/bin/sh", "-c", "exit 0")
) -> str:
    """Say why a program does not run here with these arguments, and this hidden; nothing if it does."""
    made = chain(*_system(), *mounts({**_everybodys(), **(_ours() if hidden else {})}, hidden))
    given, giving = os.pipe()
    os.write(giving, seccomp.program())
    os.close(giving)
    filtered = ["--seccomp", str(given)] if seccomp.program() else []
    words = [program() or "bwrap", *isolation, *filtered, *made, "--", *runs]
    try:
        done = subprocess.run(words, capture_output=True, timeout=10, check=False, pass_fds=[given])
    except (OSError, subprocess.TimeoutExpired) as trouble:
        return f"bwrap does not run here: {trouble}"
    finally:
        os.close(given)
    if done.returncode == 0:
        return ""
    said = done.stderr.decode("utf-8", "replace").strip().splitlines()
    longest = max(said, key=len, default=f"it left with {done.returncode}")  # two of its processes may write at once
    return f"bwrap cannot make a sandbox here: {longest}"


def command(entry: Entry, folder: Path, hidden: Iterable[Path] = ()) -> list[str]:
    """Return the command line that runs an entry's in ``folder``.

    ``hidden`` are folders and files that it must not see though they lie where it may look, its own apart.
    """
    own = {path.resolve() for path in (*entry.files, Path(sys.executable))}
    secret = {path.resolve() for path in hidden if not _is_common(path)} - own
    shown = {path: path.resolve() for path in readable(entry, secret) if not _inside(path, _links())}
    made = [*_system(), *mounts({**_everybodys(), **_ours(), **shown}, secret | _locked())]
    words = [program() or "bwrap", *isolation(), *chain(*made)]
    if entry.network:
        words.remove("--unshare-net")
        words += [word for path in _NETWORK for word in ("--ro-bind-try", path, path)]
    words += ["--bind", str(folder), str(folder), "--chdir", str(folder)]
    bare = [where[-1] for what, *where in made if what == "--tmpfs"]
    for name in (*bare, "/proc", "/dev", "/"):  # these lie in memory, and are not a bot's to fill, or are everybody's
        words += ["--remount-ro", name]
    return [*words, "--", *entry.command]


def _system() -> Iterator[tuple[str, ...]]:
    """Yield the arguments that make what a system has beside files of its own."""
    for link in _links():
        yield "--symlink", str(link.readlink()), str(link)
    # Who is root outside could write to /proc/sys.
    yield from (("--proc", "/proc"), ("--ro-bind-try", "/proc/sys", "/proc/sys"), ("--dev", "/dev"))
    for folder in ("/dev/shm", "/tmp"):
        yield "--size", str(_TMP_BYTES), "--tmpfs", folder


@functools.cache
def _links() -> tuple[Path, ...]:
    """List which of the system's folders are links to others of them."""
    return tuple(path for path in _SYSTEM if path.is_symlink())


@functools.cache
def _everybodys() -> dict[Path, Path]:
    """Return what every bot sees of the system's files, with their real paths."""
    system = (*_SYSTEM, *(Path("/etc", name) for name in _SETTINGS), *_runtimes())
    return {path: path.resolve() for path in system if path.exists() and path not in _links()}


@functools.cache
def _runtimes() -> tuple[Path, ...]:
    """List what there is of the interpreters' settings."""
    return tuple(path for pattern in _RUNTIMES for path in Path("/").glob(pattern.lstrip("/")))


@functools.cache
def _locked() -> frozenset[Path]:
    """List what of the interpreters' settings not everybody may read: root's bots could."""
    found = (path for folder in _runtimes() for path in (folder, *folder.rglob("*")))
    return frozenset(path.resolve() for path in found if not _everybody_reads(path))


def _everybody_reads(path: Path) -> bool:
    with suppress(OSError):
        return bool(path.lstat().st_mode & stat.S_IROTH)
    return False


def _is_common(path: Path) -> bool:
    """Say whether this is a program of the system, which bots may share."""
    return not path.is_dir() and _inside(path, _PROGRAMS)


def readable(entry: Entry, hidden: Collection[Path] = ()) -> Iterator[Path]:
    """Yield what a program consists of: its files' folders, its interpreter or its Python's virtual environment.

    Of a folder that would show too much, or is hidden, or of which too much would be left, only the file.
    """
    private = _too_much() | set(hidden)
    for path in _paths(entry.command):
        if path.is_file():
            real = path.resolve()
            for each in (path, real):
                yield each if _is_private(each.parent, private) or _crowded(each.parent, hidden) else each.parent
            yield from (folder for folder in _python_home(path) if not _is_private(folder, private))
            if real.parent.name == "bin":
                prefix = real.parent.parent
                yield prefix / "lib" if _is_private(prefix, private) else prefix
        elif path.is_dir() and not _is_private(path, private):
            yield path


def _paths(command: Iterable[str]) -> Iterator[Path]:
    """Yield the absolute paths among the words of a command, and in words such as PYTHONPATH=/A:/B or 'exec /A/B;'."""
    for word in command:
        for part in dict.fromkeys((word, *chain(*map(_places, _BETWEEN.split(word))))):
            path = Path(part.removesuffix("/*"))  # a class path names the jars of a folder so
            if path.is_absolute() and os.path.lexists(path) and not _inside(path.resolve(), _NO_FILES):
                yield path
                yield from _interpreter(path)


def _places(part: str) -> list[str]:
    """Return a path, or of a list such as /A:/B.jar the folders and archives: other files are not searched for code."""
    places = part.split(":")
    return places if len(places) == 1 else [each for each in places if _is_place(Path(each.removesuffix("/*")))]


def _is_place(path: Path) -> bool:
    with suppress(OSError):
        return path.is_dir() or path.suffix in _LISTED
    return False


def _interpreter(script: Path) -> Iterator[Path]:
    """Yield what a script's first line (``#!``) names: a virtual environment's Python, for one."""
    first = first_line(script)
    if first.startswith(b"#!/"):
        named = Path(os.fsdecode(first[2:].split()[0]))
        if named.is_file() and not _is_common(named):
            yield named


def _python_home(program: Path) -> Iterator[Path]:
    """Yield the virtual environment (pyvenv.cfg) that a program is the Python of, and the folders of links to it."""
    if (program.parent.parent / "pyvenv.cfg").is_file():
        yield program.parent.parent
        while program.is_symlink():
            program = Path(os.path.normpath(program.parent / program.readlink()))
            if program.parent.name == "bin" and not _is_common(program):
                yield program.parent.parent


def is_the_systems(path: Path) -> bool:
    """Say whether a path lies among the system's own programs."""
    return _inside(path, _SYSTEM)


def holds_too_much(folder: Path) -> bool:
    """Say whether a folder is a home or another one that holds more than a program."""
    return _is_private(folder, _too_much())


def _is_private(folder: Path, private: Iterable[Path]) -> bool:
    """Say whether a folder is one of these, or has sockets, or whoever it belongs to lives there."""
    with suppress(OSError, KeyError):
        real = folder.resolve()
        return real in private or lies_in(real, _SOCKETS) or folder == Path(pwd.getpwuid(folder.stat().st_uid).pw_dir)
    return False


def _crowded(folder: Path, hidden: Collection[Path]) -> bool:
    """Say whether a folder holds something hidden and too much else to show it part by part."""
    return holds(folder.resolve(), hidden) and len(parts(folder)) > _MANY


@functools.cache
def _too_much() -> frozenset[Path]:
    """List what holds more than a program: homes, where everybody's temporary files lie, and what these are in."""
    known = [*_home(), Path("/tmp"), Path(tempfile.gettempdir())]
    whole = [around for path in map(Path.resolve, known) for around in (path, *path.parents)]
    local = ((home / ".local").resolve() for home in _home())
    return frozenset([*whole, *(Path(each).resolve() for each in _SHARED), *local])


def _home() -> list[Path]:
    """Return the user's home; a user id without HOME and an entry in the system's list of users has none."""
    with suppress(RuntimeError):
        return [Path.home()]
    return []


@functools.cache
def _ours() -> dict[Path, Path]:
    """Return where this Python and what bots import of this package lie, with the real paths."""
    package = Path(croupier.__file__).parent
    rooms = [room for name in ("agents", "protocol", "server") if (room := (package / name).resolve()).is_dir()]
    prefixes = [Path(sys.prefix), Path(sys.base_prefix), Path(sysconfig.get_paths()["purelib"])]
    ours = (*prefixes, package.parent if package.parent.name == "src" else package, *rooms, *modules.folders())
    return {path: path.resolve() for path in ours if not _inside(path, _links())}


def _inside(path: Path, folders: Iterable[Path]) -> bool:
    return any(lies_in(path, folder) for folder in folders)
