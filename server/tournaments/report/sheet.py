"""The sheet of every page: one style sheet, one script, which sorts tables, and nothing from anywhere."""

from __future__ import annotations

import base64
import hashlib
from importlib import resources

from croupier.server.tournaments.report.drawing import tag, text

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-{}'"
"""Nothing from anywhere, and no script but the one with this hash."""
ICON = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16'"
    " rx='3' fill='%23146356'/%3E%3Cpath fill='%23fff' d='M8 2c2 2.4 5 4 5 6.500a2.400 2.400 0 0 1-4.300 1.500L9.500"
    " 13h-3l.8-3A2.400 2.400 0 0 1 3 8.500C3 6 6 4.400 8 2z'/%3E%3C/svg%3E"
)


def sheet(title: str, *body: str) -> str:
    """Write a whole page, which needs nothing else, and no script to be read."""
    script = _file("page.js")
    policy = POLICY.format(base64.b64encode(hashlib.sha256(script.encode()).digest()).decode())
    head = tag(
        "head",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        f'<link rel="icon" href="{ICON}">',
        tag("title", text(title)),
        tag("style", _file("page.css")),
    )
    return f'<!DOCTYPE html>\n<html lang="en">{head}{tag("body", *body, tag("script", script))}</html>\n'


def _file(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text("utf-8")
