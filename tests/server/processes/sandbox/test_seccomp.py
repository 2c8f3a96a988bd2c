"""The seccomp filter: which system calls it answers, by calling each, and what it says on the other architecture."""

import errno
import json
import os
import struct
import subprocess
import sys

import needs
import pytest
from tables import errors_of

from croupier.server.processes.sandbox import Level, seccomp

MACHINE = os.uname().machine
ALLOWED, REFUSED = 0x7FFF0000, 0x00050000
LEVELS = needs.levels(Level.LIMITS, Level.BWRAP)
HARMFUL = {"clone": (0x10000000 | 17, 0, 0, 0, 0, 0), "ioctl": (0, 0x5412, 0, 0, 0, 0), "fcntl": (0, 1026, 0, 0, 0, 0)}
HARMFUL |= {"madvise": (0, 0, 21, 0, 0, 0), "socket": (40, 1, 0, 0, 0, 0), "personality": (8, 0, 0, 0, 0, 0)}
HARMFUL |= dict.fromkeys(("preadv2", "pwritev2"), (0, 0, 0, 0, 0, 8))
"""Arguments that make calls harmful which as such are not."""
HARMLESS = {
    "clone": (17, 0, 0, 0, 0, 0),
    "ioctl": (0, 0x5401, 0, 0, 0, 0),
    "fcntl": (0, 1, 0, 0, 0, 0),
    "madvise": (0, 0, 4, 0, 0, 0),
    "socket": (1, 0x80001, 0, 0, 0, 0),
    "personality": (0xFFFFFFFF, 0, 0, 0, 0, 0),
    "preadv2": (0, 0, 0, 0, 0, 0),
    "pwritev2": (0, 0, 0, 0, 0, 0),
    "ioprio_set": (1, 0, 0, 0, 0, 0),
}
NO_EFFECT = {"flock", "sched_setaffinity", "sched_setparam", "sched_setscheduler", "sched_setattr"}
NO_EFFECT |= {"chmod", "fchmod", "fchmodat", "fchmodat2", *(TIMES := {"utime", "utimes", "futimesat", "utimensat"})}
"""Calls that succeed and do nothing, with arguments for which the kernel itself would have an error."""
ALL = seccomp.ANSWERED | seccomp.SHARED
NUMBERED = [
    *(("fcntl", (77, command, 77, 0, 0, 0), REFUSED | 0) for command in (6, 7, 37, 38)),
    *(("fcntl", (77, command, 77, 0, 0, 0), ALLOWED) for command in (*range(6), 10, 36, 1030, 1031, 1033, 1035)),
    *(("fcntl", (77, command, 77, 0, 0, 0), REFUSED | errno.EPERM) for command in (1024, 1026, 1036, 1038, 1040, 1050)),
    ("setpriority", (0, 77, 5, 0, 0, 0), REFUSED | 0),
    ("setpriority", (1, 77, 5, 0, 0, 0), REFUSED | errno.EPERM),
    ("ioprio_set", (1, 77, 5, 0, 0, 0), REFUSED | 0),
    ("prlimit64", (77, 7, 0, 1, 0, 0), ALLOWED),
    ("prlimit64", (77, 7, 1 << 32, 1, 0, 0), REFUSED | errno.EPERM),
    ("utimensat", (-100 % (1 << 64), 77, 0, 0, 0, 0), REFUSED | errno.ENOENT),
    ("utimensat", (3, 0, 0, 0, 0, 0), REFUSED | 0),
]
"""Calls whose answer depends on what they name, and on whether they change it."""
SHARING = [
    *(("socket", (family, 1, 0, 0, 0, 0), REFUSED | errno.EPERM) for family in (2, 10)),
    ("socket", (1, 1, 0, 0, 0, 0), ALLOWED),
    *(("ioctl", (0, number, 0, 0, 0, 0), ALLOWED) for number in (0x5401, 0x541B, 0x5451, 0x8912)),
    *(("ioctl", (0, number, 0, 0, 0, 0), REFUSED | errno.ENOTTY) for number in (0x40086602, 0x40806685, 0x401C5820)),
    ("ioctl", (0, 0x5412, 0, 0, 0, 0), REFUSED | errno.EPERM),
]
"""The same where a bot has no mounts and no network of its own."""
CALLER = """
import ctypes, json, os, sys
libc = ctypes.CDLL(None, use_errno=True)
said = {}
for name, number, words in json.loads(sys.argv[1]):
    ctypes.set_errno(0)
    got = libc.syscall(ctypes.c_long(number), *map(ctypes.c_long, words))
    if name == "clone" and got == 0: os._exit(0)
    said[name] = ctypes.get_errno() if got == -1 else 0
os.write(2, json.dumps(said).encode())
"""


def error_of(name):
    """Return the error of a call with arguments that harm: 0 where it has no effect."""
    return 0 if name in NO_EFFECT else ALL[name].error


def verdict(machine, number, arguments=(0,) * 6, audit=None, *, shared=False):
    """Run the filter as the kernel does."""
    data = struct.pack("=iIQ6Q", number, audit or seccomp.AUDIT[machine], 0, *arguments)
    code = list(struct.iter_unpack("=HBBI", seccomp.program(machine, shared=shared)))
    place = held = 0
    while True:
        what, true, false, value = code[place]
        place += 1
        match what:
            case 0x20:
                (held,) = struct.unpack_from("=I", data, value)
            case 0x54:
                held &= value
            case 0x15:
                place += true if held == value else false
            case 0x25:
                place += true if held > value else false
            case 0x45:
                place += true if held & value else false
            case _:
                assert what == 0x06
                return value


@pytest.mark.parametrize("machine", seccomp.AUDIT)
@pytest.mark.parametrize("name", ALL)
def test_each_call_is_answered_on_each_architecture(name, machine):
    """Always, or where its arguments harm; where they do not it is allowed."""
    call = ALL[name]
    if (number := getattr(call, machine)) is None:
        return
    harmful, harmless = HARMFUL.get(name, (77,) * 6), HARMLESS.get(name, (0,) * 6)
    assert verdict(machine, number, harmful, shared=True) == REFUSED | error_of(name)
    assert (verdict(machine, number, harmless, shared=True) == ALLOWED) == (bool(call.only) and name not in TIMES)
    alone = REFUSED | error_of(name) if name in seccomp.ANSWERED else ALLOWED
    assert verdict(machine, number, harmful) == alone


@pytest.mark.parametrize("machine", seccomp.AUDIT)
@pytest.mark.parametrize(("name", "arguments", "answer"), NUMBERED)
def test_the_answer_depends_on_what_is_named(name, arguments, answer, machine):
    """Locks are taken without effect and may be asked for; another's limits are read and never set."""
    assert verdict(machine, getattr(seccomp.ANSWERED[name], machine), arguments) == answer


@pytest.mark.parametrize("machine", seccomp.AUDIT)
@pytest.mark.parametrize(("name", "arguments", "answer"), SHARING)
def test_the_answer_depends_on_what_a_bot_shares(name, arguments, answer, machine):
    """Without a network of its own there is none, and no flag of a file is set."""
    assert verdict(machine, getattr(seccomp.SHARED[name], machine), arguments, shared=True) == answer


@pytest.mark.parametrize("machine", seccomp.AUDIT)
def test_what_the_filter_does_not_know_does_not_exist(machine):
    """Calls younger than it, and those of other architectures, x32 among them."""
    for number in (seccomp._LAST + 1, 0x40000000, 0xFFFFFFFF - (1 << 32)):
        assert verdict(machine, number) == REFUSED | errno.ENOSYS
    assert verdict(machine, 1, audit=0x40000003) == REFUSED | errno.ENOSYS
    assert verdict(machine, seccomp._LAST) == verdict(machine, 3) == ALLOWED


def test_an_unknown_architecture_has_no_filter():
    """There is none that would be right."""
    assert seccomp.program("vax") == b""


@pytest.mark.skipif(MACHINE not in seccomp.AUDIT, reason="no filter for this architecture")
@pytest.mark.parametrize("level", LEVELS)
async def test_a_bot_is_answered_each_call(level, tmp_path):
    """By the kernel itself: every call is made, and those that look harmless work."""
    calls = [
        (name, getattr(call, MACHINE), HARMFUL.get(name, (77,) * 6))
        for name, call in (ALL if level is Level.LIMITS else seccomp.ANSWERED).items()
        if getattr(call, MACHINE) is not None
    ]
    said = json.loads(await errors_of(level, tmp_path, CALLER, json.dumps(calls)))
    assert said == {name: error_of(name) for name, _, _ in calls}


@pytest.mark.parametrize("level", LEVELS)
async def test_a_bot_has_a_handful_of_timers(level, tmp_path):
    """The kernel grants each user a number; RLIMIT_SIGPENDING keeps a bot from taking them all."""
    script = (
        "import ctypes, os; libc = ctypes.CDLL(None); at = ctypes.c_void_p()\n"
        "made = sum(libc.timer_create(0, None, ctypes.byref(at)) == 0 for _ in range(2000))\n"
        "os.write(2, str(made).encode())"
    )
    assert int(await errors_of(level, tmp_path, script)) <= 256


def test_outside_of_the_filter_the_kernel_answers():
    """Else the test above would show nothing: reads ahead, advice, locks and watches are anybody's."""
    names = ("fadvise64", "readahead", "mincore", "inotify_init1", "semget", "tee", "preadv2")
    calls = [(name, getattr(seccomp.ANSWERED[name], MACHINE), HARMFUL.get(name, (77,) * 6)) for name in names]
    done = subprocess.run([sys.executable, "-S", "-c", CALLER, json.dumps(calls)], capture_output=True, check=True)
    assert errno.EPERM not in json.loads(done.stderr).values()
    without = [(name, getattr(ALL[name], MACHINE)) for name in NO_EFFECT]
    calls = [(name, number, (77,) * 6) for name, number in without if number is not None]
    done = subprocess.run([sys.executable, "-S", "-c", CALLER, json.dumps(calls)], capture_output=True, check=True)
    assert 0 not in json.loads(done.stderr).values()
