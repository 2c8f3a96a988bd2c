"""The fence around a process: what the kernel lends to keep a bot from what is not its own.

Imports little, as the keeper starts with it.
"""

from __future__ import annotations

import ctypes
import os
import resource
import sys
from _signal import SIGKILL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_SET_PDEATHSIG, _SET_DUMPABLE, _SET_SUBREAPER, _CAPBSET_DROP, _SET_NO_NEW_PRIVS, _SET_SECUREBITS = 1, 4, 36, 24, 38, 28
_FILE_CAPABILITIES = 4
_LAST_CAPABILITY = 40
_LANDLOCK_CREATE, _LANDLOCK_RESTRICT = 444, 446
LANDLOCK_SCOPES_SINCE = 6
_SOCKETS_AND_SIGNALS = 0b11
_MAKE_BLOCK_DEVICES = 1 << 11

_linux = sys.platform == "linux"
_libc = ctypes.CDLL(None, use_errno=True) if _linux else None


def _prctl(option: int, value: int) -> None:
    """Set something about this process, where the system has it."""
    if _libc is not None:
        _libc.prctl(option, value, 0, 0, 0)


def shut_eyes() -> None:
    """Close this process's memory, environment and descriptors to others of the same user."""
    _prctl(_SET_DUMPABLE, 0)


def adopt() -> None:
    """Become the parent of all that came of this process and lost its own."""
    _prctl(_SET_SUBREAPER, 1)


def confine(limits: Iterable[tuple[int, int]], *, lone: bool) -> None:
    """Give this process limits, as (resource, amount), and if it is to be ``lone`` no reach beyond itself.

    They hold for all that it will start.
    """
    _prctl(_SET_PDEATHSIG, SIGKILL)
    for which, wanted in limits:
        _, hard = resource.getrlimit(which)
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(which, (most, most))
    if lone:
        _drop_capabilities()
        _prctl(_SET_NO_NEW_PRIVS, 1)
        _fence()


def _drop_capabilities() -> None:
    """Keep of root's powers only those over files, so that it cannot look into other processes."""
    if _linux and os.getuid() == 0:
        _prctl(_SET_SECUREBITS, 0)
        for capability in range(_FILE_CAPABILITIES, _LAST_CAPABILITY + 1):
            _prctl(_CAPBSET_DROP, capability)


def landlock() -> int:
    """Return the version of the kernel's Landlock, 0 without."""
    return 0 if _libc is None else max(0, _libc.syscall(_LANDLOCK_CREATE, None, 0, 1))


def _fence() -> None:
    """Enter a Landlock domain: what is outside of it can be neither traced nor signalled from within."""
    version = landlock()
    if _libc is None or not version:
        return
    scoped = version >= LANDLOCK_SCOPES_SINCE
    rules = (ctypes.c_uint64 * 3)(0, 0, _SOCKETS_AND_SIGNALS) if scoped else (ctypes.c_uint64 * 3)(_MAKE_BLOCK_DEVICES)
    ruleset = _libc.syscall(_LANDLOCK_CREATE, ctypes.byref(rules), 24 if scoped else 8, 0)
    if ruleset >= 0:
        _libc.syscall(_LANDLOCK_RESTRICT, ruleset, 0)
        os.close(ruleset)
