"""The generated pages of the manual are what the code says now."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_generated_pages_are_as_the_code_is():
    """A new option or command is on its page, by `python bench/reference.py`."""
    spec = spec_from_file_location("reference", ROOT / "bench" / "reference.py")
    reference = module_from_spec(spec)
    spec.loader.exec_module(reference)
    for name, text in reference.pages().items():
        assert (ROOT / "docs" / "reference" / name).read_text("utf-8") == text, name
