"""Bubblewrap: a bot sees the system read-only, its own program, an empty folder, and nothing else of this machine.

Nothing is mounted over a hidden file: such a mount disappears, for everybody, when somebody replaces the file, and
cannot be made while there is none. Instead, a folder with a hidden part is rebuilt from its other parts.
"""

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
from croupier.server.executables import interpreters
from croupier.server.processes.sandbox import modules, proc, seccomp

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from croupier.server.entries import Entry

    Words = tuple[str, ...]


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
"""No network, its own process tree, no capabilities, and an end together with its parent."""
_NO_MORE_NAMESPACES = "--disable-userns"
"""Since bubblewrap 0.8.

Inside another namespace a bot would have all capabilities, such as to mount its control group.
"""
_PROGRAMS = tuple(map(Path, ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store")))
_SYSTEM = (*_PROGRAMS, Path("/opt"))
_NO_FILES = tuple(map(Path, ("/proc", "/sys", "/dev")))
_SOCKETS = Path("/run").resolve()
"""The folder of services' sockets.

Only files in it are shown, because a socket in a shown folder can be connected to.
"""
_SHARED = ("/etc", "/var", "/var/lib", "/var/tmp", "/srv", "/mnt", "/media", "/boot")
"""Folders that contain many unrelated things."""
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
"""The parts of /etc that programs need to start; the rest may contain secrets."""
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
"""The parts of /etc that a program with network also needs, to look up names and check certificates."""
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
"""Files that interpreters of various distributions read first; without them some start slowly or not at all."""
_BETWEEN = re.compile(r"[\s=;]+")
"""Separators of paths within a word of a command."""
_LISTED = {".jar", ".whl", ".zip"}
"""Archives that a list of places to search, such as a class path, may name in addition to folders."""
_MANY = 256
"""The most parts of a folder that are mounted one by one; twice as many take four times as long, here 0.2 s."""
_TMP_BYTES = 64 << 20
_FILTER, _ARGUMENTS = 200, 201
"""The descriptors from which bwrap reads the seccomp filter (--seccomp) and its own arguments (--args)."""
_ENVIRONMENT = "pyvenv.cfg"
_LINKS = 40
"""The number of links that the kernel follows."""
_RUNS = stat.S_IROTH | stat.S_IXOTH


def program() -> str | None:
    """Return the path of bwrap."""
    return shutil.which("bwrap")


@functools.cache
def isolation() -> tuple[str, ...]:
    """Return the arguments for the strongest isolation that works here.

    Cached, because finding out runs bwrap.
    """
    strict = (*_ISOLATION, _NO_MORE_NAMESPACES)
    return _ISOLATION if refusal(strict) else strict


def forbids_namespaces() -> bool:
    """Return whether bots are prevented from creating their own namespaces here."""
    return _NO_MORE_NAMESPACES in isolation()


def needed_folder(folders: Iterable[Path]) -> Path | None:
    """Return the first of these folders that no bot can do without: one with programs, libraries or our Python."""
    common = {*_PROGRAMS, *_ours().values()}
    ask = (sys.executable, "-c", "import croupier.agents")
    near = (path for path in folders if path.is_dir() and _inside(path.resolve(), common))
    return next((path for path in near if refusal(isolation(), (path.resolve(),), ask)), None)


@functools.cache
def refusal(
    isolation: tuple[str, ...], hidden: tuple[Path, ...] = (), runs: tuple[str, ...] = ("/bin/sh", "-c", "exit 0")
) -> str:
    """Return why a program does not run here with these arguments and hidden paths; empty if it does.

    Cached, because each answer runs bwrap.
    """
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
    """Return the command line that runs an entry's program in ``folder``.

    ``hidden`` are folders and files that it must not see even in places where it may look, except its own. Its own are
    the files that its command names, at their location: not the target of a link among them.
    """
    own = {location(path) for path in entry.files} | {Path(sys.executable).resolve()}
    secret = {path.resolve() for path in hidden if path not in entry.files and not _is_common(path)} - own
    found = {path: path.resolve() for path in readable(entry, secret) if not _inside(path, _links())}
    shown = {path: real for path, real in found.items() if not _is_secret(real, secret, own)}
    made = [*_system(), *mounts({**_everybodys(), **_ours(), **shown}, secret | _private_settings())]
    words = [program() or "bwrap", *isolation(), *chain(*made)]
    if entry.network:
        words.remove("--unshare-net")
        words += [word for path in _NETWORK for word in ("--ro-bind-try", path, path)]
    words += ["--bind", str(folder), str(folder), "--chdir", str(folder)]
    bare = [where[-1] for what, *where in made if what == "--tmpfs"]
    for name in (*bare, "/proc", "/dev", "/"):  # these are in memory, which a bot must not fill, or shared by all
        words += ["--remount-ro", name]
    return [*words, "--", *entry.command]


def hand_over(words: Sequence[str], env: Mapping[str, str], code: bytes) -> tuple[list[str], dict[int, bytes]]:
    """Return a command line, and the content that bwrap reads from each descriptor.

    The contents are bwrap's own arguments, the ``env`` of the program, the seccomp filter ``code``, and files of /proc
    as they were. So a bot's variables have no effect on bwrap itself, which runs outside (LD_PRELOAD), and are in no
    command line that others can read.
    """
    end = words.index("--")
    left = dict(enumerate(proc.readings().values(), _ARGUMENTS + 1))
    own = ["--seccomp", str(_FILTER)] if code else []
    own += words[1:end]
    for number, path in zip(left, proc.readings(), strict=True):
        own += ["--ro-bind-data", str(number), path]
    for name, value in env.items():
        own += ["--setenv", name, value]
    left[_ARGUMENTS] = b"".join(os.fsencode(word) + b"\0" for word in own)
    return [words[0], "--args", str(_ARGUMENTS), *words[end:]], left | ({_FILTER: code} if code else {})


def location(path: Path) -> Path:
    """Return the real location of a file: links in its folder's path are followed, but not the file if it is one."""
    return path.parent.resolve() / path.name


def _is_secret(real: Path, secret: Iterable[Path], own: Iterable[Path]) -> bool:
    """Return whether something is in a hidden place, and is neither one of a bot's own files nor a folder of one."""
    return _inside(real, secret) and not any(lies_in(file, real) for file in own)


def _system() -> Iterator[tuple[str, ...]]:
    """Yield the arguments for the parts of a system other than its files."""
    for link in _links():
        yield "--symlink", str(link.readlink()), str(link)
    yield from proc.arguments()
    yield "--dev", "/dev"
    for folder in ("/dev/shm", "/tmp"):
        yield "--size", str(_TMP_BYTES), "--tmpfs", folder


@functools.cache
def _links() -> tuple[Path, ...]:
    """List the system's folders that are links to others of them. Cached, because they stay the same."""
    return tuple(path for path in _SYSTEM if path.is_symlink())


@functools.cache
def _everybodys() -> dict[Path, Path]:
    """Return the system's files that every bot sees, with their real paths.

    Cached, because resolving them takes long.
    """
    system = (*_SYSTEM, *(Path("/etc", name) for name in _SETTINGS), *_runtimes())
    return {path: path.resolve() for path in system if path.exists() and path not in _links()}


@functools.cache
def _runtimes() -> tuple[Path, ...]:
    """List the interpreters' settings that exist. Cached, because it searches folders."""
    return tuple(path for pattern in _RUNTIMES for path in Path("/").glob(pattern.lstrip("/")))


@functools.cache
def _private_settings() -> frozenset[Path]:
    """List the interpreters' settings that only some users may read, because a bot run by root could read them."""
    found = (path for folder in _runtimes() for path in (folder, *folder.rglob("*")))
    return frozenset(path.resolve() for path in found if not _everybody_reads(path))


def _everybody_reads(path: Path) -> bool:
    with suppress(OSError):
        return bool(path.lstat().st_mode & stat.S_IROTH)
    return False


def _everybody_runs(path: Path) -> bool:
    with suppress(OSError):
        mode = path.stat().st_mode
        return stat.S_ISREG(mode) and mode & _RUNS == _RUNS
    return False


def _is_common(path: Path) -> bool:
    """Return whether this is a program of the system, which bots may share; by its path, because that may be a link."""
    return not path.is_dir() and _inside(Path(os.path.normpath(path)), _PROGRAMS)


def readable(entry: Entry, hidden: Collection[Path] = ()) -> Iterator[Path]:
    """Yield the parts of a program: its files' folders, its interpreter or its Python's virtual environment.

    If a folder would reveal too much, is hidden, or would have too little left, only the file is shown. A bot's own
    file, by its first line or as a link, can add one program at most. It can add none from the folder of a hidden file,
    such as a rival's virtual environment: only the command is the organizer's word.
    """
    private = _too_much() | set(hidden)
    rivals = [each.parent for each in hidden if not each.is_dir() and not _is_private(each.parent, private)]
    said = [*interpreters(Path(entry.command[0]))]
    for path in _paths(entry.command):
        if path.is_file():
            yield from _around(path, private, hidden)
            said += [] if _is_given(path) else [path]
        elif path.is_dir() and not path.is_symlink() and not _is_private(path, private):
            yield path
    alone = (path for program in said for path in _alone(program))
    yield from (path for path in alone if not _inside(path.resolve(), rivals))


def _is_given(path: Path) -> bool:
    """Return whether a file is the organizer's choice: not a link, or one among the programs found by PATH."""
    return not path.is_symlink() or str(path.parent) in os.get_exec_path()


def _around(path: Path, private: Collection[Path], hidden: Collection[Path]) -> Iterator[Path]:
    """Yield the folder of a file that a command names, and what a program in a folder called bin needs beside it."""
    given = _is_given(path)
    real = path.resolve() if given else location(path)
    for each in (path, real):
        if not (_is_private(each.parent, private) or _is_crowded(each.parent, hidden)):
            yield each.parent
        elif given:
            yield each
    if (path.parent.parent / _ENVIRONMENT).is_file() and not _is_private(path.parent.parent, private):
        yield path.parent.parent
    if real.parent.name == "bin":
        prefix = real.parent.parent
        yield prefix / "lib" if _is_private(prefix, private) else prefix
    if path.is_symlink() and given:
        yield from _alone(path, given=True)


def _paths(command: Iterable[str]) -> Iterator[Path]:
    """Yield the absolute paths in a command's words, including those in PYTHONPATH=/A:/B or 'exec /A/B;'."""
    for word in command:
        for part in dict.fromkeys((word, *chain(*map(_places, _BETWEEN.split(word))))):
            path = Path(part.removesuffix("/*"))  # a class path names the jars of a folder like this
            if path.is_absolute() and os.path.lexists(path) and not _inside(path.resolve(), _NO_FILES):
                yield path


def _alone(program: Path, *, given: bool = False) -> Iterator[Path]:
    """Yield a program and its link targets, without neighbors; for a Python also its libraries.

    Only files that everybody may run, unless the program is ``given`` by the organizer.
    """
    for path in _follow_links(program):
        if not _is_common(path) and (given or _everybody_runs(path)):
            yield path
            yield from _libraries(path.parent.parent)


def _follow_links(program: Path) -> Iterator[Path]:
    """Yield a program and the targets of its links, step by step."""
    for _ in range(_LINKS):
        yield program
        if not program.is_symlink():
            return
        program = Path(os.path.normpath(program.parent / program.readlink()))


def _libraries(prefix: Path) -> Iterator[Path]:
    """Yield what a Python in ``prefix/bin`` needs: its libraries, and the file that marks a virtual environment."""
    folders = [prefix / name for name in ("lib", "lib64")]
    inside = [folder for folder in folders if folder.resolve() in (location(each) for each in folders)]
    if any(python for folder in inside for python in folder.glob("python3*")):
        yield from inside
        yield from (path for path in [prefix / _ENVIRONMENT] if not path.is_symlink())


def _places(part: str) -> list[str]:
    """Return a path, or the folders and archives of a list such as /A:/B.jar; other files are not searched for code."""
    places = part.split(":")
    return places if len(places) == 1 else [each for each in places if _is_place(Path(each.removesuffix("/*")))]


def _is_place(path: Path) -> bool:
    with suppress(OSError):
        return path.is_dir() or path.suffix in _LISTED
    return False


def is_the_systems(path: Path) -> bool:
    """Return whether a path is among the system's own programs."""
    return _inside(path, _SYSTEM)


def holds_too_much(folder: Path) -> bool:
    """Return whether a folder is a home or another one that contains more than a program."""
    return _is_private(folder, _too_much())


def _is_private(folder: Path, private: Iterable[Path]) -> bool:
    """Return whether a folder is one of these, or contains sockets, or is its owner's home."""
    with suppress(OSError, KeyError):
        real = folder.resolve()
        return real in private or lies_in(real, _SOCKETS) or folder == Path(pwd.getpwuid(folder.stat().st_uid).pw_dir)
    return False


def _is_crowded(folder: Path, hidden: Collection[Path]) -> bool:
    """Return whether a folder contains something hidden, and too much else to show it part by part."""
    return holds(folder.resolve(), hidden) and len(parts(folder)) > _MANY


# cached because it resolves paths for each bot that is started, and homes stay where they are
@functools.cache
def _too_much() -> frozenset[Path]:
    """List folders that hold more than a program: homes, folders for all users' temporary files, and their parents."""
    known = [*_home(), Path("/tmp"), Path(tempfile.gettempdir())]
    whole = [around for path in map(Path.resolve, known) for around in (path, *path.parents)]
    local = ((home / ".local").resolve() for home in _home())
    return frozenset([*whole, *(Path(each).resolve() for each in _SHARED), *local])


def _home() -> list[Path]:
    """Return the user's home; a user id without HOME and without an entry in the user database has none."""
    with suppress(RuntimeError):
        return [Path.home()]
    return []


# cached because it resolves paths for each bot that is started, and this Python stays where it is
@functools.cache
def _ours() -> dict[Path, Path]:
    """Return the locations of this Python and of all that bots import from this package, with real paths."""
    package = Path(croupier.__file__).parent
    rooms = [room for name in ("agents", "protocol", "server") if (room := (package / name).resolve()).is_dir()]
    prefixes = [Path(sys.prefix), Path(sys.base_prefix), Path(sysconfig.get_paths()["purelib"])]
    ours = (*prefixes, package.parent if package.parent.name == "src" else package, *rooms, *modules.folders())
    return {path: path.resolve() for path in ours if not _inside(path, _links())}


def _inside(path: Path, folders: Iterable[Path]) -> bool:
    return any(lies_in(path, folder) for folder in folders)


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
