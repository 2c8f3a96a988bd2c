"""What the README and the pages promise works as it stands there."""

import re
import subprocess
from pathlib import Path

import pytest
from pages import follow

from croupier.server import entries
from croupier.server.processes.sandbox import launch
from croupier.server.records.replay import judge

ROOT = Path(__file__).parent.parent.parent
README = (ROOT / "README.md").read_text()


def blocks(text, kind):
    return re.findall(rf"```{kind}\n(.*?)```", text, re.DOTALL)


def test_the_readmes_bot_has_ten_lines():
    """Your first bot in ten lines, blank ones apart."""
    (bot,) = blocks(README, "python low.py")
    assert len([line for line in bot.splitlines() if line.strip()]) <= 10


def test_the_readmes_commands_work_in_their_order(tmp_path):
    """Save the bot, seat it, enter it, replay: every croupier command of the README, as written."""
    assert follow(ROOT / "README.md", tmp_path) >= 7


def test_a_stranger_reads_the_readme_in_two_minutes():
    """It has no more lines than that."""
    assert len(README.splitlines()) <= 120


def test_no_page_installs_what_is_not_published():
    """No index has croupier: it is installed from its folder or from a wheel."""
    for page in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md")):
        assert not re.search(r"pip install (--\S+ )*[\"']?croupier", page.read_text()), page


def test_python_is_unbuffered_at_our_tables(tmp_path):
    """What a Python bot prints is read at once, as the page on flushing says, though it does not flush."""
    assert "Python | nothing at our tables" in (ROOT / "docs" / "how-to" / "bots.md").read_text()
    entry = entries.of_command(["python", "-c", "print('at once'); input()"])
    env = launch.environment(entry, tmp_path)
    with subprocess.Popen(entry.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env) as process:
        assert process.stdout.readline() == b"at once\n"
        process.communicate(b"\n", timeout=300)


@pytest.mark.parametrize(
    "page", [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))], ids=lambda page: page.name
)
def test_no_link_is_dead(page):
    """Every relative link of every page leads to a file, and to a heading of it if the link names one."""
    for target, heading in re.findall(r"\]\(([^)#:\s]*)(?:#([^)\s]+))?\)", page.read_text()):
        there = page.parent / target if target else page
        assert there.exists(), f"{page.name} links to {target}"
        assert not heading or heading in anchors(there), f"{page.name} links to {target}#{heading}"


def anchors(page):
    """Return the anchors of a page's headings, as a code host makes them."""
    headings = re.findall(
        r"^#+ (.*)$", re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL), re.MULTILINE
    )
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_the_sample_record_replays():
    """The record on its page is a game as far as it goes."""
    (record,) = blocks((ROOT / "docs" / "reference" / "records.md").read_text(), "record")
    verdict = judge(record)
    assert verdict.valid, verdict
