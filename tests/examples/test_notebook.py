"""The notebook in examples/ runs from its first cell to its last, and each cell shows something."""

import ast
import contextlib
import json
from pathlib import Path

NOTEBOOK = Path(__file__).parents[2] / "examples" / "notebook" / "tournament.ipynb"


def run(cells):
    """Run cells as a notebook does; yield what each shows: the value of its last line."""
    names = {}
    for number, cell in enumerate(cells):
        *lines, last = ast.parse("".join(cell["source"])).body
        exec(compile(ast.Module(lines, []), f"cell {number}", "exec"), names)
        yield eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), names)


def test_the_notebook_runs(tmp_path):
    """In an empty folder, with a tournament that it plays itself."""
    document = json.loads(NOTEBOOK.read_text())
    code = [cell for cell in document["cells"] if cell["cell_type"] == "code"]
    assert all(not cell["outputs"] for cell in code)
    with contextlib.chdir(tmp_path):
        standings, seats, found, means, game, plays, rows = run(code)
        assert "<table>" in standings._repr_html_()
        assert "duck" in found._repr_html_()
        assert "<iframe" in game._repr_html_()
    assert seats.keys() == means.keys() == {"duck", "one", "two", "three"}
    assert all(len(each) == 4 for each in seats.values())
    assert {row[0]: round(row[1], 2) for row in rows} == means
    assert min(means, key=means.get) == "duck"
    assert len(plays) == 8
