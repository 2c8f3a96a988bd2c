"""Landlock: what a process without a sandbox of its own may read, write, connect to and signal.

This module imports little, because the keeper loads it at its start.
"""

from __future__ import annotations

import os
import struct

from croupier.server.processes.kernel import syscall

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_PATH_BENEATH = 1
_READ = 1 << 0 | 1 << 2  # EXECUTE, READ_FILE
_WRITE_FILE, _TRUNCATE, _IOCTL_DEV = 1 << 1, 1 << 14, 1 << 15
_CHANGE = {
    1: _WRITE_FILE | sum(1 << right for right in range(4, 13)),  # REMOVE_DIR to MAKE_SYM
    2: 1 << 13,  # REFER
    3: _TRUNCATE,
    5: _IOCTL_DEV,
}
"""The rights to change anything, by the version of Landlock that added them."""
NO_PORT, ANY_PORT = 0b11, 0
_SOCKETS_AND_SIGNALS = 0b11
WRITES_SINCE, TCP_SINCE, SCOPES_SINCE = 3, 4, 6
_TO_DEVICES = _WRITE_FILE | _TRUNCATE | _IOCTL_DEV
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
"""The usable devices; terminals, for example, could be read and switched off through /dev."""
_NO_DEVICES = "shm"
"""The folder in /dev that contains ordinary files."""
_all: list[int] = []
"""Descriptors of the largest parts of the file system without devices, cached because finding them takes long."""


def version() -> int:
    """Return the version of the kernel's Landlock (landlock_create_ruleset), 0 without."""
    try:
        return syscall(_CREATE_RULESET, None, 0, 1)
    except OSError:
        return 0


def rules(hidden: Collection[str], folder: str, errors: int, ports: int = NO_PORT, writes: Iterable[str] = ()) -> int:
    """Create a domain (landlock_create_ruleset); return its descriptor, -1 if the kernel has no Landlock.

    ``hidden`` files cannot be read there, nor most devices. Only ``folder``, ``writes`` and the file ``errors`` can be
    changed. No TCP port can be bound or connected to unless ``ports`` is `ANY_PORT`, and no outside process can be
    traced or signalled. Raise OSError if the kernel has Landlock but refuses.
    """
    known = version()
    if not known:
        return -1
    change = sum(rights for since, rights in _CHANGE.items() if known >= since)
    scoped = _SOCKETS_AND_SIGNALS if known >= SCOPES_SINCE else 0
    rights = struct.pack("=3Q", _READ | change, ports if known >= TCP_SINCE else 0, scoped)
    ruleset = syscall(_CREATE_RULESET, rights, 24 if scoped else 16 if known >= TCP_SINCE else 8, 0)
    if hidden:
        for path in _parts_without([*hidden, *_devices()]):
            _allow(ruleset, _READ, path)
    else:
        look_around()
        for place in _all:
            _try_to_add(ruleset, _READ, place)
    _allow(ruleset, _READ | change, folder)
    for path in writes:
        _allow(ruleset, _READ | change, path)
    for device in _DEVICES:
        _allow(ruleset, _READ | change & _TO_DEVICES, device)
    _add(ruleset, change & (_WRITE_FILE | _TRUNCATE), errors)
    return ruleset


def look_around() -> None:
    """Open what may be read if nothing is hidden; a keeper does this before it forks, to spare each minder the time."""
    if not _all and version():
        _all.extend(place for path in _parts_without(_devices()) if (place := _open(path)) >= 0)


def _devices() -> list[str]:
    return [f"/dev/{name}" for name in os.listdir("/dev") if name != _NO_DEVICES]


def restrict(ruleset: int) -> None:
    """Enter the domain of a ruleset (landlock_restrict_self), if there is one."""
    if ruleset >= 0:
        syscall(_RESTRICT_SELF, ruleset, 0)


def _allow(ruleset: int, access: int, path: str) -> None:
    """Allow access beneath a path; a path that is neither file nor folder needs no rule."""
    if (place := _open(path)) >= 0:
        _try_to_add(ruleset, access, place)
        os.close(place)


def _open(path: str) -> int:
    try:
        return os.open(path, os.O_PATH | os.O_NOFOLLOW)
    except OSError:
        return -1


def _try_to_add(ruleset: int, access: int, place: int) -> None:
    try:
        _add(ruleset, access, place)
    except OSError:  # a folder's rights do not fit a file, and none fit a link: it stays forbidden
        pass


def _add(ruleset: int, access: int, place: int) -> None:
    syscall(_ADD_RULE, ruleset, _PATH_BENEATH, struct.pack("=Qi", access, place), 0)


def _parts_without(hidden: Collection[str]) -> Iterator[str]:
    """Yield the largest parts of the file system that contain none of these: Landlock can allow, but not forbid."""
    parts = [path.rstrip("/").split("/") for path in hidden]
    places = {"/".join(names) for names in parts}
    above = {"/".join(names[:depth]) for names in parts for depth in range(1, len(names))}
    ahead = [""]
    while ahead:
        folder = ahead.pop()
        if folder in places:
            continue
        if folder not in above:
            yield folder or "/"
            continue
        try:
            ahead += [f"{folder}/{name}" for name in os.listdir(folder or "/")]
        except OSError:
            continue
