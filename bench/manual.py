"""Make the manual a site: docs/, the README as its first page, and a reference of croupier.agents from its docstrings.

python bench/manual.py out/docs

Every warning is an error: a dead link, a page that no list names, a reference that is not there. The pages ask for
nothing from anywhere, neither fonts nor scripts, and search works from a disk.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
GAMES = ("dominion", "hearts", "skat", "doppelkopf", "jass", "sedma")
PAGES = {
    "Write a bot": ("agents", "bots", "improve", "thinking", "protocol", "errors", "security", "reference"),
    "Play and watch": ("people", "viewer", "watch", "find", "records", "completion"),
    "Tournaments": ("tournaments", "cluster", "statistics", "performance"),
    "Games": (*(f"games/{name}" for name in GAMES), "orderings"),
    "RECYCLE": ("recycle/README", "recycle/tutorial", "recycle/syntax", "recycle/library"),
    "Games of your own": ("analyze", "writing-a-game"),
    "More": ("questions", "architecture"),
}
"""Every page of docs/, and the reference, in the order of the menu."""
RENAMED = {"search": "thinking"}
"""Pages whose names are taken: the site's own search is called so."""
MODULES = (*GAMES, "recycle", "tricks")
LINK = re.compile(r"\]\(([^)#:\s]+)[^)]*\)")
SETTINGS = {
    "project": "croupier",
    "html_title": "croupier",
    "html_theme": "furo",
    "extensions": ["myst_parser", "sphinx.ext.autodoc"],
    "myst_heading_anchors": 4,
    "autodoc_member_order": "bysource",
    "autodoc_default_options": {"members": True, "undoc-members": True},
    "html_show_search_summary": False,  # it would fetch the pages, which a browser does not from a disk
    "html_show_copyright": False,
    "html_show_sphinx": False,
    "html_copy_source": False,
    "default_role": "code",
}


def reference() -> str:
    """Return the page of the reference: directives that read the docstrings."""
    asked = [*(f".. automodule:: croupier.agents.{name}\n" for name in ("agent", "driver", *MODULES))]
    about = "What a bot in Python subclasses and starts; how to go about it is [a page of its own](agents.md)."
    parts = [f"## croupier.agents.{one.split('.')[-1].strip()}\n\n```{{eval-rst}}\n{one}```" for one in asked]
    return "\n\n".join(["# croupier.agents", about, *parts]) + "\n"


def index() -> str:
    """Return the first page: the README, whose links lead on from here, and the menu."""
    text = led_on(re.sub(r"\]\(docs/", "](", (ROOT / "README.md").read_text("utf-8")))
    menu = [
        f"```{{toctree}}\n:hidden:\n:caption: {name}\n\n" + "\n".join(pages) + "\n```" for name, pages in PAGES.items()
    ]
    return "\n\n".join([text, *menu]) + "\n"


def led_on(text: str) -> str:
    """Let links lead where pages are here, and name files outside docs/ without one."""
    for old, new in RENAMED.items():
        text = re.sub(rf"(\]\((?:\.\./)*){old}\.md", rf"\g<1>{new}.md", text)
    return re.sub(r"\[([^\]]+)\]\((?:\.\./)+examples/[^)]*\)", r"`\1`", text)


def stage(folder: Path) -> Path:
    """Lay out what the site is made from."""
    source = shutil.copytree(ROOT / "docs", folder / "docs")
    for page in source.rglob("*.md"):
        page.write_text(led_on(page.read_text("utf-8")), "utf-8")
    for old, new in RENAMED.items():
        (source / f"{old}.md").rename(source / f"{new}.md")
    (source / "index.md").write_text(index(), "utf-8")
    (source / "reference.md").write_text(reference(), "utf-8")
    return source


def build(out: Path) -> int:
    """Write the site; return 1 if anything is amiss in it."""
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
