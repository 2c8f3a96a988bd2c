"""OpenBLAS is loaded with one thread: others would spin on the cores on which bots think."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TELL = """
import os
from croupier.server.tournaments.playing import run
import numpy as np
from scipy import linalg
linalg.inv(np.random.default_rng(1).random((300, 300)) @ np.eye(300))
print(len(os.listdir("/proc/self/task")), os.environ.get("OPENBLAS_NUM_THREADS", "nothing"))
"""


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="threads are counted in /proc")
@pytest.mark.parametrize(("given", "threads"), [({}, "1"), ({"OPENBLAS_NUM_THREADS": "2"}, "2")])
def test_a_tournament_computes_in_one_thread_unless_told_otherwise(given, threads):
    """Where there is one core there is one thread whatever is said."""
    kept = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    told = subprocess.run([sys.executable, "-c", TELL], env=kept | given, capture_output=True, text=True, check=True)
    running, said = told.stdout.split()
    assert said == threads
    assert int(running) == 1 or given
