"""The pages of a tournament and of an analysis in a browser: whole at every width, for few bots and for many."""

from random import Random

import pytest
from browser import MOST_BYTES, PHONE
from click.testing import CliRunner
from contests import Here, bot, contest, pretend, settings

from croupier.server.cli import cli

LAPTOP, SCREEN = 1100, 1920
LONG = "a-bot-with-a-name-of-32-letters"
TIMES = ((180, 9), (190, 30), (200, 12), (240, 1))
MEASURE = """
const width = document.documentElement.clientWidth, wrong = [];
const seen = (box) => box.width && box.height;
const boxes = (svg) => [...svg.querySelectorAll("text")].map((text) => [text.textContent, text.getBoundingClientRect()])
    .filter(([, box]) => box.width);
for (const each of document.querySelectorAll("body *:not(svg *)")) {
    const box = each.getBoundingClientRect(), style = getComputedStyle(each);
    const name = `${each.tagName} ${each.className.baseVal ?? each.className}`;
    if (seen(box) && (box.left < -0.5 || box.right > width + 0.5)) wrong.push(name + " leaves the page");
    if (each.scrollWidth > each.clientWidth + 1 && !["inline", "contents"].includes(style.display)
        && style.overflowX !== "visible" && !(style.textOverflow === "ellipsis" && each.title))
        wrong.push(name + " is clipped");
}
for (const dot of document.querySelectorAll("svg circle")) {
    const box = dot.getBoundingClientRect(), svg = dot.ownerSVGElement, its = svg.getBoundingClientRect();
    const within = getComputedStyle(svg).overflow === "visible" ? { left: 0, right: width } : its;
    if (box.left < within.left - 0.5 || box.right > within.right + 0.5) wrong.push("a dot is cut");
}
for (const svg of document.querySelectorAll("svg"))
    boxes(svg).forEach(([said, box], place, all) => {
        if (box.left < 0 || box.right > width) wrong.push(said + " is cut");
        for (const [other, its] of all.slice(place + 1))
            if (box.left < its.right && its.left < box.right && Math.abs(box.top - its.top) + 3 < box.height)
                wrong.push(said + " collides with " + other);
    });
return wrong;
"""
UNEXPLAINED = """
const plain = ["rgba(0, 0, 0, 0)", "transparent"], wrong = [];
for (const section of document.querySelectorAll("section")) {
    const marks = [...section.querySelectorAll(".legend i")];
    const colored = section.querySelector("svg[role=img], .better, .worse, .open");
    if (colored && !marks.length) wrong.push(section.id + " has no legend");
    for (const mark of marks) {
        const style = getComputedStyle(mark);
        if (plain.includes(style.backgroundColor) && style.borderStyle === "none") wrong.push(mark.className + " bare");
    }
    for (const kind of ["better", "worse", "open", "never"])
        if (section.querySelector("." + kind + ":not(.legend *)") && !section.querySelector(".legend ." + kind))
            wrong.push(section.id + " does not explain " + kind);
}
return wrong;
"""
LOOKS = """return ["open", "never"].map((kind) => getComputedStyle(document.querySelector("td." + kind)))
    .map((style) => style.backgroundColor + style.borderStyle)"""
NAMES = """return [...document.querySelectorAll(".standings tbody tr:not([hidden]) th [data-sort]")]
    .map((name) => name.textContent)"""
STUCK = """
const table = document.querySelector(".standings"), row = table.tBodies[0].rows[20];
document.documentElement.style.scrollBehavior = "auto";
row.scrollIntoView({ block: "center" });
const heads = [...table.tHead.rows[0].cells].filter((head) => getComputedStyle(head).position === "sticky");
return heads.map((head) => Math.round(head.getBoundingClientRect().top));
"""
SPREAD = """
const at = [...document.querySelectorAll(".standings circle")].map((dot) => parseFloat(dot.getAttribute("cx")));
return [Math.min(...at), Math.max(...at), document.querySelectorAll(".standings path.mean").length];
"""
FEW = ("--deals", "12", "--thinking", "3", "--worlds", "2", "--searching", "2", "--playouts", "5", "--workers", "1")
AGRAM = ("recycle:agram", "-o", "single=ask", "--beside", "single=auto")


def forty():
    """Enter forty bots with names of all lengths, one of which is called a sentence."""
    names = [LONG, "x", "far-behind", "Team_Of_Three_Students_2026", *(f"student-{place}" for place in range(36))]
    return [
        bot(name, **({"title": "The students of the second row of desks"} if name == "x" else {})) for name in names
    ]


def scored(dice):
    """Return scores that differ by bot, one of them far from all others; another now and then commits a fault."""

    def score(name, deal):
        if name == "student-7" and deal % 9 == 0:
            return -26
        return 60 if name == "far-behind" else max(0, round(dice.gauss(3 + sum(map(ord, name)) % 9, 4)))

    return score


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Report a tournament with a fault in it and one of forty in which some never met, and analyze two variants."""
    folder = tmp_path_factory.mktemp("reports")
    four = ("sloppy-one", "ben-with-a-moat", "cat-in-the-hat", "dan")
    named = [bot(name, "mixed", *([9] if name == "sloppy-one" else [])) for name in four]
    contest(folder / "four", settings(named, deals=8, max_fault_share=1.0))
    asked = settings(forty(), deals=3, format="swiss", max_fault_share=1.0)
    contest(folder / "forty", asked, Here(pretend(scored(Random(1)), TIMES)))
    calls = [["report", str(folder / name), "--out", str(folder / f"{name}.html")] for name in ("four", "forty")]
    calls.append(["report", str(folder / "forty"), "--for", "student-7", "--out", str(folder / "own.html")])
    calls.append(["analyze", *AGRAM, *FEW, "--html", str(folder / "both.html")])
    for words in calls:
        assert CliRunner().invoke(cli, words).exit_code == 0
    return {path.stem: path.as_uri() for path in folder.glob("*.html")}


@pytest.mark.parametrize("width", [PHONE, LAPTOP, SCREEN])
@pytest.mark.parametrize("name", ["four", "forty", "own", "both"])
def test_nothing_is_cut_and_nothing_collides(browser, pages, name, width):
    """Nothing leaves the page, is clipped or is fetched: neither names of 32 letters nor forty columns."""
    browser.open(pages[name], width)
    assert 10_000 < browser.run("return document.documentElement.outerHTML.length") < MOST_BYTES
    assert browser.run(MEASURE) == []
    assert browser.too_wide() <= 0
    assert browser.requests() == [pages[name]]


@pytest.mark.parametrize("name", ["four", "forty", "own", "both"])
def test_every_color_is_explained(browser, pages, name):
    """Each chart and each table with colors has a legend, whose samples have a color of their own."""
    browser.open(pages[name])
    assert browser.run(UNEXPLAINED) == []


def test_never_having_met_does_not_look_like_being_even(browser, pages):
    """Of forty some pairs never met, and some differ by nothing that is known."""
    browser.open(pages["forty"])
    open_, never = browser.run(LOOKS)
    assert open_ != never


@pytest.mark.parametrize("width", [PHONE, LAPTOP, SCREEN])
def test_the_head_of_a_long_table_stays_in_sight(browser, pages, width):
    """On a phone that is the axis: there each number has its name with it."""
    browser.open(pages["forty"], width)
    tops = browser.run(STUCK)
    assert len(tops) == 1 if width == PHONE else len(tops) > 8
    assert all(0 <= top < 3 for top in tops)


def test_the_field_fills_the_scale_where_a_bot_is_far_behind(browser, pages):
    """Thirty-nine dots lie apart, and an arrow at the edge stands for the last."""
    browser.open(pages["forty"])
    first, last, arrows = browser.run(SPREAD)
    assert arrows == 1
    assert last - first > 40


def test_a_name_is_searched_for(browser, pages):
    """Only what is about it stays, on the whole page; how many they are is said; an empty field shows all."""
    browser.open(pages["forty"])
    browser.click("nav input")
    browser.press(*"TEAM_of")
    assert browser.run(NAMES) == ["Team_Of_Three_Students_2026"]
    assert browser.text("nav output") == "1 of 40"
    assert browser.run("return document.querySelectorAll('figure:not([hidden])').length") == 1
    browser.press(*["BACKSPACE"] * 7)
    assert len(browser.run(NAMES)) == 40


def test_the_contents_lead_to_each_section(browser, pages):
    """A click brings it to the top, and all are listed."""
    browser.open(pages["forty"])
    assert browser.run(
        "return [...document.querySelectorAll('nav a')].map((link) => link.hash.slice(1))"
    ) == browser.run("return [...document.querySelectorAll('section')].map((section) => section.id)")
    browser.run("document.documentElement.style.scrollBehavior = 'auto'")
    browser.click("nav a[href='#seats']")
    browser.until("Math.abs(document.querySelector('#seats').getBoundingClientRect().top) < 40")


def test_a_cell_of_the_cross_table_says_whom_it_is_about(browser, pages):
    """A tap on it, as numbers alone head its columns."""
    browser.open(pages["forty"], PHONE)
    cell = "document.querySelector('.cross tbody tr:nth-child(2)').cells[1]"
    names = browser.run(NAMES)
    browser.run(f"{cell}.click()")
    said = browser.text(".pair")
    assert said.startswith(f"{names[1]} against {names[0]}: ")
    assert said.endswith(browser.run(f"return {cell}.title"))


def test_a_table_is_sorted_by_a_click(browser, pages):
    """On the name of a column: the names from a to z, and from z to a by another click."""
    browser.open(pages["four"])
    names = sorted(browser.run(NAMES))
    browser.click(".standings th button")
    assert browser.run(NAMES) == names
    browser.click(".standings th button")
    assert browser.run(NAMES) == names[::-1]


@pytest.mark.parametrize("light", ["light", "dark"])
@pytest.mark.parametrize(
    ("name", "width"), [("four", SCREEN), ("forty", PHONE), ("forty", SCREEN), ("own", LAPTOP), ("both", LAPTOP)]
)
def test_everybody_can_read_the_pages(browser, pages, name, width, light):
    """Names, roles, contrast: axe-core finds nothing to say, in light and in the dark."""
    browser.open(pages[name], width, light=light)
    assert browser.judged() == []
