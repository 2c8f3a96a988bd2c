"""Restrict a process by system calls: prctl, setrlimit, oom_score_adj, keyctl, capabilities and Landlock.

Imports little, as the keeper starts with it.
"""

from __future__ import annotations

import ctypes
import os
import resource
import struct
import sys
from _signal import SIGCONT, SIGKILL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

_SET_SECCOMP, _SECCOMP_MODE_FILTER = 22, 2
_SET_PDEATHSIG, _SET_DUMPABLE, _SET_SUBREAPER, _CAPBSET_DROP, _SET_NO_NEW_PRIVS, _SET_SECUREBITS = 1, 4, 36, 24, 38, 28
_FILES = 1024
_FILE_CAPABILITIES = 4
_LANDLOCK_CREATE, _LANDLOCK_ADD, _LANDLOCK_RESTRICT = 444, 445, 446
_MOVING_SINCE, LANDLOCK_SCOPES_SINCE = 2, 6
_SOCKETS_AND_SIGNALS = 0b11
_EXECUTE, _WRITE, _READ, _MOVE = 1 << 0, 1 << 1, 1 << 2, 1 << 13
_BENEATH = 1
_CONTROL_GROUPS = "/sys/fs/cgroup"
_KEYCTL = {"x86_64": 250, "aarch64": 219, "riscv64": 219}.get(os.uname().machine)
_JOIN_NEW_KEYRING = 1

_linux = sys.platform == "linux"
_libc = ctypes.CDLL(None, use_errno=True) if _linux else None


def _prctl(option: int, value: int, more: bytes | int = 0) -> None:
    """Call prctl(2) for this process, where the system has it; raise OSError if it refuses."""
    if _libc is not None and _libc.prctl(option, value, more, 0, 0):
        raise OSError(ctypes.get_errno(), f"prctl({option})")


def set_undumpable() -> None:
    """Set PR_SET_DUMPABLE=0, so that processes of the same user cannot ptrace this one or read its /proc files."""
    _prctl(_SET_DUMPABLE, 0)


def lower_open_files() -> None:
    """Lower RLIMIT_NOFILE to the usual number of descriptors: there are programs that close all they may have."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, _FILES), hard))


def become_subreaper() -> None:
    """Set PR_SET_CHILD_SUBREAPER, so that orphans become our children; get SIGCONT when our parent ends."""
    _prctl(_SET_SUBREAPER, 1)
    _prctl(_SET_PDEATHSIG, SIGCONT)


def restrict(limits: Iterable[tuple[int, int]], hidden: Collection[str] | None) -> None:
    """Set rlimits, as (resource, amount), and unless ``hidden`` is None drop capabilities and enter a Landlock domain.

    The files that are ``hidden`` cannot be read from there. All this holds for whatever this process will start.
    """
    _prctl(_SET_PDEATHSIG, SIGKILL)
    _raise_oom_score()
    _join_new_keyring()
    for which, wanted in limits:
        _, hard = resource.getrlimit(which)
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(which, (most, most))
    if hidden is not None:
        _drop_capabilities()
        _prctl(_SET_NO_NEW_PRIVS, 1)
        _restrict_by_landlock(hidden)


def set_seccomp(program: bytes) -> None:
    """Install a seccomp filter (PR_SET_SECCOMP), an array of sock_filter; nothing is no filter."""
    if program:
        code = ctypes.create_string_buffer(program, len(program))
        fprog = struct.pack("@HP", len(program) // 8, ctypes.addressof(code))
        _prctl(_SET_SECCOMP, _SECCOMP_MODE_FILTER, fprog)


def _raise_oom_score() -> None:
    """Write 1000 to /proc/self/oom_score_adj: when memory runs out, the kernel ends this before the referee."""
    try:
        with open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
            file.write("1000")
    except OSError:
        pass


def _join_new_keyring() -> None:
    """Call keyctl(KEYCTL_JOIN_SESSION_KEYRING): the old session's keys may be secrets, or notes from bot to bot."""
    if _libc is not None and _KEYCTL is not None:
        _libc.syscall(_KEYCTL, _JOIN_NEW_KEYRING, None)


def _drop_capabilities() -> None:
    """Drop root's capabilities except those over files (PR_CAPBSET_DROP), so that it cannot look into processes."""
    if _linux and os.getuid() == 0:
        _prctl(_SET_SECUREBITS, 0)
        with open("/proc/sys/kernel/cap_last_cap", encoding="ascii") as last:
            capabilities = range(_FILE_CAPABILITIES, int(last.read()) + 1)
        for capability in capabilities:
            _prctl(_CAPBSET_DROP, capability)


def landlock_version() -> int:
    """Return the version of the kernel's Landlock (landlock_create_ruleset), 0 without."""
    return 0 if _libc is None else max(0, _libc.syscall(_LANDLOCK_CREATE, None, 0, 1))


def _restrict_by_landlock(hidden: Collection[str]) -> None:
    """Enter a Landlock domain (landlock_restrict_self): who is outside can be neither traced nor signalled from it.

    Nor can what is ``hidden`` be read, nor a control group be changed, as to move another process into it.
    """
    version = landlock_version()
    if _libc is None or not version:
        return
    moving = _MOVE if version >= _MOVING_SINCE else 0
    scoped = _SOCKETS_AND_SIGNALS if version >= LANDLOCK_SCOPES_SINCE else 0
    rules = (ctypes.c_uint64 * 3)(_EXECUTE | _READ | _WRITE | moving, 0, scoped)
    ruleset = _libc.syscall(_LANDLOCK_CREATE, ctypes.byref(rules), 24 if scoped else 8, 0)
    if ruleset < 0:
        return
    for access, parts in (
        (moving, ["/"]),
        (_EXECUTE | _READ, _parts_without(hidden)),
        (_WRITE, _parts_without([_CONTROL_GROUPS])),
    ):
        for path in parts:
            _allow(ruleset, access, path)
    _libc.syscall(_LANDLOCK_RESTRICT, ruleset, 0)
    os.close(ruleset)


def _allow(ruleset: int, access: int, path: str) -> None:
    """Add a Landlock rule (landlock_add_rule) that allows access beneath a path; what is no file needs none."""
    assert _libc is not None
    try:
        place = os.open(path, os.O_PATH | os.O_NOFOLLOW)
    except OSError:
        return
    rule = ctypes.create_string_buffer(access.to_bytes(8, sys.byteorder) + place.to_bytes(4, sys.byteorder), 12)
    _libc.syscall(_LANDLOCK_ADD, ruleset, _BENEATH, rule, 0)
    os.close(place)


def _parts_without(hidden: Collection[str], folder: str = "/") -> Iterator[str]:
    """Yield the largest parts of a folder in which nothing of this lies: Landlock knows only what is allowed."""
    if folder in hidden:
        return
    inside = folder.rstrip("/") + "/"
    if not any(path.startswith(inside) for path in hidden):
        yield folder
        return
    try:
        names = os.listdir(folder)
    except OSError:
        return
    for name in names:
        yield from _parts_without(hidden, inside + name)
