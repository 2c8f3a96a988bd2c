"""The generated pages of the manual are what the code says now."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from croupier.server.analysis.measures import MEASURES

ROOT = Path(__file__).parents[2]


def test_the_generated_pages_are_as_the_code_is():
    """A new option or command is on its page, by `python bench/reference.py`."""
    spec = spec_from_file_location("reference", ROOT / "bench" / "reference.py")
    reference = module_from_spec(spec)
    spec.loader.exec_module(reference)
    for name, text in reference.pages().items():
        assert (ROOT / "docs" / "reference" / name).read_text("utf-8") == text, name


def test_each_measure_of_a_game_is_defined():
    """Each formula of `croupier analyze` is in the table of the page."""
    page = (ROOT / "docs" / "reference" / "measures.md").read_text("utf-8")
    table = page.partition("| number | table | definition |\n|---|---|---|\n")[2].partition("\n\n")[0]
    named = {name.strip() for row in table.splitlines() for name in row.split("|")[1].split(",")}
    assert {measure.name for measure in MEASURES} <= named
