"""A test's file as a program in which numba compiles nothing."""

import json
import os
import subprocess
import sys


def without_numba(file):
    """Run a file in such a process; return what it prints as JSON."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, file], capture_output=True, check=True, env=environment)
    return json.loads(done.stdout)
