"""System calls to fork and restrict a process: clone3, prctl, setrlimit, oom_score_adj, keyctl, capabilities, seccomp.

This module imports little, because the keeper loads it at its start.
"""

from __future__ import annotations

import ctypes
import os
import resource
import struct
import sys
from _signal import SIGCHLD, SIGCONT, SIGKILL

from croupier.server.processes.control_group import read, write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_SET_SECCOMP, _SECCOMP_MODE_FILTER = 22, 2
_SET_PDEATHSIG, _SET_DUMPABLE, _SET_SUBREAPER, _CAPBSET_DROP, _SET_NO_NEW_PRIVS, _SET_SECUREBITS = 1, 4, 36, 24, 38, 28
_FILES = 1024
_FILE_CAPABILITIES = 4
_KEYCTL = {"x86_64": 250, "aarch64": 219, "riscv64": 219}.get(os.uname().machine)
_JOIN_NEW_KEYRING = 1
_CLONE3, _CLONE_INTO_CGROUP = 435, 1 << 33
_CLONE_ARGS = "=4Q Q 5Q Q"  # struct clone_args: flags, three more, exit_signal, five more, cgroup

_NEW_MOUNTS, _NEW_USER = 0x20000, 0x10000000
_READ_ONLY, _REMOUNT, _BIND, _RECURSIVE, _SLAVE = 1, 32, 4096, 16384, 1 << 19
_KEPT = 2 | 8 | 1024 | 2048
"""Other flags of a mount of devices that must be repeated to stay: MS_NOSUID, MS_NOEXEC, MS_NOATIME, MS_NODIRATIME."""
_DEVICES = ("null", "zero", "full", "random", "urandom", "tty")

_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None
"""The system's C library; None where it is not Linux's."""
_holding = ctypes.PyDLL(None) if sys.platform == "linux" else None
"""The same, called without releasing the interpreter lock (GIL)."""


def syscall(number: int, *words: int | bytes | None) -> int:
    """Make a system call; raise OSError if it fails, or if this is not Linux."""
    got = -1 if _libc is None else int(_libc.syscall(number, *words))
    if got < 0:
        raise OSError(ctypes.get_errno(), f"system call {number}")
    return got


def fork_into(group: str) -> int:
    """Fork a child inside a group of cgroup v2 (clone3, CLONE_INTO_CGROUP); return -1 if that is impossible.

    Entering a group later would wait for every core (RCU). Only for a process with one thread whose child soon execs,
    because Python does not notice this fork.
    """
    if _holding is None:
        return -1
    folder = os.open(group, os.O_PATH)
    args = struct.pack(_CLONE_ARGS, _CLONE_INTO_CGROUP, 0, 0, 0, SIGCHLD, 0, 0, 0, 0, 0, folder)
    pid = int(_holding.syscall(_CLONE3, args, len(args)))
    os.close(folder)
    return pid


def _prctl(option: int, value: int, more: object = 0) -> None:
    """Call prctl(2) for this process, if the system has it; raise OSError if it refuses."""
    if _libc is not None and _libc.prctl(option, value, more, 0, 0):
        raise OSError(ctypes.get_errno(), f"prctl({option})")


def set_undumpable() -> None:
    """Set PR_SET_DUMPABLE=0, so that processes of the same user cannot ptrace this one or read its /proc files."""
    _prctl(_SET_DUMPABLE, 0)


def lower_open_files() -> None:
    """Lower RLIMIT_NOFILE to the usual number of descriptors; some programs close all that they may have."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, _FILES), hard))


def become_subreaper() -> None:
    """Set PR_SET_CHILD_SUBREAPER, so that orphans become our children; get SIGCONT when our parent ends."""
    _prctl(_SET_SUBREAPER, 1)
    _prctl(_SET_PDEATHSIG, SIGCONT)


def set_limits(limits: Iterable[tuple[int, int]]) -> None:
    """Set rlimits, as (resource, amount); be killed with our parent, and first when memory runs out.

    All this is inherited by every process that this one starts.
    """
    _prctl(_SET_PDEATHSIG, SIGKILL)
    _raise_oom_score()
    for which, wanted in limits:
        _, hard = resource.getrlimit(which)
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(which, (most, most))


class Filter(ctypes.Structure):
    """A seccomp filter in the kernel's form (struct sock_fprog): a number of sock_filter, and their address."""

    _fields_ = (("length", ctypes.c_ushort), ("program", ctypes.c_char_p))

    @classmethod
    def of(cls, program: bytes) -> Filter:
        """Return the filter of an array of sock_filter; an empty array is no filter."""
        return cls(len(program) // 8, program)

    def install(self) -> None:
        """Apply it to this process (PR_SET_SECCOMP) and every process that it starts."""
        if self.length:
            _prctl(_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(self))


def _raise_oom_score() -> None:
    """Write 1000 to /proc/self/oom_score_adj, so that the kernel kills this before the referee when memory runs out.

    The user may write it only while the process is dumpable (PR_SET_DUMPABLE=1), which it is again after exec.
    """
    _prctl(_SET_DUMPABLE, 1)
    try:
        write("/proc/self", "oom_score_adj", 1000)
    except OSError:
        pass
    _prctl(_SET_DUMPABLE, 0)


def seal_devices() -> None:
    """Mount the files in /dev that all sandboxes share read-only, in a mount namespace of this process's own.

    They can be read and written as before; but what their owner, root, could change, such as their modes, stays fixed.
    Raise OSError if they are ours and cannot be mounted.
    """
    if _libc is None or os.stat(f"/dev/{_DEVICES[0]}").st_uid != os.geteuid():
        return
    if _libc.unshare(_NEW_MOUNTS):
        _unshare_as_bubblewrap_does()
    _mount(None, "/", _RECURSIVE | _SLAVE)
    for path in (f"/dev/{name}" for name in _DEVICES if os.path.exists(f"/dev/{name}")):
        _mount(path, path, _BIND)
        _mount(None, path, _REMOUNT | _BIND | _READ_ONLY | os.statvfs(path).f_flag & _KEPT)


def _unshare_as_bubblewrap_does() -> None:
    """Also enter a user namespace, for the right to mount: root in a container may not have it otherwise."""
    ids = {"uid": os.geteuid(), "gid": os.getegid()}
    if _libc is None or _libc.unshare(_NEW_USER | _NEW_MOUNTS):
        raise OSError(ctypes.get_errno(), "unshare")
    write("/proc/self", "setgroups", "deny")
    for kind, own in ids.items():
        write("/proc/self", f"{kind}_map", f"{own} {own} 1")


def _mount(source: str | None, target: str, flags: int) -> None:
    """Call mount(2) without a type and options."""
    words = (None if source is None else source.encode(), target.encode(), None)
    if _libc is None or _libc.mount(*words, ctypes.c_ulong(flags), None):
        raise OSError(ctypes.get_errno(), f"mount({target})")


def join_new_keyring() -> None:
    """Call keyctl(KEYCTL_JOIN_SESSION_KEYRING): keys of the old session may be secrets, or messages between bots."""
    if _libc is not None and _KEYCTL is not None:
        _libc.syscall(_KEYCTL, _JOIN_NEW_KEYRING, None)


def drop_privileges() -> None:
    """Set PR_SET_NO_NEW_PRIVS; drop root's capabilities except those over files (PR_CAPBSET_DROP)."""
    if _libc is not None and os.getuid() == 0:
        _prctl(_SET_SECUREBITS, 0)
        for capability in range(_FILE_CAPABILITIES, int(read("/proc/sys/kernel/cap_last_cap")) + 1):
            _prctl(_CAPBSET_DROP, capability)
    _prctl(_SET_NO_NEW_PRIVS, 1)
