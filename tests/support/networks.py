"""A script: play a tournament on three machines, each a network namespace that reaches nothing but the scheduler's.

It is started in a namespace of its own, with a folder and the words of ``croupier tournament``.
"""

import subprocess
import sys
from pathlib import Path

from dask_cluster import Dask

INSIDE = 'read -r _; ip link set lo up; ip addr add "$1" dev "$2"; ip link set "$2" up; shift 2; exec "$@"'


def ip(*words):
    """Call ``ip``."""
    subprocess.run(["ip", *words], check=True)


def main(folder, *words):
    """Start scheduler and workers, and play."""
    ip("link", "set", "lo", "up")
    with Dask(Path(folder), host="0.0.0.0") as dask:
        port = dask.address.rpartition(":")[2]
        for number in (1, 2, 3):
            here, there, line = f"10.77.{number}.1", f"10.77.{number}.2", f"line{number}"
            ip("link", "add", line, "type", "veth", "peer", "name", f"{line}x")
            ip("addr", "add", f"{here}/24", "dev", line)
            ip("link", "set", line, "up")
            before = ("unshare", "--net", "sh", "-ec", INSIDE, "sh", f"{there}/24", f"{line}x")
            address = f"tcp://{here}:{port}"
            (worker,) = dask.start(f"machine{number}", before=before, address=address, host=there)
            while Path(f"/proc/{worker.pid}/ns/net").readlink() == Path("/proc/self/ns/net").readlink():
                assert worker.poll() is None
            ip("link", "set", f"{line}x", "netns", str(worker.pid))
            worker.stdin.write(b"go\n")
            worker.stdin.close()
        dask.address = f"tcp://127.0.0.1:{port}"
        dask.wait(["machine1", "machine2", "machine3"])
        program = [sys.executable, "-m", "croupier", "tournament", *words, "--cluster", dask.address]
        return subprocess.run(program, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
