"""The manual as a site: every page is in its menu, once, and none hides another."""

import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OWN = {"search", "genindex", "py-modindex", "index"}
"""Pages that the generator writes itself."""


@pytest.fixture(scope="module")
def manual():
    """Load the script that makes the site, which needs its generator only to build."""
    spec = spec_from_file_location("manual", ROOT / "bench" / "manual.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_page_is_in_the_menu_once(manual, tmp_path):
    """What is laid out for the generator is what the menu names, and its first page."""
    source = manual.stage(tmp_path)
    pages = [page for pages in manual.menu().values() for page in pages]
    there = {str(path.relative_to(source).with_suffix("")) for path in source.rglob("*.md")}
    assert sorted([*pages, "index", "contents"]) == sorted(there)
    assert not OWN & set(pages)


def test_no_link_leads_out_of_the_site(manual, tmp_path):
    """Each relative link of a page leads to what is laid out beside it."""
    source = manual.stage(tmp_path)
    for page in source.rglob("*.md"):
        for target in manual.LINK.findall(page.read_text("utf-8")):
            assert (page.parent / target).resolve().is_relative_to(source), (page.name, target)
            assert (page.parent / target).exists(), (page.name, target)


def test_the_reference_has_every_agent_to_subclass(manual):
    """The agents whose names end so are there to be built upon."""
    agent = re.compile(r"^class \w*Agent\b", re.MULTILINE)
    found = {path.stem for path in (ROOT / "agents").glob("*.py") if agent.search(path.read_text())}
    assert len(found) > 4
    assert all(f"croupier.agents.{name}\n" in manual.reference() for name in found)
