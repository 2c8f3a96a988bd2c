"""The page: one file with its style, its script and its data, encoded so that no character of it is markup."""

from __future__ import annotations

import base64
import json
import zlib
from importlib import resources
from typing import Any

from croupier.server.pages.drawing import tag
from croupier.server.pages.html_page import html_page, sha256

SCRIPTS = ("cards.js", "log.js", "review.js", "page.js")
POLICY = "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'"
"""Loads nothing, and allows only the style and script with these hashes."""


def page(data: dict[str, Any]) -> str:
    """Write the whole page."""
    style, script = _parts()
    body = _file("page.html").format(frame=frame(), film=pack(data))
    return html_page(data["title"], body, tag("script", script), head=tag("style", style), policy=policy())


def frame(more: str = "") -> str:
    """Return the common part of the pages of a game: options, the table, the controls; and ``more`` options."""
    return _file("frame.html").format(more=more)


def policy() -> str:
    """Return the content policy of every page, also for the headers with which it is served."""
    return POLICY.format(*map(sha256, _parts()))


def _parts() -> tuple[str, str]:
    return _file("page.css"), "".join(map(_file, SCRIPTS))


def pack(data: dict[str, Any]) -> str:
    """Return a page's data as text that contains only letters, digits, plus, slash and equals signs."""
    return base64.b64encode(zlib.compress(json.dumps(data, separators=(",", ":")).encode(), 9)).decode()


def unpack(text: str) -> dict[str, Any]:
    """Return the data of a page."""
    data: dict[str, Any] = json.loads(zlib.decompress(base64.b64decode(text)))
    return data


def _file(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text("utf-8")
