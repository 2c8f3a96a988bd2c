"""The seccomp filter of a bot: a classic BPF program that answers system calls, for x86-64 and arm64.

It refuses calls that use up a resource shared by all processes of the machine, or that could carry messages between
sandboxes: the page cache, watches, keys, queues and timers of the kernel, namespaces, and access to other processes.
Some calls that runtimes make at their start are answered with success and have no effect (error 0): locks on files, and
priorities and cores of a process given by its number, because the filter cannot know which numbers are the bot's own. A
newer call that the filter does not know is answered as non-existent (ENOSYS).
"""

from __future__ import annotations

import errno
import functools
import os
import struct
import sys
from dataclasses import dataclass
from operator import itemgetter

_LOAD, _AND, _EQUAL, _GREATER, _COMMON_BITS, _RETURN = 0x20, 0x54, 0x15, 0x25, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
_ALLOW, _ERROR = 0x7FFF0000, 0x00050000
AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
"""The kernel's numbers of the architectures (AUDIT_ARCH_...)."""
_LAST = 469
"""The newest call that was considered: file_setattr of Linux 6.17."""


_FEW = 8
"""Fewer calls than this are compared one by one instead of by bisection."""


_NO_EFFECT = 0
"""The error number of a call that seems to succeed and does nothing."""


@dataclass(frozen=True)
class Only:
    """Answer a call if its argument, masked, is one of ``values``, is ``other`` than all, or has any of ``bits``."""

    argument: int
    values: tuple[int, ...] = ()
    other: tuple[int, ...] = ()
    bits: int = 0
    mask: int = 0
    error: int = errno.EPERM
    unless_null: int | None = None
    """A second argument; if it is a null pointer, the call is allowed anyway."""


@dataclass(frozen=True)
class Call:
    """An answered system call: its numbers on x86-64 and on arm64, and the conditions, if it is not always answered."""

    x86_64: int | None
    aarch64: int | None
    only: tuple[Only, ...] = ()
    error: int = errno.EPERM


_NUMBERED = Only(0, other=(0,), error=_NO_EFFECT)
"""A process or thread given by its number, not by 0."""
_OPEN = Only(1, values=(0,), error=_NO_EFFECT)
"""No path: the times of an open file."""


def _times(argument: int) -> tuple[Only, ...]:
    """Return a call that seems to set the times of a path; for the current time, it reports a missing file.

    A program that asks for the current time (a null pointer) then creates the file instead (Path.touch of Python,
    FileUtils.touch of Ruby).
    """
    return Only(argument, values=(0,), error=errno.ENOENT), Only(argument, other=(0,), error=_NO_EFFECT)


ANSWERED = {
    # The page cache: what other processes have in it, and influence on what stays.
    "fadvise64": Call(221, 223),
    "readahead": Call(187, 213),
    "mincore": Call(27, 232),
    "cachestat": Call(451, 451),
    "preadv2": Call(327, 286, (Only(5, other=(0,)),)),
    "pwritev2": Call(328, 287, (Only(5, other=(0,)),)),
    "madvise": Call(28, 233, (Only(2, values=(20, 21)),)),  # MADV_COLD, MADV_PAGEOUT
    "move_pages": Call(279, 239),
    "migrate_pages": Call(256, 238),
    "sync": Call(162, 81),
    "syncfs": Call(306, 267),
    # Locks on a file that many can read would carry messages. Nobody can take one, so asking (F_GETLK) tells nothing of
    # another sandbox and is allowed: an answer without effect would say that somebody holds the lock.
    "flock": Call(73, 32, error=_NO_EFFECT),
    "fcntl": Call(
        72,
        25,
        (
            Only(1, values=(6, 7, 37, 38), error=_NO_EFFECT),  # F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW
            # Refused is everything else that leaves something with the file, or may: F_SETLEASE, F_NOTIFY, F_SETDELEG,
            # and F_SET_RW_HINT, a message that stays in an inode and can be written through a read-only mount.
            Only(1, other=(*range(6), *range(8, 12), 15, 16, 17, 36, 1025, 1027, 1028, *range(1030, 1036), 1037)),
        ),
    ),
    # Times: a process that may write to a device can set them on it, visible to all.
    "utime": Call(132, None, _times(1)),
    "utimes": Call(235, None, _times(1)),
    "futimesat": Call(261, None, (_OPEN, *_times(2))),
    "utimensat": Call(280, 88, (_OPEN, *_times(2))),
    "name_to_handle_at": Call(303, 264),
    "open_by_handle_at": Call(304, 265),
    # Watches.
    "inotify_init": Call(253, None),
    "inotify_init1": Call(294, 26),
    "inotify_add_watch": Call(254, 27),
    "fanotify_init": Call(300, 262),
    "fanotify_mark": Call(301, 263),
    # Keys, System V IPC, POSIX queues, asynchronous I/O: tables of the kernel that users share.
    "add_key": Call(248, 217),
    "request_key": Call(249, 218),
    "keyctl": Call(250, 219),
    "shmget": Call(29, 194),
    "shmat": Call(30, 196),
    "shmctl": Call(31, 195),
    "semget": Call(64, 190),
    "semop": Call(65, 193),
    "semctl": Call(66, 191),
    "semtimedop": Call(220, 192),
    "msgget": Call(68, 186),
    "msgsnd": Call(69, 189),
    "msgrcv": Call(70, 188),
    "msgctl": Call(71, 187),
    "mq_open": Call(240, 180),
    "mq_unlink": Call(241, 181),
    "io_setup": Call(206, 0),
    "io_submit": Call(209, 2),
    "io_uring_setup": Call(425, 425),
    "io_uring_enter": Call(426, 426),
    "io_uring_register": Call(427, 427),
    # Other processes, and the kernel itself.
    "ptrace": Call(101, 117),
    "process_vm_readv": Call(310, 270),
    "process_vm_writev": Call(311, 271),
    "process_madvise": Call(440, 440),
    "process_mrelease": Call(448, 448),
    "pidfd_getfd": Call(438, 438),
    "kcmp": Call(312, 272),
    "prlimit64": Call(302, 261, (Only(0, other=(0,), unless_null=2),)),  # reading limits is allowed
    "sched_setaffinity": Call(203, 122, (_NUMBERED,)),
    "sched_setparam": Call(142, 118, (_NUMBERED,)),
    "sched_setscheduler": Call(144, 119, (_NUMBERED,)),
    "sched_setattr": Call(314, 274, (_NUMBERED,)),
    "setpriority": Call(141, 140, (Only(0, other=(0,)), Only(1, other=(0,), error=_NO_EFFECT))),
    "ioprio_set": Call(251, 30, (Only(0, other=(1,)), Only(1, other=(0,), error=_NO_EFFECT))),
    "perf_event_open": Call(298, 241),
    "userfaultfd": Call(323, 282),
    "memfd_secret": Call(447, 447),
    "bpf": Call(321, 280),
    "syslog": Call(103, 116),
    "personality": Call(135, 92, (Only(0, other=(0, 0xFFFFFFFF)),)),
    "ioctl": Call(16, 29, (Only(1, values=(0x5412, 0x541C)),)),  # TIOCSTI, TIOCLINUX
    # Mounts and namespaces.
    "mount": Call(165, 40),
    "umount2": Call(166, 39),
    "pivot_root": Call(155, 41),
    "chroot": Call(161, 51),
    "open_tree": Call(428, 428),
    "open_tree_attr": Call(467, 467),
    "move_mount": Call(429, 429),
    "fsopen": Call(430, 430),
    "fsconfig": Call(431, 431),
    "fsmount": Call(432, 432),
    "fspick": Call(433, 433),
    "mount_setattr": Call(442, 442),
    "unshare": Call(272, 97),
    "setns": Call(308, 268),
    "clone": Call(56, 220, (Only(0, bits=0x7E020000),)),  # CLONE_NEW...
    "clone3": Call(435, 435, error=errno.ENOSYS),  # its flags are in memory; libraries fall back to clone
    # Sockets: of this machine, IPv4 and IPv6 alone, none raw; vsock and others know no namespaces. On the internet only
    # TCP, neither datagrams nor Multipath TCP, SCTP or SMC: Landlock lets those pass.
    "socket": Call(41, 198, (Only(0, other=(1, 2, 10)), Only(1, values=(2, 3, 10), mask=0xF), Only(2, other=(0, 6)))),
    # Requests whose arguments are copied before they are checked: the clock starts when they are.
    "tee": Call(276, 77),
}


_METADATA = {
    # What Landlock does not know: modes, owners, times, attributes and flags of whatever the user owns. Programs that
    # copy or unpack files fail if they cannot set modes, so that seems to succeed; the rest is as on a simple disk.
    "chmod": Call(90, None, error=_NO_EFFECT),
    "fchmod": Call(91, 52, error=_NO_EFFECT),
    "fchmodat": Call(268, 53, error=_NO_EFFECT),
    "fchmodat2": Call(452, 452, error=_NO_EFFECT),
    "chown": Call(92, None),
    "fchown": Call(93, 55),
    "lchown": Call(94, None),
    "fchownat": Call(260, 54),
    "setxattr": Call(188, 5, error=errno.EOPNOTSUPP),
    "lsetxattr": Call(189, 6, error=errno.EOPNOTSUPP),
    "fsetxattr": Call(190, 7, error=errno.EOPNOTSUPP),
    "removexattr": Call(197, 14, error=errno.EOPNOTSUPP),
    "lremovexattr": Call(198, 15, error=errno.EOPNOTSUPP),
    "fremovexattr": Call(199, 16, error=errno.EOPNOTSUPP),
    "setxattrat": Call(463, 463, error=errno.EOPNOTSUPP),
    "removexattrat": Call(466, 466, error=errno.EOPNOTSUPP),
    "file_setattr": Call(469, 469, error=errno.EOPNOTSUPP),
    # Flags of files (FS_IOC_SETFLAGS, FS_IOC_ENABLE_VERITY) and everything else that is not for terminals, pipes,
    # sockets.
    "ioctl": Call(
        16,
        29,
        (
            Only(1, values=(0x5412, 0x541C)),  # TIOCSTI, TIOCLINUX
            Only(1, other=(0x5400, 0x8900), mask=0xFF00, error=errno.ENOTTY),
        ),
    ),
}
_MODES = {"chmod", "fchmod", "fchmodat", "fchmodat2"}
SHARED = _METADATA | {
    "socket": Call(41, 198, (Only(0, other=(1,)), Only(1, values=(2, 3, 10), mask=0xF), Only(2, other=(0, 6)))),
}
"""Calls that are also answered for a bot without its own mounts and network, about what it shares with its user.

No internet socket can be made, because data leave without a connect (MSG_FASTOPEN), and arrive without a bind (listen).
"""


_NETWORK = Call(41, 198, (Only(0, other=(2, 10)), Only(1, values=(3, 10), mask=0xF), Only(2, other=(0, 6, 17))))
"""The socket call of a bot with network: TCP and UDP, because names are looked up by UDP."""


# cached because building it would cost every start
@functools.cache
def program(
    machine: str = os.uname().machine, *, network: bool = False, shared: bool = False, makes: bool = False
) -> bytes:
    """Return the filter in the kernel's form, an array of sock_filter; empty for an architecture unknown here.

    A bot with ``network`` may open internet sockets for streams and datagrams, but no Unix sockets, whose abstract
    names it shares with the network. ``shared`` says that it has no mounts and no network of its own, ``makes`` that it
    builds programs, for which it sets modes of files.
    """
    if machine not in AUDIT or sys.platform != "linux":
        return b""
    code = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_EQUAL, 1, 0, AUDIT[machine]),
        _answer(errno.ENOSYS),
        (_LOAD, 0, 0, _NUMBER),
        (_GREATER, 0, 1, _LAST),
        _answer(errno.ENOSYS),
    ]
    answered = ANSWERED | (SHARED if shared else {})
    if makes:
        answered = {name: call for name, call in answered.items() if name not in _MODES}
    answered |= {"socket": _NETWORK} if network else {}
    calls = {number: call for call in answered.values() if (number := getattr(call, machine)) is not None}
    code += _among(sorted(calls.items(), key=itemgetter(0)))
    return b"".join(struct.pack("=HBBI", *step) for step in code)


def _among(calls: list[tuple[int, Call]]) -> list[tuple[int, int, int, int]]:
    """Look the number up by bisection, because the kernel tries each installed filter with every possible number."""
    if len(calls) > _FEW:
        middle = len(calls) // 2
        low, high = _among(calls[:middle]), _among(calls[middle:])
        return [(_GREATER, len(low), 0, calls[middle - 1][0]), *low, *high]
    code = []
    for number, call in calls:
        body = [step for only in call.only for step in _if(only)]
        body.append((_RETURN, 0, 0, _ALLOW) if call.only else _answer(call.error))
        code += [(_EQUAL, 0, len(body), number), *body]
    return [*code, (_RETURN, 0, 0, _ALLOW)]


def _answer(error: int) -> tuple[int, int, int, int]:
    return (_RETURN, 0, 0, _ERROR | error)


def _if(only: Only) -> list[tuple[int, int, int, int]]:
    """Answer if the lower half of an argument meets a condition; else continue after this."""
    answer = _answer(only.error)
    code = []
    if only.unless_null is not None:
        low = _ARGUMENTS + 8 * only.unless_null
        code = [(_LOAD, 0, 0, low), (_EQUAL, 0, 3, 0), (_LOAD, 0, 0, low + 4), (_EQUAL, 0, 1, 0)]
        code.append((_RETURN, 0, 0, _ALLOW))
    code.append((_LOAD, 0, 0, _ARGUMENTS + 8 * only.argument))
    if only.mask:
        code.append((_AND, 0, 0, only.mask))
    for value in only.values:
        code += [(_EQUAL, 0, 1, value), answer]
    if only.bits:
        code += [(_COMMON_BITS, 0, 1, only.bits), answer]
    if only.other:
        code += [(_EQUAL, len(only.other) - place, 0, value) for place, value in enumerate(only.other)]
        code.append(answer)
    return code
