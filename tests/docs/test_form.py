"""The form of the manual: pages that can be read at a sitting, in lines that an editor shows whole."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs").rglob("*.md"))
WIDEST = 140
LONGEST = 250
A_TASK = 120
"""Lines of a page of how-to: one task."""
LONGER = {
    "reference/json-output.md": "has every field of every document",
    "how-to/writing-a-game.md": "shows a whole package, which a test installs",
}


def name(page):
    """Return a page's path in the manual."""
    return page.relative_to(ROOT / "docs").as_posix()


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_a_page_is_short(page):
    """At most 250 lines, a task at most 120; rules of a game are as long as they are."""
    if name(page) in LONGER or name(page).startswith("reference/games/"):
        return
    lines = len(page.read_text("utf-8").splitlines())
    assert lines <= (A_TASK if name(page).startswith("how-to/") else LONGEST)


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_no_line_is_wide(page):
    """Those may be wider that cannot be broken: rows of tables, a picture's words, commands, output."""
    written = re.sub(r"(?ms)^```(?:sh|text)\n.*?^```$", "", page.read_text("utf-8"))
    for number, line in enumerate(written.splitlines(), 1):
        assert len(line) <= WIDEST or line.startswith(("|", "![")), number


def test_no_exception_is_left_over():
    """A page that is short by now is no exception."""
    for page in LONGER:
        assert len((ROOT / "docs" / page).read_text("utf-8").splitlines()) > A_TASK


def test_headers_of_tables_are_nouns():
    """A column is named by what it has, not by a verb or a question."""
    verbs = r"says|means|does|wanted|holds|is|when|then|for whom|who|why|and you|dies|ask"
    for page in PAGES:
        headers = re.findall(r"^(\|.*\|)\n\|[-|: ]+\|$", page.read_text("utf-8"), re.MULTILINE)
        cells = [cell.strip() for header in headers for cell in header.strip("|").split("|")]
        assert not [cell for cell in cells if re.fullmatch(verbs, cell)], name(page)
