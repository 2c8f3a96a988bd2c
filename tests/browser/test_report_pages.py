"""The pages of a tournament and of an analysis in a browser: whole on a desk and on a phone, and for everybody."""

import pytest
from browser import DESK, PHONE
from click.testing import CliRunner
from contests import Here, bot, contest, pretend, settings

from croupier.server.cli import cli

MEASURE = """
const width = document.documentElement.clientWidth, wrong = [];
const boxes = (svg) => [...svg.querySelectorAll("text")].map((text) => [text.textContent, text.getBoundingClientRect()])
    .filter(([, box]) => box.width);
for (const each of document.querySelectorAll(".scroll"))
    if (each.scrollWidth > each.clientWidth + 1) wrong.push(each.firstChild.className + " is clipped");
for (const svg of document.querySelectorAll("svg"))
    boxes(svg).forEach(([said, box], place, all) => {
        if (box.left < 0 || box.right > width) wrong.push(said + " is cut");
        for (const [other, its] of all.slice(place + 1))
            if (box.left < its.right && its.left < box.right && Math.abs(box.top - its.top) + 3 < box.height)
                wrong.push(said + " collides with " + other);
    });
const looks = [...document.querySelectorAll("td.open, td.never")].map((cell) =>
    cell.className + " " + getComputedStyle(cell).backgroundColor + getComputedStyle(cell).borderStyle);
return { wrong, looks: [...new Set(looks)], drawn: document.querySelectorAll("svg").length };
"""
NAMES = 'return [...document.querySelectorAll(".standings td.name")].map((cell) => cell.textContent)'
FEW = ("--deals", "12", "--thinking", "3", "--worlds", "2", "--searching", "2", "--playouts", "5", "--workers", "1")
AGRAM = ("recycle:agram", "-o", "single=ask", "--beside", "single=auto")


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Report a tournament with a fault in it and one in which some never met, and analyze two variants."""
    folder = tmp_path_factory.mktemp("reports")
    four = ("sloppy-one", "ben-with-a-moat", "cat-in-the-hat", "dan")
    named = [bot(name, "mixed", *([9] if name == "sloppy-one" else [])) for name in four]
    contest(folder / "four", settings(named, deals=8, max_fault_share=1.0))
    many = [bot(f"{name}-{place}", "mixed") for name in ("first", "second") for place in range(6)]
    scores = pretend(lambda name, deal: (37 * deal * len(name) + ord(name[-1])) % 1000)
    contest(folder / "swiss", settings(many, deals=2, format="swiss"), Here(scores))
    calls = [["report", str(folder / name), "--out", str(folder / f"{name}.html")] for name in ("four", "swiss")]
    calls.append(["analyze", *AGRAM, *FEW, "--html", str(folder / "both.html")])
    for words in calls:
        assert CliRunner().invoke(cli, words).exit_code == 0
    return {path.stem: path.as_uri() for path in folder.glob("*.html")}


@pytest.mark.parametrize("width", [DESK, PHONE])
@pytest.mark.parametrize("name", ["four", "swiss", "both"])
def test_nothing_is_cut_and_nothing_collides(browser, pages, name, width):
    """Tables fit, names and numbers beside axes are whole, nothing is fetched; never having met is not being even."""
    browser.open(pages[name], width)
    found = browser.run(MEASURE)
    aside = {"numbers is clipped"} if name == "both" else set()  # of two variants, and scrolled in itself
    assert set(found["wrong"]) <= aside
    assert browser.too_wide() <= 0
    assert found["drawn"] > 5
    assert browser.requests() == [pages[name]]
    if name == "swiss":
        assert {look.split()[0] for look in found["looks"]} == {"open", "never"}
        assert len({look.partition(" ")[2] for look in found["looks"]}) == 2


def test_a_table_is_sorted_by_a_click(browser, pages):
    """On the name of a column: the names from a to z, and from z to a by another click."""
    browser.open(pages["four"])
    names = sorted(browser.run(NAMES))
    browser.click(".standings th.name button")
    assert browser.run(NAMES) == names
    browser.click(".standings th.name button")
    assert browser.run(NAMES) == names[::-1]


@pytest.mark.parametrize("light", ["light", "dark"])
@pytest.mark.parametrize("name", ["four", "both"])
def test_everybody_can_read_the_pages(browser, pages, name, light):
    """Names, roles, contrast: axe-core finds nothing to say, in light and in the dark."""
    browser.open(pages[name], light=light)
    assert browser.judged() == []
