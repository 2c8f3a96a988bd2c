"""Compiled functions: what was compiled once is used again where nothing can be written, as in a sandbox."""

import subprocess
import sys

import pytest
from needs import NUMBA

SANDBOX = """
from numba.core import caching

def refuse(self):
    raise OSError(30, "Read-only file system")

caching._CacheLocator.ensure_cache_path = refuse
"""
FORGET = "caching.IndexDataCacheFile.load = lambda self, key: None\n"
LOOK = """
from croupier.agents.search import perfect_lines, solver
print(len(solver.solve.stats.cache_hits), len(solver.solve.signatures))
"""


def solver_in(program):
    """Load the solver in a process of its own; return how often it was read, and compiled or read, as text."""
    return subprocess.run([sys.executable, "-c", program + LOOK], capture_output=True, text=True, check=True).stdout


@NUMBA
@pytest.mark.parametrize(("program", "read"), [(SANDBOX, 1), (SANDBOX + FORGET, 0)])
def test_where_nothing_can_be_written_what_was_kept_is_read_and_all_else_compiled(program, read):
    solver_in("")
    assert solver_in(program).split() == [str(read), "1"]
