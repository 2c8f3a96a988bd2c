"""A bot of one file that plays the first legal play, and at its first request looks for what it must not know.

    spy.py REFEREE PORT PATH:PATH...

REFEREE is the process to look into, PORT one on this machine to knock at, each PATH something that is none of its
business. What it got, it writes to standard error as `KEY VALUE` lines, for the test to read.
"""

import ctypes
import os
import re
import socket
import sys
import time
from contextlib import suppress

SEIZE = 0x4206
NEW_NAMESPACES = 0x10000000 | 0x00020000 | 0x02000000
KEYCTL, SEARCH, SESSION = {"x86_64": 250}.get(os.uname().machine, 219), 10, -3
LEGAL = re.compile(r"\(legal (\([^()]*(?:\([^()]*\)[^()]*)*\))")


def readable(path):
    """Return whether something can be read there."""
    with suppress(OSError), open(path, "rb", buffering=0) as file:
        return bool(file.read(1))
    return False


def memory(pid):
    """Read a word of another process's memory, where its program lies."""
    with suppress(OSError, ValueError), open(f"/proc/{pid}/maps") as maps:
        start = int(maps.readline().partition("-")[0], 16)
        with open(f"/proc/{pid}/mem", "rb", buffering=0) as file:
            file.seek(start)
            return bool(file.read(4))
    return False


def traced(pid):
    """Seize another process as a debugger does, in a child that is gone at once: signals stop who is seized."""
    child = os.fork()
    if child == 0:
        os._exit(ctypes.CDLL(None, use_errno=True).ptrace(SEIZE, pid, None, None) == 0)
    return os.waitpid(child, 0)[1] != 0


def descriptors(pid):
    """Count the descriptors of another process that can be opened."""
    found = 0
    with suppress(OSError):
        for name in os.listdir(f"/proc/{pid}/fd"):
            with suppress(OSError):
                os.close(os.open(f"/proc/{pid}/fd/{name}", os.O_RDONLY | os.O_NONBLOCK))
                found += 1
    return found


def signalled(pid):
    """Return whether another process could be sent a signal."""
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return True


def connected(family, address, protocol=0):
    """Return whether somebody answers at an address."""
    with suppress(OSError), socket.socket(family, socket.SOCK_STREAM, protocol) as knock:
        knock.settimeout(0.5)
        knock.connect(address)
        return True
    return False


def answered(address):
    """Return whether a datagram (UDP) gets an answer."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as knock:
        knock.settimeout(2)
        knock.sendto(b"?", address)
        return bool(knock.recv(1))
    return False


def writable(path):
    """Return whether a file can be made there."""
    name = os.path.join(path, f"spy-{os.getpid()}")
    with suppress(OSError):
        os.close(os.open(name, os.O_WRONLY | os.O_CREAT))
        os.unlink(name)
        return True
    return False


def changeable(path):
    """Return whether a file of the system can be opened for writing; nothing is written."""
    with suppress(OSError):
        os.close(os.open(path, os.O_WRONLY))
        return True
    return False


def control_groups():
    """List the folders of this process's control groups."""
    groups = []
    with suppress(OSError), open("/proc/self/cgroup") as file:
        for line in file:
            _, controllers, path = line.strip().split(":", 2)
            groups.append(f"/sys/fs/cgroup/{controllers}/{path}")
    return groups


def key_found(name):
    """Return whether a key of the table's user can be found in the kernel."""
    libc = ctypes.CDLL(None, use_errno=True)
    return libc.syscall(KEYCTL, SEARCH, SESSION, b"user", name, 0) > 0


def all_powerful():
    """Return whether a child can have all capabilities in namespaces of its own, and mount what it likes."""
    child = os.fork()
    if child == 0:
        libc = ctypes.CDLL(None, use_errno=True)
        mounted = libc.unshare(NEW_NAMESPACES) == 0 and libc.mount(b"none", b"/tmp", b"cgroup2", 0, None) == 0
        os._exit(mounted)
    return os.waitpid(child, 0)[1] != 0


def strangers():
    """List the other processes that can be seen, by number; relatives of this process do not count."""
    kin = {os.getpid(), os.getppid(), 1}
    return [int(name) for name in os.listdir("/proc") if name.isdigit() and int(name) not in kin]


def look(referee, port, paths):
    """Try everything once; yield each attempt and its result."""
    others = strangers()
    (rival,) = [path for path in paths if path.endswith("rival.py")]
    bots = [pid for pid in others if bot(pid, rival)]
    yield "processes", len(others)
    for name, attempt in (("memory", memory), ("trace", traced), ("signal", signalled), ("descriptors", descriptors)):
        yield name, int(referee in others and attempt(referee))
        yield f"bots-{name}", sum(int(attempt(pid)) for pid in bots)
    yield "environ", int(referee in others and readable(f"/proc/{referee}/environ"))
    yield "own-environ", sum("SECRET" in key or "KEY" in key for key in os.environ)
    yield "own-descriptors", sum(os.path.exists(f"/proc/self/fd/{fd}") for fd in range(3, 64))
    yield "own-folder", len(os.listdir("."))
    yield "own-keys", int(key_found(b"croupier-secret"))
    yield "own-groups", sum(changeable(f"{group}/cgroup.procs") for group in control_groups())
    yield "kernel", int(changeable("/proc/sys/kernel/core_pattern"))
    yield "powers", int(all_powerful())
    yield "network", int(connected(socket.AF_INET, ("127.0.0.1", port)))
    yield "abstract", int(connected(socket.AF_UNIX, f"\0croupier-{port}"))
    yield "multipath", int(connected(socket.AF_INET, ("127.0.0.1", port), socket.IPPROTO_MPTCP))
    yield "datagram", int(answered(("127.0.0.1", port)))
    yield "path", int(connected(socket.AF_UNIX, f"/tmp/croupier-{port}"))
    yield "system", int(writable("/usr/lib"))
    yield "program", int(writable(os.path.dirname(os.path.abspath(__file__))))
    for path in paths:
        yield f"file:{os.path.basename(path)}", int(readable(path))


def bot(pid, rival):
    """Return whether a process is the other bot at this table, whose program is ``rival``."""
    with suppress(OSError), open(f"/proc/{pid}/cmdline", "rb") as file:
        return rival.encode() in file.read() and pid != os.getpid()
    return False


def main():
    """Look once, then play; note whether anything came between an answer and the next request."""
    referee, port, paths = sys.argv[1:]
    early, reads = 0, 0
    looked = False
    waiting = ""
    while data := os.read(0, 1 << 16).decode("ascii"):
        reads += 1
        waiting += data
        lines = waiting.split("\n")
        waiting = lines.pop()
        asked = [line for line in lines if line.startswith(("(request", "(attacked"))]
        early += not asked and "(end " not in data and not data.startswith("(update table (start")
        for line in asked:
            if not looked:
                looked = True
                for key, value in look(int(referee), int(port), paths.split(":")):
                    os.write(2, f"{key} {value}\n".encode())
            os.write(1, LEGAL.search(line)[1].encode())
        os.write(2, f"early {early}\n".encode())
        time.sleep(0)


if __name__ == "__main__":
    main()
