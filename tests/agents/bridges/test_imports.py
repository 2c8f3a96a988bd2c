"""Agents import the standard library and the protocol; bridges and what numba compiles the libraries of an extra."""

import ast
import sys
from pathlib import Path

import pytest

from croupier.agents import bridges
from croupier.server import extras

FOLDER = Path(bridges.__file__).parent
ASKING = {"bridges/chat.py": "llm", "bridges/openspiel.py": "openspiel", "search/compiled.py": "solver"}
"""The modules that import an extra's libraries."""
BROUGHT = {"openspiel": {"pyspiel", "numpy"}, "solver": {"numpy"}}
"""Modules that an extra's libraries bring under other names."""


def imported(path):
    """Return the modules that a file imports, wherever it does so."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module


@pytest.mark.parametrize("path", sorted(FOLDER.parent.rglob("*.py")), ids=lambda path: path.stem)
def test_an_agent_imports_what_every_python_has(path):
    """So a bot needs nothing installed; other libraries are those that an extra names."""
    extra = ASKING.get(f"{path.parent.name}/{path.name}")
    needed = [extras._module(library) for library in extras.EXTRAS.get(extra, ())]
    allowed = {*sys.stdlib_module_names, "__future__", *needed, *BROUGHT.get(extra, ())}
    strange = {name for name in imported(path) if name.partition(".")[0] not in allowed}
    assert all(name.startswith(("croupier.protocol", "croupier.agents")) for name in strange), strange


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_a_bridge_is_short(path):
    """At most 150 lines, so that the next one can be read off it; the prompt, which all games share, is longer."""
    assert path.stem == "prompt" or len(path.read_text("utf-8").splitlines()) <= 150
