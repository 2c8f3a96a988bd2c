"""The command line in a process that is killed, as by ``kill -9``, when it comes to a point for the Nth time.

python dying.py POINT N ARGUMENT ...
"""

import os
import signal
import sys
from contextlib import contextmanager
from pathlib import Path

from croupier.server.cli import main
from croupier.server.tournaments.keeping.store import Store

POINTS = ("written", "named", "before commit", "after commit")
"""After a sync, after a file has got its name, and around a transaction of a store."""


def die_at(point, number):
    """Arrange for the end at one of the points between which a batch is kept."""
    left = number

    def pass_by(here):
        nonlocal left
        left -= here == point
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    sync, rename, transaction = os.fsync, Path.replace, Store.transaction

    def fsync(fd):
        sync(fd)
        pass_by("written")

    def replace(self, target):
        result = rename(self, target)
        pass_by("named")
        return result

    @contextmanager
    def begun(self):
        with transaction(self):
            yield
            pass_by("before commit")
        pass_by("after commit")

    os.fsync, Path.replace, Store.transaction = fsync, replace, begun


if __name__ == "__main__":
    die_at(sys.argv[1], int(sys.argv[2]))
    sys.argv[1:3] = []
    main()
