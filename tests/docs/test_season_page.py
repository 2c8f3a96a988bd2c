"""The page about a season works from its first line to its last, and prints what it shows."""

from pathlib import Path

import needs
from pages import follow

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "season.md"


@needs.BUBBLEWRAP
def test_a_teacher_sees_what_the_page_shows(tmp_path):
    """Every file, every command, every output, in the order of the page."""
    assert follow(PAGE, tmp_path) >= 7
