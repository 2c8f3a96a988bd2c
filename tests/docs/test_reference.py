"""The generated pages of the manual are what the code says now."""

import subprocess
import sys
from pathlib import Path

from croupier.server.analysis.measures import MEASURES

ROOT = Path(__file__).parents[2]


def test_the_generated_pages_are_as_the_code_is(tmp_path):
    """A new option or command is on its page, by `python bench/reference.py`, which knows nothing of this process."""
    subprocess.run([sys.executable, ROOT / "bench" / "reference.py", tmp_path], check=True)
    for page in tmp_path.iterdir():
        assert (ROOT / "docs" / "reference" / page.name).read_text("utf-8") == page.read_text("utf-8"), page.name
    assert len(list(tmp_path.iterdir())) > 5


def test_each_measure_of_a_game_is_defined():
    """Each formula of `croupier analyze` is in the table of the page."""
    page = (ROOT / "docs" / "reference" / "measures.md").read_text("utf-8")
    table = page.partition("| number | table | definition |\n|---|---|---|\n")[2].partition("\n\n")[0]
    named = {name.strip() for row in table.splitlines() for name in row.split("|")[1].split(",")}
    assert {measure.name for measure in MEASURES} <= named
