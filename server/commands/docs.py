"""``croupier docs``: the manual, which comes with the package."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

import croupier
from croupier.server.commands import json_option, print_json, wrong
from croupier.server.commands.command import command
from croupier.server.terminal import say

if TYPE_CHECKING:
    from collections.abc import Mapping

MANUAL = Path(croupier.__file__).parent / "docs"


def pages() -> dict[str, Path]:
    """Return the manual's pages by name: ``how-to/tournaments``, ``reference/games/hearts``."""
    found = {str(path.relative_to(MANUAL).with_suffix("")): path for path in sorted(MANUAL.rglob("*.md"))}
    return {name.removesuffix("/README"): path for name, path in found.items()}


def page_names(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    """Complete a page's name, with or without its folder."""
    parts = [name.split("/") for name in pages()]
    endings = ("/".join(each[start:]) for each in parts for start in range(len(each)))
    return [ending for ending in endings if ending.startswith(incomplete)]


@command(
    "croupier docs",
    "croupier docs hearts",
)
@click.argument("page", required=False, shell_complete=page_names)
@json_option
def docs(page: str | None, *, as_json: bool) -> None:
    """List the pages of the manual; with PAGE, show that page.

    A page is known by its name without the folder, too: `hearts` is `games/hearts`.
    """
    known = pages()
    if page is None:
        _print_list(known, as_json=as_json)
        return
    name = _find_page(page, known)
    text = known[name].read_text("utf-8")
    if as_json:
        print_json({"page": name, "path": str(known[name]), "text": text})
    elif sys.stdout.isatty():
        click.echo_via_pager(text)
    else:
        sys.stdout.write(text)  # click would write UTF-8 even where the output is ASCII


def _find_page(page: str, known: Mapping[str, Path]) -> str:
    """Return the full name of a page from it or from its end, such as ``hearts``, or refuse the call."""
    short = page.removesuffix(".md").removeprefix("docs/").lower()
    found = [name for name in known if f"/{name}".endswith(f"/{short}")]
    if not found:
        wrong(f"there is no page {page}; the pages: {', '.join(name.rpartition('/')[2] for name in known)}")
    return found[0]


def _print_list(known: Mapping[str, Path], *, as_json: bool) -> None:
    titles = {name: path.read_text("utf-8").partition("\n")[0].removeprefix("# ") for name, path in known.items()}
    if as_json:
        pages = [{"page": name, "title": titles[name], "path": str(path)} for name, path in known.items()]
        print_json({"pages": pages})
        return
    width = max(map(len, known))
    for name, title in titles.items():
        say(f"{name:{width}}  {title}")
    say(f"They lie in {MANUAL}; `croupier docs PAGE` shows one.")
