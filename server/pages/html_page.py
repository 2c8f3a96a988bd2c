"""Whole HTML pages. A report contains its style and script; served pages link to theirs."""

from __future__ import annotations

import base64
import hashlib
from importlib import resources
from typing import TYPE_CHECKING

from croupier.server.pages.drawing import tag, text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.server.pages.drawing import Section

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-{}'"
"""Loads nothing, and runs only the script with this hash."""
ICON = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16'"
    " rx='3' fill='%23146356'/%3E%3Cpath fill='%23fff' d='M8 2c2 2.4 5 4 5 6.500a2.400 2.400 0 0 1-4.300 1.500L9.500"
    " 13h-3l.8-3A2.400 2.400 0 0 1 3 8.500C3 6 6 4.400 8 2z'/%3E%3C/svg%3E"
)


def html_page(title: str, *body: str, head: str = "", policy: str = "", icon: str = "") -> str:
    """Write a whole page. ``head`` has its styles; ``policy`` is for a page that no server sends with one."""
    meta = [
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">' if policy else "",
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        f'<link rel="icon" href="{icon}">' if icon else "",
    ]
    whole = tag("head", *meta, tag("title", text(title)), head) + tag("body", *body)
    return f'<!DOCTYPE html>\n<html lang="en">{whole}</html>\n'


def report_page(title: str, header: str, sections: Sequence[Section], footer: str, *, names: str = "") -> str:
    """Write a page of charts and tables as one file, readable without its script.

    Its contents are listed beside it. ``names`` asks for one of the names that can be searched, such as a player.
    """
    script = _file("report.js")
    policy = POLICY.format(sha256(script))
    body = (header, _contents(sections, names) if sections else "", tag("main", *map(str, sections)), footer)
    style = tag("style", _file("report.css"))
    return html_page(title, *body, tag("script", script), head=style, policy=policy, icon=ICON)


def options_in_use(options: Sequence[tuple[str, str, bool]]) -> str:
    """Explain the options of a game, changed ones first and the usual ones on request.

    Each is as it was given, such as ``pass=none``, then what it decides, and whether it has its default.
    """
    changed, usual = ([option for option in options if option[2] is kind] for kind in (False, True))
    several = "The usual options" if not changed else "The other options are the usual ones"
    more = tag("details", tag("summary", several), _definitions(usual)) if usual else ""
    return (_definitions(changed) + more) if options else ""


def _definitions(options: Sequence[tuple[str, str, bool]]) -> str:
    rows = [tag("dt", tag("code", text(given))) + tag("dd", text(about)) for given, about, _ in options]
    return tag("dl", *rows, class_="options") if rows else ""


def _contents(sections: Sequence[Section], names: str) -> str:
    """List the sections; the search field appears only with a script."""
    links = [tag("li", tag("a", text(each.title), href=f"#{each.name}")) for each in sections]
    field = tag("input", type="search", autocomplete="off", spellcheck="false")
    search = tag("label", f"Find a {text(names)}", field, tag("output"), hidden="") if names else ""
    return tag("nav", tag("ul", *links), search, aria_label="Contents")


def links(*names: str) -> str:
    """Write links to style sheets and to scripts, which run when the page has been parsed."""
    return "".join(
        f'<link rel="stylesheet" href="{name}">' if name.endswith(".css") else tag("script", src=name, defer="")
        for name in names
    )


def sha256(text: str) -> str:
    """Return the SHA-256 of a style or a script for a content policy."""
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _file(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text("utf-8")
