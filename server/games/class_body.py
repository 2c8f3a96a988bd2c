"""What the body of a game's class sets, where its bases are compiled (setup.py) and look into their objects alone."""

from __future__ import annotations

from types import GetSetDescriptorType
from typing import Any


def set_in_class(rules: type) -> dict[str, Any]:
    """Take from a class what its body sets, but compiled bases keep in each object; raise TypeError for a property."""
    kept: tuple[str, ...] = getattr(rules, "__mypyc_attrs__", ())
    found = {name: vars(rules)[name] for name in kept if name in vars(rules)}
    given = {name: value for name, value in found.items() if not isinstance(value, GetSetDescriptorType)}
    for name, value in given.items():
        if hasattr(value, "__get__"):
            raise TypeError(f"{rules.__name__}.{name}: a compiled game keeps it in each object: set it in __init__")
        delattr(rules, name)
    return given
