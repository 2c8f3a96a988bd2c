"""Make the manual a site: docs/, the README as its first page, and a reference of croupier.agents from its docstrings.

    python bench/manual.py out/docs

Every warning is an error: a dead link, a page in no list, a missing reference. The pages load nothing from other
servers, neither fonts nor scripts, and search works from a disk.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
MODULES = ("dominion", "hearts", "skat", "doppelkopf", "jass", "sedma", "recycle", "tricks")
CONTENTS = ROOT / "docs" / "contents.md"
"""The page whose headings and links are the menu."""
LINK = re.compile(r"\]\(([^)#:\s]+)[^)]*\)")
SETTINGS = {
    "project": "croupier",
    "html_title": "croupier",
    "html_theme": "furo",
    "extensions": ["myst_parser", "sphinx.ext.autodoc"],
    "myst_heading_anchors": 4,
    "autodoc_member_order": "bysource",
    "autodoc_default_options": {"members": True, "undoc-members": True},
    "html_show_search_summary": False,  # it would fetch the pages, which a browser does not do from a disk
    "html_show_copyright": False,
    "html_show_sphinx": False,
    "html_copy_source": False,
    "default_role": "code",
}


def reference() -> str:
    """Return the page of the reference: directives that read the docstrings."""
    asked = [*(f".. automodule:: croupier.agents.{name}\n" for name in ("agent", "driver", *MODULES))]
    about = (
        "What a bot in Python subclasses and starts; how to go about it is [a page of its own](../how-to/agents.md)."
    )
    parts = [f"## croupier.agents.{one.split('.')[-1].strip()}\n\n```{{eval-rst}}\n{one}```" for one in asked]
    return "\n\n".join(["# croupier.agents", about, *parts]) + "\n"


def menu() -> dict[str, list[str]]:
    """Return the pages by heading, as the page of contents lists them; the reference of agents ends its section."""
    _, *sections = CONTENTS.read_text("utf-8").split("\n## ")
    found = {one.partition("\n")[0]: [page.removesuffix(".md") for page in LINK.findall(one)] for one in sections}
    found["Reference"].append("reference/python")
    return found


def index() -> str:
    """Return the first page: the README, with its links adjusted, and the menu."""
    text = led_on(re.sub(r"\]\(docs/", "](", (ROOT / "README.md").read_text("utf-8")))
    trees = [
        f"```{{toctree}}\n:hidden:\n:caption: {name}\n\n" + "\n".join(pages) + "\n```" for name, pages in menu().items()
    ]
    return "\n\n".join([text, *trees]) + "\n"


def led_on(text: str) -> str:
    """Replace links to files outside docs/ by their names."""
    return re.sub(r"\[([^\]]+)\]\((?:\.\./)+(?:examples|bench)/[^)]*\)", r"`\1`", text)


def stage(folder: Path) -> Path:
    """Arrange the sources of the site."""
    source = shutil.copytree(ROOT / "docs", folder / "docs")
    for page in source.rglob("*.md"):
        page.write_text(led_on(page.read_text("utf-8")), "utf-8")
    contents = source / CONTENTS.name
    contents.write_text("---\norphan: true\n---\n" + contents.read_text("utf-8"), "utf-8")  # it is already the menu
    (source / "index.md").write_text(index(), "utf-8")
    (source / "reference" / "python.md").write_text(reference(), "utf-8")
    return source


def build(out: Path) -> int:
    """Write the site; return 1 if anything is wrong with it."""
    from pygments.lexers.special import TextLexer  # noqa: PLC0415  an extra
    from sphinx.application import Sphinx  # noqa: PLC0415  an extra
    from sphinx.util.docutils import docutils_namespace, patch_docutils  # noqa: PLC0415  an extra

    with tempfile.TemporaryDirectory() as name, patch_docutils(), docutils_namespace():
        trees = Path(name) / "trees"
        app = Sphinx(stage(Path(name)), None, out, trees, "html", SETTINGS, status=None, warningiserror=True)
        for ours in ("record", "recycle"):
            app.add_lexer(ours, TextLexer)
        app.build()
        return app.statuscode


if __name__ == "__main__":
    sys.exit(build(Path(sys.argv[1])))
