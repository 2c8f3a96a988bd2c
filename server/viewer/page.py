"""The page: one file with its style, its script and its data, which is packed so that no letter of it is markup."""

from __future__ import annotations

import base64
import json
import zlib
from importlib import resources
from typing import Any

from croupier.server.pages.drawing import tag
from croupier.server.pages.html_page import html_page, sha256

SCRIPTS = ("cards.js", "page.js")
POLICY = "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'"
"""Nothing from anywhere, and neither style nor script but those with these hashes."""


def page(data: dict[str, Any]) -> str:
    """Write the whole page."""
    style, script = _parts()
    body = _file("page.html").format(frame=frame(), film=pack(data))
    return html_page(data["title"], body, tag("script", script), head=tag("style", style), policy=policy())


def frame(more: str = "") -> str:
    """Return what every page of a game has in it: what can be chosen, the table, the way through; and more choices."""
    return _file("frame.html").format(more=more)


def policy() -> str:
    """Return the content policy of every page, also for the headers with which it is served."""
    return POLICY.format(*map(sha256, _parts()))


def _parts() -> tuple[str, str]:
    return _file("page.css"), "".join(map(_file, SCRIPTS))


def pack(data: dict[str, Any]) -> str:
    """Return a page's data as text in which nothing but letters, digits, plus, slash and equals signs can stand."""
    return base64.b64encode(zlib.compress(json.dumps(data, separators=(",", ":")).encode(), 9)).decode()


def unpack(text: str) -> dict[str, Any]:
    """Return the data that a page holds."""
    data: dict[str, Any] = json.loads(zlib.decompress(base64.b64decode(text)))
    return data


def _file(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text("utf-8")
