"""The tutorials work from their first line to their last, and print what they show."""

from pathlib import Path

import needs
import pytest
from pages import follow

START = Path(__file__).parents[2] / "docs" / "start"


PAGES = [
    pytest.param(path, id=path.stem, marks=needs.BUBBLEWRAP if path.stem == "first-tournament" else ())
    for path in sorted(START.glob("*.md"))
]
"""A tournament says it where the strongest sandbox does not work: the page shows one where it does."""


@pytest.mark.parametrize("page", PAGES)
def test_a_reader_sees_what_the_page_shows(page, tmp_path):
    """Every file, every command, every output, in the order of the page."""
    assert follow(page, tmp_path) >= 4


def test_there_are_four_tutorials():
    """A first bot, a first tournament, a game to study, a game to design."""
    assert {page.stem for page in START.glob("*.md")} == {
        "first-bot",
        "first-tournament",
        "study-a-game",
        "design-a-game",
    }
