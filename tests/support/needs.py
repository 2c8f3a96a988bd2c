"""Marks for tests that need what a machine may lack; the reason of each skip says what is missing."""

import functools
import importlib.util
import shutil
import subprocess
import sys

import pytest

from croupier.server.processes.sandbox import Level


def level(wanted):
    """Mark a test of one level of the sandbox by its name; conftest.py skips it where that does not work."""
    return getattr(pytest.mark, wanted.value)


def levels(*wanted):
    """List levels as values of a parameter, each skipped where it does not work."""
    return [pytest.param(each, marks=level(each)) for each in wanted]


def program(name):
    """Mark a test that starts a program of the system."""
    return pytest.mark.skipif(shutil.which(name) is None, reason=f"{name} is not installed")


@functools.cache
def compiles():
    """Return whether ``cc`` works: without the headers of the C library it compiles nothing."""
    if shutil.which("cc") is None:
        return False
    words = ["cc", "-fsyntax-only", "-x", "c", "-"]
    return not subprocess.run(words, input=b"#include <stdio.h>\n", capture_output=True, check=False).returncode


@functools.cache
def _has_networks():
    """Return whether a separate network can be made, with lines from it to others (``unshare`` and ``ip``)."""
    if shutil.which("unshare") is None or shutil.which("ip") is None:
        return False
    return not subprocess.run(
        [*ALONE, "ip", "link", "add", "line", "type", "veth"], capture_output=True, check=False
    ).returncode


ALONE = ("unshare", "--user", "--map-root-user", "--net")
"""What starts a program in a network of its own."""
ASCII_PATH = pytest.mark.skipif(
    not sys.prefix.isascii() or not __file__.isascii(),
    reason="Python reads the path to this project as ASCII here, and does not find it",
)
BUBBLEWRAP = level(Level.BWRAP)
NETWORKS = pytest.mark.skipif(
    not _has_networks(), reason="no network namespaces here (packages util-linux and iproute2)"
)
FRAMES = pytest.mark.skipif(
    not all(map(importlib.util.find_spec, ("pyarrow", "pandas", "duckdb"))),
    reason="pyarrow, pandas and duckdb are not installed (make test-bridges)",
)
JAX = pytest.mark.skipif(
    not all(map(importlib.util.find_spec, ("jax", "optax"))),
    reason="jax and optax are not installed (make test-bridges)",
)
NUMBA = pytest.mark.skipif(
    importlib.util.find_spec("numba") is None, reason="numba is not installed (make test-bridges)"
)
COMPILER = pytest.mark.skipif(not compiles(), reason="no C compiler works here (packages gcc and libc6-dev)")
