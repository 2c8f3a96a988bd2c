"""The form of a public text: a regular expression in the manifest, so that nobody can choose the text freely.

The pattern may be a stranger's, so only patterns that match in one pass are allowed: without alternatives and nested
groups, and with possessive repetitions.
"""

from __future__ import annotations

import re

NUMBERS = "[1-9][0-9]*( [1-9][0-9]*)*"
"""The default: whole numbers without leading zeros, one space between them."""
MOST = 200
"""The most characters of a pattern, and of a public text."""

_CLASS = r"\[\^?(?:\\[^a-zA-Z0-9]|\\[dws]|-(?!-)|[^\[\]\\&|~-])+\]"
_ATOM = rf"(?:{_CLASS}|\\[^a-zA-Z0-9]|\\[dws]|[^\\\[\](){{}}*+?|^$])"
_REPEAT = r"(?:[*+?]|\{\d{1,3}(?:,\d{1,3})?\})"
_PIECE = rf"(?:{_ATOM}{_REPEAT}?+)"
_FORM = re.compile(rf"(?:{_PIECE}|\({_PIECE}+\){_REPEAT}?+)++")
_TOKEN = re.compile(rf"(?P<atom>{_ATOM})|(?P<repeat>{_REPEAT})|\(")


def defect(form: str) -> str:
    """Return why a pattern cannot be the form of a public text; empty if it can."""
    if len(form) > MOST:
        return f"has more than {MOST} characters"
    if not _FORM.fullmatch(form):
        return (
            "is not a pattern of characters, classes such as [0-9], groups that hold no group, and repetitions"
            " such as + or {2,6}"
        )
    try:
        re.compile(form)
    except (re.error, OverflowError) as problem:
        return f"is no regular expression: {problem}"
    return ""


def fits(form: str, text: str) -> bool:
    """Return whether a whole text has a form; each repetition takes as much as it can."""
    return len(text) <= MOST and not defect(form) and bool(re.fullmatch(_TOKEN.sub(_once, form), text, re.ASCII))


def _once(token: re.Match[str]) -> str:
    """Make repetitions possessive, so that matching takes one pass, whatever the pattern."""
    if token["repeat"]:
        return token["repeat"] + "+"
    return token["atom"] or "(?:"
