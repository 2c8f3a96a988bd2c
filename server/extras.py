"""Extras: libraries that only some commands need, and the command that installs them."""

from __future__ import annotations

import re
import shlex
import sys
from importlib.util import find_spec

EXTRAS = {
    "cluster": ("distributed>=2024.5",),
    "columns": ("pyarrow>=18",),
    "llm": ("openai>=3.57,<4", "httpx2>=2.12,<3"),
    "openspiel": ("open_spiel>=2.0.2,<3",),
    "rl": ("pettingzoo>=1.27,<2",),
    "onnx": ("onnxruntime>=1.22,<2",),
    "solver": ("numba>=0.62,<1",),
    "web": ("quart-trio>=0.12,<1", "hypercorn[trio]>=0.17,<1"),
}
"""The optional dependencies of pyproject.toml; a test compares them."""


def missing(extra: str) -> str:
    """Return the command that installs an extra's libraries; empty if they can be imported."""
    return "" if all(find_spec(_module(library)) for library in EXTRAS[extra]) else installation(extra)


def installation(extra: str) -> str:
    """Return the shell command that installs an extra's libraries where this interpreter finds them.

    It names the libraries, not croupier: that works wherever croupier was installed from, which need not be an index.
    """
    return shlex.join([sys.executable, "-m", "pip", "install", *EXTRAS[extra]])


def _module(library: str) -> str:
    return re.split(r"[\[<>=]", library)[0].replace("-", "_")
