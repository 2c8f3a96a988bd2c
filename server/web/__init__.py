"""Pages that croupier serves on this machine's loopback, each behind the same door; needs the extra ``web``."""

from __future__ import annotations

from importlib.util import find_spec

NEEDED = ("hypercorn", "quart_trio")


def missing() -> str:
    """Say what to install before anything can be served; nothing if it is there."""
    return "" if all(map(find_spec, NEEDED)) else "pip install 'croupier[web]' brings it"
